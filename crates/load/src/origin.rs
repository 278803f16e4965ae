//! A note inside a module that says which of its code is the user's.
//!
//! coax-cc knows it when it links; the module is loaded later, by another process. The note is a custom section,
//! which every engine ignores.

use wasmparser::{Parser, Payload};

use crate::user_code::UserCode;

/// The name of the custom section.
const SECTION: &str = "coax.user_code";

/// The module with the note appended.
pub(crate) fn with_user_code(mut wasm: Vec<u8>, user_code: &UserCode) -> serde_json::Result<Vec<u8>> {
    let note = serde_json::to_vec(user_code)?;
    let mut content = leb128(SECTION.len());
    content.extend_from_slice(SECTION.as_bytes());
    content.extend_from_slice(&note);
    wasm.push(0); // the id of custom sections
    wasm.extend(leb128(content.len()));
    wasm.extend(content);
    Ok(wasm)
}

/// What a note says, if the module has one that can be read.
pub(crate) fn user_code(wasm: &[u8]) -> Option<UserCode> {
    Parser::new(0).parse_all(wasm).map_while(Result::ok).find_map(|payload| match payload {
        Payload::CustomSection(section) if section.name() == SECTION => {
            serde_json::from_slice(section.data()).ok()
        }
        _ => None,
    })
}

fn leb128(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::user_code::UserUnits;

    #[test]
    fn a_note_comes_back() {
        let note = UserCode { units: UserUnits::Under(vec!["x".repeat(300).into()]), foreign: Vec::new() };
        let plain = wat::parse_str("(module (func (export \"f\")))").unwrap();
        assert_eq!(user_code(&plain), None);
        assert_eq!(user_code(&with_user_code(plain, &note).unwrap()), Some(note));
    }
}
