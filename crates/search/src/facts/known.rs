//! What a value may be: numbers, and addresses made from variables.

use coax_program::Func;
use coax_term::mask;
use std::cmp::Ordering;
use std::sync::Arc;

/// So many numbers, or distances in one variable, are told apart.
const FEW: usize = 8;

/// What a value may be; nothing yet if it has neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    /// The addresses that it may be, if it is no plain number.
    pub(super) places: Places,
}

/// Numbers without sign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbers {
    #[default]
    None,
    /// These, by size.
    Few(Vec<u64>),
    /// Some of those from one to another.
    Between(u64, u64),
}

/// Where an address leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    /// What is no variable: blocks of the heap, what the entry is given.
    Outside,
    /// A static variable.
    Variable(u32),
    /// What calls of a function have on the stack.
    Frame(Func),
    /// A function, as its slot in the table.
    Code(Func),
}

/// How far from its beginning; of a frame, from its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Offsets {
    Few(Vec<i32>),
    Any,
    /// Some bytes of an address, and not the whole: they can be copied, but lead nowhere.
    Part,
}

/// Addresses by what they were made from. Many values have the same ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Places(Option<Arc<Vec<(Object, Offsets)>>>);

impl Numbers {
    pub(super) fn one(number: u64) -> Numbers {
        Numbers::Few(vec![number])
    }

    pub(super) fn all(width: u8) -> Numbers {
        Numbers::Between(0, mask(width))
    }

    /// All from one to another.
    pub(super) fn between(low: u64, high: u64) -> Numbers {
        if high - low < FEW as u64 {
            Numbers::Few((low..=high).collect())
        } else {
            Numbers::Between(low, high)
        }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Numbers::None
    }

    /// The only one, if there is only one.
    pub(crate) fn only(&self) -> Option<u64> {
        match self {
            Numbers::Few(few) if few.len() == 1 => Some(few[0]),
            _ => None,
        }
    }

    /// The smallest and the greatest.
    pub(super) fn extent(&self) -> Option<(u64, u64)> {
        match self {
            Numbers::None => None,
            Numbers::Few(few) => Some((*few.first()?, *few.last()?)),
            Numbers::Between(low, high) => Some((*low, *high)),
        }
    }

    pub(super) fn may_be(&self, number: u64) -> bool {
        match self {
            Numbers::None => false,
            Numbers::Few(few) => few.contains(&number),
            Numbers::Between(low, high) => (*low..=*high).contains(&number),
        }
    }

    pub(super) fn from_few(mut numbers: Vec<u64>) -> Numbers {
        numbers.sort_unstable();
        numbers.dedup();
        match numbers[..] {
            [] => Numbers::None,
            [first, .., last] if numbers.len() > FEW => Numbers::Between(first, last),
            _ => Numbers::Few(numbers),
        }
    }

    /// Adds others; whether there are more now. Ranges that grow grow far, so that they do not grow often.
    pub(super) fn add(&mut self, other: &Numbers) -> bool {
        let joined = match (&*self, other) {
            (_, Numbers::None) => return false,
            (Numbers::None, other) => other.clone(),
            (Numbers::Few(some), Numbers::Few(more)) => {
                if more.iter().all(|number| some.contains(number)) {
                    return false;
                }
                Numbers::from_few([&some[..], more].concat())
            }
            (some, more) => {
                let (Some((low, high)), Some((from, to))) = (some.extent(), more.extent()) else {
                    return false;
                };
                if let (Numbers::Between(..), true) = (some, low <= from && to <= high) {
                    return false;
                }
                let low = if from < low { 0 } else { low };
                let high = if to > high { u64::MAX >> to.leading_zeros() } else { high };
                Numbers::Between(low, high)
            }
        };
        *self = joined;
        true
    }
}

impl Offsets {
    pub(super) fn one(offset: i32) -> Offsets {
        Offsets::Few(vec![offset])
    }

    /// Each of them; none stands for any.
    pub(super) fn each(&self) -> Vec<Option<i32>> {
        match self {
            Offsets::Few(few) => few.iter().map(|offset| Some(*offset)).collect(),
            Offsets::Any => vec![None],
            Offsets::Part => Vec::new(),
        }
    }

    fn has(&self, other: &Offsets) -> bool {
        match (self, other) {
            (Offsets::Few(some), Offsets::Few(more)) => more.iter().all(|offset| some.contains(offset)),
            _ => *self == Offsets::Any || self == other,
        }
    }

    fn add(&mut self, other: &Offsets) -> bool {
        let joined = match (&*self, other) {
            (Offsets::Any, _) | (Offsets::Part, Offsets::Part) => return false,
            (_, Offsets::Any) | (Offsets::Part, _) | (_, Offsets::Part) => Offsets::Any,
            (Offsets::Few(some), Offsets::Few(more)) => {
                if more.iter().all(|offset| some.contains(offset)) {
                    return false;
                }
                let mut all = [&some[..], more].concat();
                all.sort_unstable();
                all.dedup();
                if all.len() > FEW { Offsets::Any } else { Offsets::Few(all) }
            }
        };
        *self = joined;
        true
    }

    fn shifted(&self, by: &Numbers) -> Offsets {
        let (Offsets::Few(offsets), Numbers::Few(numbers)) = (self, by) else { return Offsets::Any };
        let mut all = Offsets::Few(Vec::new());
        for number in numbers {
            let moved = offsets.iter().map(|offset| offset.wrapping_add(*number as u32 as i32)).collect();
            all.add(&Offsets::Few(moved));
        }
        all
    }
}

impl Places {
    pub(super) fn one(object: Object, offsets: Offsets) -> Places {
        Places::from(vec![(object, offsets)])
    }

