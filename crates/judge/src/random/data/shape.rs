//! What a module has beside its code: signatures, globals, tags, the table, the memory. The code is written against it.

use super::super::generate::Random;
use super::services::{self, Service};
use std::cell::RefCell;
use wasm_encoder::{RefType, TypeSection, ValType};

/// The types of numbers.
pub(super) const SCALARS: [ValType; 4] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
/// A reference to a function, or null.
pub(super) const FUNC: ValType = ValType::Ref(RefType::FUNCREF);
/// A reference to an exception, or null.
pub(super) const EXN: ValType = ValType::Ref(RefType::EXNREF);

/// The memories that a module may have: mostly one with 32-bit addresses.
const MEMORIES: [&[ValType]; 6] = [
    &[ValType::I32],
    &[ValType::I32],
    &[ValType::I32],
    &[ValType::I64],
    &[ValType::I32; 2],
    &[ValType::I64, ValType::I32],
];

/// The bytes of a page.
pub(super) const PAGE: u32 = 1 << 16;
/// Table slots for each signature that functions have; a power of two, so that an index can be masked.
pub(super) const SLOTS: u32 = 4;
/// Passive data segments, and the bytes of each.
pub(super) const PASSIVE_SEGMENTS: u32 = 2;
pub(super) const PASSIVE_BYTES: usize = 32;
/// The global that counts down calls; no other code writes it.
pub(super) const CALLS_LEFT: u32 = 0;
/// The global that counts the open calls whose caller catches whatever they throw; no other code writes it.
pub(super) const SHELTERS: u32 = 1;
/// Globals before those that any code may set.
pub(super) const COUNTING_GLOBALS: usize = 2;

/// Parameters and results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Signature {
    pub(super) params: Vec<ValType>,
    pub(super) results: Vec<ValType>,
}

impl Signature {
    /// Without parameters.
    pub(super) fn giving(results: &[ValType]) -> Self {
        Signature { params: Vec::new(), results: results.to_vec() }
    }
}

/// A global variable.
#[derive(Clone, Copy)]
pub(super) struct Global {
    pub(super) ty: ValType,
    pub(super) mutable: bool,
}

/// Everything about a module that its code needs to know.
pub(super) struct Shape {
    /// The functions of WASI that are imported, in order.
    pub(super) services: Vec<&'static Service>,
    /// The signatures that functions have, without repetition.
    pub(super) signatures: Vec<Signature>,
    /// How many of the signatures are those of the module's own functions: the first.
    pub(super) own_signatures: usize,
    /// For each of the module's own functions, which of them it has.
    pub(super) functions: Vec<usize>,
    /// The function that instantiating calls.
    pub(super) start: Option<usize>,
    /// The function that must be called before any other: `_initialize`.
    pub(super) initializer: Option<usize>,
    /// The first are `CALLS_LEFT` and `SHELTERS`.
    pub(super) globals: Vec<Global>,
    /// The payloads of the tags.
    pub(super) tags: Vec<Vec<ValType>>,
    /// The types of addresses in each memory.
    pub(super) memories: Vec<ValType>,
    /// Pages that each memory begins with.
    pub(super) pages: u32,
    /// One in so many operators that may trap is left unguarded.
    pub(super) hazard: usize,
    /// How many calls a run may make.
    pub(super) calls: i32,
    /// How often a function may go back to the head of a loop that is not counted.
    pub(super) rounds: i32,
    /// The types that the module declares, in order; the code adds those it needs.
    types: RefCell<Vec<Signature>>,
}

