//! Debug information about every parameter.
//!
//! At -O0, LLVM describes only variables that still have a place when code is generated, and of those that became registers many have none. What
//! a function's debug information retains is described in any case; clang fills that list in only when it optimises. Here it is filled in, in
//! the textual form of LLVM's code. The code itself stays as it is.

use std::collections::BTreeMap;

/// LLVM code with the parameters of every function retained.
pub(crate) fn retain(code: &str) -> String {
    let mut params: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    let mut lists: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = 0;
    for (node, text) in code.lines().filter_map(node) {
        next = next.max(node[1..].parse::<u64>().map_or(0, |number| number + 1));
        if let Some(list) = text.strip_prefix("!{").and_then(|text| text.strip_suffix('}')) {
            lists.insert(node, list);
        }
        if text.starts_with("!DILocalVariable(")
            && let Some(function) = field(text, "scope: ")
            && let Some(place) = field(text, "arg: ").and_then(|place| place.parse().ok())
        {
            params.entry(function).or_default().push((place, node));
        }
    }
    let mut written = String::with_capacity(code.len());
    let mut new_lists = String::new();
    for line in code.lines() {
        let function = node(line).filter(|(_, text)| text.starts_with("distinct !DISubprogram("));
        match function.and_then(|(function, _)| params.get_mut(function)) {
            Some(params) => {
                params.sort_unstable();
                let already = field(line, "retainedNodes: ");
                let others =
                    already.and_then(|list| lists.get(list)).copied().filter(|list| !list.is_empty());
                let list: Vec<&str> =
                    others.into_iter().chain(params.iter().map(|(_, node)| *node)).collect();
                new_lists.push_str(&format!("!{next} = !{{{}}}\n", list.join(", ")));
                written.push_str(&with_list(line, already, next));
                next += 1;
            }
            None => written.push_str(line),
        }
        written.push('\n');
    }
    written + &new_lists
}

/// A line that defines a numbered node of metadata.
fn node(line: &str) -> Option<(&str, &str)> {
    let (node, text) = line.split_once(" = ")?;
    let number = node.strip_prefix('!')?;
    (!number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())).then_some((node, text))
}

/// The value of a field that is a number or a node.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let value =
        [format!("({name}"), format!(", {name}")].iter().find_map(|begin| Some(text.split_once(begin)?.1))?;
    value.split([',', ')']).next()
}

/// A function that retains the list with this number instead.
fn with_list(line: &str, already: Option<&str>, list: u64) -> String {
    let without = match already {
        Some(already) => line.replacen(&format!(", retainedNodes: {already}"), "", 1),
        None => line.to_owned(),
    };
    match without.rfind(')') {
        Some(end) => format!("{}, retainedNodes: !{list}{}", &without[..end], &without[end..]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_retained_in_order() {
        let code = "\
define i32 @f(i32 %0) !dbg !5 {
!2 = !{}
!3 = !{!9}
!5 = distinct !DISubprogram(name: \"f\", scope: !1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!6 = !DILocalVariable(name: \"b\", arg: 2, scope: !5, file: !1)
!7 = !DILocalVariable(arg: 1, scope: !5, file: !1)
!8 = !DILocalVariable(name: \"local\", scope: !5, file: !1)
!10 = distinct !DISubprogram(name: \"g\", scope: !1, retainedNodes: !3, unit: !0)
!11 = !DILocalVariable(name: \"x\", arg: 1, scope: !10)
!12 = distinct !DISubprogram(name: \"h\", scope: !1)
!13 = !DILocalVariable(name: \"x\", arg: 1, scope: !12)
!14 = distinct !DISubprogram(name: \"nothing\", scope: !1, retainedNodes: !2)
";
        let expected = code
            .replace("unit: !0, retainedNodes: !2)", "unit: !0, retainedNodes: !15)")
            .replace("retainedNodes: !3, unit: !0)", "unit: !0, retainedNodes: !16)")
            .replace("(name: \"h\", scope: !1)", "(name: \"h\", scope: !1, retainedNodes: !17)");
        assert_eq!(retain(code), expected + "!15 = !{!7, !6}\n!16 = !{!9, !11}\n!17 = !{!13}\n");
    }
}
