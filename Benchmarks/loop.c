/* The references in C: the least that libcrypto needs for the work that the tools do.
 *
 *   loop pbkdf2 PASSPHRASE SALT ROUNDS    PKCS5_PBKDF2_HMAC; prints the key
 *   loop batch DATA-FOLDER < ids          reads, hashes and opens each object; prints count and bytes
 *   loop big FILE                         the same for one large blob, in place; writes the plaintext
 *   loop seal FILE NONCE                  reads a file, seals it in place under that nonce (hex), hashes the
 *                                         envelope; prints its name
 *
 * batch, big and seal take the read key, 64 hex digits, from $BENCH_READ_KEY (the key of the stores that the
 * benchmark makes; the tools never take one so). An object is the file obj-cas-imm-<hex of its SHA-256>:
 * nonce(12) || ciphertext || tag(16), AES-256-GCM. Nothing is written before hash and tag are verified.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#define _GNU_SOURCE
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NONCE = 12, TAG = 16, SMALL = 1 << 16, PAGE = 4096 };
static const size_t STEP = 1 << 20; /* hash and open a piece of a large blob while it is in the cache */
static const char PREFIX[] = "obj-cas-imm-";

static void die(const char *what) {
    fprintf(stderr, "loop: %s\n", what);
    exit(2);
}

static size_t from_hex(const char *hex, uint8_t *out, size_t room) {
    size_t n = strlen(hex) / 2;
    if (n > room) die("hex too long");
    for (size_t i = 0; i < n; i++)
        if (sscanf(hex + 2 * i, "%2hhx", &out[i]) != 1) die("not hex");
    return n;
}

static void must_be_named(const char *path, const uint8_t digest[SHA256_DIGEST_LENGTH]) {
    static const char digits[] = "0123456789abcdef";
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0) die("not an object's name");
    name += sizeof PREFIX - 1;
    size_t n = strlen(name);
    if (n != 12 && n != 32) die("not an object's name");
    for (size_t i = 0; i < n; i++)
        if (name[i] != digits[i % 2 ? digest[i / 2] & 15 : digest[i / 2] >> 4]) die("damaged object");
}

/* One cipher fetched, one context: for each object only the nonce changes. */
static EVP_CIPHER_CTX *ready(int sealing) {
    const char *hex = getenv("BENCH_READ_KEY");
    uint8_t key[32];
    if (hex == NULL || from_hex(hex, key, sizeof key) != sizeof key) die("no $BENCH_READ_KEY");
    EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, "AES-256-GCM", NULL);
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (!EVP_CipherInit_ex2(context, cipher, key, NULL, sealing, NULL)) die("no AES-256-GCM");
    return context;
}

static EVP_CIPHER_CTX *opener(void) { return ready(0); }

static void begin(EVP_CIPHER_CTX *context, const uint8_t *nonce) {
    if (!EVP_DecryptInit_ex2(context, NULL, NULL, nonce, NULL)) die("cannot set the nonce");
}

static void open_in_place(EVP_CIPHER_CTX *context, uint8_t *bytes, size_t n) {
    int done;
    if (!EVP_DecryptUpdate(context, bytes, &done, bytes, (int)n)) die("cannot open");
}

static void must_verify(EVP_CIPHER_CTX *context, uint8_t *tag) {
    uint8_t rest[TAG];
    int done;
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, tag);
    if (EVP_DecryptFinal_ex(context, rest, &done) != 1) die("the seal does not fit");
}

static int pbkdf2(const char *passphrase, const char *salt, int rounds) {
    uint8_t key[32];
    if (!PKCS5_PBKDF2_HMAC(passphrase, (int)strlen(passphrase), (const uint8_t *)salt, (int)strlen(salt),
                           rounds, EVP_sha256(), sizeof key, key))
        die("PKCS5_PBKDF2_HMAC failed");
    for (size_t i = 0; i < sizeof key; i++) printf("%02x", key[i]);
    putchar('\n');
    return 0;
}

