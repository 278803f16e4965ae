// A small language whose words are delimited by blanks. The file that includes this one says how keywords are told apart.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum token {
    END_OF_TEXT,
    NAME,
    NUMBER,
    BAD,
    PRINT,
    LET,
    BE,
    IF,
    THEN,
    ELSE,
    END,
    WHILE,
    DO,
    RETURN,
    SKIP,
    LESS,
    EQUALS,
    NOT,
};

enum { LONGEST_WORD = 15, DEEPEST = 20 };

/* Which token a word is: a keyword, or NAME. */
static enum token classify(const char *word);

struct reader {
    const char *at, *end;
    enum token token; /* the one that comes next */
    int depth, statements;
};

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

static void advance(struct reader *reader) {
    char word[LONGEST_WORD + 1];
    size_t length = 0;
    while (reader->at < reader->end && is_blank(*reader->at)) reader->at++;
    if (reader->at == reader->end) {
        reader->token = END_OF_TEXT;
        return;
    }
    while (reader->at < reader->end && !is_blank(*reader->at)) {
        if (length == LONGEST_WORD) {
            reader->token = BAD;
            return;
        }
        word[length++] = *reader->at++;
    }
    word[length] = 0;
    reader->token = word[0] >= '0' && word[0] <= '9' ? NUMBER : classify(word);
}

/* Takes a token of this kind; whether it was there. */
static int take(struct reader *reader, enum token token) {
    if (reader->token != token) return 0;
    advance(reader);
    return 1;
}

static int operand(struct reader *reader) { return take(reader, NAME) || take(reader, NUMBER); }

static int condition(struct reader *reader) {
    while (take(reader, NOT)) continue;
    if (!operand(reader)) return 0;
    if (take(reader, LESS)) return operand(reader);
    if (take(reader, EQUALS)) return operand(reader);
    return 1;
}

static int statements(struct reader *reader);

static int if_statement(struct reader *reader) {
    if (!condition(reader)) return 0;
    if (!take(reader, THEN)) return 0;
    if (!statements(reader)) return 0;
    if (take(reader, ELSE)) {
        if (!statements(reader)) return 0;
    }
    return take(reader, END);
}

static int while_statement(struct reader *reader) {
    if (!condition(reader)) return 0;
    if (!take(reader, DO)) return 0;
    if (!statements(reader)) return 0;
    return take(reader, END);
}

static int let_statement(struct reader *reader) {
    if (!take(reader, NAME)) return 0;
    if (!take(reader, BE)) return 0;
    return operand(reader);
}

static int statement(struct reader *reader) {
    reader->statements++;
    if (take(reader, PRINT)) return operand(reader);
    if (take(reader, LET)) return let_statement(reader);
    if (take(reader, IF)) return if_statement(reader);
    if (take(reader, WHILE)) return while_statement(reader);
    if (take(reader, RETURN)) return operand(reader);
    return take(reader, SKIP);
}

static int statements(struct reader *reader) {
    if (++reader->depth > DEEPEST) return 0;
    while (reader->token != END_OF_TEXT && reader->token != END && reader->token != ELSE) {
        if (!statement(reader)) return 0;
    }
    reader->depth--;
    return 1;
}

/* How many statements a text has; -1 if it is none of the language. */
static int parse(const char *text, size_t length) {
    struct reader reader = {text, text + length, END_OF_TEXT, 0, 0};
    advance(&reader);
    if (!statements(&reader)) return -1;
    if (reader.token != END_OF_TEXT) return -1;
    return reader.statements;
}
