//! The schema in the repository is that of the types.

use coax_report::summary::schema_text;
use std::path::Path;

#[test]
fn the_schema_is_what_the_types_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, schema_text()).unwrap();
    }
    let is_same = std::fs::read_to_string(&file).is_ok_and(|there| there == schema_text());
    assert!(
        is_same,
        "docs/report.schema.json is not what the types say: `BLESS=1 cargo test --workspace --test schema` writes it"
    );
}
