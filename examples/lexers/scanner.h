// A lexer by hand, but for its keywords: the file that includes this one says how they are told from names.
#include "tokens.h"
#include <stddef.h>
#include <stdint.h>

enum { LONGEST_WORD = 31 };

/* Which keyword a word is, or NAME. It ends with a null character. */
static enum token keyword(const char *word, size_t length);

unsigned number_value;

static const char *at, *end;

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Takes a character if it comes next; whether it did. */
static int take_character(char c) {
    if (at == end || *at != c) return 0;
    at++;
    return 1;
}

static enum token word(void) {
    char text[LONGEST_WORD + 1];
    size_t length = 0;
    while (at < end && (is_letter(*at) || is_digit(*at))) {
        if (length == LONGEST_WORD) return BAD;
        text[length++] = *at++;
    }
    text[length] = 0;
    return keyword(text, length);
}

static enum token number(void) {
    number_value = 0;
    for (; at < end && is_digit(*at); at++) {
        unsigned digit = *at - '0';
        number_value = number_value > (UINT32_MAX - digit) / 10 ? UINT32_MAX : number_value * 10 + digit;
    }
    return NUMBER;
}

enum token next_token(void) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n')) at++;
    if (at == end) return END_OF_TEXT;
    if (is_letter(*at)) return word();
    if (is_digit(*at)) return number();
    switch (*at++) {
        case ';': return SEMICOLON;
        case ',': return COMMA;
        case '.': return DOT;
        case ':': return take_character('=') ? ASSIGN : COLON;
        case '=': return EQUALS;
        case '<': return take_character('=') ? LESS_EQUALS : take_character('>') ? NOT_EQUALS : LESS;
        case '>': return take_character('=') ? GREATER_EQUALS : GREATER;
        case '+': return PLUS;
        case '-': return MINUS;
        case '*': return TIMES;
        case '(': return OPEN;
        case ')': return CLOSE;
        case '[': return OPEN_INDEX;
        case ']': return CLOSE_INDEX;
        default: return BAD;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    at = (const char *)data;
    end = at + size;
    parse();
    return 0;
}
