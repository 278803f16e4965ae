//! Functions by the names that users give them.

use coax_program::{Code, Func, Function, Import, Program};

/// How many names are proposed for one that is not there.
const PROPOSED: usize = 3;
/// What contains a name, or is contained in it, may be meant if it is this long.
const SHORTEST_PART: usize = 3;
/// A name of which more than this part must be changed to get another one was not meant.
const CHANGED_PART: usize = 3;

/// The functions of this name; of C++ and Rust also without their parameters, namespace or module, imports also with their module: `env.read`.
pub fn functions_named(program: &Program, name: &str) -> Vec<Func> {
    let found = program.find_functions(name);
    if !found.is_empty() {
        return found;
    }
    let is_it = |full: &str| {
        let path = full.split('(').next().unwrap_or(full);
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    let is_import = |function: &Function| match function.code {
        Code::Import(import) => {
            let Import { module, name: field, .. } = &program.imports[import];
            name.strip_prefix(module.as_str()).and_then(|rest| rest.strip_prefix('.')) == Some(field)
        }
        Code::Defined(_) => false,
    };
    let all = program.functions.iter();
    all.filter(|(_, function)| is_it(&function.name) || is_import(function)).map(|(func, _)| func).collect()
}

/// That there is no function of this name, and which ones may be meant.
pub fn no_such_function(program: &Program, name: &str, is_own: impl Fn(Func) -> bool) -> String {
    match meant(program, name, is_own).as_slice() {
        [] => format!(
            "there is no function `{name}` in the program; `coax dump functions --all` lists those that there are"
        ),
        [only] => format!("there is no function `{name}` in the program; did you mean `{only}`?"),
        [first @ .., last] => {
            format!(
                "there is no function `{name}` in the program; did you mean `{}` or `{last}`?",
                first.join("`, `")
            )
        }
    }
}

/// The names that are most like one that is not there, without parameters: those of the user's own functions first.
pub fn meant(program: &Program, name: &str, is_own: impl Fn(Func) -> bool) -> Vec<String> {
    // A file may stand before it: `a.c:parse`.
    let wanted = match name.rsplit_once(':') {
        Some((file, name)) if !file.ends_with(':') => name,
        _ => name,
    };
    let wanted = path_of(wanted);
    let here = program.functions.iter().filter(|(_, function)| function.defined().is_some());
    let mut found: Vec<(bool, usize, String)> = here
        .filter_map(|(func, function)| {
            let path = path_of(&function.name);
            Some((!is_own(func), distance(&wanted, &path)?, path))
        })
        .collect();
    found.sort_by(|a, b| (a.0, a.1, a.2.len(), &a.2).cmp(&(b.0, b.1, b.2.len(), &b.2)));
    let mut names: Vec<String> = Vec::new();
    for (_, _, name) in found {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.truncate(PROPOSED);
    names
}

/// A name without parameters and what C++ puts in place of a namespace that has no name.
fn path_of(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    name.split('(').next().unwrap_or_default().to_owned()
}

/// How far a name is from one that a person wrote, perhaps without namespaces or modules; nothing if it is another one. What has the same end
/// elsewhere is further away, and what is in something of that name furthest.
fn distance(wanted: &str, path: &str) -> Option<usize> {
    const ELSEWHERE: usize = 100;
    let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
    let is_in = || path.split("::").any(|part| plain(part) == plain(wanted));
    let elsewhere =
        || Some(ELSEWHERE + distance_of_end(&last(wanted), path).filter(|_| wanted.contains("::"))?);
    let within = || is_in().then_some(2 * ELSEWHERE);
    distance_of_end(wanted, path).or_else(elsewhere).or_else(within)
}

/// A name without what people forget.
fn plain(name: &str) -> String {
    name.to_lowercase().replace('_', "")
}

/// The same for a name, and as much of the end of a path.
fn distance_of_end(wanted: &str, path: &str) -> Option<usize> {
    let count = wanted.matches("::").count();
    let end = path.rmatch_indices("::").nth(count).map_or(0, |(at, between)| at + between.len());
    let (wanted, name) = (plain(wanted), plain(&path[end..]));
    let most = (wanted.chars().count() / CHANGED_PART).max(1);
    if wanted.len().abs_diff(name.len()) <= 4 * most {
        let changed = edit_distance(&wanted, &name);
        if changed <= most && changed < wanted.chars().count() {
            return Some(changed);
        }
    }
    let is_part = |part: &str, whole: &str| part.len() >= SHORTEST_PART && whole.contains(part);
    // Not before one that only a slip of the pen was.
    (is_part(&wanted, &name) || is_part(&name, &wanted) && 2 * name.len() >= wanted.len())
        .then(|| most + 1 + wanted.len().abs_diff(name.len()))
}

/// How many characters must be added, removed, replaced or exchanged with their neighbour to turn one name into the other.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut best = (last[j] + usize::from(a[i] != b[j])).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, edit_distance};

    #[test]
    fn slips_of_the_pen_are_near() {
        assert_eq!(edit_distance("clasify", "classify"), 1);
        assert_eq!(edit_distance("prase", "parse"), 1);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(distance("ParseNumber", "json::parse_number"), Some(0));
        assert_eq!(distance("json::prase", "deep::json::parse"), Some(1));
        assert!(distance("parse", "parse_number") < distance("parse", "parse_numbers_of_all"));
        assert!(distance("parse", "parsed") < distance("parse", "parse_number"));
        assert_eq!(distance("parse", "write"), None);
        assert_eq!(distance("f", "g"), None);
        assert!(distance("xml::prase", "xml::parse") < distance("xml::prase", "json::parse"));
        assert!(distance("xml::prase", "json::parse") < distance("json", "json::parse"));
        assert_eq!(distance("xml::parse", "json::write"), None);
    }
}
