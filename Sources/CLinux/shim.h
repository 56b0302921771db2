// What `import Glibc` lacks.
#include <sys/prctl.h>

static inline int clinux_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
