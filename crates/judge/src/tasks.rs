//! Small programs in the style of the Test-Comp competition, made from templates and seeds: each asks for its input by `__VERIFIER_nondet_*` and calls `reach_error`
//! where something does not hold. Many fail late, or never: what they are for is that a search ends as promised, whatever it makes of them.

mod loops;
mod puzzles;

use crate::random::Random;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// What it is called: its template, and its number.
    pub name: String,
    /// C.
    pub text: String,
}

/// A kind of program: what it is called, and what makes its functions.
struct Template {
    name: &'static str,
    make: fn(&mut Random) -> String,
}

const fn template(name: &'static str, make: fn(&mut Random) -> String) -> Template {
    Template { name, make }
}

/// What all of them begin with.
const HEAD: &str = "\
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);
extern short __VERIFIER_nondet_short(void);
extern long long __VERIFIER_nondet_longlong(void);
void reach_error(void) { abort(); }
#define CHECK(holds) do { if (!(holds)) reach_error(); } while (0)
";

const TEMPLATES: [Template; 28] = [
    template("late-bools", loops::late_bools),
    template("count-down", loops::count_down),
    template("count-three", loops::count_three),
    template("up-to", loops::up_to),
    template("nested", loops::nested),
    template("nested-late", loops::nested_late),
    template("endless", loops::endless),
    template("two-phases", loops::two_phases),
    template("sum", loops::sum),
    template("array-fill", loops::array_fill),
    template("array-find", loops::array_find),
    template("array-sort", loops::array_sort),
    template("array-max", loops::array_max),
    template("matrix", loops::matrix),
    template("mccarthy", puzzles::mccarthy),
    template("ackermann", puzzles::ackermann),
    template("even-odd", puzzles::even_odd),
    template("fibonacci", puzzles::fibonacci),
    template("endless-recursion", puzzles::endless_recursion),
    template("hanoi", puzzles::hanoi),
    template("assumes", puzzles::assumes),
    template("magic-square", puzzles::magic_square),
    template("bits", puzzles::bits),
    template("hash", puzzles::hash),
    template("machine", puzzles::machine),
    template("words", puzzles::words),
    template("list", puzzles::list),
    template("matching", puzzles::matching),
];

/// So many of them, each template in turn.
pub fn tasks(count: usize, seed: u64) -> Vec<Task> {
    let one = |number: usize| {
        let Template { name, make } = TEMPLATES[number % TEMPLATES.len()];
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(number as u64));
        let text = format!("{HEAD}{}", make(&mut random));
        Task { name: format!("{name}-{}", number / TEMPLATES.len()), text }
    };
    (0..count).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_tasks_and_another_makes_others() {
        assert_eq!(tasks(40, 1), tasks(40, 1));
        assert_ne!(tasks(40, 1), tasks(40, 2));
        let all = tasks(3 * TEMPLATES.len(), 1);
        for (number, task) in all.iter().enumerate() {
            assert!(task.text.contains("int main(void)"), "{}", task.name);
            assert!(
                all[..number].iter().all(|other| other.name != task.name),
                "{} is there twice",
                task.name
            );
        }
    }
}
