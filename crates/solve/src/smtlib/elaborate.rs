//! Expressions of a script become terms.
//!
//! A machine with a stack of tasks and a stack of values: scripts nest deeper than any thread's stack. Functions that the script
//! defines are elaborated once, over symbols for their parameters, and applied by substitution.

use super::array::Arrays;
use super::literal::{LiteralSort, literal, width_of};
use super::problem::{Problem, ProblemKind};
use super::sort::{Rounding, Sort, Sorts, Value, narrow, sort_of};
use super::syntax::{Expr, Kind, shortened};
use coax_term::{Algebra, Function, Node, Term, Terms, smt};
use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    Value(Value),
    /// A function of which nothing is known.
    Unknown {
        function: Function,
        parameters: Vec<Sort>,
        result: Sort,
    },
    /// A function that the script defines, over symbols for its parameters.
    Defined {
        parameters: Vec<(Term, Sort)>,
        body: Value,
    },
}

/// Makes terms of expressions, and knows what names mean.
#[derive(Debug, Default)]
pub(super) struct Elaborator {
    pub(super) terms: Terms,
    pub(super) arrays: Arrays,
    pub(super) sorts: Sorts,
    /// The last meaning of a name is the one that holds.
    names: BTreeMap<String, Vec<Meaning>>,
    /// Names that `:named` gave to terms, since it was last asked.
    pub(super) named: Vec<(String, Value)>,
}

