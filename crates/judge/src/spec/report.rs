//! Counts of what the assertions of a script said.

use std::collections::BTreeMap;

/// Kinds of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A module that must load, lift, verify and, unless it is only a definition, start.
    Module,
    /// An invocation or registration without an expectation.
    Action,
    /// `assert_return`.
    Return,
    /// `assert_trap`.
    Trap,
    /// `assert_exception`.
    Exception,
    /// `assert_exhaustion`.
    Exhaustion,
    /// `assert_invalid`.
    Invalid,
    /// `assert_malformed`.
    Malformed,
    /// `assert_unlinkable`.
    Unlinkable,
}

impl Kind {
    /// All kinds, in the order of the tables.
    pub const ALL: [Kind; 9] = [
        Kind::Module,
        Kind::Action,
        Kind::Return,
        Kind::Trap,
        Kind::Exception,
        Kind::Exhaustion,
        Kind::Invalid,
        Kind::Malformed,
        Kind::Unlinkable,
    ];

    /// Its column's head.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Module => "module",
            Kind::Action => "action",
            Kind::Return => "return",
            Kind::Trap => "trap",
            Kind::Exception => "exception",
            Kind::Exhaustion => "exhaustion",
            Kind::Invalid => "invalid",
            Kind::Malformed => "malformed",
            Kind::Unlinkable => "unlinkable",
        }
    }
}

/// What came of directives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// As the script said.
    pub passed: usize,
    /// Otherwise.
    pub failed: usize,
    /// Not run, for a reason that is given.
    pub skipped: usize,
}

/// Tallies by kind.
#[derive(Clone, Debug, Default)]
pub struct Totals(BTreeMap<Kind, Tally>);

impl Totals {
    /// The tally of a kind.
    pub fn of(&self, kind: Kind) -> Tally {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// The tally of all kinds.
    pub fn sum(&self) -> Tally {
        self.0.values().fold(Tally::default(), |sum, tally| sum.plus(*tally))
    }

    /// Adds other tallies to these.
    pub fn add(&mut self, other: &Totals) {
        for (&kind, &tally) in &other.0 {
            let entry = self.0.entry(kind).or_default();
            *entry = entry.plus(tally);
        }
    }
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            skipped: self.skipped + other.skipped,
        }
    }
}

/// What came of one file.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// The file.
    pub name: String,
    /// Its counts.
    pub totals: Totals,
    /// What failed: line and message.
    pub failures: Vec<String>,
    /// Why directives were skipped, and how many.
    pub skips: BTreeMap<String, usize>,
}

/// What came of one directive.
pub(super) enum Verdict {
    Passed,
    Failed(String),
    Skipped(String),
}

impl FileReport {
    pub(super) fn new(name: &str) -> Self {
        FileReport { name: name.to_string(), ..FileReport::default() }
    }

    /// A file that was not run at all.
    pub(super) fn skipped(name: &str, reason: &str) -> Self {
        let mut report = FileReport::new(name);
        report.skips.insert(reason.to_string(), 0);
        report
    }

    pub(super) fn count(&mut self, kind: Kind, line: usize, verdict: Verdict) {
        let tally = self.totals.0.entry(kind).or_default();
        match verdict {
            Verdict::Passed => tally.passed += 1,
            Verdict::Failed(message) => {
                tally.failed += 1;
                self.failures.push(format!("{}:{line}: {}: {message}", self.name, kind.name()));
            }
            Verdict::Skipped(reason) => {
                tally.skipped += 1;
                *self.skips.entry(reason).or_default() += 1;
            }
        }
    }

    /// Whether nothing of the file was run.
    pub fn is_skipped(&self) -> bool {
        let sum = self.totals.sum();
        !self.skips.is_empty() && sum.passed + sum.failed == 0
    }

    /// The reasons for what was skipped, in one line.
    pub fn reasons(&self) -> String {
        let reasons: Vec<&str> = self.skips.keys().map(String::as_str).collect();
        reasons.join(", ")
    }
}
