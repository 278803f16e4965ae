//! Graphs in the language of Graphviz.

use crate::calls::CallGraph;
use crate::cfg::{Cfg, Dominators, Loops};
use crate::directions::case_names;
use crate::ir::{Body, Terminator};
use crate::program::{Func, Program};
use crate::text::location;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The control-flow graphs of these functions, each in a box of its own; those without code have none.
pub fn cfg(program: &Program, functions: &[Func]) -> String {
    let mut dot = header("control flow");
    for &func in functions {
        if let Some(defined) = program.functions[func].defined() {
            line(&mut dot, format_args!("subgraph cluster_{func} {{"));
            line(&mut dot, format_args!("label=\"{}\"", escape(&program.label(func).to_string())));
            blocks(&mut dot, program, func, &defined.body);
            line(&mut dot, format_args!("}}"));
        }
    }
    dot.push_str("}\n");
    dot
}

/// The blocks of a function; their names begin with the function's, for nodes are known in the whole graph.
fn blocks(dot: &mut String, program: &Program, func: Func, body: &Body) {
    let cfg = Cfg::of(body);
    let loops = Loops::of(&cfg, &Dominators::of(&cfg));
    for (block, data) in body.blocks.iter() {
        let place = location(&program.frames(data.end_offset)).to_string();
        let site = program.end_site(data).map(|site| format!("\n{site}")).unwrap_or_default();
        let border = 1 + loops.depth(block);
        let label = escape(&format!("{block} ({} instructions){site}\n{place}", data.insts().len()));
        line(dot, format_args!("{func}_{block} [label=\"{label}\", peripheries={border}]"));
        for (direction, edge) in data.end.edges().iter().enumerate() {
            let label = match &data.end {
                Terminator::Branch { .. } => ["false", "true"][direction].to_string(),
                Terminator::Switch { cases, default, .. } => case_names(cases, *default, direction as u32),
                _ => String::new(),
            };
            line(dot, format_args!("{func}_{block} -> {func}_{} [label=\"{label}\"]", edge.to));
        }
        for handler in data.end.handlers() {
            line(
                dot,
                format_args!("{func}_{block} -> {func}_{} [label=\"catch\", style=dashed]", handler.to),
            );
        }
    }
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
