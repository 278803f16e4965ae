//! What is computed where: terms as steps, steps in stages and chunks, values in locals or in slots of the memory.
//!
//! A stage is what can be computed before the next values of functions are needed; a chunk is so much of it as becomes one function, whose
//! steps are locals. A value that another chunk, the host or the result needs has a slot: 8 bytes of the memory.

use coax_term::{Binary, Function, Node, Symbol, Term, Terms, Unary};

/// How many steps become one function: compilers take long for long ones.
const CHUNK: usize = 400;
/// Tables with more entries are not compiled, unless they are arrays of constants.
const MOST_CHOICES: usize = 256;
/// A table of constants is an array if at least one in so many of its places has an entry.
const SPARSEST: u64 = 8;

/// An operator, and the steps that are its operands.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// In its slot: a variable, or what a function says.
    Given,
    Constant(u64),
    Unary(Unary, u8, u32),
    Binary(Binary, u8, u32, u32),
    Ite(u32, u32, u32),
    Extract {
        low: u8,
        width: u8,
        of: u32,
    },
    SignExtend {
        from: u8,
        to: u8,
        of: u32,
    },
    Concat {
        low_width: u8,
        high: u32,
        low: u32,
    },
    /// A table of constants: where it begins among all, the first key, how many places there are.
    Array {
        index: u32,
        start: usize,
        first: u64,
        count: u64,
    },
    Choices {
        index: u32,
        entries: Vec<(u64, u32)>,
    },
}

/// A variable that something depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) variable: usize,
    pub(super) width: u8,
    pub(super) slot: u32,
}

/// A function that the host applies before a stage.
#[derive(Clone, Debug)]
pub(super) struct Application {
    pub(super) stage: usize,
    pub(super) function: Function,
    pub(super) width: u8,
    /// The slots of its arguments.
    pub(super) arguments: Vec<u32>,
    pub(super) slot: u32,
}

/// Everything about some terms that a module is made of, and what is needed to run it.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    /// The chunks of each stage: steps that are computed.
    pub(super) stages: Vec<Vec<Vec<u32>>>,
    /// By step, its slot if it has one.
    pub(super) slots: Vec<Option<u32>>,
    pub(super) slot_count: u32,
    pub(super) variables: Vec<Given>,
    pub(super) applications: Vec<Application>,
    /// The slots of the results.
    pub(super) roots: Vec<u32>,
    /// The entries of all arrays.
    pub(super) arrays: Vec<u64>,
}

impl Plan {
    /// None if there is a symbol that is no variable, or a table that is no use to compile.
    pub(super) fn new(terms: &Terms, roots: &[Term], variables: &[Symbol]) -> Option<Plan> {
        let order = terms.post_order(roots);
        let mut step_of = vec![0; order.iter().map(|term| term.index() + 1).max().unwrap_or(0)];
        let mut variable_of =
            vec![None; variables.iter().map(|symbol| symbol.index() + 1).max().unwrap_or(0)];
        for (number, symbol) in variables.iter().enumerate() {
            variable_of[symbol.index()] = Some(number);
        }
        let mut draft = Draft::default();
        for &term in &order {
            step_of[term.index()] = draft.add(terms, term, &step_of, &variable_of)?;
        }
        let roots: Vec<u32> = roots.iter().map(|root| step_of[root.index()]).collect();
        Some(draft.finish(terms, &roots, variables))
    }

    /// How many steps are computed.
    pub(super) fn len(&self) -> usize {
        self.stages.iter().flatten().map(Vec::len).sum()
    }
}

/// A plan without places.
#[derive(Default)]
struct Draft {
    steps: Vec<Step>,
    /// By step, the stage from which on it has a value.
    stages: Vec<usize>,
    variables: Vec<(usize, u32)>,
    applications: Vec<(u32, Function, Vec<u32>)>,
    arrays: Vec<u64>,
}

impl Draft {
    fn add(
        &mut self,
        terms: &Terms,
        term: Term,
        step_of: &[u32],
        variable_of: &[Option<usize>],
    ) -> Option<u32> {
        let at = |term: Term| step_of[term.index()];
        let node = terms.node(term);
        let mut stage = 0;
        terms.operands(node, |operand| stage = stage.max(self.stages[at(operand) as usize]));
        let own = self.steps.len() as u32;
        let step = match node {
            Node::Const { bits, .. } => Step::Constant(bits),
            Node::Symbol(symbol) => {
                let variable = variable_of.get(symbol.index()).copied().flatten()?;
                self.variables.push((variable, own));
                Step::Given
            }
            Node::Unary(op, a) => Step::Unary(op, terms.width_of(a), at(a)),
            Node::Binary(op, a, b) => Step::Binary(op, terms.width_of(a), at(a), at(b)),
            Node::Ite(condition, a, b) => Step::Ite(at(condition), at(a), at(b)),
            Node::Extract { low, width, term } => Step::Extract { low, width, of: at(term) },
            // Bits above the width are zero in any case.
            Node::ZeroExtend { term, .. } => return Some(at(term)),
            Node::SignExtend { width, term } => {
                Step::SignExtend { from: terms.width_of(term), to: width, of: at(term) }
            }
            Node::Concat(high, low) => {
                Step::Concat { low_width: terms.width_of(low), high: at(high), low: at(low) }
            }
            Node::Lookup { index, table } => {
                let entries = terms.table_entries(table);
                match self.array(terms, at(index), entries) {
                    Some(array) => array,
                    None if entries.len() > MOST_CHOICES => return None,
                    None => {
                        let entries = entries.iter().map(|&(key, value)| (key, at(value))).collect();
                        Step::Choices { index: at(index), entries }
                    }
                }
            }
            Node::Apply { function, arguments } => {
                let arguments = terms.arguments(arguments).iter().map(|&argument| at(argument)).collect();
                self.applications.push((own, function, arguments));
                stage += 1;
                Step::Given
            }
        };
        self.steps.push(step);
        self.stages.push(stage);
        Some(own)
    }

