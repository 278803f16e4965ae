// Two files with the same name: more of the path says which is meant.
// REQUIRES: clang
// RUN: mkdir one two; sed 's/VERSION/1/' % > one/part.c; sed 's/VERSION/2/' % > two/part.c; echo 'int part1(int); int part2(int); int f(int x) { return part1(x) + part2(x); }' > main.c
// RUN: coax reach main.c one/part.c two/part.c --entry f --target part.c:9 --out %t/out
// EXIT: 2
// RUN: coax reach main.c one/part.c two/part.c --entry f --target two/part.c:9 --no-mutate --out %t/out; rm -r one two main.c
#define PASTE(name, version) name##version
#define NAMED(name, version) PASTE(name, version)
static int twice(int x) { return x * 2; } int NAMED(part, VERSION)(int x) { return twice(x); }

// OUTPUT
// $ mkdir one two; sed 's/VERSION/1/' % > one/part.c; sed 's/VERSION/2/' % > two/part.c; echo 'int part1(int); int part2(int); int f(int x) { return part1(x) + part2(x); }' > main.c
// $ coax reach main.c one/part.c two/part.c --entry f --target part.c:9 --out %t/out
// ! error: `part.c` may be one/part.c or two/part.c; name more of its path
// $ coax reach main.c one/part.c two/part.c --entry f --target two/part.c:9 --no-mutate --out %t/out; rm -r one two main.c
// | reached      two/part.c:9  f-d7e77f.json
