/* Printable counterexamples are preferred; values are asked for and printed. */
#include <klee/klee.h>
#include <ctype.h>

int main() {
    char word[6];
    klee_make_symbolic(word, sizeof word, "word");
    for (int i = 0; i < 5; i++) {
        klee_prefer_cex(word, word[i] >= 'a');
        klee_prefer_cex(word, word[i] <= 'z');
    }
    klee_assume(word[5] == 0);
    if (klee_is_replay()) klee_warning("replayed");
    if (klee_is_symbolic(word[0])) klee_warning_once("the first letter is symbolic");
    klee_print_expr("first", word[0]);
    int vowels = 0;
    for (char *at = word; *at; at++)
        if (*at == 'a' || *at == 'e' || *at == 'i' || *at == 'o' || *at == 'u') vowels++;
    return vowels == 3;
}