impl Shape {
    pub(super) fn new(random: &mut Random) -> Self {
        let mut signatures: Vec<Signature> = Vec::new();
        for _ in 0..1 + random.below(3) {
            // Only numbers, for vectors are not symbols.
            let params = (0..1 + random.below(5)).map(|_| any_scalar(random)).collect();
            let signature = Signature { params, results: some(random, 4) };
            if !signatures.contains(&signature) {
                signatures.push(signature);
            }
        }
        // Each signature has a function.
        let mut functions: Vec<usize> = (0..signatures.len()).collect();
        for _ in 0..1 + random.below(4) {
            functions.push(random.below(signatures.len()));
        }
        let mut globals = vec![Global { ty: ValType::I32, mutable: true }; COUNTING_GLOBALS];
        for ty in SCALARS {
            globals.extend([true, true, false].map(|mutable| Global { ty, mutable }));
        }
        globals.push(Global { ty: ValType::V128, mutable: true });
        Shape {
            services: Vec::new(),
            own_signatures: signatures.len(),
            signatures,
            functions,
            start: None,
            initializer: None,
            globals,
            tags: vec![vec![], vec![ValType::I32], some(random, 4), some(random, 4)],
            memories: random.pick(&MEMORIES).to_vec(),
            pages: 1 + random.below(2) as u32,
            hazard: random.pick(&[20, 600, 600, 600, 600, 600]),
            calls: random.pick(&[3, 6, 12]),
            rounds: random.pick(&[3, 6, 12]),
            types: RefCell::default(),
        }
    }

    /// The signature of a function.
    pub(super) fn signature(&self, function: usize) -> &Signature {
        &self.signatures[self.functions[function]]
    }

    /// A module that imports functions of WASI, and has functions that can end by calling them.
    pub(super) fn with_services(random: &mut Random) -> Self {
        let mut shape = Shape::new(random);
        shape.services = services::choose(random);
        let like_a_service =
            Signature { params: vec![ValType::I32, ValType::I64], results: vec![ValType::I32] };
        let group = shape.group(&like_a_service);
        shape.functions.push(group);
        shape.start = (random.below(3) == 0).then(|| shape.add_procedure());
        shape.initializer = (random.below(3) == 0).then(|| shape.add_procedure());
        shape.own_signatures = shape.signatures.len();
        for service in shape.services.clone() {
            shape.group(&service.signature());
        }
        shape
    }

    /// Adds a function without parameters and results.
    fn add_procedure(&mut self) -> usize {
        let group = self.group(&Signature::default());
        self.functions.push(group);
        self.functions.len() - 1
    }

    /// The number of a signature, which is added if need be.
    fn group(&mut self, signature: &Signature) -> usize {
        let known = self.signatures.iter().position(|known| known == signature);
        known.unwrap_or_else(|| {
            self.signatures.push(signature.clone());
            self.signatures.len() - 1
        })
    }

    /// The number that one of the module's own functions has in the module.
    pub(super) fn index(&self, function: usize) -> u32 {
        (self.services.len() + function) as u32
    }

    /// The functions with that signature, by their numbers in the module; imported ones first.
    pub(super) fn functions_with(&self, signature: usize) -> Vec<u32> {
        let is_it = |service: &Service| service.signature() == self.signatures[signature];
        let services =
            (0..).zip(&self.services).filter(|(_, service)| is_it(service)).map(|(index, _)| index);
        let own = (0..).zip(&self.functions).filter(|&(_, own)| *own == signature);
        services.chain(own.map(|(function, _)| self.index(function))).collect()
    }

    /// The number of a type in the module, which will declare it.
    pub(super) fn type_index(&self, signature: &Signature) -> u32 {
        let mut types = self.types.borrow_mut();
        let known = types.iter().position(|ty| ty == signature);
        known.unwrap_or_else(|| {
            types.push(signature.clone());
            types.len() - 1
        }) as u32
    }

    /// The declarations of all types that were asked for.
    pub(super) fn type_section(&self) -> TypeSection {
        let mut section = TypeSection::new();
        for Signature { params, results } in &*self.types.borrow() {
            section.ty().function(params.iter().copied(), results.iter().copied());
        }
        section
    }
}

/// A type of numbers, mostly an integer.
pub(super) fn any_scalar(random: &mut Random) -> ValType {
    use ValType::{F32, F64, I32, I64};
    random.pick(&[I32, I32, I32, I32, I32, I64, I64, I64, I64, F32, F32, F64, F64])
}

/// A type of numbers or, seldom, vectors.
pub(super) fn any_type(random: &mut Random) -> ValType {
    if random.below(14) == 0 { ValType::V128 } else { any_scalar(random) }
}

/// Fewer types than that.
pub(super) fn some(random: &mut Random, limit: usize) -> Vec<ValType> {
    (0..random.below(limit)).map(|_| any_type(random)).collect()
}
