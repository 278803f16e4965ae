//! Numbers with units, as people type them.

use std::time::Duration;

/// A number, with `k`, `M`, `G` or `T` for powers of 1000.
pub fn count(text: &str) -> Result<u64, String> {
    scaled(text, 1000).ok_or_else(|| "write a number like 500000, 100M or 2G".into())
}

/// A number as it is.
pub fn whole(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("write a whole number from 0 to {}", u64::MAX))
}

/// A number of bytes, with `k`, `M`, `G` or `T` for powers of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    scaled(text, 1024).ok_or_else(|| "write a size like 65536, 512M or 2G".into())
}

/// A time, with `ms`, `s` (also without a unit), `m` or `h`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        _ => 0,
    };
    let number: Option<u64> = number.parse().ok();
    number
        .filter(|_| milliseconds > 0)
        .and_then(|number| number.checked_mul(milliseconds))
        .map(Duration::from_millis)
        .ok_or_else(|| "write a time like 500ms, 30s or 5m".into())
}

/// How many threads can be asked for: more than any machine has, and fewer than it could not start.
const MOST_WORKERS: usize = 1024;

/// A number of threads.
pub fn workers(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST_WORKERS).contains(number));
    number.ok_or_else(|| {
        format!("write a number from 1 to {MOST_WORKERS}; without `--workers` there are as many as the machine has cores")
    })
}

fn scaled(text: &str, step: u64) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let power = match &text[digits.len()..] {
        "" => 0,
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(step.pow(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_counts() {
        assert_eq!(size("65536"), Ok(65536));
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(count("10M"), Ok(10_000_000));
        for bad in ["", "G", "-1", "1.5G", "2X", "2 G", "99999999999T"] {
            assert!(size(bad).is_err() && count(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_of_threads() {
        assert_eq!((workers("1"), workers("1024")), (Ok(1), Ok(1024)));
        for bad in ["0", "-1", "1025", "two", "", "1.5", "99999999999999999999"] {
            assert!(workers(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations() {
        for (text, milliseconds) in
            [("500ms", 500), ("30s", 30_000), ("30", 30_000), ("5m", 300_000), ("1h", 3_600_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for bad in ["", "s", "-1s", "1.5s", "5 s", "5d", "99999999999999999999h"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
