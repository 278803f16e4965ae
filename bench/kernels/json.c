// A recursive parser of JSON over a text that it writes itself: bytes, classes of characters, small calls.

static char text[1 << 16];
static int length, position;
static unsigned sum;

static unsigned random_state;
static unsigned next(unsigned below) {
    random_state = random_state * 1103515245u + 12345u;
    return (random_state >> 16) % below;
}

static void put(const char *string) {
    while (*string) text[length++] = *string++;
}

static void put_number(unsigned number) {
    char digits[12];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count) text[length++] = digits[--count];
}

static void write_value(int depth) {
    switch (depth > 6 ? next(4) : next(6)) {
    case 0: put_number(next(30000)); break;
    case 1: put("\"key \\\"quoted\\\" "), put_number(next(100)), put("\""); break;
    case 2: put(next(2) ? "true" : "false"); break;
    case 3: put("-"), put_number(next(1000)), put("."), put_number(next(1000)), put("e2"); break;
    case 4:
        put("[ ");
        for (unsigned i = next(8); i-- > 0;) write_value(depth + 1), put(i ? ", " : "");
        put(" ]");
        break;
    default:
        put("{\n");
        for (unsigned i = next(6); i-- > 0;) {
            put("  \"name"), put_number(i), put("\": ");
            write_value(depth + 1), put(i ? ",\n" : "\n");
        }
        put("}");
    }
}

static void note(unsigned what) { sum = (sum ^ what) * 16777619u; }

static void skip_space(void) {
    while (text[position] == ' ' || text[position] == '\n' || text[position] == '\t') position++;
}

static int accept(char expected) {
    skip_space();
    if (text[position] != expected) return 0;
    position++;
    return 1;
}

static int parse_string(void) {
    if (!accept('"')) return 0;
    while (text[position] != '"') {
        if (position >= length) return 0;
        if (text[position] == '\\') position++;
        note((unsigned char)text[position++]);
    }
    position++;
    return 1;
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int parse_number(void) {
    int sign = 1, start = position;
    long long whole = 0;
    if (text[position] == '-') sign = -1, position++;
    while (is_digit(text[position])) whole = whole * 10 + (text[position++] - '0');
    if (text[position] == '.')
        for (position++; is_digit(text[position]); position++) whole = whole * 10 + (text[position] - '0');
    if (text[position] == 'e') {
        position++;
        for (int exponent = text[position++] - '0'; exponent > 0; exponent--) whole *= 10;
    }
    note((unsigned)(sign * whole));
    return position > start;
}

static int parse_word(const char *word) {
    while (*word)
        if (text[position++] != *word++) return 0;
    return 1;
}

static int parse_value(int depth) {
    if (depth > 64) return 0;
    skip_space();
    note((unsigned)depth);
    switch (text[position]) {
    case '{':
        position++;
        if (accept('}')) return 1;
        do
            if (!parse_string() || !accept(':') || !parse_value(depth + 1)) return 0;
        while (accept(','));
        return accept('}');
    case '[':
        position++;
        if (accept(']')) return 1;
        do
            if (!parse_value(depth + 1)) return 0;
        while (accept(','));
        return accept(']');
    case '"': return parse_string();
    case 't': return parse_word("true");
    case 'f': return parse_word("false");
    default: return parse_number();
    }
}

int run(int n) {
    random_state = 7, length = 0, sum = 2166136261u;
    put("[");
    while (length < (int)sizeof text - 20000) write_value(3), put(",");
    put("0]");
    for (int round = 0; round < n; round++) {
        position = 0;
        if (!parse_value(0) || position != length) return -1;
    }
    return (int)sum;
}