    /// In the order of their objects.
    fn from(places: Vec<(Object, Offsets)>) -> Places {
        Places((!places.is_empty()).then(|| Arc::new(places)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (Object, &Offsets)> {
        self.0.iter().flat_map(|places| places.iter()).map(|(object, offsets)| (*object, offsets))
    }

    /// How many objects of memory there are.
    pub(super) fn count(&self) -> usize {
        self.iter().filter(|(object, _)| !matches!(object, Object::Code(_))).count()
    }

    /// With others instead of some objects, wherever in them.
    pub(super) fn resolved(&self, other: impl Fn(Object) -> Object) -> Places {
        let mut all = Places::default();
        for (object, offsets) in self.iter() {
            let to = other(object);
            let is_same = to == object || *offsets == Offsets::Part;
            all.add(&Places::one(to, if is_same { offsets.clone() } else { Offsets::Any }));
        }
        all
    }

    pub(super) fn has(&self, object: Object) -> bool {
        self.0.as_ref().is_some_and(|places| places.binary_search_by_key(&object, |(it, _)| *it).is_ok())
    }

    /// Adds others; whether there are more now.
    pub(super) fn add(&mut self, other: &Places) -> bool {
        let (Some(some), Some(more)) = (&self.0, &other.0) else {
            let is_more = self.is_empty() && !other.is_empty();
            if is_more {
                self.0.clone_from(&other.0);
            }
            return is_more;
        };
        if Arc::ptr_eq(some, more) || have_all(some, more) {
            return false;
        }
        self.0 = Some(Arc::new(joined(some, more)));
        true
    }

    fn map(&self, offsets: impl Fn(&Offsets) -> Offsets) -> Places {
        Places::from(self.iter().map(|(object, known)| (object, offsets(known))).collect())
    }

    /// The same objects, anywhere in them.
    pub(super) fn smeared(&self) -> Places {
        match self.iter().all(|(_, offsets)| *offsets == Offsets::Any) {
            true => self.clone(),
            false => self.map(|_| Offsets::Any),
        }
    }

    /// Bytes of them.
    pub(super) fn parts(&self) -> Places {
        self.map(|_| Offsets::Part)
    }

    /// Whether some are only bytes of addresses.
    pub(super) fn have_parts(&self) -> bool {
        self.iter().any(|(_, offsets)| *offsets == Offsets::Part)
    }

    /// Those that are whole.
    pub(super) fn whole(&self) -> Places {
        let whole = self.iter().filter(|(_, offsets)| **offsets != Offsets::Part);
        Places::from(whole.map(|(object, known)| (object, known.clone())).collect())
    }

    /// So many bytes further.
    pub(super) fn shifted(&self, by: &Numbers) -> Places {
        match by.only() {
            Some(0) => self.clone(),
            _ if by.is_none() => Places::default(),
            _ => self.map(|offsets| offsets.shifted(by)),
        }
    }

    /// Anywhere in those that others do not lead to.
    pub(super) fn without(&self, other: &Places) -> Places {
        let left = self.iter().filter(|(object, _)| !other.has(*object));
        Places::from(left.map(|(object, _)| (object, Offsets::Any)).collect())
    }
}

/// Whether some have all of others.
fn have_all(some: &[(Object, Offsets)], more: &[(Object, Offsets)]) -> bool {
    let mut left = some.iter();
    more.iter().all(|(object, offsets)| {
        left.find(|(it, _)| it >= object).is_some_and(|(it, known)| it == object && known.has(offsets))
    })
}

/// Both, in order.
fn joined(some: &[(Object, Offsets)], more: &[(Object, Offsets)]) -> Vec<(Object, Offsets)> {
    let mut all = Vec::with_capacity(some.len() + more.len());
    let (mut some, mut more) = (some.iter().peekable(), more.iter().peekable());
    loop {
        let order = match (some.peek(), more.peek()) {
            (Some(one), Some(other)) => one.0.cmp(&other.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return all,
        };
        let mut place = match order {
            Ordering::Greater => more.next(),
            _ => some.next(),
        }
        .cloned()
        .expect("it was there");
        if let (Ordering::Equal, Some((_, offsets))) = (order, more.next_if(|_| order == Ordering::Equal)) {
            place.1.add(offsets);
        }
        all.push(place);
    }
}

impl Known {
    pub(super) fn number(number: u64) -> Known {
        Known::numbers(Numbers::one(number))
    }

    pub(super) fn numbers(numbers: Numbers) -> Known {
        Known { numbers, places: Places::default() }
    }

    /// Any number of a width.
    pub(super) fn any(width: u8) -> Known {
        Known::numbers(Numbers::all(width))
    }

    pub(super) fn place(object: Object, offsets: Offsets) -> Known {
        Known { numbers: Numbers::None, places: Places::one(object, offsets) }
    }

    /// Whether nothing is known to be there yet.
    pub(super) fn is_nothing(&self) -> bool {
        self.numbers.is_none() && self.places.is_empty()
    }

    /// Adds another; whether it is more now.
    pub(super) fn add(&mut self, other: &Known) -> bool {
        // Both, always.
        self.numbers.add(&other.numbers) | self.places.add(&other.places)
    }

    /// What some of its bytes, or more than these, may be, as a number of a width.
    pub(super) fn smeared(&self, width: u8) -> Known {
        let numbers = match self.numbers.only() {
            _ if self.is_nothing() => Numbers::None,
            Some(0) if self.places.is_empty() => Numbers::one(0),
            _ => Numbers::all(width),
        };
        Known { numbers, places: self.places.smeared() }
    }
}
