//! How the solvers that we know differ: what to call them with, and what they can do.

/// A solver that speaks SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The program, as it is called and spoken of.
    pub(super) name: &'static str,
    pub(super) arguments: &'static [&'static str],
    /// What to `set-logic`; none: nothing, as z3 then answers incrementally without the wrong models that its 4.8.12 gives for QF_BV.
    pub(super) logic: Option<&'static str>,
    /// Whether it counts its work as z3 does: `:rlimit` can be set for a question and asked for after it.
    pub(super) counts: bool,
    pub(super) has_floats: bool,
}

/// In the order in which they are looked for.
pub(super) const KNOWN: [Dialect; 5] = [
    Dialect { name: "z3", arguments: &["-in", "-smt2"], logic: None, counts: true, has_floats: true },
    Dialect { name: "bitwuzla", arguments: &[], logic: Some("ALL"), counts: false, has_floats: true },
    Dialect {
        name: "cvc5",
        arguments: &["--incremental", "--lang=smt2"],
        logic: Some("ALL"),
        counts: false,
        has_floats: true,
    },
    Dialect {
        name: "yices-smt2",
        arguments: &["--incremental"],
        logic: Some("QF_UFBV"),
        counts: false,
        has_floats: false,
    },
    Dialect {
        name: "boolector",
        arguments: &["--smt2", "--incremental"],
        logic: Some("QF_UFBV"),
        counts: false,
        has_floats: false,
    },
];

/// A solver that we do not know.
const OTHER: Dialect =
    Dialect { name: "the solver", arguments: &[], logic: Some("ALL"), counts: false, has_floats: true };

impl Dialect {
    /// That of a program, by its file name without what comes after a dot.
    pub(super) fn of(program: &str) -> Dialect {
        let stem = std::path::Path::new(program).file_stem().and_then(|stem| stem.to_str());
        KNOWN.into_iter().find(|known| stem == Some(known.name)).unwrap_or(OTHER)
    }

    /// The arguments that let it use at most so many megabytes; others are limited from outside.
    pub(super) fn memory_argument(&self, megabytes: u64) -> Option<String> {
        (self.name == "z3").then(|| format!("-memory:{megabytes}"))
    }
}
