//! Two modules become one: the program, and one whose functions answer some of its imports.
//!
//! The program's own code keeps its bytes, up to the indices of functions in it, and its order; it only moves as a whole. By how much
//! is said in a section of its own, for who reads debug information. The order of functions is
//!
//! ```text
//! imports that are left │ one function per stub, which calls the other module's │ the program's │ the other module's
//! ```
//!
//! so that the program's functions keep their indices unless the other module imports something new.

use std::borrow::Cow;

use wasm_encoder::reencode::{Error as Reencoding, Reencode};
use wasm_encoder::{
    CodeSection, CustomSection, DataCountSection, DataSection, ElementSection, Encode, ExportSection,
    Function, FunctionSection, GlobalSection, ImportSection, MemorySection, NameMap, NameSection, RawSection,
    Section, SectionId, StartSection, TableSection, TagSection, TypeSection,
};
use wasmparser::{Export, ExternalKind, KnownCustom, Name, TypeRef, Validator, WasmFeatures};

use super::Answered;
use super::indices::Indices;
use super::module::{Module, count};

/// The section that says by how many bytes the program's code has moved in the code section.
const CODE_MOVED: &str = "coax.code-moved";
/// What a library exports for who wants its constructors run.
const INITIALIZE: &str = "_initialize";

/// The program with the stub module in it; what to tell the user if they do not go together.
pub(super) fn merge(
    program: &Module<'_>,
    stub: &Module<'_>,
    stub_name: &str,
    answered: &[Answered],
) -> Result<Vec<u8>, String> {
    let mut merge = Merge::new(program, stub, answered)?;
    let wasm = merge.write(stub_name)?;
    let valid = Validator::new_with_features(WasmFeatures::all()).validate_all(&wasm);
    valid.map(|_| wasm).map_err(|error| format!("it does not go together with the program: {error}"))
}

struct Merge<'m, 'a> {
    program: &'m Module<'a>,
    stub: &'m Module<'a>,
    answered: &'m [Answered],
    /// Where things of the program go.
    ours: Indices,
    /// Where things of the stub's module go.
    theirs: Indices,
    imports: ImportSection,
    /// How many functions are imported after all.
    imported: u32,
}

impl<'m, 'a> Merge<'m, 'a> {
    fn new(program: &'m Module<'a>, stub: &'m Module<'a>, answered: &'m [Answered]) -> Result<Self, String> {
        let is_memory = |ty: &TypeRef| matches!(ty, TypeRef::Memory(_));
        let own_memories = count(stub.memories.as_ref());
        let shared_memories = stub.imported(is_memory);
        let program_memories = program.imported(is_memory) + count(program.memories.as_ref());
        if shared_memories > 1 || (shared_memories == 1 && program_memories == 0) {
            return Err("it imports a memory that the program does not have".to_owned());
        }
        let own_tables =
            program.imported(|ty| matches!(ty, TypeRef::Table(_))) + count(program.tables.as_ref());
        // A module that imports a table has none of its own: it puts functions behind those of the program's first one.
        let shared_tables = stub.imported(|ty| matches!(ty, TypeRef::Table(_)));
        let more_elements = if shared_tables > 0 { u64::from(stub.function_count()) } else { 0 };
        let memories = (0..shared_memories).chain((0..own_memories).map(|own| program_memories + own));
        let mut merge = Merge {
            program,
            stub,
            answered,
            ours: Indices { memories: (0..program_memories).collect(), more_elements, ..Indices::default() },
            theirs: Indices {
                memories: memories.collect(),
                types: program.type_count(),
                tables: if shared_tables > 0 { 0 } else { own_tables },
                globals: program.imported(|ty| matches!(ty, TypeRef::Global(_)))
                    + count(program.globals.as_ref()),
                tags: program.imported(|ty| matches!(ty, TypeRef::Tag(_))) + count(program.tags.as_ref()),
                elements: count(program.elements.as_ref()),
                data: count(program.data.as_ref()),
                ..Indices::default()
            },
            imports: ImportSection::new(),
            imported: 0,
        };
        let has_own_memory = own_memories > 0 && shared_memories == 0;
        merge.import(has_own_memory)?;
        Ok(merge)
    }

