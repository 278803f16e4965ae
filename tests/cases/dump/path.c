// Standard input is symbolic too; places are lines of the source.
// REQUIRES: clang-22
// RUN: printf 'x7' | coax dump path % --stdin - | grep path.c | sed 's/site[0-9]* //'
#include <unistd.h>

int main(void) {
    unsigned char text[2];
    if (read(0, text, 2) != 2)
        return 1;
    if (text[0] != 'x')
        return 2;
    return text[1] >= '0' && text[1] <= '9' ? 3 : 4;
}

// OUTPUT
// $ printf 'x7' | coax dump path % --stdin - | grep path.c | sed 's/site[0-9]* //'
// | path.c:10:17  branch to line 12  (eq stdin[0] 120:8)
// | path.c:12:27  branch to 12:30  (ule 48:8 stdin[1])
// | path.c:12:12  select nonzero  (ult stdin[1] 58:8)
