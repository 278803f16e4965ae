/* Prints its arguments percent-encoded. */
#include <stdio.h>
#include <stdlib.h>

char *encode(const char *plain);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        char *text = encode(argv[i]);
        puts(text);
        free(text);
    }
    return 0;
}
