/* A harness of coax's own. */
#include <coax.h>
#include <string.h>

char *encode(const char *plain);

int main(void) {
    char plain[4] = "";
    int length = coax_range(0, 4, "length");
    coax_bytes(plain, length, "plain");
    coax_assume(strlen(plain) == (size_t)length);
    char *encoded = encode(plain);
    if (strlen(encoded) == 9)
        coax_cover("three escapes");
    coax_assert(!strchr(encoded, ' '), "a space is left");
    return 0;
}
