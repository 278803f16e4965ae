//! What memory may hold: for each variable, frame, and all the rest, whatever was ever written there.

use super::known::{Known, Numbers, Object, Offsets, Places};
use super::world::World;
use coax_program::Func;
use coax_program::ir::Block;
use coax_term::mask;
use std::collections::{BTreeMap, BTreeSet};

/// A block of a function.
pub(super) type Spot = (Func, Block);

/// So many places of one object are told apart.
const MOST_CELLS: usize = 128;
/// So many copies to one object are.
const MOST_LINKS: usize = 16;
/// So many places are looked at for one load before the rest of them count as any.
const MOST_STEPS: usize = 16;

/// Bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// How far from the beginning; none if that is not known.
    pub(super) at: Option<i32>,
    pub(super) bytes: u32,
    /// Whether they are where a number of that size is put.
    pub(super) is_aligned: bool,
}

/// Bytes that were copied, whenever: what is read there is what is read where they came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    /// Where, and how many; none if that is not known.
    to: Option<(i32, u32)>,
    from: Object,
    at: Option<i32>,
}

#[derive(Default)]
struct Content {
    /// What is where.
    cells: Vec<(Cell, Known)>,
    /// What is somewhere, and that together with what is where.
    somewhere: Sums,
    anywhere: Sums,
    links: Vec<Link>,
    /// Who has read it.
    readers: BTreeSet<Spot>,
}

/// What loads of 1, 2, 4 and 8 bytes that lie well read, and what others do: kept, for there are many more loads than stores.
#[derive(Default)]
struct Sums {
    of_aligned: [Known; 4],
    of_others: Known,
}

impl Sums {
    fn add(&mut self, cell: Cell, known: &Known) -> bool {
        let smeared = known.smeared(64);
        let mut is_more = self.of_others.add(&smeared);
        for (number, sum) in self.of_aligned.iter_mut().enumerate() {
            let is_same = cell.is_aligned && cell.bytes == 1 << number;
            is_more |= sum.add(if is_same { known } else { &smeared });
        }
        is_more
    }

    fn join(&mut self, other: &Sums) {
        self.of_others.add(&other.of_others);
        for (sum, more) in self.of_aligned.iter_mut().zip(&other.of_aligned) {
            sum.add(more);
        }
    }

    fn read(&self, cell: Cell) -> &Known {
        match (cell.is_aligned, cell.bytes) {
            (true, 1 | 2 | 4 | 8) => &self.of_aligned[cell.bytes.trailing_zeros() as usize],
            _ => &self.of_others,
        }
    }
}

/// What all of memory may hold.
#[derive(Default)]
pub(super) struct Contents {
    objects: BTreeMap<Object, Content>,
    /// Those that are told apart from what is outside no longer.
    absorbed: Absorbed,
    /// What was looked at so far: it takes most of the time.
    pub(super) work: usize,
}

/// Variables and frames by their numbers: they are asked for at every step.
#[derive(Default)]
struct Absorbed {
    variables: Vec<bool>,
    frames: Vec<bool>,
}

impl Absorbed {
    fn has(&self, object: Object) -> bool {
        let flag = match object {
            Object::Variable(number) => self.variables.get(number as usize),
            Object::Frame(func) => self.frames.get(func.0 as usize),
            Object::Outside | Object::Code(_) => None,
        };
        flag.copied().unwrap_or_default()
    }

    /// Whether it is new.
    fn insert(&mut self, object: Object) -> bool {
        let (flags, number) = match object {
            Object::Variable(number) => (&mut self.variables, number as usize),
            Object::Frame(func) => (&mut self.frames, func.0 as usize),
            Object::Outside | Object::Code(_) => return false,
        };
        if flags.len() <= number {
            flags.resize(number + 1, false);
        }
        !std::mem::replace(&mut flags[number], true)
    }
}

impl Contents {
    /// What an object counts as.
    pub(super) fn resolved(&self, object: Object) -> Object {
        if self.absorbed.has(object) { Object::Outside } else { object }
    }

    /// From now on an object is part of what is outside: addresses that may lead to many objects do not tell them apart. Who has read there.
    pub(super) fn absorb(&mut self, world: &World<'_>, object: Object) -> Vec<Spot> {
        if !self.absorbed.insert(object) {
            return Vec::new();
        }
        let content = self.objects.remove(&object).unwrap_or_default();
        let outside = self.objects.entry(Object::Outside).or_default();
        outside.anywhere.join(&content.anywhere);
        for link in content.links {
            let link = Link { to: None, at: None, ..link };
            if !outside.links.contains(&link) {
                outside.links.push(link);
            }
        }
        if let Object::Variable(variable) = object {
            let cell = Cell { at: None, bytes: 4, is_aligned: true };
            outside.anywhere.add(cell, &world.first(variable, None, 4));
        }
        outside.readers.extend(content.readers);
        outside.readers.iter().copied().collect()
    }

    /// Something is written; who has read there, if that is new.
    pub(super) fn store(&mut self, object: Object, cell: Cell, known: &Known) -> Vec<Spot> {
        let object = self.resolved(object);
        let content = self.objects.entry(object).or_default();
        self.work += 8 + content.cells.len();
        let is_full = content.cells.len() >= MOST_CELLS;
        let cell = if object == Object::Outside || is_full { Cell { at: None, ..cell } } else { cell };
        let mut is_more = content.anywhere.add(cell, known);
        if cell.at.is_none() {
            is_more |= content.somewhere.add(cell, known);
        } else {
            match content.cells.iter_mut().find(|(other, _)| *other == cell) {
                Some((_, held)) => is_more |= held.add(known),
                None => {
                    content.cells.push((cell, known.clone()));
                    is_more = true;
                }
            }
        }
        if is_more { content.readers.iter().copied().collect() } else { Vec::new() }
    }

