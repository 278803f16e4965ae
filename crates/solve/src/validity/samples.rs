//! What unknown functions were seen to give. Functions are known by their names, for samples outlive arenas.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Values that functions were seen to give.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Samples {
    functions: BTreeMap<String, Seen>,
    count: usize,
    /// How many were ever added: the age of the next.
    added: u64,
}

/// What one function was seen to give.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Seen {
    samples: Vec<Sample>,
    /// Numbers of samples by a hash of their arguments, and by their value.
    by_arguments: BTreeSet<(u64, u32)>,
    by_value: BTreeSet<(u64, u32)>,
    /// Those of calls that do not depend on the input: keywords that a program puts into its tables, for instance.
    own: BTreeSet<u32>,
    /// What the first arguments are in all samples, as far as that is one value.
    always: Vec<Option<u64>>,
}

/// For so many arguments it is known whether they ever differed: numbers come before bytes that are pointed to.
const COMPARED: usize = 8;

/// No more functions are searched for samples near to one, and of each no more samples.
const MOST_NEAR: usize = 64;
const MOST_RECENT: usize = 256;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sample {
    arguments: Arguments,
    value: u64,
    age: u64,
    is_own: bool,
}

/// Arguments: mostly bytes that a pointer points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Arguments {
    Bytes(Box<[u8]>),
    Words(Box<[u64]>),
}

impl Arguments {
    fn new(values: &[u64]) -> Arguments {
        match values.iter().map(|&value| u8::try_from(value)).collect() {
            Ok(bytes) => Arguments::Bytes(bytes),
            Err(_) => Arguments::Words(values.into()),
        }
    }

    fn are(&self, values: &[u64]) -> bool {
        match self {
            Arguments::Bytes(bytes) => {
                bytes.len() == values.len() && bytes.iter().zip(values).all(|(a, b)| u64::from(*a) == *b)
            }
            Arguments::Words(words) => **words == *values,
        }
    }

    /// In how many places they differ from others, as far as both go.
    fn differences(&self, values: &[u64]) -> usize {
        match self {
            Arguments::Bytes(bytes) => {
                bytes.iter().zip(values).filter(|(a, b)| u64::from(**a) != **b).count()
            }
            Arguments::Words(words) => words.iter().zip(values).filter(|(a, b)| a != b).count(),
        }
    }

    /// The first ones.
    fn first(&self, most: usize) -> impl Iterator<Item = u64> + use<> {
        let first = match self {
            Arguments::Bytes(bytes) => bytes.iter().take(most).map(|&byte| byte.into()).collect(),
            Arguments::Words(words) => words[..most.min(words.len())].to_vec(),
        };
        first.into_iter()
    }

    fn to_vec(&self) -> Vec<u64> {
        match self {
            Arguments::Bytes(bytes) => bytes.iter().map(|&byte| byte.into()).collect(),
            Arguments::Words(words) => words.to_vec(),
        }
    }
}

/// What came of adding a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New,
    /// It was known.
    Known,
    /// For the same arguments there was another value, this one: then it is no function.
    Contradicts(u64),
}

