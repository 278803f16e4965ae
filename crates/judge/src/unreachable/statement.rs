//! Random statements: control flow, assignments, calls.

use super::expression::Ty;
use super::program::{COUNTERS, FRAME, Role, Shape};
use crate::random::Random;

/// Types of what statements assign: mostly integers.
const TYPES: &[Ty] = &[Ty::I32, Ty::I32, Ty::I32, Ty::I32, Ty::I64, Ty::F32, Ty::F64];

/// A function that is being written.
pub(super) struct Code<'a> {
    pub(super) random: &'a mut Random,
    shape: &'a Shape,
    role: Role,
    /// Whether it has a frame on the stack, which `$frame` points to.
    pub(super) is_framed: bool,
    /// Statements that may still be made.
    budget: usize,
    /// Blocks that may be left from here, and how many there were.
    labels: Vec<String>,
    names: usize,
    /// How many loops are open.
    loops: usize,
    /// What was looked at before.
    pub(super) conditions: Vec<String>,
}

impl<'a> Code<'a> {
    /// The text of a function with about so many statements.
    pub(super) fn function(random: &'a mut Random, shape: &'a Shape, role: Role, budget: usize) -> String {
        let is_framed = shape.has_stack && random.below(3) > 0;
        let (labels, conditions) = (Vec::new(), Vec::new());
        let mut code =
            Code { random, shape, role, is_framed, budget, labels, names: 0, loops: 0, conditions };
        let mut body = code.begin();
        let calls = code.calls();
        let between = code.budget / calls.len().max(1);
        for call in calls {
            body += &call;
            let rest = code.budget.saturating_sub(between);
            while code.budget > rest {
                body += &code.statement();
            }
        }
        while code.budget > 0 {
            body += &code.statement();
        }
        body += &code.last();
        let counters: String = (0..COUNTERS).map(|number| format!(" (local $c{number} i32)")).collect();
        let (head, result) = match role {
            Role::Entry => {
                ("$f (export \"f\") (param $a i32) (param $b i32) (result i32)".to_owned(), "(local.get $r)")
            }
            Role::Helper(number) => {
                (format!("$h{number} (param $a i32) (param $b i32) (result i32)"), "(local.get $r)")
            }
            Role::Recursive => (
                "$rec (param $n i32) (param $a i32) (result i32) (local $b i32)".to_owned(),
                "(local.get $r)",
            ),
            Role::Writer => ("$write (param $a i32) (param $b i32)".to_owned(), ""),
            Role::Pair => (
                "$pair (param $a i32) (param $b i32) (result i32 i32)".to_owned(),
                "(local.get $r) (local.get $x)",
            ),
            Role::Thrower => {
                ("$throw (param $a i32) (param $b i32) (result i32)".to_owned(), "(local.get $r)")
            }
        };
        let (enter, leave) = match code.is_framed {
            true => (
                format!(
                    "(global.set $__stack_pointer (local.tee $frame (i32.sub (global.get $__stack_pointer) (i32.const {FRAME}))))\n"
                ),
                format!("(global.set $__stack_pointer (i32.add (local.get $frame) (i32.const {FRAME})))\n"),
            ),
            false => (String::new(), String::new()),
        };
        format!(
            "  (func {head} (local $x i32) (local $y i32) (local $p i64) (local $q i64) (local $s f32) (local $t f64) (local $z i32) (local $r i32) (local $frame i32){counters}\n\
             {enter}(block $out\n{body})\n{leave}{result})\n"
        )
    }

    /// What comes first.
    fn begin(&mut self) -> String {
        match self.role {
            Role::Entry => ["$a", "$b"]
                .map(|it| format!("(local.set {it} (i32.and (local.get {it}) (i32.const 15)))\n"))
                .concat(),
            Role::Recursive => {
                let is_done = self
                    .random
                    .pick(&["(i32.eqz (local.get $n))", "(i32.le_s (local.get $n) (i32.const 0))"]);
                format!(
                    "(if (i32.or {is_done} (i32.gt_u (local.get $n) (i32.const 4))) (then {} (br $out)))\n",
                    self.give()
                )
            }
            _ => String::new(),
        }
    }

    /// Calls that are made in any case: what nobody calls teaches nothing.
    fn calls(&mut self) -> Vec<String> {
        if self.role != Role::Entry {
            return Vec::new();
        }
        let mut calls: Vec<String> = (0..self.shape.helpers)
            .map(|helper| format!("(local.set $x (call $h{helper} (local.get $a) (local.get $y)))\n"))
            .collect();
        calls.push(
            "(local.set $y (call $rec (i32.and (local.get $b) (i32.const 3)) (local.get $a)))\n".to_owned(),
        );
        calls.push("(call $write (local.get $b) (local.get $a))\n".to_owned());
        calls.push("(call $pair (local.get $x) (local.get $b)) (local.set $x) (local.set $y)\n".to_owned());
        calls.push(self.catching());
        let first = self.random.below(calls.len());
        calls.rotate_left(first);
        calls
    }

