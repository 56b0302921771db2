// How libcrypto asks a person; no part of the library may let it.
#include <openssl/ui.h>
