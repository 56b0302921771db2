/// How many commits or entries show that nothing recurses over them or takes time beyond their count.
///
/// A million where the code is optimised; without that fewer, which overflow a stack just as well.
#if DEBUG
    package let many = 50_000
#else
    package let many = 1_000_000
#endif
