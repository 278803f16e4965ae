//! Why something is known: sets of assumptions, made by uniting others and taken apart only when someone asks.

/// A set of assumptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reason(u32);

/// So many unions are remembered, so that the same is seldom made twice.
const REMEMBERED: usize = 1 << 12;

/// All sets, each a number: 0 is the empty one, the others have an entry.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    sets: Vec<Set>,
    /// The two that were united, and the union, by a number made of the two.
    unions: Vec<[Reason; 3]>,
    /// Which sets were looked at, by the number of the look.
    seen: Vec<u32>,
    look: u32,
}

#[derive(Clone, Copy, Debug)]
enum Set {
    Assumption(u32),
    Union(Reason, Reason),
}

impl Reasons {
    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.unions.clear();
        self.seen.clear();
        self.look = 0;
    }

    /// How many sets there are.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// Just the assumption with this number.
    pub(super) fn assumption(&mut self, number: usize) -> Reason {
        self.add(Set::Assumption(number as u32))
    }

    /// Both.
    pub(super) fn unite(&mut self, a: Reason, b: Reason) -> Reason {
        match (a.0.min(b.0), a.0.max(b.0)) {
            (0, other) => Reason(other),
            (one, other) if one == other => a,
            (one, other) => self.union(Reason(one), Reason(other)),
        }
    }

    /// The union of two that are not empty, the later one last.
    fn union(&mut self, one: Reason, other: Reason) -> Reason {
        if let Set::Union(a, b) = self.sets[other.0 as usize - 1]
            && (a == one || b == one)
        {
            return other;
        }
        self.unions.resize(REMEMBERED, [Reason::default(); 3]);
        let place = one.0.wrapping_mul(0x9e37_79b9).wrapping_add(other.0) as usize % REMEMBERED;
        if let [a, b, union] = self.unions[place]
            && (a, b) == (one, other)
        {
            return union;
        }
        let union = self.add(Set::Union(one, other));
        self.unions[place] = [one, other, union];
        union
    }

    fn add(&mut self, set: Set) -> Reason {
        self.sets.push(set);
        Reason(self.sets.len() as u32)
    }

    /// The numbers of the assumptions of all these sets, in order.
    pub(super) fn assumptions(&mut self, of: impl IntoIterator<Item = Reason>) -> Vec<u32> {
        self.seen.resize(self.sets.len() + 1, 0);
        self.look += 1;
        let mut stack: Vec<Reason> = of.into_iter().collect();
        let mut numbers = Vec::new();
        while let Some(Reason(set)) = stack.pop() {
            if set == 0 || std::mem::replace(&mut self.seen[set as usize], self.look) == self.look {
                continue;
            }
            match self.sets[set as usize - 1] {
                Set::Assumption(number) => numbers.push(number),
                Set::Union(a, b) => stack.extend([a, b]),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
