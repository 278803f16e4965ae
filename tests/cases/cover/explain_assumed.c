// Who asks why a line is not covered, or what is dead, is told what the proofs assume; those that assume nothing do not say so.
// REQUIRES: clang
// RUN: coax cover % --entry f --no-mutate --out %t/f > %t/said; coax explain %t/f %:18; coax explain %t/f %:19; coax explain %t/f --dead
// RUN: coax cover % --entry g --no-mutate --out %t/g > %t/said; coax explain %t/g --dead; ! grep assumes %t/said
// RUN: grep -e '"assuming"' -e '"because"' -e '"lines"' %t/f/report.json

struct pair {
    int first, second;
};

static int never(const struct pair *pair) {
    return pair->second;
}

int f(const struct pair *pair, int x) {
    // Null is not tried.
    if (!pair)
        return x > 5 ? 1 :
               never(pair);
    return pair->first;
}

// That nothing calls the others is so whatever the pointer is.
int g(const struct pair *pair) {
    return pair->first > 3;
}

// OUTPUT
// $ coax cover % --entry f --no-mutate --out %t/f > %t/said; coax explain %t/f %:18; coax explain %t/f %:19; coax explain %t/f --dead
// | explain_assumed.c:18:16 to line 18 is not covered: proved infeasible: no input takes it
// |     return x > 5 ? 1 :
// | no run came there, because
// |   explain_assumed.c:17:9 to line 18 is not covered: proved infeasible: no input takes it
// |       if (!pair)
// | explain_assumed.c:18:16 to line 19 is not covered: proved infeasible: no input takes it
// |     return x > 5 ? 1 :
// | What is proved assumes: `pair` is not null and shares nothing with other pointers; what pointers lead to is where it is in these runs.
// | explain_assumed.c:19 is not covered
// | no run came there, because
// |   explain_assumed.c:17:9 to line 18 is not covered: proved infeasible: no input takes it
// |       if (!pair)
// | What is proved assumes: `pair` is not null and shares nothing with other pointers; what pointers lead to is where it is in these runs.
// | dead  explain_assumed.c:18-19: no input goes from explain_assumed.c:17:9 to line 18
// | dead  explain_assumed.c:12: nothing calls `never` from this entry
// | dead  explain_assumed.c:25: nothing calls `g` from this entry
// | What is proved assumes: `pair` is not null and shares nothing with other pointers; what pointers lead to is where it is in these runs.
// $ coax cover % --entry g --no-mutate --out %t/g > %t/said; coax explain %t/g --dead; ! grep assumes %t/said
// | dead  explain_assumed.c:17-21: nothing calls `f` from this entry
// | dead  explain_assumed.c:12: nothing calls `never` from this entry
// $ grep -e '"assuming"' -e '"because"' -e '"lines"' %t/f/report.json
// |     "lines": {
// |       "lines": {
// |       "assuming": true,
// |       "because": [],
// |       "lines": {
// |       "assuming": true,
// |       "because": [],
// |       "lines": {
// |       "assuming": false,
// |       "because": [],
// |       "lines": {
// |       "assuming": true,
// |       "assuming": true,
// |       "assuming": true,
