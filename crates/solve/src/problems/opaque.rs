//! Random questions with unknown functions over few values: so few that all functions and all inputs can be tried.
//!
//! Each is one that a search would ask: there was a run of some input, the functions were seen where that run called them and at some places
//! more, and the conditions are those of its path with the last one the other way round, mostly.

use crate::random::Random;
use crate::validity::Samples;
use coax_term::{Algebra, Binary, Evaluator, Function, Functions, Model, Node, Symbol, Term, Terms, mask};
use std::cmp::Ordering;

/// What functions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One, of two bits.
    One,
    /// Two, of three bits each.
    Two,
    /// One, of two arguments of one bit.
    Pair,
    /// One of a byte, of whose argument and value only two bits matter.
    Masked,
    /// One of two arguments of four bits, seen at hundreds of places: too many functions to try all.
    Crowded,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::One, Kind::Two, Kind::Pair, Kind::Masked, Kind::Crowded];

    /// How many functions, the width of each argument, the width of the value, and how many values there are.
    fn functions(self) -> (usize, &'static [u8], u8, u64) {
        match self {
            Kind::One => (1, &[2], 2, 4),
            Kind::Two => (2, &[3], 2, 4),
            Kind::Pair => (1, &[1, 1], 2, 4),
            Kind::Masked => (1, &[8], 8, 4),
            Kind::Crowded => (1, &[4, 4], 2, 4),
        }
    }
}

/// The functions as they really are: nobody is told.
#[derive(Clone, Copy, Debug)]
pub struct Truth {
    seed: u64,
    /// How many values they have.
    pub values: u64,
}

impl Functions for Truth {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let mix =
            |sum: u64, one: &u64| (sum ^ one).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29) ^ self.seed;
        let mixed = arguments.iter().fold(self.seed ^ function.index() as u64, mix) >> 7;
        // Functions of programs have collisions, and fixed points.
        let value = match self.seed % 5 {
            0 => self.seed >> 9,
            1 => arguments.iter().fold(self.seed >> 9, |sum, one| sum.wrapping_add(*one)),
            _ => mixed,
        };
        Some(value % self.values)
    }
}

/// A question with unknown functions.
#[derive(Debug)]
pub struct Question {
    /// The arena.
    pub terms: Terms,
    /// The inputs.
    pub inputs: Vec<Symbol>,
    /// All of these are to hold.
    pub conditions: Vec<Term>,
    /// The input of the run that the question comes from.
    pub hint: Model,
    /// What that run showed: the value of each application in the conditions.
    pub run: Samples,
    /// What was seen elsewhere.
    pub earlier: Samples,
    /// What the functions really are.
    pub truth: Truth,
}

impl Question {
    /// The question with this number.
    pub fn random(kind: Kind, seed: u64) -> Question {
        let mut random = Random::new(seed);
        let mut terms = Terms::new();
        let (count, arguments, width, values) = kind.functions();
        let functions = (0..count).map(|number| terms.function(["f", "g"][number], width)).collect();
        let mut inputs = Vec::new();
        for name in &["x", "y", "z"][..2 + random.below(2)] {
            let width = 2 + random.below(3) as u8;
            let input = terms.symbol(name, width);
            if let Node::Symbol(symbol) = terms.node(input) {
                inputs.push(symbol);
            }
        }
        let hint =
            inputs.iter().map(|&input| (input, random.next() & mask(terms.symbol_width(input)))).collect();
        let truth = Truth { seed: random.next(), values };
        let mut writer = Writer { random, terms, inputs, functions, arguments, values, hint, truth };
        let conditions = writer.conditions();
        let mut run = writer.run(&conditions);
        let mut earlier = writer.earlier(kind);
        if writer.random.one_in(2) {
            // The run itself called the functions elsewhere, too.
            for (function, arguments, value, _) in std::mem::take(&mut earlier).iter() {
                run.add(function, &arguments, value);
            }
        }
        let Writer { terms, inputs, hint, .. } = writer;
        Question { terms, inputs, conditions, hint, run, earlier, truth }
    }
}

struct Writer {
    random: Random,
    terms: Terms,
    inputs: Vec<Symbol>,
    functions: Vec<Function>,
    /// The widths of the arguments of each.
    arguments: &'static [u8],
    values: u64,
    hint: Model,
    truth: Truth,
}

