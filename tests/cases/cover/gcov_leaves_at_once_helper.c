// The other file of gcov_leaves_at_once.c.
#include <unistd.h>

void leave_there(int code) {
    _exit(code + 2);
}
