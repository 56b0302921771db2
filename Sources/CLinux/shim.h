// What `import Glibc` lacks.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int clinux_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

// By number: whether a header declares it hangs on macros that another module may have set before.
static inline int clinux_syncfs(int descriptor) { return (int)syscall(SYS_syncfs, descriptor); }

static inline int clinux_rename_without_replacing(int folder, const char *old_name, const char *new_name) {
	return (int)syscall(SYS_renameat2, folder, old_name, folder, new_name, 1 /* RENAME_NOREPLACE */);
}

static inline int clinux_open_nameless(int folder, mode_t mode) {
	// O_TMPFILE holds O_DIRECTORY, so that a kernel or file system without it refuses.
	return openat(folder, ".", O_RDWR | 020000000 /* __O_TMPFILE */ | O_DIRECTORY | O_CLOEXEC, mode);
}
