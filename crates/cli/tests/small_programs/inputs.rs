//! What the small programs are given one after the other: so few values, and such, that all that a program can do is among it.

use coax_execute::{Argument, Content, Data, Field, Input, Object, Room, Value};

/// The inputs of a program.
type Inputs = fn() -> Vec<Input>;

/// The programs and their inputs, by name.
pub const ALL: &[(&str, Inputs)] = &[
    ("binary_search.c", binary_search),
    ("bits.c", bits),
    ("calendar.c", calendar),
    ("card_number.c", card_number),
    ("clock.c", clock),
    ("float_kind.c", float_kind),
    ("fraction.rs", fraction),
    ("gcd.c", gcd),
    ("list.c", list),
    ("number.c", number),
    ("quadratic.c", quadratic),
    ("rectangle.c", rectangle),
    ("roman.rs", roman),
    ("search_tree.c", search_tree),
    ("sort.c", sort),
    ("stack_machine.c", stack_machine),
    ("temperature.c", temperature),
    ("turnstile.c", turnstile),
    ("utf8.c", utf8),
];

fn of_params(params: Vec<Argument>) -> Input {
    Input { params, ..Input::default() }
}

fn of_stdin(bytes: Vec<u8>) -> Input {
    Input { stdin: Data(bytes), ..Input::default() }
}

fn i32(value: i32) -> Argument {
    Argument::list(&[Value::I32(value)]).remove(0)
}

fn bytes(bytes: Vec<u8>) -> Argument {
    Argument::new(Content::Bytes(Room::default(), Data(bytes)))
}

fn text(bytes: Vec<u8>) -> Argument {
    Argument::new(Content::Text(Room::default(), Data(bytes)))
}

