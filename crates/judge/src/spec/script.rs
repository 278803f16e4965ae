//! Runs one script on a machine.
//!
//! Modules that only a feature outside coax's makes valid are skipped, together with what the script
//! does with them; everything else must come out as the script says.

use super::report::{FileReport, Kind, Verdict};
use super::{File, expect, features};
use crate::machine::{Failure, Instance, Machine, Value};
use crate::transform;
use coax_program::Program;
use std::collections::{BTreeMap, BTreeSet};
use wast::parser::{self, ParseBuffer};
use wast::token::Id;
use wast::{QuoteWat, Wast, WastDirective, WastExecute, WastInvoke, WastRet, Wat};

/// Runs a script.
pub(super) fn run(file: &File, machine: &mut dyn Machine) -> FileReport {
    let mut report = FileReport::new(&file.name);
    let mut lexer = wast::lexer::Lexer::new(file.text);
    lexer.allow_confusing_unicode(true);
    let buffer = ParseBuffer::new_with_lexer(lexer);
    let directives = buffer.as_ref().map_err(ToString::to_string).and_then(|buffer| {
        parser::parse::<Wast<'_>>(buffer).map(|wast| wast.directives).map_err(|error| error.to_string())
    });
    match directives {
        Ok(directives) => {
            let mut script = Script::new(machine, file.older);
            for directive in directives {
                let line = directive.span().linecol_in(file.text).0 + 1;
                let (kind, verdict) = script.directive(directive);
                report.count(kind, line, verdict);
            }
        }
        Err(error) => report.count(Kind::Module, 0, Verdict::Failed(error)),
    }
    report
}

struct Script<'m> {
    machine: &'m mut dyn Machine,
    /// The instance that directives without a name speak of.
    current: Slot,
    named: BTreeMap<String, Slot>,
    /// Modules that were defined, by name, the last one also without; or why they were skipped.
    definitions: BTreeMap<Option<String>, Result<Vec<u8>, String>>,
    /// Whether the script may refuse what a later version of wasm allows.
    older: bool,
    /// Names under which a module should have been registered that was skipped.
    unregistered: BTreeSet<String>,
}

/// What became of a module.
#[derive(Clone)]
enum Slot {
    There(Instance),
    Failed,
    Skipped(String),
}

/// Why an action has no result to be judged.
enum Stopped {
    Failure(Failure),
    Skipped(String),
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Stopped::Failure(failure)
    }
}

type Done<T> = Result<T, Stopped>;

impl<'m> Script<'m> {
    fn new(machine: &'m mut dyn Machine, older: bool) -> Self {
        Script {
            machine,
            current: Slot::Failed,
            named: BTreeMap::new(),
            definitions: BTreeMap::new(),
            unregistered: BTreeSet::new(),
            older,
        }
    }

    fn directive(&mut self, directive: WastDirective<'_>) -> (Kind, Verdict) {
        use WastDirective as D;
        match directive {
            D::Module(module) => (Kind::Module, self.module(module)),
            D::ModuleDefinition(module) => (Kind::Module, self.define(module)),
            D::ModuleInstance { instance, module, .. } => (Kind::Module, self.instance(instance, module)),
            D::Register { name, module, .. } => (Kind::Action, self.register(name, module)),
            D::Invoke(invoke) => {
                let done = self.invoke(&invoke);
                (
                    Kind::Action,
                    judge(done, |outcome| outcome.map(drop).map_err(|failure| failure.to_string())),
                )
            }
            D::AssertReturn { exec, results, .. } => {
                let done = self.execute(exec);
                (Kind::Return, judge(done, |outcome| returned(&results, outcome)))
            }
            D::AssertTrap { exec, message, .. } => {
                let done = self.execute(exec);
                (Kind::Trap, judge(done, |outcome| trapped(message, outcome)))
            }
            D::AssertExhaustion { call, message, .. } => {
                let done = self.invoke(&call);
                (Kind::Exhaustion, judge(done, |outcome| trapped(message, outcome)))
            }
            D::AssertException { exec, .. } => {
                let done = self.execute(exec);
                (Kind::Exception, judge(done, thrown))
            }
            D::AssertInvalid { module, .. } => (Kind::Invalid, self.refused(module)),
            D::AssertMalformed { module, .. }
            | D::AssertMalformedCustom { module, .. }
            | D::AssertInvalidCustom { module, .. } => (Kind::Malformed, self.refused(module)),
            D::AssertUnlinkable { module, .. } => (Kind::Unlinkable, self.unlinkable(module)),
            D::AssertSuspension { .. } => (Kind::Action, Verdict::Skipped("needs stack switching".into())),
            D::Thread(_) | D::Wait { .. } => (Kind::Action, Verdict::Skipped("needs threads".into())),
        }
    }

