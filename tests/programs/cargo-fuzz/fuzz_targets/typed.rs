#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
enum Step {
    Push(u16),
    Pop,
    Clear { twice: bool },
}

fuzz_target!(|steps: [Step; 3]| {
    let mut stack = Vec::new();
    for step in steps {
        match step {
            Step::Push(value) => stack.push(value),
            Step::Pop => drop(stack.pop()),
            Step::Clear { twice } => {
                stack.clear();
                assert!(!twice || stack.is_empty());
            }
        }
    }
    assert!(stack.iter().all(|&value| value != 500), "nobody pushes 500");
});
