//! Asks the questions of streams (`coax-judge bench solver --save DIRECTORY` writes them) of the stack: for trying changes of it.

use coax_solve::stream::Stream;
use coax_solve::{Answer, Blast, Budget, Stack};

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let mut stream = Stream::read(&text).expect("the file is a stream");
        let mut stack = Stack::above(Box::new(Blast::default()));
        let begin = std::time::Instant::now();
        let (mut sat, mut unsat) = (0, 0);
        let mut left = Vec::new();
        stream.ask(&mut stack, &Budget::effort(2_000_000), |query, answer| match answer {
            Answer::Sat(_) => sat += 1,
            Answer::Unsat(_) => unsat += 1,
            Answer::Unknown(_) => left.push(query.goal),
        });
        let time = begin.elapsed();
        let asked = stream.questions();
        println!("{file}: {asked} questions, {sat} sat, {unsat} unsat, {} left, {time:?}", left.len());
        for (name, counts) in stack.counts() {
            println!("    {name} {counts:?}");
        }
        for goal in left.iter().step_by(left.len() / 8 + 1) {
            let text = stream.terms.display(*goal).to_string();
            println!("    left: {}", text.chars().take(300).collect::<String>());
        }
    }
}