    fn module(&mut self, mut module: QuoteWat<'_>) -> Verdict {
        let name = name(module.name());
        let done = encode(&mut module).and_then(|wasm| self.start(&wasm));
        self.remember(name, done)
    }

    fn define(&mut self, mut module: QuoteWat<'_>) -> Verdict {
        let name = name(module.name());
        let (definition, verdict) = match encode(&mut module).and_then(|wasm| accepted(&wasm).map(|()| wasm))
        {
            Ok(wasm) => (Ok(wasm), Verdict::Passed),
            Err(Stopped::Skipped(reason)) => (Err(reason.clone()), Verdict::Skipped(reason)),
            Err(Stopped::Failure(failure)) => return Verdict::Failed(failure.to_string()),
        };
        self.definitions.insert(name, definition.clone());
        self.definitions.insert(None, definition);
        verdict
    }

    fn instance(&mut self, instance: Option<Id<'_>>, module: Option<Id<'_>>) -> Verdict {
        let done = match self.definitions.get(&name(module)).cloned() {
            Some(Ok(wasm)) => self.start(&wasm),
            Some(Err(reason)) => Err(Stopped::Skipped(reason)),
            None => Err(Failure::Other("no such module was defined".into()).into()),
        };
        self.remember(name(instance), done)
    }

    /// Makes an instance the current one.
    fn remember(&mut self, name: Option<String>, done: Done<Instance>) -> Verdict {
        let (slot, verdict) = match done {
            Ok(instance) => (Slot::There(instance), Verdict::Passed),
            Err(Stopped::Failure(failure)) => (Slot::Failed, Verdict::Failed(failure.to_string())),
            Err(Stopped::Skipped(reason)) => (Slot::Skipped(reason.clone()), Verdict::Skipped(reason)),
        };
        if let Some(name) = name {
            self.named.insert(name, slot.clone());
        }
        self.current = slot;
        verdict
    }

    /// Instantiates a module that coax must accept.
    fn start(&mut self, wasm: &[u8]) -> Done<Instance> {
        accepted(wasm)?;
        self.machine.instantiate(wasm).map_err(|failure| match failure {
            Failure::Unlinkable(_) if !self.unregistered.is_empty() => {
                Stopped::Skipped("imports from a module that was skipped".into())
            }
            other => other.into(),
        })
    }

    fn slot(&self, module: Option<Id<'_>>) -> Done<Instance> {
        let slot = match name(module) {
            Some(name) => self.named.get(&name).unwrap_or(&Slot::Failed),
            None => &self.current,
        };
        match slot {
            Slot::There(instance) => Ok(*instance),
            Slot::Failed => Err(Failure::Other("there is no such instance".into()).into()),
            Slot::Skipped(reason) => Err(Stopped::Skipped(reason.clone())),
        }
    }

    fn register(&mut self, name: &str, module: Option<Id<'_>>) -> Verdict {
        let done = self.slot(module).and_then(|instance| Ok(self.machine.register(name, instance)?));
        if done.is_err() {
            self.unregistered.insert(name.to_string());
        }
        judge(done, |outcome| outcome.map_err(|failure| failure.to_string()))
    }

    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Done<Vec<Value>> {
        let instance = self.slot(invoke.module)?;
        let args: Option<Vec<Value>> = invoke.args.iter().map(expect::argument).collect();
        let args = args.ok_or_else(|| Stopped::Skipped("an argument of an unsupported type".into()))?;
        Ok(self.machine.invoke(instance, invoke.name, &args)?)
    }

