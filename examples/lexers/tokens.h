// What lies between a lexer and the parser.
#ifndef TOKENS_H
#define TOKENS_H

enum token {
    END_OF_TEXT,
    BAD,
    NAME,
    NUMBER,
    /* keywords */
    PROGRAM,
    CONST,
    VAR,
    PROCEDURE,
    BEGIN_BLOCK,
    END,
    IF,
    THEN,
    ELSE,
    WHILE,
    DO,
    FOR,
    TO,
    DOWNTO,
    REPEAT,
    UNTIL,
    CASE,
    OF,
    OTHERWISE,
    RETURN,
    BREAK,
    PRINT,
    ARRAY,
    AND,
    OR,
    NOT,
    DIV,
    MOD,
    TRUE_VALUE,
    FALSE_VALUE,
    /* signs */
    SEMICOLON,
    COMMA,
    DOT,
    COLON,
    ASSIGN,
    EQUALS,
    NOT_EQUALS,
    LESS,
    LESS_EQUALS,
    GREATER,
    GREATER_EQUALS,
    PLUS,
    MINUS,
    TIMES,
    OPEN,
    CLOSE,
    OPEN_INDEX,
    CLOSE_INDEX,
};

/* The next token of the text. */
enum token next_token(void);

/* What the last NUMBER is; as large as can be if it is too large. */
extern unsigned number_value;

/* Whether the text is a program. */
int parse(void);

#endif
