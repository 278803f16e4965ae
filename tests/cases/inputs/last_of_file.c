// What depends on the last byte of a file says so, and what was written to it in between is no symbol any more.
// REQUIRES: clang
// RUN: coax dump path % --sym-file dir/data:3
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char bytes[3] = "";
    int file = open("dir/data", O_RDWR);
    if (file < 0 || pread(file, bytes, 3, 0) != 3)
        return 9;
    if (bytes[2] == 'A')
        return 1;
    pwrite(file, "B", 1, 2);
    pread(file, bytes, 3, 0);
    if (bytes[2] != 'B')
        return 8;
    return bytes[1] == 'C' ? 2 : 3;
}

// OUTPUT
// $ coax dump path % --sym-file dir/data:3
// | site920 libc-bottom-half/sources/__wasilibc_real.c:241:19  assumption holds  (ult files/dir/data.length 4:32)
// | site920 libc-bottom-half/sources/__wasilibc_real.c:241:19  input goes on  (ule 3:32 files/dir/data.length)
// | site15 last_of_file.c:12:18  branch to line 14  (not (eq files/dir/data[2] 65:8))
// | site923 libc-bottom-half/sources/__wasilibc_real.c:284:19  concretised the length of an input to 3:32  (eq files/dir/data.length 3:32)
// | site21 last_of_file.c:18:12  select zero  (not (eq files/dir/data[1] 67:8))
// | site926 libc-bottom-half/sources/__wasilibc_real.c:574:5  concretised an argument of an import to 3:32  (not (eq files/dir/data[1] 67:8))
// | exited with code 3
