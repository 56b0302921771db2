// What `import Glibc` lacks. No header here may declare a type that Glibc has: it would be this module's as well, and which
// of the two a source sees hangs on the order of compilation.
#define _GNU_SOURCE
#include <errno.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int clinux_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// By number: whether a header declares it hangs on macros that another module may have set before.
static inline int clinux_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

static inline int clinux_rename_without_replacing(int folder, const char *old_name, const char *new_name) {
	return (int)syscall(SYS_renameat2, folder, old_name, folder, new_name, 1 /* RENAME_NOREPLACE */);
}

static inline int clinux_exchange(int folder, const char *name, const char *other) {
	return (int)syscall(SYS_renameat2, folder, name, folder, other, 2 /* RENAME_EXCHANGE */);
}

// The caller's flags hold O_DIRECTORY, so that a kernel or file system without nameless files refuses.
static inline int clinux_open_nameless(int folder, int flags, unsigned mode) {
	return (int)syscall(SYS_openat, folder, ".", flags | 020000000 /* __O_TMPFILE */, mode);
}

// Declared here (glibc 2.34): with spawn.h comes a definition that is another one in the module Glibc.
int posix_spawn_file_actions_addclosefrom_np(void *actions, int first);

static inline int clinux_close_from(void *actions, int first) {
	return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// A file without a name, which is not closed by exec.
static inline int clinux_memory_file(const char *name) {
	return (int)syscall(SYS_memfd_create, name, 2U /* MFD_ALLOW_SEALING */);
}

// By number too; what is open from `first` on is closed.
static inline int clinux_close_all(unsigned first) { return (int)syscall(436 /* SYS_close_range */, first, ~0U, 0); }

static inline int clinux_forbid_new_privileges(void) { return prctl(38 /* PR_SET_NO_NEW_PRIVS */, 1, 0, 0, 0); }

// By number, for <sys/signalfd.h> declares types. The kernel's own set of signals is the first 8 bytes of the library's.
static inline int clinux_signal_descriptor(const void *signals) {
	return (int)syscall(SYS_signalfd4, -1, signals, 8UL, 02000000 | 04000 /* SFD_CLOEXEC | SFD_NONBLOCK */);
}