impl Samples {
    /// None yet.
    pub fn new() -> Samples {
        Samples::default()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many there are of a function.
    pub fn of(&self, function: &str) -> usize {
        self.functions.get(function).map_or(0, |seen| seen.samples.len())
    }

    /// A function gives this value for these arguments.
    pub fn add(&mut self, function: &str, arguments: &[u64], value: u64) -> Added {
        self.put(function, arguments, value, false)
    }

    /// A function gives this value for these arguments, with which the program calls it whatever the input is.
    pub fn add_own(&mut self, function: &str, arguments: &[u64], value: u64) -> Added {
        self.put(function, arguments, value, true)
    }

    fn put(&mut self, function: &str, arguments: &[u64], value: u64, is_own: bool) -> Added {
        if !self.functions.contains_key(function) {
            self.functions.insert(function.to_owned(), Seen::default());
        }
        let Some(seen) = self.functions.get_mut(function) else { return Added::Known };
        if let Some(number) = seen.find(arguments) {
            let before = seen.samples[number as usize].value;
            if is_own {
                seen.own.insert(number);
                seen.samples[number as usize].is_own = true;
            }
            return if before == value { Added::Known } else { Added::Contradicts(before) };
        }
        seen.push(Sample { arguments: Arguments::new(arguments), value, age: self.added, is_own });
        self.added += 1;
        self.count += 1;
        Added::New
    }

    /// What a function gives for these arguments, if it was seen.
    pub fn get(&self, function: &str, arguments: &[u64]) -> Option<u64> {
        self.functions.get(function)?.get(arguments)
    }

    /// The samples of a function, the newest first; only those with this value, if one is given.
    pub(super) fn newest<'a>(
        &'a self,
        function: &str,
        value: Option<u64>,
    ) -> Box<dyn Iterator<Item = (Vec<u64>, u64)> + 'a> {
        let Some(seen) = self.functions.get(function) else { return Box::new(std::iter::empty()) };
        let shown = |sample: &Sample| (sample.arguments.to_vec(), sample.value);
        match value {
            None => Box::new(seen.samples.iter().rev().map(shown)),
            Some(value) => {
                let numbers = seen.by_value.range((value, 0)..=(value, u32::MAX)).rev();
                Box::new(numbers.map(move |&(_, number)| shown(&seen.samples[number as usize])))
            }
        }
    }

    /// The program's own samples of a function, the newest first.
    pub(super) fn own<'a>(&'a self, function: &str) -> Box<dyn Iterator<Item = (Vec<u64>, u64)> + 'a> {
        let Some(seen) = self.functions.get(function) else { return Box::new(std::iter::empty()) };
        let numbers = seen.own.iter().rev().map(|&number| &seen.samples[number as usize]);
        Box::new(numbers.map(|sample| (sample.arguments.to_vec(), sample.value)))
    }

    /// All of them: function, arguments, value, whether they are the program's own; those of a function in the order in which they were seen.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Vec<u64>, u64, bool)> + '_ {
        self.functions.iter().flat_map(|(name, seen)| {
            let shown = |sample: &Sample| (sample.arguments.to_vec(), sample.value, sample.is_own);
            seen.samples
                .iter()
                .map(shown)
                .map(|(arguments, value, is_own)| (name.as_str(), arguments, value, is_own))
        })
    }

    /// Forgets all of these functions.
    pub fn forget(&mut self, is_it: impl Fn(&str) -> bool) {
        self.functions.retain(|name, _| !is_it(name));
        self.count = self.functions.values().map(|seen| seen.samples.len()).sum();
    }

    /// Forgets the oldest if there are more than so many, and then a tenth of these as well, so that this is done rarely.
    pub fn keep(&mut self, most: usize) {
        if self.count <= most {
            return;
        }
        let all = self.functions.values().flat_map(|seen| &seen.samples);
        let mut ages: Vec<u64> = all.map(|sample| sample.age).collect();
        let kept = most - most / 10;
        let (_, &mut oldest, _) = ages.select_nth_unstable(self.count - kept);
        for seen in self.functions.values_mut() {
            let all = std::mem::take(seen).samples;
            all.into_iter().filter(|sample| sample.age >= oldest).for_each(|sample| seen.push(sample));
        }
        self.functions.retain(|_, seen| !seen.samples.is_empty());
        self.count = kept;
    }
}

impl Seen {
    fn push(&mut self, sample: Sample) {
        let number = self.samples.len() as u32;
        self.by_arguments.insert((hash(&sample.arguments.to_vec()), number));
        self.by_value.insert((sample.value, number));
        if sample.is_own {
            self.own.insert(number);
        }
        let arguments = sample.arguments.first(COMPARED);
        match number {
            0 => self.always = arguments.map(Some).collect(),
            _ => {
                let differs = |(always, one): &(&mut Option<u64>, u64)| **always != Some(*one);
                self.always.iter_mut().zip(arguments).filter(differs).for_each(|(always, _)| *always = None);
            }
        }
        self.samples.push(sample);
    }

    fn get(&self, arguments: &[u64]) -> Option<u64> {
        self.find(arguments).map(|number| self.samples[number as usize].value)
    }

    /// The number of the sample with these arguments.
    fn find(&self, arguments: &[u64]) -> Option<u32> {
        let hash = hash(arguments);
        let same = self.by_arguments.range((hash, 0)..=(hash, u32::MAX)).map(|&(_, number)| number);
        same.into_iter().find(|&number| self.samples[number as usize].arguments.are(arguments))
    }
}

fn hash(values: &[u64]) -> u64 {
    let mix = |hash: u64, value: &u64| (hash ^ value).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(23);
    values.iter().fold(values.len() as u64, mix)
}

/// Samples from several places.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a>(pub &'a [&'a Samples]);

impl<'a> Knowledge<'a> {
    /// What a function gives for these arguments, if it was seen.
    pub fn get(&self, function: &str, arguments: &[u64]) -> Option<u64> {
        self.0.iter().find_map(|samples| samples.get(function, arguments))
    }

