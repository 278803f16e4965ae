//! `coax dump path` and `coax dump smt`: one run with its input as symbols, and what it decided because of them; or a path that
//! was written before.

use crate::args::{ProgramArgs, Target, note};
use crate::commands::blame::{Blamed, reason};
use crate::commands::show::{self, printable, shortened};
use anyhow::{Context, Result};
use coax_execute::{
    Concretisation, Event, EventKind, Input, Limits, Path, Question, Request, SymbolicRun, Symbols, Variant,
    Verdict, length_conditions,
};
use coax_program::text::location;
use coax_program::{Program, SiteKind};
use coax_term::{Term, Terms, smt};
use serde::Serialize;
use std::io::Write;
use std::thread;

/// More than a run with the usual limits needs.
const STACK_BYTES: usize = 64 << 20;

/// A run, as far as it depends on its input.
pub(super) enum SymbolicPath {
    /// Just now.
    Ran(Box<SymbolicRun>, End, Vec<Term>),
    /// Recorded before.
    Read(Path, Box<Terms>),
}

/// How a run ended.
#[derive(Serialize)]
pub(super) struct End {
    outcome: Verdict,
    /// What is known beyond that.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Where to look first.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

/// One event, for people and programs.
#[derive(Serialize)]
struct Decision {
    function: Option<String>,
    location: Option<String>,
    site: Option<u32>,
    offset: u32,
    /// What was decided, by kind.
    kind: &'static str,
    /// And how.
    direction: String,
    /// Whether another input must satisfy the condition to come this way.
    constrains: bool,
    condition: String,
}

impl SymbolicPath {
    /// Runs the program once, with its input as symbols.
    pub(super) fn of(
        target: &Target,
        input: &Input,
        symbols: Symbols,
        limits: &Limits,
        args: &ProgramArgs,
    ) -> Result<SymbolicPath> {
        let module = args.symbolic_engine(limits)?.module(&target.program, Variant::Light)?;
        let work = || module.run(input, symbols, limits);
        // The program uses the stack of the thread that starts it; instrumented, it needs more of it.
        let stack = STACK_BYTES.max(limits.stack_bytes.saturating_mul(8));
        let run = thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(stack).spawn_scoped(scope, work);
            let run = thread.context("cannot start a thread with the stack that a run needs")?.join();
            Ok::<_, anyhow::Error>(run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?)
        })?;
        for (bound, _) in run.bounds.iter() {
            note(format_args!("the run met a limit ({bound}), so the path may be cut short"));
        }
        for name in &run.asked.repeated {
            note(format_args!("the program calls several inputs `{name}`; the second is `{name}#2` here"));
        }
        if run.path().events.is_empty() {
            note("the run decided nothing because of its input");
            if has_nothing(input) && run.asked.requests.is_empty() {
                note(
                    "it asked for none and had none: `--param` gives a parameter, `--stdin FILE` (or `-`) standard input",
                );
            }
        }
        let outcome = module.outcome_of(&run);
        let end = End {
            outcome: outcome.verdict(),
            reason: reason(&outcome, &run.stderr).map(|reason| reason.into_owned()),
            place: Blamed::of(&outcome, target).map(|blamed| blamed.place(&target.program)),
        };
        let mut run = run;
        let conditions: Vec<Term> = run.path().conditions().collect();
        let lengths = length_conditions(run.terms_mut(), input, &conditions, symbols.longest);
        Ok(SymbolicPath::Ran(Box::new(run), end, lengths))
    }

    /// A path that was written.
    pub(super) fn read(text: &str) -> Result<SymbolicPath> {
        let (path, terms) = Path::read(text)?;
        Ok(SymbolicPath::Read(path, Box::new(terms)))
    }

    fn path(&self) -> &Path {
        match self {
            SymbolicPath::Ran(run, ..) => run.path(),
            SymbolicPath::Read(path, _) => path,
        }
    }

    fn terms(&self) -> &Terms {
        match self {
            SymbolicPath::Ran(run, ..) => run.terms(),
            SymbolicPath::Read(_, terms) => terms,
        }
    }

    /// What the program asked for by its test harness.
    fn requests(&self) -> &[Request] {
        match self {
            SymbolicPath::Ran(run, ..) => &run.asked.requests,
            SymbolicPath::Read(..) => &[],
        }
    }

    /// How the run ended, if that is known.
    fn end(&self) -> Option<&End> {
        match self {
            SymbolicPath::Ran(_, end, _) => Some(end),
            SymbolicPath::Read(..) => None,
        }
    }

    /// Prints the path such that it can be read again.
    pub(super) fn print_data(&self, out: &mut impl Write) -> Result<()> {
        Ok(write!(out, "{}", self.path().write(self.terms()))?)
    }

    /// Prints the events, one a line: where, what was decided, and the condition that holds because of it.
    pub(super) fn print(&self, out: &mut impl Write, program: Option<&Program>) -> Result<()> {
        for request in self.requests() {
            writeln!(out, "input {}", show::request(request))?;
        }
        for event in &self.path().events {
            let decision = self.decision(program, event);
            match decision.site {
                Some(site) => write!(out, "site{site} ")?,
                None => write!(out, "offset {:#x} ", decision.offset)?,
            }
            if let Some(location) = &decision.location {
                write!(out, "{location} ")?;
            }
            writeln!(out, " {} {}  {}", decision.kind, decision.direction, shortened(&decision.condition))?;
        }
        if let Some(End { outcome, reason, place }) = self.end() {
            write!(out, "{outcome}")?;
            if let Some(reason) = reason {
                write!(out, " ({})", printable(reason))?;
            }
            let place = place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
            writeln!(out, "{place}")?;
        }
        Ok(())
    }

    /// The same for programs.
    pub(super) fn print_json(
        &self,
        out: &mut impl Write,
        name: &str,
        program: Option<&Program>,
    ) -> Result<()> {
        #[derive(Serialize)]
        struct Report<'a> {
            tool: &'static str,
            version: &'static str,
            command: &'static str,
            program: &'a str,
            /// What the program asked for by its test harness.
            inputs: &'a [Request],
            events: Vec<Decision>,
            #[serde(flatten)]
            end: Option<&'a End>,
        }
        let events = self.path().events.iter().map(|event| self.decision(program, event)).collect();
        let version = env!("CARGO_PKG_VERSION");
        let report = Report {
            tool: "coax",
            version,
            command: "dump path",
            program: name,
            inputs: self.requests(),
            events,
            end: self.end(),
        };
        serde_json::to_writer_pretty(&mut *out, &report)?;
        Ok(writeln!(out)?)
    }

    /// Prints the path condition as an SMT-LIB script: its models are the inputs that come the same way.
    pub(super) fn print_smt(&self, out: &mut impl Write) -> Result<()> {
        let lengths: &[Term] = if let SymbolicPath::Ran(_, _, lengths) = self { lengths } else { &[] };
        let conditions: Vec<Term> = self.path().conditions().chain(lengths.iter().copied()).collect();
        // Some solvers have no models unless asked before all else.
        writeln!(out, "(set-option :produce-models true)")?;
        write!(out, "{}", smt::script(self.terms(), &conditions))?;
        Ok(writeln!(out, "(check-sat)\n(get-model)")?)
    }

    /// Without the program, only its offsets are known.
    fn decision(&self, program: Option<&Program>, event: &Event) -> Decision {
        let site = program.and_then(|program| Some((program, program.site_at(event.at)?)));
        let data = site.map(|(program, site)| &program.sites[site]);
        let named = |direction: u32| {
            let names = site.map(|(program, site)| program.direction_names(site)).unwrap_or_default();
            names.into_iter().nth(direction as usize).unwrap_or_else(|| direction.to_string())
        };
        let (kind, direction) = match event.kind {
            EventKind::Branch { direction } => {
                let switch = data.is_some_and(|data| matches!(data.kind, SiteKind::Switch(_)));
                (if switch { "switch" } else { "branch" }, named(direction))
            }
            EventKind::Select { direction } => ("select", named(direction)),
            EventKind::World { question: Question::Length, direction } => {
                ("input", if direction == 1 { "goes on" } else { "ends here" }.to_owned())
            }
            EventKind::World { question: Question::Io, direction } => {
                let ways = ["succeeds", "is short", "fails", "has no space"];
                ("input or output", ways.get(direction as usize).copied().unwrap_or("fails").to_owned())
            }
            EventKind::Assumption { held } => ("assumption", if held { "holds" } else { "fails" }.to_owned()),
            EventKind::Assertion { held } => ("assertion", if held { "holds" } else { "fails" }.to_owned()),
            EventKind::Trap { kind, trapped: true } => ("trapped", kind.to_string()),
            EventKind::Trap { kind, trapped: false } => ("no trap", kind.to_string()),
            EventKind::Concretised { term, value, reason } => {
                let width = self.terms().width_of(term);
                ("concretised", format!("{} to {value}:{width}", concretised(reason)))
            }
        };
        let frames = program.map(|program| program.frames(event.at)).unwrap_or_default();
        Decision {
            function: site.map(|(program, site)| program.functions[program.sites[site].func].name.clone()),
            location: (!frames.is_empty()).then(|| location(&frames).to_string()),
            site: site.map(|(_, site)| site.0),
            offset: event.at,
            kind,
            direction,
            constrains: event.constrains(),
            condition: self.terms().display(event.condition).to_string(),
        }
    }
}

/// Whether an input gives the program nothing.
fn has_nothing(input: &Input) -> bool {
    let Input { params, args, stdin, files, .. } = input;
    params.is_empty() && args.is_empty() && stdin.is_empty() && files.is_empty()
}

/// What lost its term.
fn concretised(reason: Concretisation) -> &'static str {
    match reason {
        Concretisation::Address => "an address",
        Concretisation::Bulk => "an operand of a bulk operator",
        Concretisation::Table => "a table index",
        Concretisation::Grow => "a size",
        Concretisation::Simd => "an operand of SIMD",
        Concretisation::Exception => "an exception's payload",
        Concretisation::OtherMemory => "a value stored into another memory",
        Concretisation::Import => "an argument of an import",
        Concretisation::File => "a byte written to a file",
        Concretisation::Length => "the length of an input",
        Concretisation::Unknown => "given to an unknown function that depends on more than that",
    }
}