impl Writer {
    /// Those of a path, or any, or such that inputs must be set to what functions give; there is an application in them.
    fn conditions(&mut self) -> Vec<Term> {
        if self.random.one_in(3) {
            let conditions = self.chain();
            let elsewhere = self.elsewhere(&conditions);
            return elsewhere.into_iter().chain(conditions).collect();
        }
        loop {
            let count = 1 + self.random.below(4);
            let is_path = self.random.one_in(2);
            let mut conditions = Vec::new();
            for number in 1..=count {
                let condition = self.condition(2);
                let mut truth = self.truth;
                let value = Evaluator::new().eval_with(&self.terms, &self.hint, &mut truth, condition);
                let is_wanted = number < count || self.random.one_in(8);
                let is_kept = !is_path || (value == Some(1)) == is_wanted;
                conditions.push(if is_kept { condition } else { self.terms.not(condition) });
            }
            if applications(&self.terms, &conditions, &self.hint, self.truth).is_empty() {
                continue;
            }
            if !is_path && self.random.one_in(2) {
                let elsewhere = self.elsewhere(&conditions);
                conditions.splice(0..0, elsewhere);
            }
            return conditions;
        }
    }

    /// Each input depends on the next by a function, more or less; the last is what it was not in the run.
    fn chain(&mut self) -> Vec<Term> {
        let mut inputs = self.inputs.clone();
        if self.random.one_in(2) {
            inputs.reverse();
        }
        let mut conditions = Vec::new();
        for pair in inputs.windows(2) {
            let [one, next] = [pair[0], pair[1]].map(|input| self.terms.symbol_term(input));
            let function = self.random.one_of(&self.functions);
            let mut arguments = Vec::new();
            for &width in self.arguments {
                let argument = self.changed(next);
                let argument = self.fit(argument, width);
                arguments.push(self.cut(argument));
            }
            let application = self.terms.apply(function, &arguments);
            let application = self.cut(application);
            let value = self.fit(application, self.terms.width_of(one));
            let (one, value) = (self.changed(one), self.changed(value));
            let comparison = self.random.one_of(&[Binary::Eq, Binary::Eq, Binary::Ule, Binary::Slt]);
            let condition = self.terms.binary(comparison, one, value);
            conditions.push(if self.random.one_in(4) { self.terms.not(condition) } else { condition });
        }
        let last = inputs[inputs.len() - 1];
        let value = self.random.next() & mask(self.terms.symbol_width(last));
        if value != self.hint.get(last) {
            let value = self.terms.constant(self.terms.symbol_width(last), value);
            let last = self.terms.symbol_term(last);
            conditions.push(self.terms.eq(last, value));
        }
        conditions
    }

    /// A term to which something is done that can be undone, or nothing.
    fn changed(&mut self, term: Term) -> Term {
        let width = self.terms.width_of(term);
        let bits = self.random.next() & mask(width);
        let constant = self.terms.constant(width, bits);
        match self.random.below(6) {
            0 => self.terms.not(term),
            1 => self.terms.binary(Binary::Add, term, constant),
            2 => self.terms.binary(Binary::Sub, constant, term),
            3 => self.terms.binary(Binary::Xor, term, constant),
            _ => term,
        }
    }

    /// Functions are not given what the run gave them: what that showed is of no use.
    fn elsewhere(&mut self, conditions: &[Term]) -> Vec<Term> {
        let mut elsewhere = Vec::new();
        for term in self.terms.post_order(conditions) {
            let Node::Apply { arguments, .. } = self.terms.node(term) else { continue };
            let argument = self.terms.arguments(arguments)[0];
            let value = Evaluator::new().eval_with(&self.terms, &self.hint, &mut { self.truth }, argument);
            let width = self.terms.width_of(argument);
            let value = self.terms.constant(width, value.unwrap_or_default());
            let same = self.terms.eq(argument, value);
            elsewhere.push(self.terms.not(same));
        }
        elsewhere
    }

    fn condition(&mut self, depth: usize) -> Term {
        if self.random.one_in(7) {
            let (a, b) = (self.condition(depth / 2), self.condition(depth / 2));
            return if self.random.one_in(2) { self.terms.and(a, b) } else { self.terms.or(a, b) };
        }
        let comparison = match self.random.below(2) {
            0 => Binary::Eq,
            _ => self.random.one_of(&Binary::INTEGER_COMPARISONS),
        };
        let (a, b) = match self.random.below(4) {
            // What is alone on a side can be set.
            0 | 1 => {
                let input = self.random.one_of(&self.inputs);
                let input = self.terms.symbol_term(input);
                let application = self.application(depth / 2);
                (input, self.fit(application, self.terms.width_of(input)))
            }
            _ => {
                let width = 1 + self.random.below(4) as u8;
                (self.value(width, depth), self.value(width, depth))
            }
        };
        let (a, b) = if self.random.one_in(2) { (a, b) } else { (b, a) };
        let condition = self.terms.binary(comparison, a, b);
        if self.random.one_in(4) { self.terms.not(condition) } else { condition }
    }

