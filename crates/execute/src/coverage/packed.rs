//! Coverage as it is sent: a bit for each direction, and how many each site has.

use super::Coverage;
use coax_program::Site;
use serde::{Deserialize, Serialize};

/// See the module.
#[derive(Serialize, Deserialize)]
pub(super) struct Packed {
    /// How many directions each site has.
    directions: Vec<u32>,
    taken: Vec<u8>,
    functions: u32,
    entered: Vec<u8>,
    returned: Vec<Site>,
}

impl From<Coverage> for Packed {
    fn from(coverage: Coverage) -> Packed {
        Packed {
            directions: coverage.starts.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            taken: bits(&coverage.taken),
            functions: coverage.entered.len() as u32,
            entered: bits(&coverage.entered),
            returned: coverage.returned,
        }
    }
}

impl TryFrom<Packed> for Coverage {
    type Error = &'static str;

    fn try_from(packed: Packed) -> Result<Coverage, Self::Error> {
        let mut starts = vec![0u32];
        for directions in packed.directions {
            let next = starts[starts.len() - 1].checked_add(directions);
            starts.push(next.ok_or("there are not so many directions")?);
        }
        let taken =
            truths(&packed.taken, starts[starts.len() - 1]).ok_or("the directions are not of these sites")?;
        let entered =
            truths(&packed.entered, packed.functions).ok_or("the functions are not as many as it says")?;
        Ok(Coverage { starts: starts.into(), taken, entered, returned: packed.returned })
    }
}

/// Eight to a byte, the first in the lowest bit.
fn bits(truths: &[bool]) -> Vec<u8> {
    truths
        .chunks(8)
        .map(|eight| eight.iter().rev().fold(0, |byte, &truth| byte << 1 | u8::from(truth)))
        .collect()
}

/// So many of them; none if there are others.
fn truths(bits: &[u8], count: u32) -> Option<Vec<bool>> {
    let count = count as usize;
    let one = |at: usize| bits[at / 8] >> (at % 8) & 1 == 1;
    (bits.len() == count.div_ceil(8)).then(|| (0..count).map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn what_is_packed_comes_back() {
        for count in 0..20u32 {
            let taken: Vec<bool> = (0..count).map(|at| at % 3 == 0).collect();
            let entered: Vec<bool> = taken.iter().map(|taken| !taken).collect();
            let starts: Arc<[u32]> = if count < 4 { [0, count].into() } else { [0, 3, 3, count].into() };
            let coverage = Coverage { starts, taken, entered, returned: vec![Site(1)] };
            let again = Coverage::try_from(Packed::from(coverage.clone()));
            assert_eq!(again, Ok(coverage));
        }
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let packed = |directions, taken, functions| {
            Coverage::try_from(Packed {
                directions,
                taken,
                functions,
                entered: vec![0],
                returned: Vec::new(),
            })
        };
        assert!(packed(vec![2, 6], vec![0xff], 8).is_ok());
        assert!(packed(vec![2, 7], vec![0xff], 8).is_err());
        assert!(packed(vec![u32::MAX, 7], vec![0xff], 8).is_err());
        assert!(packed(vec![2, 6], vec![0xff], 9).is_err());
    }
}
