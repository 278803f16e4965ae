// One target that is not there is told, and the others are searched for; it counts as not decided. If none is there, nothing is done.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:1000 --target %:17 --target nothing --target %:15 --no-mutate --out %t/some
// EXIT: 4
// RUN: grep -e '"reason"' -e '"target"' -e '"verdict"' %t/some/report.json
// RUN: coax reach % --entry f --target %:17 --target label:none --strategy forward --max-runs 1 --no-mutate --out %t/open
// EXIT: 4
// RUN: coax reach % --entry f --target %:1000 --target nothing --out %t/none
// EXIT: 2
// RUN: test ! -e %t/none

int f(unsigned x) {
    if (x > 10) {
        if (x < 5)
            return 1;
        if (x == 77)
            return 2;
    }
    return 0;
}

// OUTPUT
// $ coax reach % --entry f --target %:1000 --target %:17 --target nothing --target %:15 --no-mutate --out %t/some
// | reached      bad_input_some.c:17  f-line-13-to-line-14-ea99eb.json
// | unreachable  bad_input_some.c:15: what must hold on every way there contradicts itself: bad_input_some.c:13:11, bad_input_some.c:14:15
// ! error: there is no code on line 1000 of `bad_input_some.c`; name the nearest with code, 20
// ! error: there is no function `nothing` in the program; `coax dump functions --all` lists those that there are
// $ grep -e '"reason"' -e '"target"' -e '"verdict"' %t/some/report.json
// |       "reason": null,
// |       "target": "bad_input_some.c:17",
// |       "verdict": "reached"
// |       "reason": "what must hold on every way there contradicts itself: bad_input_some.c:13:11, bad_input_some.c:14:15",
// |       "target": "bad_input_some.c:15",
// |       "verdict": "unreachable"
// |       "reason": "there is no code on line 1000 of `bad_input_some.c`; name the nearest with code, 20",
// |       "target": "bad_input_some.c:1000",
// |       "verdict": "unknown"
// |       "reason": "there is no function `nothing` in the program; `coax dump functions --all` lists those that there are",
// |       "target": "nothing",
// |       "verdict": "unknown"
// $ coax reach % --entry f --target %:17 --target label:none --strategy forward --max-runs 1 --no-mutate --out %t/open
// | unknown      bad_input_some.c:17: as many runs as allowed (`--max-runs`); it was not searched for backwards (`--strategy forward`)
// ! error: the program has no labels, so none is `none`; name a line or a function
// $ coax reach % --entry f --target %:1000 --target nothing --out %t/none
// ! error: there is no code on line 1000 of `bad_input_some.c`; name the nearest with code, 20
// ! error: there is no function `nothing` in the program; `coax dump functions --all` lists those that there are
// $ test ! -e %t/none
