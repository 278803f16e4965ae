// What is symbols is what was named; without a name, standard input and arguments are, and files are not.
// REQUIRES: clang
// RUN: printf xyz > %t/config; echo -n q > %t/in
// RUN: coax dump path % --file config=%t/config --stdin %t/in -- x config | grep 'named.c\|length\|exited'
// RUN: coax dump path % --file config=%t/config --sym-file config:4 --stdin %t/in -- x config | grep 'named.c\|length\|exited'
// RUN: coax dump path % --file config=%t/config --sym-arg 1:2 -- config | grep 'named.c\|length\|exited'
// RUN: coax dump path % --file config=%t/config --sym-file config:2
// EXIT: 2
// RUN: coax dump path % --sym-arg 3:2
// EXIT: 2
// RUN: coax dump path % --file a=%t/in --file a=%t/config
// EXIT: 2
// RUN: coax dump path % --sym-file a:2 --sym-file a:3
// EXIT: 2
// RUN: coax dump path % --env A=1 --env A=2
// EXIT: 2
#include <fcntl.h>
#include <unistd.h>

int main(int count, char **words) {
    char first, own;
    int file = count > 2 ? open(words[2], O_RDONLY) : -1;
    int size = file >= 0 ? (int)read(file, &own, 1) : 0;
    if (size == 1 && own == 'x')
        size++;
    if (count > 1 && words[1][0] == 'x')
        size++;
    if (read(0, &first, 1) == 1 && first == 'q')
        size++;
    return size;
}

// OUTPUT
// $ printf xyz > %t/config; echo -n q > %t/in
// $ coax dump path % --file config=%t/config --stdin %t/in -- x config | grep 'named.c\|length\|exited'
// | site19 named.c:26:19  branch to line 27  (eq arg1[0] 120:8)
// | site907 libc-bottom-half/sources/__wasilibc_real.c:299:19  input goes on  (not (eq stdin.length 0:32))
// | site23 named.c:28:33  branch to line 29  (eq stdin[0] 113:8)
// | exited with code 4
// $ coax dump path % --file config=%t/config --sym-file config:4 --stdin %t/in -- x config | grep 'named.c\|length\|exited'
// | site907 libc-bottom-half/sources/__wasilibc_real.c:299:19  assumption holds  (ult files/config.length 5:32)
// | site907 libc-bottom-half/sources/__wasilibc_real.c:299:19  input goes on  (not (eq files/config.length 0:32))
// | site15 named.c:24:19  branch to line 25  (eq files/config[0] 120:8)
// | exited with code 4
// $ coax dump path % --file config=%t/config --sym-arg 1:2 -- config | grep 'named.c\|length\|exited'
// | site19 named.c:26:19  branch to line 28  (not (eq arg1[0] 120:8))
// | exited with code 2
// $ coax dump path % --file config=%t/config --sym-file config:2
// ! error: --sym-file: config has 3 bytes already, more than 2; allow more, or leave `:2` out
// $ coax dump path % --sym-arg 3:2
// ! error: --sym-arg: an argument with number 3 needs 2 before it; there are 0
// $ coax dump path % --file a=%t/in --file a=%t/config
// ! error: --file: `a` is given twice; leave one of them out
// $ coax dump path % --sym-file a:2 --sym-file a:3
// ! error: --sym-file: `a` is given twice; leave one of them out
// $ coax dump path % --env A=1 --env A=2
// ! error: --env: `A` is given twice; leave one of them out