    /// A table of constants that are close together, as an array.
    fn array(&mut self, terms: &Terms, index: u32, entries: &[(u64, Term)]) -> Option<Step> {
        let (&(first, _), &(last, _)) = (entries.first()?, entries.last()?);
        let count = (last - first).checked_add(1)?;
        if count / SPARSEST > entries.len() as u64 {
            return None;
        }
        let values = entries.iter().map(|&(key, value)| Some((key - first, terms.as_constant(value)?)));
        let values = values.collect::<Option<Vec<(u64, u64)>>>()?;
        let start = self.arrays.len();
        self.arrays.resize(start + count as usize, 0);
        values.into_iter().for_each(|(place, value)| self.arrays[start + place as usize] = value);
        Some(Step::Array { index, start, first, count })
    }

    fn finish(self, terms: &Terms, roots: &[u32], variables: &[Symbol]) -> Plan {
        let mut stages = vec![Vec::new(); self.stages.iter().max().map_or(1, |last| last + 1)];
        for (number, step) in self.steps.iter().enumerate() {
            if !matches!(step, Step::Given | Step::Constant(_)) {
                stages[self.stages[number]].push(number as u32);
            }
        }
        let chunks = |steps: Vec<u32>| steps.chunks(CHUNK).map(<[u32]>::to_vec).collect();
        let stages: Vec<Vec<Vec<u32>>> = stages.into_iter().map(chunks).collect();
        let mut slots = Slots { of: vec![None; self.steps.len()], count: 0 };
        let mut chunk_of = vec![None; self.steps.len()];
        for (number, chunk) in stages.iter().flatten().enumerate() {
            chunk.iter().for_each(|&step| chunk_of[step as usize] = Some(number));
        }
        for chunk in stages.iter().flatten() {
            for &step in chunk {
                self.steps[step as usize].operands(|operand| {
                    let is_constant = matches!(self.steps[operand as usize], Step::Constant(_));
                    if !is_constant && chunk_of[operand as usize] != chunk_of[step as usize] {
                        slots.take(operand);
                    }
                });
            }
        }
        let variables = self.variables.iter().map(|&(variable, step)| Given {
            variable,
            width: terms.symbol_width(variables[variable]),
            slot: slots.take(step),
        });
        let variables = variables.collect();
        let applications = self.applications.iter().map(|(step, function, arguments)| Application {
            stage: self.stages[*step as usize],
            function: *function,
            width: terms.function_width(*function),
            arguments: arguments.iter().map(|&argument| slots.take(argument)).collect(),
            slot: slots.take(*step),
        });
        let applications = applications.collect();
        let roots = roots.iter().map(|&root| slots.take(root)).collect();
        let Slots { of: slots, count: slot_count } = slots;
        let Draft { steps, arrays, .. } = self;
        Plan { steps, stages, slots, slot_count, variables, applications, roots, arrays }
    }
}

/// Places in the memory, given out one after the other.
struct Slots {
    of: Vec<Option<u32>>,
    count: u32,
}

impl Slots {
    /// The slot of a step; it gets one if it has none.
    fn take(&mut self, step: u32) -> u32 {
        *self.of[step as usize].get_or_insert_with(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

impl Step {
    /// Calls the function with each operand.
    fn operands(&self, mut each: impl FnMut(u32)) {
        match self {
            Step::Given | Step::Constant(_) => {}
            Step::Unary(_, _, a) | Step::Extract { of: a, .. } | Step::SignExtend { of: a, .. } => each(*a),
            Step::Array { index, .. } => each(*index),
            Step::Binary(_, _, a, b) | Step::Concat { high: a, low: b, .. } => {
                each(*a);
                each(*b);
            }
            Step::Ite(c, a, b) => [*c, *a, *b].into_iter().for_each(each),
            Step::Choices { index, entries } => {
                each(*index);
                entries.iter().for_each(|entry| each(entry.1));
            }
        }
    }
}