    /// See [`Samples::own`].
    pub(super) fn own(&self, function: &'a str) -> impl Iterator<Item = (Vec<u64>, u64)> + 'a {
        self.0.iter().flat_map(move |samples| samples.own(function))
    }

    /// The arguments with which the program itself calls those functions whose names begin so and are wanted, each once.
    pub fn own_of(&self, begin: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Vec<u64>> {
        let own = |seen: &'a Seen| seen.own.iter().map(|&number| &seen.samples[number as usize]);
        let all = self.seen_of(begin, is_wanted).flat_map(own);
        all.map(|sample| sample.arguments.to_vec()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Arguments with which those functions were seen lately and which differ from these in one place only, as far as both go: one for each function.
    pub fn near(&self, begin: &str, is_wanted: impl Fn(&str) -> bool, arguments: &[u64]) -> Vec<Vec<u64>> {
        let is_near = |sample: &&Sample| sample.arguments.differences(arguments) == 1;
        let near = |seen: &Seen| seen.samples.iter().rev().take(MOST_RECENT).find(is_near).cloned();
        let all = self.seen_of(begin, is_wanted).take(MOST_NEAR).filter_map(near);
        all.map(|sample| sample.arguments.to_vec()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// What was seen of functions whose names begin so and are wanted.
    fn seen_of(&self, begin: &str, is_wanted: impl Fn(&str) -> bool) -> impl Iterator<Item = &'a Seen> {
        let all = self.0.iter().flat_map(move |samples| {
            samples.functions.range(begin.to_owned()..).take_while(move |(it, _)| it.starts_with(begin))
        });
        all.filter(move |(it, _)| is_wanted(it)).map(|(_, seen)| seen)
    }

    /// Whether all samples of a function, of which there are some, have this value for one of its first arguments.
    pub fn is_always(&self, function: &str, argument: usize, value: u64) -> bool {
        let mut seen = self.0.iter().filter_map(|samples| samples.functions.get(function)).peekable();
        seen.peek().is_some() && seen.all(|seen| seen.always.get(argument) == Some(&Some(value)))
    }

    /// How many samples of a function there are.
    pub fn of(&self, function: &str) -> usize {
        self.0.iter().map(|samples| samples.of(function)).sum()
    }

    /// See [`Samples::newest`].
    pub(super) fn newest(
        &self,
        function: &'a str,
        value: Option<u64>,
    ) -> impl Iterator<Item = (Vec<u64>, u64)> + 'a {
        self.0.iter().flat_map(move |samples| samples.newest(function, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_found_by_arguments_and_by_value() {
        let mut samples = Samples::new();
        for key in 0..1000 {
            assert_eq!(samples.add("h", &[key, 7], key / 3), Added::New);
        }
        assert_eq!(samples.add("h", &[5, 7], 1), Added::Known);
        assert_eq!(samples.add("h", &[5, 7], 2), Added::Contradicts(1));
        assert_eq!((samples.get("h", &[500, 7]), samples.get("h", &[500, 8])), (Some(166), None));
        let keys: Vec<u64> = samples.newest("h", Some(166)).map(|(arguments, _)| arguments[0]).collect();
        assert_eq!(keys, [500, 499, 498]);
        let known = Knowledge(&[&samples]);
        let always =
            [(0, 500), (1, 7), (1, 8), (2, 7)].map(|(argument, value)| known.is_always("h", argument, value));
        assert_eq!(always, [false, true, false, false]);
        assert!(!known.is_always("g", 0, 0));
    }

    #[test]
    fn near_is_what_differs_in_one_place_as_far_as_both_go() {
        let mut samples = Samples::new();
        let seen: [(&str, &[u64]); 6] = [
            ("text:2", &[b'1'.into(), 0]),
            ("text:3", &[b'1'.into(), b'.'.into(), 0]),
            ("text:3", &[b'7'.into(), b'.'.into(), 0]),
            ("text:1", &[0]),
            ("text:0", &[]),
            ("other:2", &[b'1'.into(), b'.'.into()]),
        ];
        seen.iter().for_each(|(function, arguments)| {
            samples.add(function, arguments, 1);
        });
        let known = Knowledge(&[&samples]);
        let near = |is_wanted: &dyn Fn(&str) -> bool| known.near("text", is_wanted, &[b'1'.into(), 0]);
        // The newest of text:3 differs in two places, the one before in one.
        let longer = vec![b'1'.into(), b'.'.into(), 0];
        assert_eq!(near(&|it| it == "text:3"), std::slice::from_ref(&longer));
        assert_eq!(near(&|it| it != "text:2"), [vec![0], longer], "one for each function");
        assert!(near(&|it| it == "text:2").is_empty(), "it is the same");
        assert!(near(&|it| it == "text:0").is_empty(), "nothing differs");
    }

    #[test]
    fn the_oldest_are_forgotten_first() {
        let mut samples = Samples::new();
        for key in 0..100 {
            samples.add(if key % 2 == 0 { "even" } else { "odd" }, &[key << 40], key);
        }
        samples.keep(50);
        assert_eq!((samples.len(), samples.of("even") + samples.of("odd")), (45, 45));
        assert_eq!((samples.get("odd", &[55 << 40]), samples.get("even", &[54 << 40])), (Some(55), None));
    }
}