    /// Decides which imports are left, and numbers the functions.
    fn import(&mut self, stub_has_own_memory: bool) -> Result<(), String> {
        let (program, stub) = (self.program, self.stub);
        let mut kept = Vec::new();
        let mut next = 0;
        for import in &program.imports {
            let is_function = matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
            let place = kept.len() as u32;
            if is_function {
                let is_answered = self.answered.iter().any(|answered| answered.import == place);
                kept.push((!is_answered).then_some(next));
                if is_answered {
                    continue;
                }
                next += 1;
            }
            self.ours.parse_import(&mut self.imports, *import).map_err(reencoding)?;
        }
        let mut theirs = Vec::new();
        for import in &stub.imports {
            let full = format!("`{}.{}`", import.module, import.name);
            match import.ty {
                TypeRef::Func(_) | TypeRef::FuncExact(_) => {}
                TypeRef::Memory(_) => continue,
                TypeRef::Table(_) if self.ours.more_elements > 0 => continue,
                _ => return Err(format!("it imports {full}, which is neither a function nor a memory")),
            }
            let signature = stub.signature(theirs.len() as u32);
            if stub_has_own_memory && signature.as_ref().is_some_and(|it| !it.0.params().is_empty()) {
                return Err(format!(
                    "it imports {full} but has a memory of its own, while pointers that the host gets are into the \
                     program's; let it import the memory too"
                ));
            }
            let same = program.function_imports().find(|(index, other)| {
                (other.module, other.name) == (import.module, import.name)
                    && program.signature(*index) == signature
            });
            let same = same.and_then(|(index, _)| kept[index as usize]);
            theirs.push(same.unwrap_or(next));
            if same.is_none() {
                next += 1;
                self.theirs.parse_import(&mut self.imports, *import).map_err(reencoding)?;
            }
        }
        self.imported = next;
        let first_stub = next;
        let first_own = first_stub + self.answered.len() as u32;
        let own = program.function_count() - kept.len() as u32;
        let stub_place = |import: usize| {
            let place = self.answered.iter().position(|answered| answered.import as usize == import);
            first_stub + place.unwrap_or_default() as u32
        };
        let imports =
            kept.iter().enumerate().map(|(import, kept)| kept.unwrap_or_else(|| stub_place(import)));
        self.ours.functions = imports.chain(first_own..first_own + own).collect();
        let others = stub.function_count() - theirs.len() as u32;
        theirs.extend((first_own + own..).take(others as usize));
        self.theirs.functions = theirs;
        Ok(())
    }

    fn write(&mut self, stub_name: &str) -> Result<Vec<u8>, String> {
        let mut wasm = wasm_encoder::Module::new();
        let start = self.start();
        self.declarations(&mut wasm, start.is_some()).map_err(reencoding)?;
        let start_index = match &start {
            Some(_) => {
                Some(self.program.function_count() + self.own_functions_of_stub() + self.new_imports())
            }
            None => self.program.start.map(|start| self.ours.functions[start as usize]),
        };
        if let Some(function_index) = start_index {
            wasm.section(&StartSection { function_index });
        }
        self.contents(&mut wasm, start)?;
        wasm.section(&self.names(stub_name));
        Ok(wasm.finish())
    }

    /// How many functions the stub's module imports that the program does not.
    fn new_imports(&self) -> u32 {
        let left = self.program.function_imports().count() - self.answered.len();
        self.imported - left as u32
    }

    fn own_functions_of_stub(&self) -> u32 {
        count(self.stub.functions.as_ref())
    }

    /// A function that starts both modules, if the stub's has to be started.
    fn start(&self) -> Option<Function> {
        let constructors = self.stub.exported_function(INITIALIZE);
        let theirs = self.stub.start.into_iter().chain(constructors);
        let theirs: Vec<u32> = theirs.map(|start| self.theirs.functions[start as usize]).collect();
        if theirs.is_empty() {
            return None;
        }
        let ours = self.program.start.map(|start| self.ours.functions[start as usize]);
        let mut body = Function::new([]);
        for function in theirs.into_iter().chain(ours) {
            body.instructions().call(function);
        }
        body.instructions().end();
        Some(body)
    }

