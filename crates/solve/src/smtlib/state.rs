//! What a script has said so far: declarations, definitions and assertions, by levels of `push`.

use super::elaborate::{Elaborator, Meaning};
use super::problem::{Problem, ProblemKind};
use super::sort::{Array, Sort, Value, sort_of};
use super::syntax::{Expr, shortened};
use coax_term::{Function, Term};

/// Something that a model has to give a value.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// As the script wrote it.
    pub(super) text: String,
    pub(super) name: String,
    pub(super) parameters: Vec<Sort>,
    pub(super) result: Sort,
}

/// An assertion, and the name it was given, as it was written.
#[derive(Clone, Debug)]
pub(super) struct Assertion {
    pub(super) condition: Term,
    pub(super) name: Option<String>,
}

/// What one level has added.
#[derive(Debug, Default)]
struct Level {
    names: Vec<String>,
    sorts: Vec<String>,
    /// Arrays that are said to be others, with the functions they were.
    arrays: Vec<(Array, Function)>,
    declared: usize,
    assertions: usize,
    commands: usize,
    /// From here on we cannot follow.
    beyond: Option<Problem>,
}

/// What has been said.
#[derive(Debug)]
pub(super) struct State<'a> {
    pub(super) elaborator: Elaborator,
    pub(super) declared: Vec<Declared>,
    pub(super) assertions: Vec<Assertion>,
    /// All commands that say something, for a solver that is told all of it: which, and the text.
    commands: Vec<(&'a str, &'a str)>,
    /// Declarations outlive their level.
    pub(super) declares_globally: bool,
    levels: Vec<Level>,
}