    /// What comes last.
    fn last(&mut self) -> String {
        match self.role {
            Role::Recursive => {
                let argument = self.expression(Ty::I32, 1);
                let call = format!("(call $rec (i32.sub (local.get $n) (i32.const 1)) {argument})");
                format!("(local.set $x {call})\n{}", self.give())
            }
            Role::Thrower => {
                format!(
                    "(if {} (then (throw $tag {})))\n{}",
                    self.condition(),
                    self.local(Ty::I32),
                    self.give()
                )
            }
            _ => self.give(),
        }
    }

    /// What the function gives.
    fn give(&mut self) -> String {
        let value = self.random.pick(&[1, 2]);
        format!("(local.set $r {})", self.expression(Ty::I32, value))
    }

    fn statement(&mut self) -> String {
        self.budget = self.budget.saturating_sub(1);
        // Who is there to write writes.
        if self.role == Role::Writer && self.random.below(2) == 0 {
            return if self.random.below(2) == 0 { self.store() } else { self.global() } + "\n";
        }
        let text = match self.random.below(28) {
            0..=2 => self.assignment(),
            3..=4 => self.store(),
            5 => self.global(),
            6..=9 => self.condition_with_body(),
            10..=11 if self.loops < COUNTERS => self.counted_loop(),
            12 if self.loops < COUNTERS => self.loop_with_exits(),
            13 => self.switch(),
            14 => match self.labels.is_empty() {
                true => self.assignment(),
                false => {
                    let label = self.random.below(self.labels.len());
                    format!("(br_if {} {})", self.labels[label].clone(), self.condition())
                }
            },
            15 if self.may_end() => format!("(if {} (then {} (br $out)))", self.condition(), self.give()),
            16 if self.may_end() => self.end_of_function(),
            17 => self.call_without_result(),
            18 => self.catching(),
            19 => self.memory_at_once(),
            20 => self.block_with_exits(),
            21..=22 if self.loops < COUNTERS => self.accumulation(),
            23..=26 => self.clobbered(),
            _ => self.extra(),
        };
        format!("{text}\n")
    }

    fn statements(&mut self, most: usize) -> String {
        let count = 1 + self.random.below(most);
        (0..count.min(1 + self.budget)).map(|_| self.statement()).collect()
    }

    fn assignment(&mut self) -> String {
        let ty = self.random.pick(TYPES);
        let local = self.random.pick(ty.locals());
        format!("(local.set {local} {})", self.expression(ty, 3))
    }

    fn global(&mut self) -> String {
        match self.random.below(4) {
            0 => "(global.set $g (i32.add (global.get $g) (i32.const 1)))".to_owned(),
            1 => format!("(global.set $w {})", self.expression(Ty::I64, 2)),
            2 => format!("(global.set $h {})", self.expression(Ty::I32, 2)),
            _ => format!("(global.set $g {})", self.expression(Ty::I32, 2)),
        }
    }

    fn condition_with_body(&mut self) -> String {
        let (condition, then) = (self.condition(), self.statements(3));
        match self.random.below(2) {
            0 => format!("(if {condition} (then\n{then}))"),
            _ => format!("(if {condition} (then\n{then}) (else\n{}))", self.statements(3)),
        }
    }

    fn label(&mut self) -> String {
        self.names += 1;
        format!("$l{}", self.names)
    }

    /// A loop with a condition at its end.
    fn counted_loop(&mut self) -> String {
        let (label, counter) = (self.label(), format!("$c{}", self.loops));
        let rounds = match self.random.below(3) {
            0 => format!("(i32.and {} (i32.const 3))", self.local(Ty::I32)),
            _ => format!("(i32.const {})", 1 + self.random.below(5)),
        };
        self.loops += 1;
        let body = self.statements(3);
        self.loops -= 1;
        // What was counted is looked at, too.
        let look = match self.random.below(3) {
            0 => format!("(local.set $y (local.get {counter}))"),
            _ => String::new(),
        };
        format!(
            "(local.set {counter} (i32.const 0))\n(loop {label}\n{body}{look}\
             (local.set {counter} (i32.add (local.get {counter}) (i32.const 1)))\n\
             (br_if {label} (i32.lt_u (local.get {counter}) {rounds})))"
        )
    }

