//! The derive and the attributes of the `coax` crate, and those that its `kani` counterpart has beside them.
//!
//! They are written without `syn` and `quote`, because coax compiles them on the user's machine, offline.

mod derive;
mod entry;

use proc_macro::TokenStream;

/// Makes any value of a struct or enum available: each field gets any value, and is called by its name.
#[proc_macro_derive(Arbitrary)]
pub fn derive_arbitrary(item: TokenStream) -> TokenStream {
    derive::arbitrary(item, "coax")
}

/// A harness: a function without parameters that a run can start with.
#[proc_macro_attribute]
pub fn test(_arguments: TokenStream, function: TokenStream) -> TokenStream {
    entry::export(function)
}

/// `kani::Arbitrary`: the same derive, for a crate that knows the trait by that path.
#[proc_macro_derive(KaniArbitrary, attributes(safety_constraint))]
pub fn derive_kani_arbitrary(item: TokenStream) -> TokenStream {
    derive::arbitrary(item, "kani")
}

/// `kani::stub`: the harness ends where it begins, for what it would run is not what it means.
#[proc_macro_attribute]
pub fn not_applied(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let wanted = arguments.to_string().replace(['"', '\\'], "");
    entry::begin_with(function, &format!("::kani::without_stubs(\"{wanted}\");"))
}

/// `kani::unwind`, `kani::solver`, …: what tells a model checker how to work means nothing to a run.
#[proc_macro_attribute]
pub fn ignored(_arguments: TokenStream, function: TokenStream) -> TokenStream {
    function
}

/// `kani::should_panic`: a run that panics fails all the same, and says that this is ignored.
#[proc_macro_attribute]
pub fn should_panic(_arguments: TokenStream, function: TokenStream) -> TokenStream {
    entry::mark_ignored("should_panic", function)
}

/// `kani::stub_verified`: the function is called all the same, and a run says that this is ignored.
#[proc_macro_attribute]
pub fn stub_verified(_arguments: TokenStream, function: TokenStream) -> TokenStream {
    entry::mark_ignored("stub_verified", function)
}
