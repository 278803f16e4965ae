//! The coax crate: named values, a derive, lengths.

#[derive(coax::Arbitrary, Debug, PartialEq)]
struct Point {
    x: i16,
    y: i16,
}

#[derive(coax::Arbitrary, Debug)]
enum Step {
    Stay,
    Move(Point),
    Named { length: u8 },
}

#[coax::test]
fn walk() {
    let steps: Vec<Step> = coax::any_vec(3);
    let mut at: Point = coax::any_named("start");
    for step in steps {
        match step {
            Step::Stay => {}
            Step::Move(Point { x, y }) => {
                at.x = at.x.wrapping_add(x);
                at.y = at.y.wrapping_add(y);
            }
            Step::Named { length } => at.x = at.x.wrapping_add(i16::from(length)),
        }
    }
    coax::cover!(at == Point { x: 3, y: 4 }, "goal");
    let name = coax::any_string(4);
    coax::assume(!name.is_empty());
    assert!(name != "coax" || at.x != 1234);
}
