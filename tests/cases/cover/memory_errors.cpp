// Memory errors of C++ programs: `new` and `delete` are on top of the allocator.
// REQUIRES: clang
// RUN: coax cover % --entry past_the_end --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry end_fixed --out %t/2 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry deleted_twice --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry deleted_once --out %t/4 2>/dev/null | grep -c FAILS
// EXIT: 1

struct Buffer {
    int *data;
    unsigned size;
    explicit Buffer(unsigned size) : data(new int[size]()), size(size) {}
    Buffer(const Buffer &other) : data(other.data), size(other.size) {}
    ~Buffer() { delete[] data; }
};

static int at(unsigned index, unsigned most) {
    Buffer buffer(20);
    return index > 10 && index <= most ? buffer.data[index] : -1;
}
extern "C" int past_the_end(unsigned index) { return at(index, 20); }
extern "C" int end_fixed(unsigned index) { return at(index, 19); }

static int copies(int key, bool shares) {
    Buffer buffer(3);
    if (key == 2024) {
        Buffer copy(buffer);
        if (!shares) copy.data = new int[3]();
        copy.data[0] = 1;
    }
    return 0;
}
extern "C" int deleted_twice(int key) { return copies(key, true); }
extern "C" int deleted_once(int key) { return copies(key, false); }

// OUTPUT
// $ coax cover % --entry past_the_end --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  heap buffer overflow at memory_errors.cpp:20:42
// $ coax cover % --entry end_fixed --out %t/2 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry deleted_twice --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  double free at memory_errors.cpp:15:17
// $ coax cover % --entry deleted_once --out %t/4 2>/dev/null | grep -c FAILS
// | 0
