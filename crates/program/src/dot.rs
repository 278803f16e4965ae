//! Graphs in the language of Graphviz.

use crate::calls::CallGraph;
use crate::cfg::{Cfg, Dominators, Loops};
use crate::directions::case_names;
use crate::ir::Terminator;
use crate::program::{Func, Program};
use crate::text::location;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The control-flow graph of a function; `None` if it has no code here.
pub fn cfg(program: &Program, func: Func) -> Option<String> {
    let body = &program.functions[func].defined()?.body;
    let cfg = Cfg::of(body);
    let loops = Loops::of(&cfg, &Dominators::of(&cfg));
    let mut dot = header(&program.label(func).to_string());
    for (block, data) in body.blocks.iter() {
        let place = location(&program.frames(data.end_offset)).to_string();
        let site = program.end_site(data).map(|site| format!("\n{site}")).unwrap_or_default();
        let border = 1 + loops.depth(block);
        let label = escape(&format!("{block} ({} instructions){site}\n{place}", data.insts().len()));
        line(&mut dot, format_args!("{block} [label=\"{label}\", peripheries={border}]"));
        for (direction, edge) in data.end.edges().iter().enumerate() {
            let label = match &data.end {
                Terminator::Branch { .. } => ["false", "true"][direction].to_string(),
                Terminator::Switch { cases, default, .. } => case_names(cases, *default, direction as u32),
                _ => String::new(),
            };
            line(&mut dot, format_args!("{block} -> {} [label=\"{label}\"]", edge.to));
        }
        for handler in data.end.handlers() {
            line(&mut dot, format_args!("{block} -> {} [label=\"catch\", style=dashed]", handler.to));
        }
    }
    dot.push_str("}\n");
    Some(dot)
}

/// The call graph of these functions; indirect calls are dashed, functions without code are boxes
/// with a dashed border.
pub fn calls(program: &Program, graph: &CallGraph, functions: &[Func]) -> String {
    let mut dot = header("calls");
    let callees = functions.iter().flat_map(|&func| graph.callees(func));
    for func in callees.chain(functions.iter().copied()).collect::<BTreeSet<Func>>() {
        let label = escape(&program.functions[func].name);
        let style = if program.functions[func].defined().is_some() { "solid" } else { "dashed" };
        line(&mut dot, format_args!("{func} [label=\"{label}\", style={style}]"));
    }
    for &func in functions {
        for callee in graph.callees(func) {
            let direct =
                graph.calls[func].iter().any(|call| !call.indirect && call.callees.contains(&callee));
            let style = if direct { "solid" } else { "dashed" };
            line(&mut dot, format_args!("{func} -> {callee} [style={style}]"));
        }
    }
    dot.push_str("}\n");
    dot
}

fn header(name: &str) -> String {
    format!(
        "digraph \"{}\" {{\n  node [shape=box, fontname=monospace]\n  edge [fontname=monospace]\n",
        escape(name)
    )
}

fn line(dot: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(dot, "  {text}").expect("a string takes all");
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