    /// Everything in front of the start function.
    fn declarations(
        &mut self,
        wasm: &mut wasm_encoder::Module,
        starts: bool,
    ) -> Result<(), Reencoding<std::convert::Infallible>> {
        let Merge { program, stub, answered, ours, theirs, .. } = self;
        let mut types = TypeSection::new();
        let mut functions = FunctionSection::new();
        let mut tables = TableSection::new();
        let mut memories = MemorySection::new();
        let mut tags = TagSection::new();
        let mut globals = GlobalSection::new();
        for stub in answered.iter() {
            functions.function(program.type_of(stub.import).unwrap_or_default());
        }
        for (module, indices) in [(*program, &mut *ours), (*stub, &mut *theirs)] {
            if let Some(section) = module.types.clone() {
                indices.parse_type_section(&mut types, section)?;
            }
            if let Some(section) = module.functions.clone() {
                indices.parse_function_section(&mut functions, section)?;
            }
            if let Some(section) = module.tables.clone() {
                indices.parse_table_section(&mut tables, section)?;
            }
            if let Some(section) = module.memories.clone() {
                indices.parse_memory_section(&mut memories, section)?;
            }
            if let Some(section) = module.tags.clone() {
                indices.parse_tag_section(&mut tags, section)?;
            }
            if let Some(section) = module.globals.clone() {
                indices.parse_global_section(&mut globals, section)?;
            }
        }
        if starts {
            functions.function(types.len());
            types.ty().function([], []);
        }
        let mut exports = ExportSection::new();
        for export in &program.exports {
            ours.parse_export(&mut exports, *export)?;
        }
        wasm.section(&types).section(&self.imports).section(&functions);
        // Empty sections are left out: what is there must be allowed.
        add(wasm, &tables, tables.is_empty());
        add(wasm, &memories, memories.is_empty());
        add(wasm, &tags, tags.is_empty());
        add(wasm, &globals, globals.is_empty());
        wasm.section(&exports);
        Ok(())
    }

    /// Everything behind the start function, but names.
    fn contents(&mut self, wasm: &mut wasm_encoder::Module, start: Option<Function>) -> Result<(), String> {
        let mut elements = ElementSection::new();
        let mut data = DataSection::new();
        for (module, indices) in [(self.program, &mut self.ours), (self.stub, &mut self.theirs)] {
            if let Some(section) = module.elements.clone() {
                indices.parse_element_section(&mut elements, section).map_err(reencoding)?;
            }
            if let Some(section) = module.data.clone() {
                indices.parse_data_section(&mut data, section).map_err(reencoding)?;
            }
        }
        add(wasm, &elements, elements.is_empty());
        if self.program.has_data_count || self.stub.has_data_count {
            wasm.section(&DataCountSection { count: data.len() });
        }
        let (code, moved) = self.code(start)?;
        wasm.section(&RawSection { id: SectionId::Code as u8, data: &code });
        add(wasm, &data, data.is_empty());
        let mut moved = moved;
        for custom in &self.program.custom {
            match custom.name() {
                CODE_MOVED => moved += number(custom.data()),
                // Places in the module that was linked; they do not hold any more.
                name if name == "linking" || name.starts_with("reloc.") || name == "name" => {}
                name => {
                    wasm.section(&CustomSection { name: name.into(), data: Cow::Borrowed(custom.data()) });
                }
            }
        }
        let moved = moved.to_le_bytes();
        wasm.section(&CustomSection { name: CODE_MOVED.into(), data: Cow::Borrowed(&moved) });
        Ok(())
    }

