//! Which decisions ask the same.
//!
//! The same question comes up on many paths, one for each way to treat what has nothing to do with it: a text is parsed in the same way however long the
//! buffer is that it was copied into. A number stands for the condition of a decision together with those before it that have to do with it: they
//! share a symbol, directly or through others. Equal numbers, equal questions.

use coax_term::{Term, Terms};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The conditions of a path so far, in groups that have nothing to do with each other.
#[derive(Debug, Default)]
pub(super) struct Questions {
    /// The group of each term that was met, with all that it consists of.
    of_term: Vec<Option<u32>>,
    /// Of each group: another one that it has become part of; itself, if none.
    part_of: Vec<u32>,
    /// The sum of the hashes of its conditions.
    sums: Vec<u64>,
}

impl Questions {
    /// The number of the next decision of the path, which has this condition.
    pub(super) fn next(&mut self, terms: &Terms, condition: Term) -> u64 {
        let group = self.group(terms, condition);
        let before = self.sums[group];
        self.sums[group] = before.wrapping_add(terms.hash(condition));
        let mut hasher = DefaultHasher::new();
        (before, terms.hash(condition)).hash(&mut hasher);
        hasher.finish()
    }

    /// The one group of everything that a condition has to do with.
    fn group(&mut self, terms: &Terms, condition: Term) -> usize {
        self.of_term.resize(terms.len(), None);
        let mut group = self.part_of.len() as u32;
        self.part_of.push(group);
        self.sums.push(0);
        let mut left = vec![condition];
        while let Some(term) = left.pop() {
            match self.of_term[term.index()] {
                Some(other) => group = self.unite(group, other),
                None => {
                    if terms.as_constant(term).is_some() {
                        continue;
                    }
                    let node = terms.node(term);
                    self.of_term[term.index()] = Some(group);
                    terms.operands(node, |operand| left.push(operand));
                }
            }
        }
        self.whole(group) as usize
    }

    /// The group that a group is part of.
    fn whole(&mut self, mut group: u32) -> u32 {
        while self.part_of[group as usize] != group {
            let next = self.part_of[group as usize];
            self.part_of[group as usize] = self.part_of[next as usize];
            group = next;
        }
        group
    }

    fn unite(&mut self, one: u32, other: u32) -> u32 {
        let (one, other) = (self.whole(one), self.whole(other));
        if one != other {
            self.part_of[one as usize] = other;
            self.sums[other as usize] = self.sums[other as usize].wrapping_add(self.sums[one as usize]);
        }
        other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::{Algebra, Binary};

    /// The numbers of a path on which symbols are compared: names, and what each is less than.
    fn numbers(path: &[(&[&str], u64)]) -> Vec<u64> {
        let (mut terms, mut questions) = (Terms::new(), Questions::default());
        let mut next = |&(names, most): &(&[&str], u64)| {
            let symbols: Vec<Term> = names.iter().map(|name| terms.symbol(name, 8)).collect();
            let sum = symbols.into_iter().reduce(|sum, it| terms.binary(Binary::Add, sum, it));
            let most = terms.constant(8, most);
            let condition = terms.binary(Binary::Ult, sum.expect("there are symbols"), most);
            questions.next(&terms, condition)
        };
        path.iter().map(&mut next).collect()
    }

    #[test]
    fn what_has_nothing_to_do_with_it_does_not_count() {
        let (one, other) =
            (numbers(&[(&["a"], 3), (&["b"], 5)]), numbers(&[(&["c"], 4), (&["a"], 2), (&["b"], 5)]));
        assert_eq!(one.last(), other.last());
        assert_ne!(one[0], other[1]);
    }

    #[test]
    fn what_has_to_do_with_it_through_others_counts() {
        let one = numbers(&[(&["a"], 3), (&["a", "b"], 5), (&["b", "c"], 6), (&["c"], 7)]);
        let other = numbers(&[(&["a"], 2), (&["a", "b"], 5), (&["b", "c"], 6), (&["c"], 7)]);
        assert_ne!(one.last(), other.last());
        let apart = numbers(&[(&["a"], 2), (&["b", "c"], 6), (&["c"], 7)]);
        let alone = numbers(&[(&["b", "c"], 6), (&["c"], 7)]);
        assert_eq!(apart.last(), alone.last());
    }

    #[test]
    fn the_order_does_not_count() {
        let one = numbers(&[(&["a"], 3), (&["b"], 4), (&["a", "b"], 5)]);
        let other = numbers(&[(&["b"], 4), (&["a"], 3), (&["a", "b"], 5)]);
        assert_eq!(one.last(), other.last());
    }
}