/// Numbers of two bytes each, one behind the other.
fn shorts(numbers: &[i16]) -> Argument {
    bytes(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

/// The same for four bytes.
fn ints(numbers: &[i32]) -> Argument {
    bytes(numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

/// All sequences of exactly so many of these.
fn sequences<T: Copy>(of: &[T], length: usize) -> Vec<Vec<T>> {
    match length {
        0 => vec![Vec::new()],
        _ => {
            let shorter = sequences(of, length - 1);
            let longer = |one: &T| {
                let one = *one;
                shorter.iter().map(move |rest| [&[one], &rest[..]].concat()).collect::<Vec<_>>()
            };
            of.iter().flat_map(longer).collect()
        }
    }
}

/// All sequences of at most so many of these.
fn up_to<T: Copy>(of: &[T], longest: usize) -> Vec<Vec<T>> {
    (0..=longest).flat_map(|length| sequences(of, length)).collect()
}

fn binary_search() -> Vec<Input> {
    let sorted = (0..1 << 7).map(|set| (0..7).filter(|bit| set >> bit & 1 == 1).collect::<Vec<i16>>());
    let arrays = sorted.chain([vec![0, 0], vec![1, 2, 0]]);
    let find = |array: &[i16], wanted| of_params(vec![shorts(array), i32(array.len() as i32), i32(wanted)]);
    let fitting =
        arrays.flat_map(|array| (-1..8).map(move |wanted| find(&array, wanted)).collect::<Vec<_>>());
    // A count has a sign, and may be negative.
    let negative = [i32::MIN, -1].map(|count| of_params(vec![shorts(&[]), i32(count), i32(0)]));
    fitting.chain(negative).collect()
}

fn bits() -> Vec<Input> {
    (0..256).map(|number| of_params(vec![i32(number)])).collect()
}

fn calendar() -> Vec<Input> {
    let mut inputs = Vec::new();
    for year in [1582, 1583, 1600, 1700, 2023, 2024, 2401] {
        for month in -1..14 {
            inputs.extend(
                [0, 1, 2, 3, 4, 5, 6, 7, 28, 29, 30, 31, 32]
                    .map(|day| of_params(vec![i32(year), i32(month), i32(day)])),
            );
        }
    }
    inputs
}

fn card_number() -> Vec<Input> {
    let mut texts = sequences(b"059", 6);
    texts.extend(sequences(b"0/:", 3));
    texts.push(b"0000000".to_vec());
    texts.into_iter().map(|digits| of_params(vec![text(digits)])).collect()
}

fn clock() -> Vec<Input> {
    let digits = |digits: Vec<u8>| [&digits[..2], b":", &digits[2..]].concat();
    let times = sequences(b"01259", 4).into_iter().map(digits);
    times.chain(up_to(b"2/:", 5)).map(of_stdin).collect()
}

fn float_kind() -> Vec<Input> {
    let mut inputs = Vec::new();
    for sign in [0, 1 << 31] {
        for exponent in 0..256 {
            for fraction in [0, 1, 0x7f_ffff] {
                let value = Value::F32(sign | exponent << 23 | fraction);
                inputs.push(of_params(Argument::list(&[value])));
            }
        }
    }
    inputs
}

fn fraction() -> Vec<Input> {
    // The first is where the result goes.
    let of = |it: &[i16]| of_params(vec![bytes(vec![0; 16]), shorts(&it[..2]), shorts(&it[2..])]);
    let small = sequences(&[-2, -1, 0, 1, 2], 4);
    let limits = sequences(&[i16::MIN, -1, i16::MAX], 4);
    small.iter().chain(&limits).map(|it| of(it)).collect()
}

fn gcd() -> Vec<Input> {
    let pair = |above| (-1..22).map(move |below| of_params(vec![i32(above), i32(below)]));
    (-1..22).flat_map(pair).collect()
}

fn list() -> Vec<Input> {
    let mut accounts = Vec::new();
    for number in -1..3 {
        accounts.extend((-1..2).map(|balance| (number, balance)));
    }
    let node = |(number, balance), next| {
        let field = |at, argument| Field { at, argument };
        let fields = vec![field(0, i32(number)), field(4, i32(balance)), field(8, next)];
        Argument::new(Content::Pointer(Some(Object::new(Room::default(), 12, fields))))
    };
    let list = |accounts: Vec<(i32, i32)>| {
        let end = Argument::new(Content::Pointer(None));
        of_params(vec![accounts.into_iter().rev().fold(end, |next, account| node(account, next))])
    };
    sequences(&accounts, 3).into_iter().map(list).collect()
}

fn number() -> Vec<Input> {
    let texts = up_to(b" \t-+7/:", 3).into_iter().chain([b"7777".to_vec(), b"77777".to_vec()]);
    texts.map(|it| of_params(vec![text(it)])).collect()
}

fn quadratic() -> Vec<Input> {
    let numbers = sequences(&[-21, -20, -4, -3, -2, -1, 0, 1, 2, 3, 4, 20, 21], 3);
    numbers.iter().map(|it| of_params(it.iter().map(|number| i32(*number)).collect())).collect()
}

fn rectangle() -> Vec<Input> {
    // From where to where it is: to the right, say, or downwards. The last is no rectangle.
    let sides = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [1, 1]];
    let both = |it: &[[i16; 2]]| shorts(&[it[0][0], it[1][0], it[0][1], it[1][1]]);
    sequences(&sides, 4).iter().map(|it| of_params(vec![both(&it[..2]), both(&it[2..])])).collect()
}

fn roman() -> Vec<Input> {
    (0..25).map(|number| of_params(vec![i32(number)])).collect()
}

fn search_tree() -> Vec<Input> {
    let mut inputs = Vec::new();
    for keys in up_to(&[0, 1, 2, 3], 4).into_iter().chain([vec![0; 5]]) {
        let count = i32(keys.len() as i32);
        inputs.extend((-1..5).map(|key| of_params(vec![ints(&keys), count.clone(), i32(key)])));
    }
    inputs
}

fn sort() -> Vec<Input> {
    let arrays = up_to(&[0, 1, 2, 3], 4).into_iter().chain([vec![0; 5]]);
    arrays.map(|it| of_params(vec![ints(&it), i32(it.len() as i32)])).collect()
}

fn stack_machine() -> Vec<Input> {
    let programs = up_to(b"09+-*/:", 4).into_iter().chain([b"00000".to_vec()]);
    programs.map(|it| of_params(vec![bytes(it.clone()), i32(it.len() as i32)])).collect()
}

fn temperature() -> Vec<Input> {
    let steps = (-600..300).map(|step| f64::from(step) / 2.0);
    let degrees = steps.chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    let both = |degrees: f64| {
        [0, 1].map(|flag| of_params(Argument::list(&[Value::F64(degrees.to_bits()), Value::I32(flag)])))
    };
    degrees.flat_map(both).collect()
}

fn turnstile() -> Vec<Input> {
    up_to(b"cpkx", 5).into_iter().chain([b"cpcpcp".to_vec()]).map(of_stdin).collect()
}

fn utf8() -> Vec<Input> {
    let short = up_to(&(0..=255).collect::<Vec<u8>>(), 1);
    let mut texts = short;
    for first in [0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf7, 0xf8] {
        let rests = up_to(&[0x7f, 0x80, 0x9f, 0xa0, 0xbf], 3);
        texts.extend(rests.into_iter().map(|rest| [&[first], &rest[..]].concat()));
    }
    texts.into_iter().map(|it| of_params(vec![bytes(it.clone()), i32(it.len() as i32)])).collect()
}
