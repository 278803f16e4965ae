// Two types of one name are two structures, each with its own members.
// REQUIRES: clang
// RUN: coax init % --entry f --out %t/h.c && coax dump path % %t/h.c --entry harness_f | grep two_nodes.cpp
namespace a { struct Node { int x, y; }; }
namespace b { struct Node { int y, x; }; }

int f(const a::Node *p, const b::Node *q) { return p->x == 3 ? 1 : q->x == 5 ? 2 : 0; }

// OUTPUT
// $ coax init % --entry f --out %t/h.c && coax dump path % %t/h.c --entry harness_f | grep two_nodes.cpp
// | wrote [t]/h.c
// | site2 two_nodes.cpp:7:52  branch to 7:71  (not (eq p.x 3:32))
// | site4 two_nodes.cpp:7:68  select zero  (not (eq q.x 5:32))
