//! The reference interpreter as a machine: the testsuite on it judges the meaning of every operator.

use super::{Failure, Instance, Machine, Trap, Value};
use coax_execute::TrapKind;
use coax_execute::reference::{
    Context, Host, HostFunction, Instance as InstanceId, Interpreter, Item, Limits, Refused, Stop, Value as V,
};
use coax_program::{Program, Signature};
use coax_term::Algebra;
use std::collections::BTreeMap;
use std::sync::Arc;
use wasmparser::{GlobalType, MemoryType, RefType, TableType, ValType};

/// The reference interpreter with the instances of one script.
pub struct ReferenceMachine {
    interpreter: Interpreter,
    instances: Vec<InstanceId>,
    /// What can be imported, by module and name.
    registered: BTreeMap<(String, String), Item>,
}

/// The functions of `spectest` do nothing.
struct Silent;

impl Host for Silent {
    fn call(&mut self, _: u32, _: &[V], _: &mut Context<'_>) -> Result<Vec<V>, Stop> {
        Ok(Vec::new())
    }
}

impl ReferenceMachine {
    /// A machine with nothing but the `spectest` module.
    pub fn new() -> Self {
        let limits = Limits { steps: u64::MAX, ..Limits::default() };
        let mut machine = ReferenceMachine {
            interpreter: Interpreter::new(limits),
            instances: Vec::new(),
            registered: BTreeMap::new(),
        };
        machine.define_spectest();
        machine
    }

    fn define(&mut self, name: &str, item: Item) {
        self.registered.insert(("spectest".into(), name.into()), item);
    }

    fn define_spectest(&mut self) {
        let functions: [(&str, &[ValType]); 7] = [
            ("print", &[]),
            ("print_i32", &[ValType::I32]),
            ("print_i64", &[ValType::I64]),
            ("print_f32", &[ValType::F32]),
            ("print_f64", &[ValType::F64]),
            ("print_i32_f32", &[ValType::I32, ValType::F32]),
            ("print_f64_f64", &[ValType::F64, ValType::F64]),
        ];
        for (name, params) in functions {
            let signature = Signature { params: params.to_vec(), results: Vec::new() };
            let item = self.interpreter.add_function(HostFunction { number: 0, signature });
            self.define(name, item);
        }
        let globals = [
            ("global_i32", ValType::I32, Value::I32(666)),
            ("global_i64", ValType::I64, Value::I64(666)),
            ("global_f32", ValType::F32, Value::F32(666.6_f32.to_bits())),
            ("global_f64", ValType::F64, Value::F64(666.6_f64.to_bits())),
        ];
        for (name, content_type, value) in globals {
            let value = value_into(&mut self.interpreter, value, content_type);
            let ty = GlobalType { content_type, mutable: false, shared: false };
            let item = self.interpreter.add_global(ty, value);
            self.define(name, item);
        }
        for (name, table64) in [("table", false), ("table64", true)] {
            let element_type = RefType::FUNCREF;
            let ty = TableType { element_type, table64, initial: 10, maximum: Some(20), shared: false };
            let item = self.interpreter.add_table(ty);
            self.define(name, item);
        }
        let ty =
            MemoryType { memory64: false, shared: false, initial: 1, maximum: Some(2), page_size_log2: None };
        let item = self.interpreter.add_memory(ty);
        self.define("memory", item);
    }

    fn item(&self, instance: Instance, name: &str) -> Option<Item> {
        self.interpreter.export(self.instances[instance.0], name)
    }
}

impl Default for ReferenceMachine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine for ReferenceMachine {
    fn instantiate(&mut self, wasm: &[u8]) -> Result<Instance, Failure> {
        let program = Program::parse(wasm.to_vec()).map_err(|error| Failure::Refused(error.to_string()))?;
        let find = |import: &coax_program::Import| {
            let key = (import.module.clone(), import.name.clone());
            let missing = || Failure::Unlinkable(format!("there is no `{}.{}`", import.module, import.name));
            self.registered.get(&key).copied().ok_or_else(missing)
        };
        let imports: Vec<Item> = program.imports.iter().map(find).collect::<Result<_, _>>()?;
        match self.interpreter.instantiate(Arc::new(program), &imports, &mut Silent) {
            Ok(instance) => {
                self.instances.push(instance);
                Ok(Instance(self.instances.len() - 1))
            }
            Err(Refused::Unlinkable(message)) => Err(Failure::Unlinkable(message)),
            Err(Refused::Stopped(stop)) => Err(failure(stop)),
        }
    }

    fn register(&mut self, name: &str, instance: Instance) -> Result<(), Failure> {
        for (export, item) in self.interpreter.exports(self.instances[instance.0]) {
            self.registered.insert((name.into(), export), item);
        }
        Ok(())
    }

