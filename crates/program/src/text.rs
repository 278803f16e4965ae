//! The program as text that a person can read.
//!
//! One line an instruction, operands by name, callees by name; sites and source lines stand at the
//! right. `coax dump ir` prints it, case files compare it.

use crate::debug_info::Frame;
use crate::ir::{Block, Body, Edge, Handler, InstData, Op, Terminator, Value, Values};
use crate::names::printable;
use crate::ops;
use crate::program::{Code, Defined, Func, Function, Program};
use crate::site::Site;
use std::fmt::{self, Display, Write};

impl Program {
    /// The text of one function.
    pub fn function_text(&self, func: Func) -> impl Display + '_ {
        FunctionText { program: self, func, function: &self.functions[func] }
    }

    /// The text of one instruction of a function, as the function's text has it.
    pub fn instruction_text(&self, func: Func, body: &Body, inst: &InstData) -> String {
        let text = FunctionText { program: self, func, function: &self.functions[func] };
        let mut line = String::new();
        // Writing to a string does not fail.
        let _ = text.instruction(&mut line, body, inst);
        line
    }

    /// A function as `fn3 name`.
    pub fn label(&self, func: Func) -> impl Display + '_ {
        let name = &self.functions[func].name;
        fmt::from_fn(
            move |f| if *name == func.to_string() { write!(f, "{func}") } else { write!(f, "{func} {name}") },
        )
    }
}

/// Where an operator came from, as `file:line:column`, with the calls it was inlined through; a trap that
/// a sanitizer put there has its reason behind it.
pub fn location(frames: &[Frame]) -> impl Display + '_ {
    fmt::from_fn(move |f| {
        let (reasons, places): (Vec<_>, Vec<_>) =
            frames.iter().partition(|frame| frame.trap_reason().is_some());
        f.write_str(&places.iter().map(|place| place.to_string()).collect::<Vec<_>>().join(" < "))?;
        reasons
            .iter()
            .filter_map(|frame| frame.trap_reason())
            .try_for_each(|(_, reason)| write!(f, " ({reason})"))
    })
}

impl Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file.as_deref().unwrap_or("?"))?;
        for number in [self.line, self.column].into_iter().map_while(|number| number) {
            write!(f, ":{number}")?;
        }
        Ok(())
    }
}

struct FunctionText<'a> {
    program: &'a Program,
    func: Func,
    function: &'a Function,
}

impl Display for FunctionText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = self.program.signature(self.func);
        write!(f, "{} ", self.program.label(self.func))?;
        write!(f, "({}) -> ({})", separated(&signature.params), separated(&signature.results))?;
        match &self.function.code {
            Code::Import(index) => {
                let import = &self.program.imports[*index];
                writeln!(f, " import {}", printable(&format!("{}.{}", import.module, import.name)))
            }
            Code::Defined(defined) => {
                writeln!(f, " {{")?;
                for block in defined.body.blocks.ids() {
                    self.block(f, defined, block)?;
                }
                writeln!(f, "}}")
            }
        }
    }
}

/// Column at which sites and source lines stand.
const MARGIN: usize = 60;

