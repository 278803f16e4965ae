//! Terms made ready to be evaluated many times, for points that differ little: a program without jumps, run from its start.
//!
//! [`Interpreter`] is the compiler that is always there. Others, with a faster machine behind them, only need the two traits.

use crate::{Binary, Function, Functions, Node, Symbol, Term, Terms, Unary, fold};

/// Makes terms ready to be evaluated.
pub trait Compiler {
    /// The terms as functions of the variables; none if it cannot, or does not want to: for one that knows only some
    /// operators, or to whom so few are not worth the trouble.
    fn compile(&mut self, terms: &Terms, roots: &[Term], variables: &[Symbol]) -> Option<Box<dyn Compiled>>;
}

/// Terms that can be evaluated.
pub trait Compiled {
    /// The values of the terms, in order, when the variables have these values. A function's value that is not known counts as
    /// 0: who needs to be certain evaluates with [`crate::Evaluator`].
    fn run(&mut self, functions: &mut dyn Functions, values: &[u64], out: &mut [u64]);
}

/// Compiles to a list of steps over a list of values. What did not change since the last run is not computed again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interpreter;

/// So many entries of all lists of dependents; beyond, each run looks at every step.
const MOST_DEPENDENTS: usize = 1 << 22;

/// After how many small steps of compiling to ask whether it may go on.
const STEPS_PER_ASK: usize = 1024;

#[derive(Clone, Copy, Debug)]
enum Step {
    Keep,
    Unary(Unary, u8, u32),
    Binary(Binary, u8, u32, u32),
    Ite(u32, u32, u32),
    Extract { low: u8, width: u8, of: u32 },
    Copy(u32),
    SignExtend { from: u8, to: u8, of: u32 },
    Concat { low_width: u8, high: u32, low: u32 },
    Lookup { index: u32, start: u32, end: u32 },
    Apply { function: Function, width: u8, start: u32, end: u32 },
}

/// The steps, and the values of the last run.
#[derive(Debug)]
struct Program {
    steps: Vec<Step>,
    /// The value of each step.
    values: Vec<u64>,
    /// Keys and steps of tables.
    entries: Vec<(u64, u32)>,
    /// Steps that are arguments.
    arguments: Vec<u32>,
    /// The step of each variable; none if nothing depends on it.
    variables: Vec<Option<u32>>,
    widths: Vec<u8>,
    /// By variable, the steps that depend on it; empty if there would be too many entries.
    dependents: Vec<Vec<u32>>,
    roots: Vec<u32>,
    has_run: bool,
    changed: Vec<bool>,
    scratch: Vec<u64>,
}

impl Compiler for Interpreter {
    fn compile(&mut self, terms: &Terms, roots: &[Term], variables: &[Symbol]) -> Option<Box<dyn Compiled>> {
        self.compile_while(terms, roots, variables, &mut || true)
    }
}

