// The marks are those of sample.c, without accesses. What may panic is a branch, a call and a trap. An
// expression that spans lines is where it starts.

unsafe extern "C" {
    safe fn external(x: i32) -> i32;
}

fn classify(values: &[i32], limit: i32) -> i32 {
    let mut count = 0;
    for &value in values { // @call @branch!
        if value > limit { // @branch!
            return limit // @branch @call @trap!
                / value;
        }
        count += 1; // @branch @call @trap
    }
    let best = values.iter().max().unwrap(); // @branch! @call! @trap!
    if external(count) == 0 { // @call! @branch!
        return 7;
    }
    values[*best as usize] // @branch! @call! @trap!
}

#[unsafe(no_mangle)]
pub extern "C" fn entry(a: i32, b: i32, c: i32, length: usize) -> i32 {
    let values = [a, b, c];
    let limit = external(10); // @call!
    match classify(&values[..length], limit) { // @call! @branch! @trap?
        0 => external(1), // @call
        1 | 5 => external(6), // @call
        n => n,
    }
}
