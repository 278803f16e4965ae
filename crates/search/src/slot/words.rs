//! Strategies in words: what was chosen, which values of functions were wanted, and what was set to them.

use coax_execute::FunctionName;
use coax_solve::validity::Strategy;
use coax_term::{Evaluator, Functions, Model, Node, Symbol, Term, Terms};
use std::collections::BTreeSet;

/// No more of what functions give in conditions is told.
const MOST_SAMPLES: usize = 8;
/// No line shows more bytes.
const MOST_BYTES: usize = 24;

/// The steps of a strategy that was carried out and led to these values, with what functions give in the conditions that were to hold.
pub(super) fn in_words(
    terms: &Terms,
    (strategy, conditions): (&Strategy, &[Term]),
    model: &Model,
    functions: &mut dyn Functions,
) -> Vec<String> {
    let set: BTreeSet<Symbol> = strategy.settings.iter().map(|(symbol, _)| *symbol).collect();
    let chosen = strategy.chosen.iter().map(|(symbol, _)| symbol).filter(|symbol| !set.contains(symbol));
    let chosen = chosen.map(|symbol| Place::of(terms, symbol, model, String::new())).collect();
    let mut words: Vec<String> = grouped(chosen).iter().map(|group| format!("choose {group}")).collect();
    let mut samples = Vec::new();
    for &condition in conditions {
        sampled(terms, condition, model, functions, &mut samples);
    }
    samples.truncate(MOST_SAMPLES);
    let mut places = Vec::new();
    for &(symbol, term) in &strategy.settings {
        let names = sampled(terms, term, model, functions, &mut samples);
        let what = match names.is_empty() {
            true => format!(", which is {}", terms.display(term)),
            false => format!(", by {}", names.into_iter().collect::<Vec<_>>().join(" and ")),
        };
        places.push(Place::of(terms, symbol, model, what));
    }
    words.append(&mut samples);
    words.extend(grouped(places).iter().map(|group| format!("set {group}")));
    words
}

/// What solvers have found: the input that these conditions are about, and what functions give in them.
pub(super) fn found_in_words(
    terms: &Terms,
    conditions: &[Term],
    model: &Model,
    functions: &mut dyn Functions,
) -> Vec<String> {
    let mut chosen = Vec::new();
    for part in terms.post_order(conditions) {
        if let Node::Symbol(symbol) = terms.node(part) {
            chosen.push(Place::of(terms, symbol, model, String::new()));
        }
    }
    let mut samples = Vec::new();
    for &condition in conditions {
        sampled(terms, condition, model, functions, &mut samples);
    }
    samples.truncate(MOST_SAMPLES);
    let chosen = grouped(chosen).into_iter().map(|group| format!("choose {group}"));
    chosen.chain(samples).collect()
}

/// Adds what the functions in a term give; their names.
fn sampled(
    terms: &Terms,
    term: Term,
    model: &Model,
    functions: &mut dyn Functions,
    samples: &mut Vec<String>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for part in terms.post_order(&[term]) {
        let node = terms.node(part);
        let Node::Apply { function, .. } = node else { continue };
        let name = format!("`{}`", FunctionName::parse(terms.function_name(function)).function);
        let mut arguments = Vec::new();
        terms.operands(node, |argument| arguments.push(argument));
        let mut value = |term: Term| Evaluator::new().eval_with(terms, model, functions, term);
        let given: Option<Vec<(u8, u64)>> =
            arguments.iter().map(|&term| Some((terms.width_of(term), value(term)?))).collect();
        if let (Some(given), Some(gives)) = (given, value(part)) {
            let said = format!("sample {name} {}: {gives:#x}", of(&given));
            if !samples.contains(&said) {
                samples.push(said);
            }
        }
        names.insert(name);
    }
    names
}

/// Of what a function was called: numbers, with their widths, and bytes that it read.
fn of(given: &[(u8, u64)]) -> String {
    let (bytes, numbers): (Vec<_>, Vec<_>) = given.iter().partition(|(width, _)| *width == 8);
    let all = |them: &[(u8, u64)]| -> String {
        let more = if them.len() > MOST_BYTES { " …" } else { "" };
        let them: Vec<String> =
            them.iter().take(MOST_BYTES).map(|&(width, value)| shown(width, value)).collect();
        them.join(" ") + more
    };
    let bytes_of = if bytes.len() == 1 { "the byte" } else { "the bytes" };
    match (numbers.is_empty(), bytes.is_empty()) {
        (_, true) => format!("of {}", all(&numbers)),
        (true, false) => format!("of {bytes_of} {}", all(&bytes)),
        (false, false) => format!("of {} and {bytes_of} {}", all(&numbers), all(&bytes)),
    }
}

fn shown(width: u8, value: u64) -> String {
    if width == 8 { format!("{value:02x}") } else { value.to_string() }
}

/// A part of the input with its value, and what is to be said of it.
struct Place {
    /// Its name without the index, if it has one.
    source: String,
    index: Option<u64>,
    value: String,
    what: String,
}

impl Place {
    fn of(terms: &Terms, symbol: Symbol, model: &Model, what: String) -> Place {
        let name = terms.symbol_name(symbol);
        let indexed = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        let indexed = indexed.and_then(|(source, index)| Some((source, index.parse().ok()?)));
        let value = shown(terms.symbol_width(symbol), model.given(symbol).unwrap_or_default());
        match indexed {
            Some((source, index)) => Place { source: source.into(), index: Some(index), value, what },
            None => Place { source: name.into(), index: None, value, what },
        }
    }
}

/// Neighbours of which the same is to be said, together.
fn grouped(mut places: Vec<Place>) -> Vec<String> {
    places.sort_by(|a, b| (&a.source, a.index).cmp(&(&b.source, b.index)));
    let follows = |a: &Place, b: &Place| {
        a.source == b.source && a.what == b.what && b.index.is_some() && a.index.map(|at| at + 1) == b.index
    };
    let said = |group: &[Place]| {
        let [first, .., last] = group else {
            let Place { source, index, value, what } = &group[0];
            let index = index.map(|index| format!("[{index}]")).unwrap_or_default();
            return format!("{source}{index} = {value}{what}");
        };
        let values: Vec<&str> = group.iter().take(MOST_BYTES).map(|place| place.value.as_str()).collect();
        let more = if group.len() > MOST_BYTES { " …" } else { "" };
        let (from, to) = (first.index.unwrap_or_default(), last.index.unwrap_or_default());
        format!("{}[{from}] to [{to}] = {}{more}{}", first.source, values.join(" "), first.what)
    };
    places.chunk_by(follows).map(said).collect()
}