    /// The contents of the code section, and by how many bytes the program's own code has moved in it.
    fn code(&mut self, start: Option<Function>) -> Result<(Vec<u8>, u32), String> {
        let Merge { program, stub, answered, ours, theirs, .. } = self;
        let mut before = CodeSection::new();
        for answered in answered.iter() {
            let params = program.signature(answered.import).map_or(0, |it| it.0.params().len() as u32);
            let mut body = Function::new([]);
            for param in 0..params {
                body.instructions().local_get(param);
            }
            body.instructions().call(theirs.functions[answered.function as usize]).end();
            before.function(&body);
        }
        let mut own = program.code.bytes.to_vec();
        for body in &program.bodies {
            let operators = body.get_operators_reader().map_err(|error| error.to_string())?;
            ours.patch(&mut own, program.code.start, operators).ok_or(
                "the program's code has no room for the numbers of that many functions; build it without optimising the linked \
                 module, or let the stub import less",
            )?;
        }
        let mut behind = CodeSection::new();
        for body in &stub.bodies {
            theirs.parse_function_body(&mut behind, body.clone()).map_err(reencoding)?;
        }
        if let Some(start) = start {
            behind.function(&start);
        }
        let bodies = before.len() + program.bodies.len() as u32 + behind.len();
        let mut code = Vec::new();
        bodies.encode(&mut code);
        code.extend(bodies_of(&before));
        let moved = code.len() - (program.code.start - program.code.section);
        code.extend(own);
        code.extend(bodies_of(&behind));
        Ok((code, u32::try_from(moved).map_err(|error| error.to_string())?))
    }

    /// The names of functions, of all there are, and of the program's globals.
    fn names(&self, stub_name: &str) -> NameSection {
        let mut functions: Vec<(u32, String)> = Vec::new();
        let mut section = NameSection::new();
        let mut globals = NameMap::new();
        for (module, indices, is_stub) in [(self.program, &self.ours, false), (self.stub, &self.theirs, true)]
        {
            for (index, import) in module.function_imports() {
                functions.push((indices.functions[index as usize], import.name.to_owned()));
            }
            let imported = module.function_imports().count() as u32;
            let is_own = |export: &&Export<'_>| export.kind == ExternalKind::Func && export.index >= imported;
            if is_stub {
                for export in module.exports.iter().filter(is_own) {
                    let Some(&index) = indices.functions.get(export.index as usize) else { continue };
                    functions.push((index, format!("{stub_name}!{}", export.name)));
                }
            }
            let names = module.custom.iter().filter_map(|custom| match custom.as_known() {
                KnownCustom::Name(names) => Some(names),
                _ => None,
            });
            for name in names.flatten().filter_map(Result::ok) {
                match name {
                    Name::Function(map) => {
                        for naming in map.into_iter().filter_map(Result::ok) {
                            let Some(&index) = indices.functions.get(naming.index as usize) else { continue };
                            match is_stub {
                                false => functions.push((index, naming.name.to_owned())),
                                // What both import keeps the program's name.
                                true if naming.index < imported => {}
                                true => functions.push((index, format!("{stub_name}!{}", naming.name))),
                            }
                        }
                    }
                    Name::Global(map) if !is_stub => {
                        map.into_iter()
                            .filter_map(Result::ok)
                            .for_each(|it| globals.append(it.index, it.name));
                    }
                    _ => {}
                }
            }
        }
        // The last name given to a function is its own.
        functions.reverse();
        functions.sort_by_key(|(index, _)| *index);
        functions.dedup_by_key(|(index, _)| *index);
        let mut map = NameMap::new();
        functions.iter().for_each(|(index, name)| map.append(*index, name));
        section.functions(&map);
        if !globals.is_empty() {
            section.globals(&globals);
        }
        section
    }
}

fn add(wasm: &mut wasm_encoder::Module, section: &impl Section, is_empty: bool) {
    if !is_empty {
        wasm.section(section);
    }
}

/// The bodies of a section, without their count.
fn bodies_of(section: &CodeSection) -> Vec<u8> {
    let (mut all, mut count) = (Vec::new(), Vec::new());
    section.encode(&mut all);
    section.len().encode(&mut count);
    // In front of the count is the section's size.
    let size = all.iter().take_while(|byte| **byte & 0x80 != 0).count() + 1;
    all.split_off(size + count.len())
}

fn number(bytes: &[u8]) -> u32 {
    bytes.try_into().map_or(0, u32::from_le_bytes)
}

fn reencoding(error: Reencoding<std::convert::Infallible>) -> String {
    match error {
        Reencoding::ParseError(error) => format!("it is not valid: {error}"),
        error => format!("it is not valid: {error}"),
    }
}
