/* What expat's configure script would find out about WASI. */
#define BYTEORDER 1234
#define XML_CONTEXT_BYTES 1024
#define XML_DTD 1
#define XML_NS 1
/* Its hash salt need not be secret here, and runs must repeat. */
#define XML_POOR_ENTROPY 1