impl FunctionText<'_> {
    fn block(&self, f: &mut fmt::Formatter<'_>, defined: &Defined, block: Block) -> fmt::Result {
        let body = &defined.body;
        let data = &body.blocks[block];
        let typed = |value: &Value| format!("{value}: {}", body.values[*value].ty);
        let params: Vec<String> = body.list(data.params).iter().map(typed).collect();
        writeln!(f, "{block}({}):", params.join(", "))?;
        for inst in data.insts() {
            let data = &body.insts[inst];
            let mut line = String::from("  ");
            self.instruction(&mut line, body, data)?;
            self.line(f, line, self.program.site_at(data.offset))?;
        }
        let mut line = String::from("  ");
        self.terminator(&mut line, body, &data.end)?;
        self.line(f, line, self.program.end_site(data))
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, line: String, site: Option<Site>) -> fmt::Result {
        match site {
            None => writeln!(f, "{line}"),
            Some(site) => {
                let frames = self.program.frames(self.program.sites[site].offset);
                let text = format!("{line:MARGIN$} ; {site} {}", location(&frames));
                writeln!(f, "{}", text.trim_end())
            }
        }
    }

    fn instruction(&self, line: &mut String, body: &Body, inst: &InstData) -> fmt::Result {
        if !body.list(inst.results).is_empty() {
            write!(line, "{} = ", separated(body.list(inst.results)))?;
        }
        self.operator(line, &inst.op, body.list(inst.args))
    }

    fn operator(&self, line: &mut String, op: &Op, args: &[Value]) -> fmt::Result {
        line.push_str(&ops::name(op));
        self.immediates(line, op)?;
        args.iter().try_for_each(|arg| write!(line, " {arg}"))
    }

    fn immediates(&self, line: &mut String, op: &Op) -> fmt::Result {
        if let Some(memarg) = ops::memarg(op) {
            if memarg.memory != 0 {
                write!(line, " memory={}", memarg.memory)?;
            }
            if memarg.offset != 0 {
                write!(line, " offset={}", memarg.offset)?;
            }
        }
        match op {
            Op::I32Const { value } => write!(line, " {value}"),
            Op::I64Const { value } => write!(line, " {value}"),
            Op::F32Const { value } => write!(line, " {:?}", f32::from_bits(value.bits())),
            Op::F64Const { value } => write!(line, " {:?}", f64::from_bits(value.bits())),
            Op::V128Const { value } => write!(line, " {:#034x}", value.i128()),
            Op::Call { function_index } | Op::ReturnCall { function_index } => {
                write!(line, " {}", self.program.label(Func(*function_index)))
            }
            Op::RefFunc { function_index } => write!(line, " {}", self.program.label(Func(*function_index))),
            Op::CallIndirect { type_index, table_index }
            | Op::ReturnCallIndirect { type_index, table_index } => {
                let ty = &self.program.types[*type_index as usize];
                let (params, results) = (separated(&ty.params), separated(&ty.results));
                write!(line, " table={table_index} ({params}) -> ({results})")
            }
            Op::GlobalGet { global_index } | Op::GlobalSet { global_index } => {
                match &self.program.globals[*global_index as usize].name {
                    Some(name) => write!(line, " {name}"),
                    None => write!(line, " {global_index}"),
                }
            }
            Op::Throw { tag_index } => write!(line, " tag{tag_index}"),
            _ => other_immediates(line, op),
        }
    }

    fn terminator(&self, line: &mut String, body: &Body, end: &Terminator) -> fmt::Result {
        let edge = |edge: &Edge| edge_text(body, edge);
        match end {
            Terminator::Jump(to) => write!(line, "jump {}", edge(to)),
            Terminator::Branch { condition, targets: [zero, other] } => {
                write!(line, "branch {condition} ? {} : {}", edge(other), edge(zero))
            }
            Terminator::Switch { index, targets, cases, default } => {
                write!(line, "switch {index} [")?;
                for (place, &case) in cases.iter().enumerate() {
                    write!(line, "{place}: {}, ", edge(&targets[case as usize]))?;
                }
                write!(line, "else: {}]", edge(&targets[*default as usize]))
            }
            Terminator::Invoke { normal, handlers } => {
                write!(line, "invoke {}", edge(normal))?;
                self.handlers(line, handlers)
            }
            Terminator::Throw { op, args, handlers } => {
                self.operator(line, op, body.list(*args))?;
                self.handlers(line, handlers)
            }
            Terminator::Return(values) => {
                line.push_str("return");
                list(line, body, *values)
            }
            Terminator::TailCall { op, args } => self.operator(line, op, body.list(*args)),
            Terminator::Unreachable => {
                line.push_str("unreachable");
                Ok(())
            }
        }
    }

    fn handlers(&self, line: &mut String, handlers: &[Handler]) -> fmt::Result {
        for Handler { tag, to, with_ref } in handlers {
            let what = tag.map_or("all".to_string(), |tag| format!("tag{tag}"));
            let reference = if *with_ref { " ref" } else { "" };
            write!(line, " catch {what}{reference} {to}")?;
        }
        Ok(())
    }
}

fn edge_text(body: &Body, edge: &Edge) -> String {
    match body.list(edge.args) {
        [] => edge.to.to_string(),
        args => format!("{}({})", edge.to, separated(args)),
    }
}

fn list(line: &mut String, body: &Body, values: Values) -> fmt::Result {
    body.list(values).iter().try_for_each(|value| write!(line, " {value}"))
}

/// The immediates of the rarer operators, by wasmparser's names for them.
fn other_immediates(line: &mut String, op: &Op) -> fmt::Result {
    macro_rules! immediate {
        ($line:ident memarg $value:ident) => {
            let _ = $value;
        };
        ($line:ident $name:ident $value:ident) => {
            write!($line, " {}={:?}", stringify!($name), $value)?;
        };
    }
    macro_rules! immediates {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($annotation:tt)*))*) => {
            match op {
                $(Op::$op $({ $($arg),* })? => { $($(immediate!(line $arg $arg);)*)? })*
                _ => {}
            }
        };
    }
    wasmparser::for_each_operator!(immediates);
    Ok(())
}

fn separated<T: Display>(items: &[T]) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}
