//! What the source calls a type, with the namespaces or modules around it. DWARF's entries know only what is in them, so a unit is gone through.

use super::{TypeId, Types};

impl Types<'_> {
    /// The names of the namespaces or modules around a type, the outermost first, and its own; empty if it has none.
    pub fn full_name(&self, id: TypeId) -> Vec<String> {
        let Some((unit, within)) = self.unit_with(id) else { return Vec::new() };
        let mut around: Vec<(isize, String)> = Vec::new();
        let mut entries = unit.entries();
        while let Ok(Some(entry)) = entries.next_dfs() {
            let depth = entry.depth();
            around.retain(|&(outer, _)| outer < depth);
            let is_scope = matches!(
                entry.tag(),
                gimli::DW_TAG_namespace | gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type
            );
            let is_it = entry.offset() == within;
            if is_scope || is_it {
                let name = self.name(&unit, entry);
                let has_name = name.is_some();
                around.extend(name.map(|name| (depth, name)));
                if is_it {
                    let names = around.into_iter().map(|(_, name)| name).collect();
                    return if has_name { names } else { Vec::new() };
                }
            }
        }
        Vec::new()
    }
}