static int batch(const char *folder) {
    static uint8_t bytes[SMALL];
    char name[128];
    size_t objects = 0, total = 0;
    EVP_CIPHER_CTX *context = opener();
    int data = open(folder, O_RDONLY | O_DIRECTORY);
    if (data < 0) die("cannot open the data folder");
    while (fgets(name, sizeof name, stdin) != NULL) {
        name[strcspn(name, "\n")] = '\0';
        int file = openat(data, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) die("cannot open an object");
        ssize_t n = read(file, bytes, sizeof bytes);
        close(file);
        if (n < NONCE + TAG || n == SMALL) die("not a small object");

        uint8_t digest[SHA256_DIGEST_LENGTH];
        SHA256_CTX hash;
        SHA256_Init(&hash);
        SHA256_Update(&hash, bytes, (size_t)n);
        SHA256_Final(digest, &hash);
        must_be_named(name, digest);

        begin(context, bytes);
        open_in_place(context, bytes + NONCE, (size_t)n - NONCE - TAG);
        must_verify(context, bytes + n - TAG);
        objects++, total += (size_t)n - NONCE - TAG;
    }
    printf("%zu %zu\n", objects, total);
    return 0;
}

static int big(const char *path) {
    EVP_CIPHER_CTX *context = opener();
    struct stat status;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) die("cannot open the blob");
    size_t size = (size_t)status.st_size, have = 0, opened = NONCE;
    if (size < NONCE + TAG) die("not an envelope");
    size_t end = size - TAG;
    /* On a page: to 16 bytes past one, where malloc puts it, the kernel copies a file a third slower. */
    uint8_t *bytes = aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);
    if (bytes == NULL) die("no memory");
    for (size_t got = 0; got < size;) {
        ssize_t n = read(file, bytes + got, size - got);
        if (n <= 0) die("cannot read the blob");
        got += (size_t)n;
    }

    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX hash;
    SHA256_Init(&hash);
    begin(context, bytes);
    while (have < size) {
        size_t n = size - have < STEP ? size - have : STEP;
        SHA256_Update(&hash, bytes + have, n);
        have += n;
        size_t until = have < end ? have : end;
        if (until > opened) open_in_place(context, bytes + opened, until - opened), opened = until;
    }
    SHA256_Final(digest, &hash);
    must_be_named(path, digest);
    must_verify(context, bytes + end);

    for (size_t sent = NONCE; sent < end;) {
        ssize_t n = write(STDOUT_FILENO, bytes + sent, end - sent);
        if (n <= 0) die("cannot write");
        sent += (size_t)n;
    }
    return 0;
}

static int seal(const char *path, const char *nonce) {
    EVP_CIPHER_CTX *context = ready(1);
    struct stat status;
    int done, file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) die("cannot open the file");
    size_t size = (size_t)status.st_size, end = PAGE + size, hashed = PAGE - NONCE;
    /* A page before the file, so that it is read to where a page begins; the nonce ends that page. */
    uint8_t *bytes = aligned_alloc(PAGE, (end + TAG + PAGE - 1) / PAGE * PAGE);
    if (bytes == NULL) die("no memory");
    for (size_t got = 0; got < size;) {
        ssize_t n = read(file, bytes + PAGE + got, size - got);
        if (n <= 0) die("cannot read the file");
        got += (size_t)n;
    }

    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256_CTX hash;
    SHA256_Init(&hash);
    if (from_hex(nonce, bytes + hashed, NONCE) != NONCE) die("not a nonce");
    if (!EVP_EncryptInit_ex2(context, NULL, NULL, bytes + hashed, NULL)) die("cannot set the nonce");
    for (size_t sealed = PAGE; sealed < end;) {
        size_t n = end - sealed < STEP ? end - sealed : STEP;
        if (!EVP_EncryptUpdate(context, bytes + sealed, &done, bytes + sealed, (int)n)) die("cannot seal");
        sealed += n;
        SHA256_Update(&hash, bytes + hashed, sealed - hashed);
        hashed = sealed;
    }
    if (!EVP_EncryptFinal_ex(context, bytes + end, &done)) die("cannot seal");
    EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, bytes + end);
    SHA256_Update(&hash, bytes + hashed, end + TAG - hashed);
    SHA256_Final(digest, &hash);
    fputs(PREFIX, stdout);
    for (size_t i = 0; i < sizeof digest / 2; i++) printf("%02x", digest[i]);
    putchar('\n');
    return 0;
}

int main(int count, char **words) {
    if (count == 5 && strcmp(words[1], "pbkdf2") == 0) return pbkdf2(words[2], words[3], atoi(words[4]));
    if (count == 3 && strcmp(words[1], "batch") == 0) return batch(words[2]);
    if (count == 3 && strcmp(words[1], "big") == 0) return big(words[2]);
    if (count == 4 && strcmp(words[1], "seal") == 0) return seal(words[2], words[3]);
    die("usage: loop pbkdf2 PASSPHRASE SALT ROUNDS | batch DATA-FOLDER | big FILE | seal FILE NONCE");
}