impl Interpreter {
    /// Compiles as long as it may go on, for which it asks now and then: many terms take a while.
    pub fn compile_while(
        &mut self,
        terms: &Terms,
        roots: &[Term],
        variables: &[Symbol],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Box<dyn Compiled>> {
        Some(Box::new(Program::new(terms, roots, variables, goes_on)?))
    }
}

/// Whether the step with this number may be taken; asks for one in [`STEPS_PER_ASK`].
fn may_take(step: usize, goes_on: &mut dyn FnMut() -> bool) -> bool {
    !step.is_multiple_of(STEPS_PER_ASK) || goes_on()
}

impl Program {
    /// None if a term depends on a symbol that is no variable, or if it is given up.
    fn new(
        terms: &Terms,
        roots: &[Term],
        variables: &[Symbol],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Program> {
        let in_order = terms.in_post_order(roots).enumerate();
        let in_order = in_order.map(|(number, term)| may_take(number, goes_on).then_some(term));
        let order = in_order.collect::<Option<Vec<Term>>>()?;
        let mut step_of = vec![u32::MAX; order.iter().map(|term| term.index() + 1).max().unwrap_or(0)];
        for (number, term) in order.iter().enumerate() {
            step_of[term.index()] = number as u32;
        }
        let mut program = Program {
            steps: Vec::with_capacity(order.len()),
            values: vec![0; order.len()],
            entries: Vec::new(),
            arguments: Vec::new(),
            variables: vec![None; variables.len()],
            widths: variables.iter().map(|&symbol| terms.symbol_width(symbol)).collect(),
            dependents: Vec::new(),
            roots: roots.iter().map(|root| step_of[root.index()]).collect(),
            has_run: false,
            changed: vec![true; order.len()],
            scratch: Vec::new(),
        };
        let mut position = vec![None; variables.iter().map(|s| s.index() + 1).max().unwrap_or(0)];
        for (number, symbol) in variables.iter().enumerate() {
            position[symbol.index()] = Some(number);
        }
        for (number, &term) in order.iter().enumerate() {
            let at = |term: Term| step_of[term.index()];
            let step = match terms.node(term) {
                Node::Const { bits, .. } => {
                    program.values[number] = bits;
                    Step::Keep
                }
                Node::Symbol(symbol) => {
                    let variable = position.get(symbol.index()).copied().flatten()?;
                    program.variables[variable] = Some(number as u32);
                    Step::Keep
                }
                Node::Unary(op, a) => Step::Unary(op, terms.width_of(a), at(a)),
                Node::Binary(op, a, b) => Step::Binary(op, terms.width_of(a), at(a), at(b)),
                Node::Ite(c, a, b) => Step::Ite(at(c), at(a), at(b)),
                Node::Extract { low, width, term } => Step::Extract { low, width, of: at(term) },
                Node::ZeroExtend { term, .. } => Step::Copy(at(term)),
                Node::SignExtend { width, term } => {
                    Step::SignExtend { from: terms.width_of(term), to: width, of: at(term) }
                }
                Node::Concat(high, low) => {
                    Step::Concat { low_width: terms.width_of(low), high: at(high), low: at(low) }
                }
                Node::Lookup { index, table } => {
                    let start = program.entries.len() as u32;
                    program.entries.extend(terms.table_entries(table).iter().map(|&(key, t)| (key, at(t))));
                    Step::Lookup { index: at(index), start, end: program.entries.len() as u32 }
                }
                Node::Apply { function, arguments } => {
                    let start = program.arguments.len() as u32;
                    program.arguments.extend(terms.arguments(arguments).iter().map(|&a| at(a)));
                    let width = terms.function_width(function);
                    Step::Apply { function, width, start, end: program.arguments.len() as u32 }
                }
            };
            program.steps.push(step);
            if !may_take(number, goes_on) {
                return None;
            }
        }
        program.find_dependents(goes_on)?;
        Some(program)
    }

    /// None if it is given up.
    fn find_dependents(&mut self, goes_on: &mut dyn FnMut() -> bool) -> Option<()> {
        let mut depends = vec![false; self.steps.len()];
        let mut entries = 0;
        for variable in 0..self.variables.len() {
            let mut list = Vec::new();
            if let Some(first) = self.variables[variable] {
                depends.fill(false);
                depends[first as usize] = true;
                for step in 0..self.steps.len() {
                    if !may_take(step, goes_on) {
                        return None;
                    }
                    if self.any_operand(step, &depends) {
                        depends[step] = true;
                        list.push(step as u32);
                    }
                }
            }
            entries += list.len() + self.steps.len() / 16;
            self.dependents.push(list);
            if entries > MOST_DEPENDENTS {
                self.dependents.clear();
                break;
            }
        }
        Some(())
    }

    fn any_operand(&self, step: usize, is_in: &[bool]) -> bool {
        let is = |operand: u32| is_in[operand as usize];
        match self.steps[step] {
            Step::Keep => false,
            Step::Unary(_, _, a)
            | Step::Extract { of: a, .. }
            | Step::Copy(a)
            | Step::SignExtend { of: a, .. } => is(a),
            Step::Binary(_, _, a, b) | Step::Concat { high: a, low: b, .. } => is(a) || is(b),
            Step::Ite(c, a, b) => is(c) || is(a) || is(b),
            Step::Lookup { index, start, end } => {
                is(index) || self.entries[start as usize..end as usize].iter().any(|&(_, value)| is(value))
            }
            Step::Apply { start, end, .. } => {
                self.arguments[start as usize..end as usize].iter().any(|&a| is(a))
            }
        }
    }

    /// Computes a step whose operands have their values.
    #[inline]
    fn compute(&mut self, step: usize, functions: &mut dyn Functions) -> u64 {
        let value = |operand: u32| self.values[operand as usize];
        match self.steps[step] {
            Step::Keep => self.values[step],
            Step::Unary(op, width, a) => fold::unary(op, width, value(a)),
            Step::Binary(op, width, a, b) => fold::binary(op, width, value(a), value(b)),
            Step::Ite(c, a, b) => value(if value(c) != 0 { a } else { b }),
            Step::Extract { low, width, of } => fold::extract(value(of), low, width),
            Step::Copy(a) => value(a),
            Step::SignExtend { from, to, of } => fold::sign_extend(from, value(of), to),
            Step::Concat { low_width, high, low } => fold::concat(value(high), value(low), low_width),
            Step::Lookup { index, start, end } => {
                let entries = &self.entries[start as usize..end as usize];
                let found = entries.binary_search_by_key(&value(index), |entry| entry.0);
                found.map_or(0, |at| value(entries[at].1))
            }
            Step::Apply { function, width, start, end } => {
                let arguments = &self.arguments[start as usize..end as usize];
                self.scratch.clear();
                self.scratch.extend(arguments.iter().map(|&a| self.values[a as usize]));
                functions.apply(function, &self.scratch).unwrap_or(0) & fold::mask(width)
            }
        }
    }

    /// Computes every step of which an operand changed.
    fn sweep(&mut self, functions: &mut dyn Functions) {
        for step in 0..self.steps.len() {
            if !self.has_run || self.any_operand(step, &self.changed) {
                let value = self.compute(step, functions);
                self.changed[step] = value != self.values[step];
                self.values[step] = value;
            }
        }
        self.changed.fill(false);
        self.has_run = true;
    }
}

impl Compiled for Program {
    fn run(&mut self, functions: &mut dyn Functions, values: &[u64], out: &mut [u64]) {
        let mut changed = (0, None);
        for (variable, step) in self.variables.iter().enumerate() {
            let Some(step) = *step else { continue };
            let value = values[variable] & fold::mask(self.widths[variable]);
            if self.values[step as usize] != value {
                self.values[step as usize] = value;
                self.changed[step as usize] = true;
                changed = (changed.0 + 1, Some((variable, step)));
            }
        }
        match changed {
            (0, _) if self.has_run => {}
            (1, Some((variable, step))) if self.has_run && !self.dependents.is_empty() => {
                let list = std::mem::take(&mut self.dependents[variable]);
                for &step in &list {
                    self.values[step as usize] = self.compute(step as usize, functions);
                }
                self.dependents[variable] = list;
                self.changed[step as usize] = false;
            }
            _ => self.sweep(functions),
        }
        for (value, &root) in out.iter_mut().zip(&self.roots) {
            *value = self.values[root as usize];
        }
    }
}
