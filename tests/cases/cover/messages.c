// A program that gives up says why: what it wrote is shown with the failure, in every format.
// REQUIRES: clang
// RUN: coax cover % --entry check --out %t/out --emit sarif,junit,html | grep FAILS
// RUN: grep -A 4 '"kind"' %t/out/report.json | grep 'kind\|message'
// RUN: grep -h '"text".*shown by' %t/out/sarif/coax.sarif; grep '<failure ' %t/out/junit/junit.xml
// RUN: grep -o '<li>assertion.*' %t/out/html/index.html

#include <assert.h>
#include <coax.h>
#include <stdio.h>
#include <stdlib.h>

static void give_up(const char *why) {
    fprintf(stderr, "working\nfatal: %s\n\n", why);
    abort();
}

void check(int x) {
    if (x == 5) give_up("five\tis \033[1mtoo many");
    if (x == 6) abort();
    if (x == 7) __builtin_trap();
    if (x > 1000) coax_assert(x != 2000);
    if (x > 2000) coax_assert(x != 3000, "no\nthousands");
    assert(x != 8);
}

// OUTPUT
// $ coax cover % --entry check --out %t/out --emit sarif,junit,html | grep FAILS
// | FAILS  abort (fatal: five is [1mtoo many) at messages.c:15:5  fails-Abort-line-15-f14060.json
// | FAILS  abort at messages.c:20:17  fails-Abort-line-20-9af62b.json
// | FAILS  trapped: unreachable at messages.c:21:17  fails-Unreachable-line-21-c71295.json
// | FAILS  assertion failed (x != 8) at messages.c:24:5  fails-Assertion-line-24-dde666.json
// | FAILS  assertion failed (x != 2000 at messages.c:22) at messages.c:22:19  fails-Assertion-line-22-2ebc5f.json
// | FAILS  assertion failed (x != 3000, "no\nthousands" at messages.c:23) at messages.c:23:19  fails-Assertion-line-23-813149.json
// $ grep -A 4 '"kind"' %t/out/report.json | grep 'kind\|message'
// |       "kind": "abort",
// |       "location": "messages.c:15:5",
// |       "message": "fatal: five is [1mtoo many",
// |       "kind": "abort",
// |       "location": "messages.c:20:17",
// |       "message": null,
// |       "kind": "unreachable",
// |       "location": "messages.c:21:17",
// |       "message": null,
// |       "kind": "assertion",
// |       "location": "messages.c:24:5",
// |       "message": "Assertion failed: x != 8 (messages.c: check: 24)",
// |       "kind": "assertion",
// |       "location": "messages.c:22:19",
// |       "message": "x != 2000 at messages.c:22",
// |       "kind": "assertion",
// |       "location": "messages.c:23:19",
// |       "message": "x != 3000, \"no\\nthousands\" at messages.c:23",
// $ grep -h '"text".*shown by' %t/out/sarif/coax.sarif; grep '<failure ' %t/out/junit/junit.xml
// |             "text": "abort (fatal: five is [1mtoo many) at messages.c:15:5; shown by the test fails-Abort-line-15-f14060"
// |             "text": "abort at messages.c:20:17; shown by the test fails-Abort-line-20-9af62b"
// |             "text": "trapped: unreachable at messages.c:21:17; shown by the test fails-Unreachable-line-21-c71295"
// |             "text": "assertion failed (x != 8) at messages.c:24:5; shown by the test fails-Assertion-line-24-dde666"
// |             "text": "assertion failed (x != 2000 at messages.c:22) at messages.c:22:19; shown by the test fails-Assertion-line-22-2ebc5f"
// |             "text": "assertion failed (x != 3000, \"no\\nthousands\" at messages.c:23) at messages.c:23:19; shown by the test fails-Assertion-line-23-813149"
// |       <failure type="abort" message="abort (fatal: five is [1mtoo many) at messages.c:15:5">
// |       <failure type="abort" message="abort at messages.c:20:17">
// |       <failure type="unreachable" message="trapped: unreachable at messages.c:21:17">
// |       <failure type="assertion" message="assertion failed (x != 8) at messages.c:24:5">
// |       <failure type="assertion" message="assertion failed (x != 2000 at messages.c:22) at messages.c:22:19">
// |       <failure type="assertion" message="assertion failed (x != 3000, &quot;no\nthousands&quot; at messages.c:23) at messages.c:23:19">
// $ grep -o '<li>assertion.*' %t/out/html/index.html
// | <li>assertion failed (x != 8) at messages.c:24:5 <a href="#test-3">fails-Assertion-line-24-dde666</a></li>
// | <li>assertion failed (x != 2000 at messages.c:22) at messages.c:22:19 <a href="#test-4">fails-Assertion-line-22-2ebc5f</a></li>
// | <li>assertion failed (x != 3000, &quot;no\nthousands&quot; at messages.c:23) at messages.c:23:19 <a href="#test-6">fails-Assertion-line-23-813149</a></li>
