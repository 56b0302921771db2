#include <zlib.h>

// zlib.h makes these with macros that Swift does not import.
static inline int czlib_inflate_init(z_stream *stream) { return inflateInit(stream); }
static inline int czlib_deflate_init(z_stream *stream, int level) { return deflateInit(stream, level); }
static inline int czlib_gunzip_init(z_stream *stream) { return inflateInit2(stream, 15 + 16 /* gzip alone */); }
