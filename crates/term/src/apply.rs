//! Unknown functions and their applications.

use crate::{Arguments, Function, Node, Term, Terms};

impl Terms {
    /// An unknown function with a name and the width of its results.
    ///
    /// # Panics
    /// If the name was given another width before: a name means one thing.
    pub fn function(&mut self, name: &str, width: u8) -> Function {
        Function(self.functions.intern(name, width) as u32)
    }

    /// The function with a name, if there is one.
    pub fn find_function(&self, name: &str) -> Option<Function> {
        self.functions.find(name).map(|id| Function(id as u32))
    }

    /// The name of a function.
    pub fn function_name(&self, function: Function) -> &str {
        self.functions.name(function.index())
    }

    /// The width of a function's results.
    pub fn function_width(&self, function: Function) -> u8 {
        self.functions.width(function.index())
    }

    /// All functions, in the order of creation.
    pub fn functions(&self) -> impl Iterator<Item = Function> + use<> {
        (0..self.functions.len() as u32).map(Function)
    }

    /// The function applied to arguments. Equal arguments give equal results; nothing else is known.
    pub fn apply(&mut self, function: Function, arguments: &[Term]) -> Term {
        let start = self.arguments.len();
        self.arguments.extend_from_slice(arguments);
        let list = Arguments { start: start as u32, count: arguments.len() as u32 };
        let known = self.len();
        let term = self.intern(Node::Apply { function, arguments: list });
        if self.len() == known {
            self.arguments.truncate(start);
        }
        term
    }

    /// The arguments of an application.
    pub fn arguments(&self, arguments: Arguments) -> &[Term] {
        let start = arguments.start as usize;
        &self.arguments[start..start + arguments.count as usize]
    }
}