    fn execute(&mut self, exec: WastExecute<'_>) -> Done<Vec<Value>> {
        match exec {
            WastExecute::Invoke(invoke) => self.invoke(&invoke),
            WastExecute::Get { module, global, .. } => {
                let instance = self.slot(module)?;
                Ok(vec![self.machine.global(instance, global)?])
            }
            WastExecute::Wat(module) => {
                let wasm = encode(&mut QuoteWat::Wat(module))?;
                self.start(&wasm).map(|_| Vec::new())
            }
        }
    }

    fn unlinkable(&mut self, module: Wat<'_>) -> Verdict {
        let done = encode(&mut QuoteWat::Wat(module)).and_then(|wasm| self.start(&wasm));
        judge(done, |outcome| match outcome {
            Err(Failure::Unlinkable(_)) => Ok(()),
            Err(failure) => Err(failure.to_string()),
            Ok(_) => Err("was linked".into()),
        })
    }

    /// A module that must not get past the text parser or coax's own.
    fn refused(&self, mut module: QuoteWat<'_>) -> Verdict {
        let Ok(wasm) = module.encode() else { return Verdict::Passed };
        if Program::parse(wasm.clone()).is_err() {
            return Verdict::Passed;
        }
        match features::needed(&wasm) {
            Some(feature) if self.older => Verdict::Skipped(format!("valid since {feature}")),
            _ => Verdict::Failed("was accepted".into()),
        }
    }
}

/// The verdict over an action that was not skipped.
fn judge<T>(done: Done<T>, verdict: impl FnOnce(Result<T, Failure>) -> Result<(), String>) -> Verdict {
    let outcome = match done {
        Ok(value) => Ok(value),
        Err(Stopped::Failure(failure)) => Err(failure),
        Err(Stopped::Skipped(reason)) => return Verdict::Skipped(reason),
    };
    match verdict(outcome) {
        Ok(()) => Verdict::Passed,
        Err(message) => Verdict::Failed(message),
    }
}

fn returned(expected: &[WastRet<'_>], outcome: Result<Vec<Value>, Failure>) -> Result<(), String> {
    let actual = outcome.map_err(|failure| failure.to_string())?;
    let equal = expected.len() == actual.len();
    if equal && expected.iter().zip(&actual).all(|(expected, &actual)| expect::matches(expected, actual)) {
        return Ok(());
    }
    Err(format!("expected {expected:?}, got {actual:?}"))
}

fn trapped<T>(message: &str, outcome: Result<T, Failure>) -> Result<(), String> {
    match outcome {
        // Some messages of the testsuite go on with an index, some are only a beginning.
        Err(Failure::Trap(trap))
            if trap
                .spec_messages()
                .iter()
                .any(|known| message.starts_with(known) || known.starts_with(message)) =>
        {
            Ok(())
        }
        Err(failure) => Err(format!("expected a trap `{message}`, got {failure}")),
        Ok(_) => Err(format!("expected a trap `{message}`, but it returned")),
    }
}

fn thrown<T>(outcome: Result<T, Failure>) -> Result<(), String> {
    match outcome {
        Err(Failure::Exception) => Ok(()),
        Err(failure) => Err(format!("expected an exception, got {failure}")),
        Ok(_) => Err("expected an exception, but it returned".into()),
    }
}

fn encode(module: &mut QuoteWat<'_>) -> Done<Vec<u8>> {
    let refused = |error: wast::Error| Failure::Refused(format!("text: {error}"));
    Ok(module.encode().map_err(refused)?)
}

/// Whether coax loads, lifts and verifies a valid module.
fn accepted(wasm: &[u8]) -> Done<()> {
    let Err(error) = transform::accept(wasm) else { return Ok(()) };
    match features::missing(wasm) {
        Some(feature) => Err(Stopped::Skipped(format!("needs {feature}"))),
        None => Err(Failure::Refused(format!("coax: {error:#}")).into()),
    }
}

fn name(id: Option<Id<'_>>) -> Option<String> {
    id.map(|id| id.name().to_string())
}
