// What a program does before it reads its input is the same in every run: options that are not given stay so, as does what hangs on them. What they are is assumed, and told.
// REQUIRES: clang
// RUN: coax reach % --no-mutate --max-runs 60 --sym-file data:64 --target %:31 --target %:33 --target %:40 --target %:44 --target %:46 --target %:48 --target %:52 --out %t/out -- -v data
// EXIT: 3
// RUN: grep -A1 assumes %t/out/report.json | grep -v -- --
// RUN: coax reach % --no-mutate --max-runs 200 --target %:31 --target %:33 --out %t/any -- -v data

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbose, quiet, level = 1, counted, seen;
static int *where = &counted;

static int help(void) {
    puts("usage");
    return 2;
}

static void set_level(const char *text) {
    level = atoi(text);
}

int main(int argc, char **argv) {
    int keep;
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-v"))
            verbose = 1;
        else if (!strcmp(argv[i], "-q"))
            quiet = 1;
        else if (!strcmp(argv[i], "-h"))
            return help();
        else if (!strncmp(argv[i], "-l", 2))
            set_level(argv[i] + 2);
        else
            name = argv[i];
    }
    if (!name)
        return help();
    FILE *file = fopen(name, "rb");
    while ((keep = getc(file)) != EOF) {
        if (quiet)
            puts("quiet");
        if (!verbose)
            puts("not verbose");
        if (level > 3)
            puts("level");
        *where += keep == 'x';
        seen |= keep == 'y';
        if (counted == 2 && seen)
            puts("counted");
    }
    return 0;
}

// OUTPUT
// $ coax reach % --no-mutate --max-runs 60 --sym-file data:64 --target %:31 --target %:33 --target %:40 --target %:44 --target %:46 --target %:48 --target %:52 --out %t/out -- -v data
// | unreachable  options.c:31: what must hold on every way there contradicts itself: options.c:30:18
// | unreachable  options.c:33: what must hold on every way there contradicts itself: options.c:32:18
// | unreachable  options.c:40: what must hold on every way there contradicts itself: options.c:39:9
// | unreachable  options.c:44: what must hold on every way there contradicts itself: options.c:43:13
// | unreachable  options.c:46: what must hold on every way there contradicts itself: options.c:45:13
// | unreachable  options.c:48: what must hold on every way there contradicts itself: options.c:47:19
// | reached      options.c:52  main-line-51-to-line-52-da970d.json
// | Assumed: all but symbolic input is as given: arguments, environment, other files, which streams are terminals, clock, random numbers, memory that is asked for; no write leaves the variable or block that its address was made from.
// $ grep -A1 assumes %t/out/report.json | grep -v -- --
// |       "assumes": [
// |         "all but symbolic input is as given: arguments, environment, other files, which streams are terminals, clock, random numbers, memory that is asked for"
// |       "assumes": [
// |         "all but symbolic input is as given: arguments, environment, other files, which streams are terminals, clock, random numbers, memory that is asked for"
// |       "assumes": [
// |         "all but symbolic input is as given: arguments, environment, other files, which streams are terminals, clock, random numbers, memory that is asked for"
// |       "assumes": [
// |         "no write leaves the variable or block that its address was made from",
// |       "assumes": [
// |         "no write leaves the variable or block that its address was made from",
// |       "assumes": [
// |         "no write leaves the variable or block that its address was made from",
// |       "assumes": [],
// |       "reason": null,
// |       "assumes": [],
// |       "assuming": false,
// |       "assumes": [],
// |       "assuming": false,
// |       "assumes": [],
// |       "assuming": false,
// |       "assumes": [],
// |       "assuming": false,
// |       "assumes": [],
// |       "assuming": false,
// |       "assumes": [],
// |       "assuming": false,
// |       "assumes": [],
// |       "assuming": false,
// $ coax reach % --no-mutate --max-runs 200 --target %:31 --target %:33 --out %t/any -- -v data
// | FAILS  null pointer dereference at options.c:42:20  fails-NullDereference-line-42-a58e69.json
// | reached      options.c:31  fails-NullDereference-line-42-0bcede.json
// | reached      options.c:33  main-line-32-to-line-33-43187c.json
