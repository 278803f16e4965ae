//! Checks the last digit of card numbers (Luhn's algorithm).
//!
//!     coax replay examples/card.rs -- 4539578763621486 1234

/// Whether the number's digits are right.
fn is_valid(number: &str) -> bool {
    let mut sum = 0;
    let mut digits = 0;
    for character in number.chars().rev().filter(|character| *character != ' ') {
        let Some(digit) = character.to_digit(10) else { return false };
        sum += match (digits % 2, digit) {
            (0, _) => digit,
            (_, 5..) => digit * 2 - 9,
            _ => digit * 2,
        };
        digits += 1;
    }
    digits >= 12 && sum % 10 == 0
}

fn main() {
    for number in std::env::args().skip(1) {
        println!("{number}: {}", if is_valid(&number) { "valid" } else { "not valid" });
    }
}
