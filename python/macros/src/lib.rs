//! The attribute that guards the entries of the Python package.

use proc_macro::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Block, Error, ImplItem, Item, ReturnType, Signature, Type, parse_macro_input, parse_quote,
};

/// Turns panics in a function, or in the methods of an `impl` block, into `rigscope.errors.InternalError`, because
/// `except Exception` doesn't catch the `PanicException` of PyO3. Must come before `#[pyfunction]` and `#[pymethods]`.
#[proc_macro_attribute]
pub fn guarded(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as Item);
    match &mut item {
        Item::Fn(function) => guard(&mut function.sig, &mut function.block),
        Item::Impl(methods) => {
            for method in &mut methods.items {
                if let ImplItem::Fn(method) = method {
                    guard(&mut method.sig, &mut method.block);
                }
            }
        }
        other => {
            let message = "guards functions and the methods of an `impl` block";
            return Error::new_spanned(other, message).into_compile_error().into();
        }
    }
    item.into_token_stream().into()
}

/// Makes a function return a `PyResult`, if it doesn't yet, and run its body within `crate::running::guarded`.
fn guard(signature: &mut Signature, body: &mut Block) {
    let output: Type = match &signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, output) => (**output).clone(),
    };
    if is_result(&output) {
        *body = parse_quote!({ crate::running::guarded(move || -> #output #body) });
    } else {
        signature.output = parse_quote!(-> ::pyo3::PyResult<#output>);
        *body = parse_quote!({
            let run = move || -> #output #body;
            crate::running::guarded(move || ::pyo3::PyResult::Ok(run()))
        });
    }
}

fn is_result(output: &Type) -> bool {
    let Type::Path(path) = output else { return false };
    path.path.segments.last().is_some_and(|last| quote!(#last).to_string().starts_with("PyResult"))
}
