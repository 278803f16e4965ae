// What has no size in the source gets one: rows of an array, an array at the end of a structure.
// REQUIRES: clang
// RUN: coax dump path % --entry corner
// RUN: coax dump path % --entry third
// RUN: coax replay % --entry third --param 1 --param 2
// EXIT: 2
struct flexible { int count; int values[]; };

int corner(int rows[2][3]) {
    if (rows[1][2] == 4)
        return 1;
    return 0;
}

int third(struct flexible *all) {
    if (all->values[2] == 7)
        return 1;
    return 0;
}

// OUTPUT
// $ coax dump path % --entry corner
// | site2 rows.c:10:20  branch to line 12  (not (eq rows[1][2] 4:32))
// | returned i32 0
// ! note: `rows` leads to rows of an array: coax makes 4 of them
// ! note: `corner` is given zeros: `--param` gives it something else
// $ coax dump path % --entry third
// | site4 rows.c:16:24  branch to line 18  (not (eq all.values[2] 7:32))
// | returned i32 0
// ! note: `all.values` has no size: coax makes 4 elements, and does not know which number counts them
// ! note: `third` is given zeros: `--param` gives it something else
// $ coax replay % --entry third --param 1 --param 2
// ! error: `third` takes 1 parameter (`all` i32), not 2; write `--param VALUE` once for each