    fn value(&mut self, width: u8, depth: usize) -> Term {
        if depth == 0 || self.random.one_in(6) {
            if self.random.one_in(4) {
                let bits = self.random.next() & mask(width);
                return self.terms.constant(width, bits);
            }
            let input = self.random.one_of(&self.inputs);
            let input = self.terms.symbol_term(input);
            return self.fit(input, width);
        }
        match self.random.below(12) {
            0 => {
                let a = self.value(width, depth - 1);
                self.terms.not(a)
            }
            1 => {
                let condition = self.condition(0);
                let (a, b) = (self.value(width, depth - 1), self.value(width, 0));
                self.terms.ite(condition, a, b)
            }
            2 if width > 1 => {
                let low = 1 + self.random.below(usize::from(width) - 1) as u8;
                let (a, b) = (self.value(width - low, depth - 1), self.value(low, depth - 1));
                self.terms.concat(a, b)
            }
            2..=6 => {
                let operators = [Binary::Add, Binary::Sub, Binary::Xor, Binary::And, Binary::Or, Binary::Mul];
                let operator = self.random.one_of(&operators);
                let (a, b) = (self.value(width, depth - 1), self.value(width, depth / 2));
                self.terms.binary(operator, a, b)
            }
            _ => {
                let application = self.application(depth - 1);
                self.fit(application, width)
            }
        }
    }

    /// Of arguments, and as a value, that are cut down to what matters.
    fn application(&mut self, depth: usize) -> Term {
        let function = self.random.one_of(&self.functions);
        let mut arguments = Vec::new();
        for &width in self.arguments {
            let argument = self.value(width, depth);
            arguments.push(self.cut(argument));
        }
        let application = self.terms.apply(function, &arguments);
        self.cut(application)
    }

    fn cut(&mut self, term: Term) -> Term {
        match self.terms.width_of(term) {
            8 => {
                let bits = self.terms.constant(8, self.values - 1);
                self.terms.binary(Binary::And, term, bits)
            }
            _ => term,
        }
    }

    /// A term as one of another width.
    fn fit(&mut self, term: Term, width: u8) -> Term {
        let own = self.terms.width_of(term);
        match own.cmp(&width) {
            Ordering::Equal => term,
            Ordering::Greater => {
                let low = match own {
                    8 => 0,
                    _ => self.random.below(usize::from(own - width) + 1) as u8,
                };
                self.terms.extract(term, low, width)
            }
            Ordering::Less => match self.random.below(3) {
                0 => self.terms.sign_extend(term, width),
                1 => {
                    let rest = self.value(width - own, 0);
                    self.terms.concat(rest, term)
                }
                _ => self.terms.zero_extend(term, width),
            },
        }
    }

    /// What the run shows of the applications in its conditions.
    fn run(&self, conditions: &[Term]) -> Samples {
        let mut samples = Samples::new();
        for (function, arguments) in applications(&self.terms, conditions, &self.hint, self.truth) {
            let value = { self.truth }.apply(function, &arguments).unwrap_or_default();
            samples.add(self.terms.function_name(function), &arguments, value);
        }
        samples
    }

    /// What others showed.
    fn earlier(&mut self, kind: Kind) -> Samples {
        let mut samples = Samples::new();
        let most = if kind == Kind::Crowded { 400 } else { 5 };
        let has_own = self.random.one_in(3);
        for _ in 0..self.random.below(most) {
            let function = self.random.one_of(&self.functions);
            let widths = self.arguments.iter();
            let limit = if kind == Kind::Masked { self.values - 1 } else { u64::MAX };
            let arguments: Vec<u64> = widths.map(|&width| self.random.next() & mask(width) & limit).collect();
            let value = self.truth.apply(function, &arguments).unwrap_or_default();
            let name = self.terms.function_name(function);
            match has_own && self.random.one_in(3) {
                true => samples.add_own(name, &arguments, value),
                false => samples.add(name, &arguments, value),
            };
        }
        samples
    }
}

/// Where functions are applied in terms, with these inputs and functions.
pub(super) fn applications(
    terms: &Terms,
    of: &[Term],
    input: &Model,
    truth: Truth,
) -> Vec<(Function, Vec<u64>)> {
    let mut evaluator = Evaluator::new();
    let mut found = Vec::new();
    for term in terms.in_post_order(of) {
        let Node::Apply { function, arguments } = terms.node(term) else { continue };
        let mut value = |&term: &Term| evaluator.eval_with(terms, input, &mut { truth }, term);
        let values: Option<Vec<u64>> = terms.arguments(arguments).iter().map(&mut value).collect();
        found.extend(values.map(|values| (function, values)));
    }
    found
}
