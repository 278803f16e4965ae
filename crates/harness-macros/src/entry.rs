//! Harness functions become exports of the module, under their own names, and each is marked as one by another export.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// How often a name was given in this crate: functions of different modules may share one, exports may not.
static GIVEN: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());

/// The function, and an exported one that calls it.
pub(crate) fn export(function: TokenStream) -> TokenStream {
    let Some(name) = name_of(&function) else {
        return "::core::compile_error!(\"a harness is a function\");".parse().unwrap_or_default();
    };
    if is_left_out(&name) {
        return TokenStream::new();
    }
    let export = unique(name.trim_start_matches("r#"));
    let wrapper = format!(
        "#[cfg(target_family = \"wasm\")]
        const _: () = {{
            #[unsafe(export_name = \"{export}\")]
            pub extern \"C\" fn entry() {{
                let _ = {name}();
            }}
            #[unsafe(export_name = \"__coax_harness_{export}\")]
            pub extern \"C\" fn mark() {{
                entry()
            }}
        }};"
    );
    let mut tokens = without_test(function);
    tokens.extend(wrapper.parse::<TokenStream>().unwrap_or_default());
    tokens
}

/// Whether coax said that this one does not compile.
fn is_left_out(name: &str) -> bool {
    let names = std::env::var("COAX_LEAVE_OUT").unwrap_or_default();
    names.split(',').any(|left_out| left_out == name.trim_start_matches("r#"))
}

/// The function, and an export that says that an attribute of it is not followed.
pub(crate) fn mark_ignored(attribute: &str, function: TokenStream) -> TokenStream {
    let Some(name) = name_of(&function) else { return function };
    let export = unique(&format!("__coax_ignored_{attribute}_{}", name.trim_start_matches("r#")));
    let mark = format!(
        "#[cfg(target_family = \"wasm\")]
        const _: () = {{
            #[unsafe(export_name = \"{export}\")]
            pub extern \"C\" fn mark() {{}}
        }};"
    );
    let mut tokens = function;
    tokens.extend(mark.parse::<TokenStream>().unwrap_or_default());
    tokens
}

/// The function, which does this first.
pub(crate) fn begin_with(function: TokenStream, statement: &str) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut() {
        let mut statements = statement.parse::<TokenStream>().unwrap_or_default();
        statements.extend(body.stream());
        *body = Group::new(Delimiter::Brace, statements);
    }
    tokens.into_iter().collect()
}

/// The function without `#[test]`, which would leave it out of everything but a build of tests.
fn without_test(function: TokenStream) -> TokenStream {
    let is_test = |token: &TokenTree| token.to_string() == "[test]";
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in function {
        if is_test(&token) && kept.last().is_some_and(|last| last.to_string() == "#") {
            kept.pop();
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}

/// The word after the first `fn`.
fn name_of(function: &TokenStream) -> Option<String> {
    let mut words = function.clone().into_iter().map(|token| match token {
        TokenTree::Ident(word) => word.to_string(),
        _ => String::new(),
    });
    words.find(|word| word == "fn")?;
    words.next().filter(|name| !name.is_empty())
}

/// The name, with a number if it was given before.
fn unique(name: &str) -> String {
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let count = given.entry(name.to_owned()).or_default();
    *count += 1;
    if *count == 1 {
        name.to_owned()
    } else {
        format!("{name}_{count}")
    }
}
