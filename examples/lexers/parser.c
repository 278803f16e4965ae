// A recursive-descent parser for a small Pascal, behind one of three lexers: flex.l, keywords.gperf, table.c.
#include "tokens.h"

enum { DEEPEST = 30, MOST_NAMES = 8, MOST_CASES = 16 };

static enum token token; /* the one that comes next */
static int depth, loops, in_procedure;

static void advance(void) { token = next_token(); }

/* Takes a token of this kind; whether it was there. */
static int take(enum token wanted) {
    if (token != wanted) return 0;
    advance();
    return 1;
}

static int expression(void);
static int statement(void);

static int index_of_array(void) {
    if (!expression()) return 0;
    return take(CLOSE_INDEX);
}

static int factor(void) {
    switch (token) {
        case NAME:
            advance();
            if (take(OPEN_INDEX)) return index_of_array();
            return 1;
        case NUMBER:
        case TRUE_VALUE:
        case FALSE_VALUE: advance(); return 1;
        case NOT:
            advance();
            return factor();
        case OPEN:
            advance();
            if (!expression()) return 0;
            return take(CLOSE);
        default: return 0;
    }
}

static int term(void) {
    if (!factor()) return 0;
    while (token == TIMES || token == DIV || token == MOD || token == AND) {
        int divides = token == DIV || token == MOD;
        advance();
        if (divides && token == NUMBER && number_value == 0) return 0; /* by nothing */
        if (!factor()) return 0;
    }
    return 1;
}

static int sum(void) {
    take(MINUS);
    if (!term()) return 0;
    while (token == PLUS || token == MINUS || token == OR) {
        advance();
        if (!term()) return 0;
    }
    return 1;
}

static int is_comparison(void) {
    switch (token) {
        case EQUALS:
        case NOT_EQUALS:
        case LESS:
        case LESS_EQUALS:
        case GREATER:
        case GREATER_EQUALS: return 1;
        default: return 0;
    }
}

static int expression(void) {
    if (++depth > DEEPEST) return 0;
    if (!sum()) return 0;
    if (is_comparison()) {
        advance();
        if (!sum()) return 0;
    }
    depth--;
    return 1;
}

/* Statements up to a token that ends them, which is taken. */
static int statements(enum token end) {
    for (;;) {
        if (!statement()) return 0;
        if (take(end)) return 1;
        if (!take(SEMICOLON)) return 0;
    }
}

static int loop_body(void) {
    loops++;
    if (!statement()) return 0;
    loops--;
    return 1;
}

static int if_statement(void) {
    if (!expression()) return 0;
    if (!take(THEN)) return 0;
    if (!statement()) return 0;
    if (take(ELSE)) return statement();
    return 1;
}

static int while_statement(void) {
    if (!expression()) return 0;
    if (!take(DO)) return 0;
    return loop_body();
}

static int for_statement(void) {
    if (!take(NAME)) return 0;
    if (!take(ASSIGN)) return 0;
    if (!expression()) return 0;
    if (!take(TO) && !take(DOWNTO)) return 0;
    if (!expression()) return 0;
    if (!take(DO)) return 0;
    return loop_body();
}

static int repeat_statement(void) {
    loops++;
    if (!statements(UNTIL)) return 0;
    loops--;
    return expression();
}

static int case_statement(void) {
    unsigned seen[MOST_CASES];
    int count = 0;
    if (!expression()) return 0;
    if (!take(OF)) return 0;
    while (token == NUMBER) {
        for (int i = 0; i < count; i++) {
            if (seen[i] == number_value) return 0; /* twice */
        }
        if (count == MOST_CASES) return 0;
        seen[count++] = number_value;
        advance();
        if (!take(COLON)) return 0;
        if (!statement()) return 0;
        if (!take(SEMICOLON)) return 0;
    }
    if (take(OTHERWISE)) {
        if (!statement()) return 0;
    } else if (count == 0) {
        return 0;
    }
    return take(END);
}

/* What may follow the name that a statement begins with. */
static int assignment_or_call(void) {
    if (take(OPEN)) {
        if (take(CLOSE)) return 1;
        do {
            if (!expression()) return 0;
        } while (take(COMMA));
        return take(CLOSE);
    }
    if (take(OPEN_INDEX)) {
        if (!index_of_array()) return 0;
    }
    if (!take(ASSIGN)) return 0;
    return expression();
}

static int statement(void) {
    if (++depth > DEEPEST) return 0;
    int fine = 1;
    switch (token) {
        case NAME: advance(); fine = assignment_or_call(); break;
        case IF: advance(); fine = if_statement(); break;
        case WHILE: advance(); fine = while_statement(); break;
        case FOR: advance(); fine = for_statement(); break;
        case REPEAT: advance(); fine = repeat_statement(); break;
        case CASE: advance(); fine = case_statement(); break;
        case BEGIN_BLOCK: advance(); fine = statements(END); break;
        case PRINT: advance(); fine = expression(); break;
        case BREAK: advance(); fine = loops > 0; break;
        case RETURN:
            advance();
            if (!in_procedure) return 0;
            if (token != SEMICOLON && token != END) fine = expression();
            break;
        default: break; /* an empty one */
    }
    depth--;
    return fine;
}

static int block(void) {
    if (!take(BEGIN_BLOCK)) return 0;
    return statements(END);
}

/* Names, separated by commas. */
static int names(void) {
    int count = 0;
    do {
        if (++count > MOST_NAMES) return 0;
        if (!take(NAME)) return 0;
    } while (take(COMMA));
    return 1;
}

static int type(void) {
    if (take(NAME)) return 1;
    if (!take(ARRAY)) return 0;
    if (token != NUMBER || number_value == 0) return 0;
    advance();
    if (!take(OF)) return 0;
    return type();
}

static int constant(void) {
    if (!take(NAME)) return 0;
    if (!take(EQUALS)) return 0;
    take(MINUS);
    if (!take(NUMBER) && !take(TRUE_VALUE) && !take(FALSE_VALUE)) return 0;
    return take(SEMICOLON);
}

static int variables(void) {
    if (!names()) return 0;
    if (!take(COLON)) return 0;
    if (!type()) return 0;
    return take(SEMICOLON);
}

static int procedure(void) {
    if (!take(NAME)) return 0;
    if (take(OPEN)) {
        if (!names()) return 0;
        if (!take(CLOSE)) return 0;
    }
    if (!take(SEMICOLON)) return 0;
    in_procedure = 1;
    if (!block()) return 0;
    in_procedure = 0;
    return take(SEMICOLON);
}

static int declarations(void) {
    for (;;) {
        if (take(CONST)) {
            if (!constant()) return 0;
        } else if (take(VAR)) {
            if (!variables()) return 0;
        } else if (take(PROCEDURE)) {
            if (!procedure()) return 0;
        } else {
            return 1;
        }
    }
}

int parse(void) {
    depth = loops = in_procedure = 0;
    advance();
    if (take(PROGRAM)) {
        if (!take(NAME)) return 0;
        if (!take(SEMICOLON)) return 0;
    }
    if (!declarations()) return 0;
    if (!block()) return 0;
    if (!take(DOT)) return 0;
    return token == END_OF_TEXT;
}
