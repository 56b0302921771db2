// The SHA256_* calls are deprecated in OpenSSL 3 in favour of EVP, which costs a provider start a process
// and cannot give the block function. docs/decisions says why they are used.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/sha.h>

// A libcrypto built without deprecated calls lacks it; PBKDF2 then goes through EVP.
#pragma weak SHA256_Transform
static inline int copenssl_has_sha256_transform(void) { return SHA256_Transform != 0; }
