// What is unreachable only as long as the input is as assumed is told apart from what is unreachable for all inputs, by text and report.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:15 --no-mutate --out %t/all
// EXIT: 3
// RUN: coax reach % --entry f --target %:17 --target %:15 --no-mutate --out %t/some
// EXIT: 3
// RUN: grep -A 4 '"assumes":' %t/some/report.json

struct pair {
    int first, second;
};

int f(const struct pair *pair, unsigned x) {
    if (x > 5 && x < 3)
        return 1;
    if (!pair)
        return 2;
    return pair->first;
}

// OUTPUT
// $ coax reach % --entry f --target %:15 --no-mutate --out %t/all
// | unreachable  assumes.c:15: what must hold on every way there contradicts itself: assumes.c:14:15
// $ coax reach % --entry f --target %:17 --target %:15 --no-mutate --out %t/some
// | unreachable  assumes.c:17: all paths are explored, and none gets there, if all is as assumed
// | unreachable  assumes.c:15: what must hold on every way there contradicts itself: assumes.c:14:15
// | Assumed: `pair` is not null and shares nothing with other pointers; what pointers lead to is where it is in these runs.
// $ grep -A 4 '"assumes":' %t/some/report.json
// |       "assumes": [
// |         "`pair` is not null and shares nothing with other pointers",
// |         "what pointers lead to is where it is in these runs"
// |       ],
// |       "assuming": true,
// | --
// |       "assumes": [
// |         "`pair` is not null and shares nothing with other pointers",
// |         "what pointers lead to is where it is in these runs"
// |       ],
// |       "assuming": true,
// | --
// |       "assumes": [
// |         "`pair` is not null and shares nothing with other pointers",
// |         "what pointers lead to is where it is in these runs"
// |       ],
// |       "reason": "all paths are explored, and none gets there, if all is as assumed",
// | --
// |       "assumes": [],
// |       "reason": "what must hold on every way there contradicts itself: assumes.c:14:15",
// |       "segments": 1,
// |       "target": "assumes.c:15",
// |       "test": null,
// | --
// |       "assumes": [
// |         "`pair` is not null and shares nothing with other pointers",
// |         "what pointers lead to is where it is in these runs"
// |       ],
// |       "assuming": true,
// | --
// |       "assumes": [
// |         "`pair` is not null and shares nothing with other pointers",
// |         "what pointers lead to is where it is in these runs"
// |       ],
// |       "assuming": true,