    fn invoke(&mut self, instance: Instance, name: &str, args: &[Value]) -> Result<Vec<Value>, Failure> {
        let Some(Item::Func(function)) = self.item(instance, name) else {
            return Err(Failure::Other(format!("no function `{name}` is exported")));
        };
        let params = self.interpreter.signature(function).params.clone();
        let args: Vec<V> =
            args.iter().zip(params).map(|(&arg, ty)| value_into(&mut self.interpreter, arg, ty)).collect();
        let results = self.interpreter.signature(function).results.clone();
        let values = self.interpreter.call(function, &args, &mut Silent).map_err(failure)?;
        Ok(values
            .into_iter()
            .zip(results)
            .map(|(value, ty)| value_from(&mut self.interpreter, value, ty))
            .collect())
    }

    fn global(&mut self, instance: Instance, name: &str) -> Result<Value, Failure> {
        let Some(Item::Global(global)) = self.item(instance, name) else {
            return Err(Failure::Other(format!("no global `{name}` is exported")));
        };
        let (ty, value) = self.interpreter.global(global);
        Ok(value_from(&mut self.interpreter, value, ty))
    }
}

/// Why the interpreter stopped.
pub fn failure(stop: Stop) -> Failure {
    Failure::Trap(match stop {
        Stop::Exception(_) => return Failure::Exception,
        Stop::OutOfSteps => return Failure::Other("out of steps".into()),
        Stop::Exited(code) => return Failure::Other(format!("exited with code {code}")),
        Stop::Discarded => return Failure::Other("does not count".into()),
        Stop::StackExhausted => Trap::StackExhausted,
        Stop::Trap { kind, .. } => return trap(kind).map_or(Failure::Other(kind.to_string()), Failure::Trap),
    })
}

/// A trap as the spec knows it; none if it is the host's.
pub fn trap(kind: TrapKind) -> Option<Trap> {
    Some(match kind {
        TrapKind::Unreachable => Trap::Unreachable,
        TrapKind::MemoryOutOfBounds => Trap::MemoryOutOfBounds,
        TrapKind::TableOutOfBounds => Trap::TableOutOfBounds,
        TrapKind::NullIndirectCall => Trap::UninitializedElement,
        TrapKind::IndirectCallTypeMismatch => Trap::IndirectCallTypeMismatch,
        TrapKind::IntegerDivideByZero => Trap::IntegerDivideByZero,
        TrapKind::IntegerOverflow => Trap::IntegerOverflow,
        TrapKind::InvalidConversion => Trap::InvalidConversion,
        TrapKind::NullReference => Trap::NullReference,
        TrapKind::Assertion | TrapKind::Abort | TrapKind::Host | TrapKind::Other => return None,
        TrapKind::NullDereference
        | TrapKind::StackOverflow
        | TrapKind::HeapBufferOverflow
        | TrapKind::UseAfterFree
        | TrapKind::DoubleFree
        | TrapKind::InvalidFree
        | TrapKind::Leak => return None,
    })
}

/// Plain data as a value of the interpreter's, for a place of the given type.
pub fn value_into(interpreter: &mut Interpreter, value: Value, ty: ValType) -> V {
    let terms = interpreter.terms_mut();
    match value {
        Value::I32(bits) | Value::F32(bits) => V::Number(terms.constant(32, u64::from(bits))),
        Value::I64(bits) | Value::F64(bits) => V::Number(terms.constant(64, bits)),
        Value::V128(bits) => V::from_vector(terms, bits),
        Value::Extern(number) => V::Extern(Some(number)),
        Value::Null | Value::Func | Value::Exn => match ty {
            ValType::Ref(ty) => V::null(ty.heap_type()),
            _ => V::Func(None),
        },
    }
}

/// A value of the interpreter's, of a type, as plain data.
pub fn value_from(interpreter: &mut Interpreter, value: V, ty: ValType) -> Value {
    match value {
        V::Number(term) => {
            let bits = interpreter.value(term);
            match ty {
                ValType::I32 => Value::I32(bits as u32),
                ValType::F32 => Value::F32(bits as u32),
                ValType::F64 => Value::F64(bits),
                _ => Value::I64(bits),
            }
        }
        V::Vector([low, high]) => {
            let [low, high] = [low, high].map(|half| u128::from(interpreter.value(half)));
            Value::V128(high << 64 | low)
        }
        V::Func(Some(_)) => Value::Func,
        V::Extern(Some(number)) => Value::Extern(number),
        V::Exn(Some(_)) => Value::Exn,
        V::Func(None) | V::Extern(None) | V::Exn(None) => Value::Null,
    }
}