    /// Something grows in every round of a loop, and then somebody looks how large it is.
    fn accumulation(&mut self) -> String {
        let (label, counter, count) = (self.label(), format!("$c{}", self.loops), self.random.below(6));
        let address =
            self.random.pick(&["(i32.const 0)", "(i32.const 4)", "(i32.and (local.get $a) (i32.const 4))"]);
        let (get, set) = match self.random.below(4) {
            0 if self.is_framed => (
                "(i32.sub (local.get $frame) (global.get $__stack_pointer))".to_owned(),
                "(global.set $__stack_pointer (i32.sub (local.get $frame)".to_owned(),
            ),
            0..=1 => ("(local.get $x)".to_owned(), "(local.set $x (i32.add (i32.const 0)".to_owned()),
            2 => ("(global.get $g)".to_owned(), "(global.set $g (i32.add (i32.const 0)".to_owned()),
            _ => (format!("(i32.load {address})"), format!("(i32.store {address} (i32.add (i32.const 0)")),
        };
        self.loops += 1;
        let between = if self.random.below(3) == 0 { self.statement() } else { String::new() };
        self.loops -= 1;
        let (rounds, then) = (self.random.pick(&["$a", "$b"]), self.statements(2));
        format!(
            "{set} (i32.const 0)))\n(local.set {counter} (i32.const 0))\n(loop {label}\n\
             {set} (i32.add {get} (i32.const 16))))\n{between}\
             (local.set {counter} (i32.add (local.get {counter}) (i32.const 1)))\n\
             (br_if {label} (i32.lt_u (local.get {counter}) (i32.and (local.get {rounds}) (i32.const 7)))))\n\
             (if (i32.eq {get} (i32.const {})) (then\n{then}))",
            16 * count
        )
    }

    /// Something is kept somewhere, something happens that may change it, and then somebody looks at it.
    fn clobbered(&mut self) -> String {
        let value = if self.random.below(3) == 0 { self.constant(Ty::I32) } else { self.local(Ty::I32) };
        let (keep, look) = match self.random.below(4) {
            0 => (format!("(global.set $g {value})"), "(global.get $g)".to_owned()),
            _ => self.cell(&value),
        };
        let before = match self.random.below(2) {
            0 => format!("(local.set $z {look})\n"),
            _ => String::new(),
        };
        let happening = match self.random.below(6) {
            0 => self.call_without_result(),
            1 => self.memory_at_once(),
            2 => self.catching(),
            3 => self.statement(),
            _ => self.store(),
        };
        let operator = self.random.pick(&["eq", "ne", "lt_u"]);
        let other = match self.random.below(3) {
            _ if !before.is_empty() => "(local.get $z)".to_owned(),
            0 => self.local(Ty::I32),
            _ => self.constant(Ty::I32),
        };
        let (then, otherwise) = (self.assignment(), self.assignment());
        format!(
            "{keep}\n{before}{happening}\n(if (i32.{operator} {look} {other}) (then\n{then}) (else\n{otherwise}))"
        )
    }

    /// A loop with its condition at the beginning, and other ways out.
    fn loop_with_exits(&mut self) -> String {
        let (label, out, counter) = (self.label(), self.label(), format!("$c{}", self.loops));
        let limit = 1 + self.random.below(6);
        self.loops += 1;
        self.labels.push(out.clone());
        let first = format!("(br_if {out} (i32.ge_u (local.get {counter}) (i32.const {limit})))\n");
        let mut body = self.statements(2);
        body += &format!("(br_if {out} {})\n", self.condition());
        body += &self.statements(2);
        self.labels.pop();
        self.loops -= 1;
        format!(
            "(local.set {counter} (i32.const 0))\n(block {out} (loop {label}\n{first}\
             (local.set {counter} (i32.add (local.get {counter}) (i32.const 1)))\n{body}(br {label})))"
        )
    }

    fn block_with_exits(&mut self) -> String {
        let out = self.label();
        self.labels.push(out.clone());
        let body =
            format!("{}(br_if {out} {})\n{}", self.statements(2), self.condition(), self.statements(2));
        self.labels.pop();
        format!("(block {out}\n{body})")
    }

    fn switch(&mut self) -> String {
        let [one, two, out] = [(); 3].map(|()| self.label());
        let index = match self.random.below(2) {
            0 => self.local(Ty::I32),
            _ => self.expression(Ty::I32, 2),
        };
        let targets: Vec<&str> =
            (0..2 + self.random.below(4)).map(|_| self.random.pick(&[&*one, &two, &out])).collect();
        let targets = targets.join(" ");
        format!(
            "(block {out} (block {two} (block {one} (br_table {targets} {index}))\n{}(br {out}))\n{})",
            self.statements(2),
            self.statements(2)
        )
    }

    /// Whether the function ends here sometimes: the entry seldom, for what comes behind would be seen by few inputs.
    fn may_end(&mut self) -> bool {
        self.role != Role::Entry || self.random.below(4) == 0
    }

