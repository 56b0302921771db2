/* Preloaded into the tools: counts the SHA-256 blocks that key derivation asks of libcrypto.
 *
 * PBKDF2 calls the block function twice a round, 1,200,000 times a derivation; nothing else that the tools do
 * comes near. The count is kept in the file $KDF_LOG, mapped by every process of a pipeline, so that it does not
 * matter how a process ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_ulong *blocks;

__attribute__((constructor)) static void map_the_count(void)
{
	const char *path = getenv("KDF_LOG");
	int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *blocks, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (page == MAP_FAILED)
		abort();
	close(file);
	blocks = page;
}

static void *behind(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	/* A program may have opened libcrypto for itself only. */
	return found ? found : dlsym(dlopen("libcrypto.so.3", RTLD_LAZY), name);
}

void SHA256_Transform(void *state, const unsigned char *block)
{
	static void (*next)(void *, const unsigned char *);
	if (!next)
		next = (void (*)(void *, const unsigned char *))behind("SHA256_Transform");
	atomic_fetch_add(blocks, 1);
	next(state, block);
}

/* The way out where libcrypto lacks the block function; it must not go uncounted. */
int PKCS5_PBKDF2_HMAC(const char *pass, int passlen, const unsigned char *salt, int saltlen, int rounds, const void *digest,
		      int keylen, unsigned char *out)
{
	static int (*next)(const char *, int, const unsigned char *, int, int, const void *, int, unsigned char *);
	if (!next)
		next = (int (*)(const char *, int, const unsigned char *, int, int, const void *, int, unsigned char *))behind(
			"PKCS5_PBKDF2_HMAC");
	atomic_fetch_add(blocks, 2ul * (unsigned long)rounds);
	return next(pass, passlen, salt, saltlen, rounds, digest, keylen, out);
}
