// Parses XML from standard input with expat and prints its outline.
#include <expat.h>
#include <stdio.h>

static char input[1 << 16];
static int depth, characters;

static void start(void *data, const XML_Char *name, const XML_Char **attributes) {
    (void)data;
    printf("%*s%s", 2 * depth++, "", name);
    for (; *attributes; attributes += 2) printf(" %s=%s", attributes[0], attributes[1]);
    printf("\n");
}

static void end(void *data, const XML_Char *name) {
    (void)data, (void)name;
    depth--;
}

static void text(void *data, const XML_Char *string, int length) {
    (void)data, (void)string;
    characters += length;
}

int main(void) {
    XML_Parser parser = XML_ParserCreate(NULL);
    if (!parser) return 2;
    XML_SetElementHandler(parser, start, end);
    XML_SetCharacterDataHandler(parser, text);
    size_t length = fread(input, 1, sizeof input, stdin);
    if (XML_Parse(parser, input, (int)length, 1) == XML_STATUS_ERROR) {
        printf("line %lu: %s\n", (unsigned long)XML_GetCurrentLineNumber(parser), XML_ErrorString(XML_GetErrorCode(parser)));
        return 1;
    }
    printf("%d characters of text\n", characters);
    XML_ParserFree(parser);
    return 0;
}
