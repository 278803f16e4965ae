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
    pub(super) floats: Floats,
}

/// How a solver is best asked about floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floats {
    /// Not at all.
    Unknown,
    /// Like about anything else.
    Incrementally,
    /// Each time from the start: z3 5.4 then takes a sixth of the time.
    Afresh,
}

/// In the order in which they are looked for.
pub(super) const KNOWN: [Dialect; 5] = [
    Dialect { name: "z3", arguments: &["-in", "-smt2"], logic: None, counts: true, floats: Floats::Afresh },
    Dialect {
        name: "bitwuzla",
        arguments: &[],
        logic: Some("ALL"),
        counts: false,
        floats: Floats::Incrementally,
    },
    Dialect {
        name: "cvc5",
        arguments: &["--incremental", "--lang=smt2"],
        logic: Some("ALL"),
        counts: false,
        floats: Floats::Incrementally,
    },
    Dialect {
        name: "yices-smt2",
        arguments: &["--incremental"],
        logic: Some("QF_UFBV"),
        counts: false,
        floats: Floats::Unknown,
    },
    Dialect {
        name: "boolector",
        arguments: &["--smt2", "--incremental"],
        logic: Some("QF_UFBV"),
        counts: false,
        floats: Floats::Unknown,
    },
];

/// A solver that we do not know.
const OTHER: Dialect = Dialect {
    name: "the solver",
    arguments: &[],
    logic: Some("ALL"),
    counts: false,
    floats: Floats::Incrementally,
};

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

    /// Whether it ended because that was not enough.
    pub(super) fn is_out_of_memory(&self, exit_code: Option<i32>) -> bool {
        self.name == "z3" && exit_code == Some(101)
    }
}