enum Task<'a> {
    Visit(Expr<'a>),
    /// The values of so many arguments are on the stack.
    Apply(Expr<'a>, usize),
    /// The values of a `let` are on the stack.
    Bind(Expr<'a>, Expr<'a>),
    Unbind(usize),
    /// The value of a term with a name is on the stack.
    Name(Expr<'a>),
}

impl Elaborator {
    pub(super) fn bind(&mut self, name: &str, meaning: Meaning) {
        self.names.entry(name.to_owned()).or_default().push(meaning);
    }

    pub(super) fn unbind(&mut self, name: &str) {
        if let Some(meanings) = self.names.get_mut(name) {
            meanings.pop();
        }
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.names.get(name).and_then(|meanings| meanings.last())
    }

    /// A symbol that nothing else is, called like this if that is possible.
    pub(super) fn fresh_symbol(&mut self, name: &str, width: u8) -> Term {
        let plain = smt::unquote(name).unwrap_or_else(|| name.to_owned());
        let mut candidate = plain.clone();
        let mut count = 1;
        while self.terms.find_symbol(&candidate).is_some() {
            count += 1;
            candidate = format!("{plain}~{count}");
        }
        self.terms.symbol(&candidate, width)
    }

    /// A function that nothing else is, called like this if that is possible.
    pub(super) fn fresh_function(&mut self, name: &str, width: u8) -> Function {
        let mut candidate = name.to_owned();
        let mut count = 1;
        while self.terms.find_function(&candidate).is_some() {
            count += 1;
            candidate = format!("{name}~{count}");
        }
        self.terms.function(&candidate, width)
    }

    /// The function with this name, of which nothing else is known: what SMT-LIB leaves open.
    pub(super) fn unspecified(&mut self, what: &str, arguments: &[Term], width: u8) -> Term {
        // No name of a script has a backslash.
        let function = self.terms.function(&format!("\\{what}"), width);
        self.terms.apply(function, arguments)
    }

    pub(super) fn sort_of(&self, value: Value) -> Sort {
        match value {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(term) => Sort::Bits(self.terms.width_of(term)),
            Value::Float(term) => Sort::Float(self.terms.width_of(term)),
            Value::Array(array) => self.arrays.sort(array),
            Value::Rounding(_) => Sort::Rounding,
        }
    }

    /// A declared constant or function.
    pub(super) fn declare(
        &mut self,
        at: Expr<'_>,
        name: &str,
        parameters: Vec<Sort>,
        result: Sort,
    ) -> Result<Meaning, Problem> {
        let unsupported = |sort: &Sort| matches!(sort, Sort::Rounding | Sort::Array { .. });
        match (result, result.width()) {
            _ if parameters.iter().any(unsupported) => {
                Err(at.beyond("Functions of arrays and rounding modes are not supported."))
            }
            (Sort::Array { element, .. }, _) if parameters.is_empty() => {
                let function = self.fresh_function(name, element);
                Ok(Meaning::Value(Value::Array(self.arrays.unknown(function, result))))
            }
            (_, None) => Err(at.beyond(format!("Functions with values of sort {result} are not supported."))),
            (_, Some(width)) if parameters.is_empty() => {
                let symbol = self.fresh_symbol(name, width);
                Ok(Meaning::Value(result.value(symbol)))
            }
            (_, Some(width)) => {
                let function = self.fresh_function(name, width);
                Ok(Meaning::Unknown { function, parameters, result })
            }
        }
    }

    /// What an expression is.
    pub(super) fn elaborate(&mut self, expr: Expr<'_>) -> Result<Value, Problem> {
        let mut bound: Vec<String> = Vec::new();
        let result = self.run(expr, &mut bound);
        // After an error some names are still bound.
        bound.iter().rev().for_each(|name| self.unbind(name));
        result
    }

    /// The condition that an expression is.
    pub(super) fn condition(&mut self, expr: Expr<'_>) -> Result<Term, Problem> {
        match self.elaborate(expr)? {
            Value::Bool(term) => Ok(term),
            other => {
                let sort = self.sort_of(other);
                Err(expr.wrong(format!("This is a {sort}, but a Bool is needed. Compare it with something.")))
            }
        }
    }

    fn run(&mut self, expr: Expr<'_>, bound: &mut Vec<String>) -> Result<Value, Problem> {
        let mut tasks = vec![Task::Visit(expr)];
        let mut values: Vec<Value> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(expr) => self.visit(expr, &mut tasks, &mut values)?,
                Task::Apply(expr, count) => {
                    let arguments = values.split_off(values.len() - count);
                    values.push(self.apply(expr, &arguments)?);
                }
                Task::Bind(bindings, body) => {
                    let names: Vec<&str> = bindings
                        .elements()
                        .filter_map(|binding| binding.elements().next()?.symbol())
                        .collect();
                    let bound_values = values.split_off(values.len() - names.len());
                    for (&name, value) in names.iter().zip(bound_values) {
                        self.bind(name, Meaning::Value(value));
                        bound.push(name.to_owned());
                    }
                    tasks.push(Task::Unbind(names.len()));
                    tasks.push(Task::Visit(body));
                }
                Task::Unbind(count) => {
                    let from = bound.len() - count;
                    bound.drain(from..).rev().for_each(|name| self.unbind(&name));
                }
                Task::Name(expr) => {
                    let attributes: Vec<Expr<'_>> = expr.elements().skip(2).collect();
                    let name = attributes.windows(2).find(|pair| pair[0].text() == ":named");
                    if let (Some(name), Some(&value)) =
                        (name.and_then(|pair| pair[1].symbol()), values.last())
                    {
                        self.named.push((name.to_owned(), value));
                    }
                }
            }
        }
        values.pop().ok_or_else(|| expr.wrong("This is no term."))
    }

    fn visit<'a>(
        &mut self,
        expr: Expr<'a>,
        tasks: &mut Vec<Task<'a>>,
        values: &mut Vec<Value>,
    ) -> Result<(), Problem> {
        if let Some(value) = self.constant(expr)? {
            values.push(value);
            return Ok(());
        }
        let Some(head) = expr.elements().next() else {
            return Err(expr.wrong("A function and its arguments are missing between these parentheses."));
        };
        match head.symbol() {
            Some("let") => {
                let Some([_, bindings, body]) = expr.exactly().filter(|[_, bindings, _]| bindings.is_list())
                else {
                    return Err(expr.wrong("A `let` is written `(let ((name term) …) term)`."));
                };
                tasks.push(Task::Bind(bindings, body));
                let first = tasks.len();
                for binding in bindings.elements() {
                    match binding.exactly() {
                        Some([name, term]) if name.symbol().is_some() => tasks.push(Task::Visit(term)),
                        _ => return Err(binding.wrong("A binding is written `(name term)`.")),
                    }
                }
                tasks[first..].reverse();
            }
            Some("!") => {
                let Some(term) = expr.elements().nth(1) else {
                    return Err(expr.wrong("An annotation is written `(! term :named name)`."));
                };
                tasks.extend([Task::Name(expr), Task::Visit(term)]);
            }
            Some("forall" | "exists") => {
                let error = expr.error("Quantifiers need a solver like z3 as a child process.");
                return Err(Problem { error, kind: ProblemKind::Quantified });
            }
            _ => {
                if let Some(float) = self.float_of_real(head, expr)? {
                    values.push(float);
                    return Ok(());
                }
                let first = tasks.len() + 1;
                tasks.push(Task::Apply(expr, expr.elements().count() - 1));
                tasks.extend(expr.elements().skip(1).map(Task::Visit));
                tasks[first..].reverse();
            }
        }
        Ok(())
    }

    /// The value of a constant or a name; none for other expressions.
    fn constant(&mut self, expr: Expr<'_>) -> Result<Option<Value>, Problem> {
        if let Some(literal) = literal(expr) {
            let term = self.terms.constant(literal.width, literal.bits);
            return Ok(Some(match literal.sort {
                LiteralSort::Bool => Value::Bool(term),
                LiteralSort::Bits => Value::Bits(term),
                LiteralSort::Float => Value::Float(term),
            }));
        }
        if let Some(width) = width_of(expr) {
            narrow(expr, width)?;
            return Err(expr.wrong(format!("This number has more than {width} bits.")));
        }
        match (expr.kind(), expr.symbol()) {
            (Kind::List, _) => Ok(None),
            (_, Some(name)) => match self.meaning(name) {
                Some(&Meaning::Value(value)) => Ok(Some(value)),
                Some(_) => Err(expr.wrong(format!("The function `{}` needs arguments.", shortened(name)))),
                None => match Rounding::named(name) {
                    Some(rounding) => Ok(Some(Value::Rounding(rounding))),
                    None => Err(expr.wrong(format!(
                        "There is nothing with the name `{}`. Declare it before it is used.",
                        shortened(name)
                    ))),
                },
            },
            (Kind::Numeral | Kind::Decimal, _) => Err(expr.beyond(
                "Integers and reals are not supported. Bit-vectors are written `#x0f` or `(_ bv15 8)`.",
            )),
            _ => Err(expr.wrong(format!("`{}` is no term.", shortened(expr.text())))),
        }
    }

    fn apply(&mut self, expr: Expr<'_>, arguments: &[Value]) -> Result<Value, Problem> {
        let Some(head) = expr.elements().next() else { return Err(expr.wrong("This is no term.")) };
        if let Some(name) = head.symbol() {
            if let Some(meaning) = self.meaning(name) {
                return match meaning.clone() {
                    Meaning::Value(_) => {
                        Err(expr
                            .wrong(format!("`{}` is no function and takes no arguments.", shortened(name))))
                    }
                    Meaning::Unknown { function, parameters, result } => {
                        self.check_arguments(expr, name, &parameters, arguments)?;
                        let arguments: Vec<Term> =
                            arguments.iter().filter_map(|&value| self.unambiguous(value)).collect();
                        Ok(result.value(self.terms.apply(function, &arguments)))
                    }
                    Meaning::Defined { parameters, body } => {
                        let sorts: Vec<Sort> = parameters.iter().map(|&(_, sort)| sort).collect();
                        self.check_arguments(expr, name, &sorts, arguments)?;
                        Ok(self.instantiate(&parameters, body, arguments))
                    }
                };
            }
            return self.operator(expr, name, &[], arguments);
        }
        let indices: Vec<Expr<'_>> = head.elements().collect();
        match indices.as_slice() {
            [underscore, name, numbers @ ..] if underscore.symbol() == Some("_") => match name.symbol() {
                Some(name) => self.operator(expr, name, numbers, arguments),
                None => Err(head.wrong("An indexed function is written `(_ name number …)`.")),
            },
            [word, name, sort] if word.symbol() == Some("as") && name.symbol() == Some("const") => {
                let sort_value = sort_of(*sort, &self.sorts)?;
                match (sort_value, arguments) {
                    (Sort::Array { element, .. }, &[Value::Bits(value)])
                        if self.terms.width_of(value) == element =>
                    {
                        Ok(Value::Array(self.arrays.everywhere(value, sort_value)))
                    }
                    _ => Err(expr.wrong("A constant array is written `((as const (Array …)) element)`.")),
                }
            }
            _ => Err(head.wrong(format!("`{}` is no function.", shortened(head.text())))),
        }
    }

    fn check_arguments(
        &self,
        expr: Expr<'_>,
        name: &str,
        parameters: &[Sort],
        arguments: &[Value],
    ) -> Result<(), Problem> {
        let given: Vec<Sort> = arguments.iter().map(|&value| self.sort_of(value)).collect();
        if given == parameters {
            return Ok(());
        }
        let list = |sorts: &[Sort]| sorts.iter().map(Sort::to_string).collect::<Vec<_>>().join(" ");
        let name = shortened(name);
        Err(expr.wrong(format!("`{name}` takes ({}), but is given ({}).", list(parameters), list(&given))))
    }

    /// A value as an argument of a function: equal values are equal terms.
    fn unambiguous(&mut self, value: Value) -> Option<Term> {
        match value {
            Value::Bool(term) | Value::Bits(term) => Some(term),
            Value::Float(term) => Some(self.canonical(term)),
            Value::Array(_) | Value::Rounding(_) => None,
        }
    }

    fn instantiate(&mut self, parameters: &[(Term, Sort)], body: Value, arguments: &[Value]) -> Value {
        let mut given = BTreeMap::new();
        for (&(parameter, _), &argument) in parameters.iter().zip(arguments) {
            if let (Node::Symbol(symbol), Value::Bool(term) | Value::Bits(term) | Value::Float(term)) =
                (self.terms.node(parameter), argument)
            {
                given.insert(symbol, term);
            }
        }
        let mut replace = |term| self.terms.substitute(term, &mut |symbol| given.get(&symbol).copied());
        match body {
            Value::Bool(term) => Value::Bool(replace(term)),
            Value::Bits(term) => Value::Bits(replace(term)),
            Value::Float(term) => Value::Float(replace(term)),
            other => other,
        }
    }
}
