// Parses JSON from standard input with cJSON and prints it formatted, then a few facts.
#include "cJSON.h"
#include <stdio.h>
#include <stdlib.h>

static char input[1 << 16];

static int count(const cJSON *value) {
    int values = 1;
    const cJSON *child;
    cJSON_ArrayForEach(child, value) values += count(child);
    return values;
}

int main(void) {
    size_t length = fread(input, 1, sizeof input - 1, stdin);
    cJSON *value = cJSON_ParseWithLength(input, length);
    if (!value) {
        printf("not JSON near byte %d\n", (int)(cJSON_GetErrorPtr() - input));
        return 1;
    }
    char *text = cJSON_Print(value);
    if (!text) return 2;
    printf("%s\n%d values\n", text, count(value));
    free(text);
    cJSON_Delete(value);
    return 0;
}