    /// A way out that nothing comes back from.
    fn end_of_function(&mut self) -> String {
        let condition = self.condition();
        let gives_one = !matches!(self.role, Role::Writer | Role::Pair);
        let end = match self.random.below(6) {
            0 => "(unreachable)".to_owned(),
            _ if self.is_framed => format!("{} (br $out)", self.give()),
            1..=2 if gives_one => match self.helper() {
                Some(helper) => {
                    let (one, other) = (self.expression(Ty::I32, 1), self.expression(Ty::I32, 1));
                    format!("(return_call {helper} {one} {other})")
                }
                None => format!("(return {})", self.expression(Ty::I32, 1)),
            },
            _ if gives_one => format!("(return {})", self.expression(Ty::I32, 1)),
            _ => format!("{} (br $out)", self.give()),
        };
        format!("(if {condition} (then {end}))")
    }

    /// A helper that may be called from here.
    fn helper(&mut self) -> Option<String> {
        let first = match self.role {
            Role::Entry => 0,
            Role::Helper(number) => number + 1,
            Role::Recursive => self.shape.helpers - 1,
            Role::Writer | Role::Pair | Role::Thrower => return None,
        };
        let left = self.shape.helpers.checked_sub(first).filter(|&left| left > 0)?;
        Some(format!("$h{}", first + self.random.below(left)))
    }

    /// A call that gives a number.
    pub(super) fn call(&mut self, depth: usize) -> Option<String> {
        let helper = self.helper()?;
        let argument = |code: &mut Self| code.expression(Ty::I32, depth.min(1));
        let (one, other) = (argument(self), argument(self));
        let is_above_table = match self.role {
            Role::Entry => true,
            Role::Helper(number) => number + 2 < self.shape.helpers,
            _ => false,
        };
        Some(match self.random.below(5) {
            0 if is_above_table => {
                let index = match self.random.below(2) {
                    0 => format!("(i32.const {})", self.random.below(self.shape.table.len())),
                    _ => format!("(i32.and {} (i32.const 3))", self.local(Ty::I32)),
                };
                format!("(call_indirect (type $binary) {one} {other} {index})")
            }
            1 if self.role != Role::Recursive => format!("(call $rec (i32.and {one} (i32.const 3)) {other})"),
            _ => format!("(call {helper} {one} {other})"),
        })
    }

    fn call_without_result(&mut self) -> String {
        if matches!(self.role, Role::Writer | Role::Pair | Role::Thrower) {
            return self.store();
        }
        let (one, other) = (self.local(Ty::I32), self.expression(Ty::I32, 1));
        match self.random.below(4) {
            0 => format!("(call $pair {one} {other}) (local.set $x) (local.set $y)"),
            1 => match self.call(1) {
                Some(call) => format!("(drop {call})"),
                None => self.store(),
            },
            _ => format!("(call $write {one} {other})"),
        }
    }

    /// A call that may throw.
    fn catching(&mut self) -> String {
        if matches!(self.role, Role::Writer | Role::Pair | Role::Thrower) {
            return self.global();
        }
        let (caught, out) = (self.label(), self.label());
        let (one, other) = (self.local(Ty::I32), self.expression(Ty::I32, 1));
        // The stack may be anywhere when an exception was thrown: it is put back, as compiled programs do.
        let save = match self.is_framed {
            true => "",
            false => "(local.set $frame (global.get $__stack_pointer))\n",
        };
        let restore = "(global.set $__stack_pointer (local.get $frame))";
        format!(
            "{save}(block {out} (block {caught} (result i32)\n(try_table (catch $tag {caught}) (local.set $x (call $throw {one} {other})))\n\
             (br {out}))\n(local.set $y)\n{restore})\n"
        )
    }

    fn memory_at_once(&mut self) -> String {
        let (to, value) = (self.random.below(6), self.local(Ty::I32));
        let count = self.random.below(9);
        match self.random.below(2) {
            0 => format!("(memory.fill (i32.const {to}) {value} (i32.const {count}))"),
            _ => {
                format!("(memory.copy (i32.const {to}) (i32.and {value} (i32.const 7)) (i32.const {count}))")
            }
        }
    }

    /// What is rare: more stack in the middle of a function, another function in the table.
    fn extra(&mut self) -> String {
        match self.random.below(2) {
            _ if self.is_framed => {
                "(global.set $__stack_pointer (i32.sub (global.get $__stack_pointer) (i32.const 16)))"
                    .to_owned()
            }
            1 if self.shape.sets_table => {
                let last = self.shape.helpers - 1;
                format!("(table.set (i32.const {}) (ref.func $h{last}))", self.random.below(4))
            }
            _ => self.assignment(),
        }
    }
}
