// Parses XML from standard input with TinyXML-2 and prints its outline.
#include <cstdio>
#include <tinyxml2.h>

static char input[1 << 16];

static void outline(const tinyxml2::XMLElement *element, int depth) {
    for (; element; element = element->NextSiblingElement()) {
        std::printf("%*s%s", 2 * depth, "", element->Name());
        for (auto attribute = element->FirstAttribute(); attribute; attribute = attribute->Next())
            std::printf(" %s=%s", attribute->Name(), attribute->Value());
        std::printf("\n");
        outline(element->FirstChildElement(), depth + 1);
    }
}

int main() {
    std::size_t length = std::fread(input, 1, sizeof input, stdin);
    tinyxml2::XMLDocument document;
    if (document.Parse(input, length) != tinyxml2::XML_SUCCESS) {
        std::printf("line %d: %s\n", document.ErrorLineNum(), document.ErrorName());
        return 1;
    }
    outline(document.RootElement(), 0);
    return 0;
}