    /// Bytes are copied from one object to another; who has read there, if that is new.
    pub(super) fn copy(
        &mut self,
        (object, to): (Object, Option<i32>),
        (from, at): (Object, Option<i32>),
        bytes: Option<u32>,
    ) -> Vec<Spot> {
        let (object, from) = (self.resolved(object), self.resolved(from));
        // What is outside may be anywhere there.
        if object == Object::Outside && from == Object::Outside {
            return Vec::new();
        }
        let content = self.objects.entry(object).or_default();
        let is_full = content.links.len() >= MOST_LINKS;
        let exact = to.zip(bytes).filter(|_| object != Object::Outside && !is_full);
        let link = Link { to: exact, from, at: at.filter(|_| exact.is_some()) };
        if content.links.contains(&link) {
            return Vec::new();
        }
        content.links.push(link);
        content.readers.iter().copied().collect()
    }

    /// What may be read, as bits, in any of these places.
    pub(super) fn load(
        &mut self,
        world: &World<'_>,
        places: &[(Object, Option<i32>)],
        (bytes, is_aligned): (u32, bool),
        reader: Spot,
    ) -> Known {
        let width = (8 * bytes) as u8;
        let mut all = Known::default();
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<(Object, Option<i32>, bool, bool)> =
            places.iter().map(|(object, at)| (*object, *at, is_aligned, false)).collect();
        let most = MOST_STEPS + waiting.len();
        while let Some((object, at, is_aligned, is_smeared)) = waiting.pop() {
            let object = self.resolved(object);
            let at = at.filter(|_| seen.len() < most && object != Object::Outside);
            if !seen.insert((object, at, is_aligned, is_smeared)) {
                continue;
            }
            let cell = Cell { at, bytes, is_aligned };
            let mut here = match object {
                Object::Outside => Known { places: Places::one(object, Offsets::Any), ..Known::any(width) },
                Object::Variable(variable) => world.first(variable, at, cell.bytes),
                // Code is not in memory.
                Object::Code(_) => Known::any(width),
                Object::Frame(_) => Known::default(),
            };
            let content = self.objects.entry(object).or_default();
            self.work += 8 + content.links.len() + at.map_or(0, |_| content.cells.len());
            content.readers.insert(reader);
            let Some(at) = at else {
                here.add(content.anywhere.read(cell));
                all.add(&if is_smeared { here.smeared(width) } else { here });
                let from = content.links.iter().map(|link| (link.from, None, false, is_smeared));
                waiting.extend(from);
                continue;
            };
            here.add(content.somewhere.read(cell));
            for (written, known) in &content.cells {
                match overlap(at, cell.bytes, written) {
                    Overlap::None => {}
                    Overlap::Same => {
                        here.add(known);
                    }
                    Overlap::Part => {
                        here.add(&known.smeared(width));
                    }
                }
            }
            all.add(&if is_smeared { here.smeared(width) } else { here });
            for link in &content.links {
                let next = match link.to {
                    None => Some((None, false)),
                    Some((to, bytes)) => {
                        let copied = Cell { at: Some(to), bytes, is_aligned: false };
                        let is_within = at >= to
                            && i64::from(at) + i64::from(cell.bytes) <= i64::from(to) + i64::from(bytes);
                        match overlap(at, cell.bytes, &copied) {
                            Overlap::None => None,
                            _ if is_within => Some((link.at.map(|from| from.wrapping_add(at - to)), false)),
                            // Some of it comes from there, some from elsewhere.
                            _ => Some((None, true)),
                        }
                    }
                };
                // What lies well in a copy need not lie well where it came from.
                waiting
                    .extend(next.map(|(at, is_part)| (link.from, at, at.is_some(), is_smeared || is_part)));
            }
        }
        // Sums do not know how wide the loads are.
        if all.numbers.extent().is_some_and(|(_, high)| high > mask(width)) {
            all.numbers = Numbers::all(width);
        }
        if bytes < 4 && !all.places.is_empty() {
            all.places = all.places.parts();
        }
        all
    }

    /// The objects that what an object holds leads to; this one wants to know when there are more.
    pub(super) fn reachable(&mut self, world: &World<'_>, object: Object, reader: Spot) -> Vec<Object> {
        let held = self.load(world, &[(object, None)], (4, false), reader);
        held.places.iter().map(|(object, _)| object).collect()
    }
}

enum Overlap {
    None,
    Same,
    Part,
}

/// What a load of so many bytes reads of what was written.
fn overlap(at: i32, bytes: u32, written: &Cell) -> Overlap {
    let Some(there) = written.at else { return Overlap::Part };
    let (here, there) = (i64::from(at), i64::from(there));
    match here + i64::from(bytes) <= there || there + i64::from(written.bytes) <= here {
        true => Overlap::None,
        false if here == there && bytes == written.bytes => Overlap::Same,
        false => Overlap::Part,
    }
}

/// Any numbers, in bytes that nobody knows.
pub(super) fn anything(places: &Places) -> Known {
    Known { numbers: Numbers::all(8), places: places.smeared() }
}