impl<'a> State<'a> {
    pub(super) fn new() -> State<'a> {
        State {
            elaborator: Elaborator::default(),
            declared: Vec::new(),
            assertions: Vec::new(),
            commands: Vec::new(),
            declares_globally: false,
            levels: vec![Level::default()],
        }
    }

    /// Forgets assertions, and declarations if they are not global.
    pub(super) fn reset_assertions(&mut self) {
        while self.depth() > 0 {
            self.pop();
        }
        // The outermost level goes, too.
        self.pop();
        self.levels.push(Level::default());
    }

    /// How many levels were pushed.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    pub(super) fn push(&mut self) {
        let (declared, assertions) = (self.declared.len(), self.assertions.len());
        let commands = self.commands.len();
        self.levels.push(Level { declared, assertions, commands, ..Level::default() });
    }

    pub(super) fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        self.assertions.truncate(level.assertions);
        if self.declares_globally {
            let popped = self.commands.split_off(level.commands);
            self.commands.extend(popped.into_iter().filter(|&(name, _)| name != "assert"));
        } else {
            self.declared.truncate(level.declared);
            self.commands.truncate(level.commands);
        }
        level.names.iter().rev().for_each(|name| self.elaborator.unbind(name));
        for &(array, function) in &level.arrays {
            self.elaborator.arrays.forget_definition(array, function);
        }
        for name in &level.sorts {
            if let Some(sorts) = self.elaborator.sorts.get_mut(name) {
                sorts.pop();
            }
        }
    }

    /// Why only another solver can go on, if it is so.
    pub(super) fn beyond(&self) -> Option<&Problem> {
        self.levels.iter().find_map(|level| level.beyond.as_ref())
    }

    fn bind(&mut self, name: &str, meaning: Meaning) {
        self.elaborator.bind(name, meaning);
        if let Some(level) = self.levels.last_mut().filter(|_| !self.declares_globally) {
            level.names.push(name.to_owned());
        }
    }

    /// Carries out a command that declares, defines or asserts. With a solver that can be told all, what is beyond us is no error.
    pub(super) fn say(&mut self, name: &'a str, command: Expr<'a>, can_be_told: bool) -> Result<(), Problem> {
        if self.beyond().is_none() {
            let done = match name {
                "declare-const" | "declare-fun" => self.declare(command),
                "define-const" | "define-fun" => self.define(command),
                "define-sort" => self.define_sort(command),
                "assert" => self.assert(command),
                _ => Err(command.beyond(format!("`{name}` is not supported."))),
            };
            match done {
                Err(problem) if is_bearable(&problem, can_be_told) => {
                    if let Some(level) = self.levels.last_mut() {
                        level.beyond = Some(problem);
                    }
                }
                done => done?,
            }
        }
        self.commands.push((name, command.text()));
        Ok(())
    }

    /// Remembers the logic, for another solver.
    pub(super) fn set_logic(&mut self, command: Expr<'a>) {
        self.commands.push(("set-logic", command.text()));
    }

    /// All that was said, as a script.
    pub(super) fn script(&self) -> String {
        self.commands.iter().flat_map(|(_, text)| [text, "\n"]).collect()
    }

    fn new_name<'e>(&self, expr: Expr<'e>) -> Result<&'e str, Problem> {
        match expr.symbol() {
            None => Err(expr.wrong(format!("`{}` is no name.", shortened(expr.text())))),
            Some(name) if self.elaborator.meaning(name).is_some() => {
                Err(expr.wrong(format!("The name `{}` is taken. Choose another.", shortened(name))))
            }
            Some(name) => Ok(name),
        }
    }

    fn declare(&mut self, command: Expr<'a>) -> Result<(), Problem> {
        let (name, parameters, result) = match command.exactly::<3>() {
            Some([_, name, result]) => (name, Vec::new(), result),
            None => match command.exactly::<4>() {
                Some([_, name, parameters, result]) if parameters.is_list() => {
                    (name, parameters.elements().collect(), result)
                }
                _ => {
                    return Err(command.wrong("A declaration is written `(declare-fun name (sort …) sort)`."));
                }
            },
        };
        let text = name.text().to_owned();
        let at = name;
        let name = self.new_name(name)?;
        let sorts = &self.elaborator.sorts;
        let parameters: Result<Vec<Sort>, Problem> =
            parameters.into_iter().map(|sort| sort_of(sort, sorts)).collect();
        let (parameters, result) = (parameters?, sort_of(result, sorts)?);
        let meaning = self.elaborator.declare(at, name, parameters.clone(), result)?;
        self.bind(name, meaning);
        self.declared.push(Declared { text, name: name.to_owned(), parameters, result });
        Ok(())
    }

    fn define(&mut self, command: Expr<'a>) -> Result<(), Problem> {
        let (name, parameters, result, body) = match (command.exactly::<4>(), command.exactly::<5>()) {
            (Some([_, name, result, body]), _) => (name, None, result, body),
            (_, Some([_, name, parameters, result, body])) if parameters.is_list() => {
                (name, Some(parameters), result, body)
            }
            _ => {
                return Err(
                    command.wrong("A definition is written `(define-fun name ((name sort) …) sort term)`.")
                );
            }
        };
        let name = self.new_name(name)?;
        let result = sort_of(result, &self.elaborator.sorts)?;
        let mut bound: Vec<(&str, Term, Sort)> = Vec::new();
        for parameter in parameters.into_iter().flat_map(|list| list.elements()) {
            let Some((Some(name), sort)) = parameter.exactly().map(|[name, sort]| (name.symbol(), sort))
            else {
                return Err(parameter.wrong("A parameter is written `(name sort)`."));
            };
            let sort = sort_of(sort, &self.elaborator.sorts)?;
            let Some(width) = sort.width() else {
                return Err(parameter.beyond(format!("Parameters of sort {sort} are not supported.")));
            };
            // No name of a script has a backslash.
            bound.push((name, self.elaborator.fresh_symbol(&format!("\\{name}"), width), sort));
        }
        for &(name, symbol, sort) in &bound {
            self.elaborator.bind(name, Meaning::Value(sort.value(symbol)));
        }
        let value = self.elaborator.elaborate(body);
        bound.iter().for_each(|(name, ..)| self.elaborator.unbind(name));
        let value = value?;
        let sort = self.elaborator.sort_of(value);
        if sort != result {
            return Err(body.wrong(format!("This is a {sort}, but is declared to be a {result}.")));
        }
        if bound.is_empty() {
            self.bind_named();
            self.bind(name, Meaning::Value(value));
        } else if result.width().is_none() {
            return Err(command.beyond(format!("Definitions of functions to {result} are not supported.")));
        } else {
            self.elaborator.named.clear();
            let parameters = bound.into_iter().map(|(_, symbol, sort)| (symbol, sort)).collect();
            self.bind(name, Meaning::Defined { parameters, body: value });
        }
        Ok(())
    }

    fn define_sort(&mut self, command: Expr<'a>) -> Result<(), Problem> {
        let Some([_, name, parameters, sort]) = command.exactly() else {
            return Err(command.wrong("A sort is defined by `(define-sort name () sort)`."));
        };
        let Some(text) = name.symbol() else { return Err(name.wrong("This is no name.")) };
        if parameters.elements().next().is_some() {
            return Err(parameters.beyond("Sorts with parameters are not supported."));
        }
        let sort = sort_of(sort, &self.elaborator.sorts)?;
        self.elaborator.sorts.entry(text.to_owned()).or_default().push(sort);
        if let Some(level) = self.levels.last_mut().filter(|_| !self.declares_globally) {
            level.sorts.push(text.to_owned());
        }
        Ok(())
    }

    fn assert(&mut self, command: Expr<'a>) -> Result<(), Problem> {
        let Some([_, term]) = command.exactly() else {
            return Err(command.wrong("An assertion is written `(assert term)`."));
        };
        if self.defines_array(term)? {
            return Ok(());
        }
        let condition = self.elaborator.condition(term)?;
        let is_named = term.elements().next().and_then(|head| head.symbol()) == Some("!");
        // The outermost name was given last.
        let name = self.elaborator.named.last().filter(|_| is_named).map(|(name, _)| name.clone());
        self.bind_named();
        self.assertions.push(Assertion { condition, name });
        Ok(())
    }

    /// Whether an assertion only says what an array is that was not used before; then it is that from now on.
    fn defines_array(&mut self, term: Expr<'a>) -> Result<bool, Problem> {
        let Some([head, a, b]) = term.exactly() else { return Ok(false) };
        // What is made of global declarations would outlive the level that says what the array is.
        if head.symbol() != Some("=") || self.declares_globally {
            return Ok(false);
        }
        for (name, other) in [(a, b), (b, a)] {
            let meaning = name.symbol().and_then(|name| self.elaborator.meaning(name));
            let Some(&Meaning::Value(Value::Array(array))) = meaning else { continue };
            let Some(function) = self.elaborator.arrays.function(array) else { continue };
            let Value::Array(other) = self.elaborator.elaborate(other)? else { return Ok(false) };
            if self.elaborator.arrays.define(array, other) {
                if let Some(level) = self.levels.last_mut() {
                    level.arrays.push((array, function));
                }
                self.bind_named();
                return Ok(true);
            }
        }
        self.elaborator.named.clear();
        Ok(false)
    }

    /// Names that `:named` gave are names of constants from then on.
    fn bind_named(&mut self) {
        for (name, value) in std::mem::take(&mut self.elaborator.named) {
            self.bind(&name, Meaning::Value(value));
        }
    }
}

fn is_bearable(problem: &Problem, can_be_told: bool) -> bool {
    match problem.kind {
        ProblemKind::Wrong => false,
        ProblemKind::Beyond => can_be_told,
        ProblemKind::Quantified => true,
    }
}
