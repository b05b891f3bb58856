//! The page's arguments, from its address or from its creation (`rigscope share`).

use js_sys::Array;
use wasm_bindgen::JsValue;

use super::files;
use super::page::{field, list};
use crate::app::{RunArgs, ScriptArgs, link_args};

/// Opens the window in the page. `page_args` has `files` that the page has fetched, each with the `word` that named it
/// (none for related files), `warnings` to show, and `words`, pairs of name and value. Without a file, it opens the
/// sample if it has `wantsSample`.
///
/// # Errors
/// If the page already has a window.
pub fn open(page_args: &JsValue) -> anyhow::Result<()> {
    super::super::run(args(page_args))
}

fn args(page_args: &JsValue) -> RunArgs {
    let mut args = RunArgs::default();
    let mut steps = ScriptArgs::default();
    for (path, word) in files::put(&field(page_args, "files")) {
        match &*word {
            "url" => args.files.push(path),
            "with" => args.options.with.push(path),
            "compare" => steps.compare = Some(path),
            _ => {}
        }
    }
    args.is_embedded = field(page_args, "isEmbedded").is_truthy();
    args.sample = args.files.is_empty() && field(page_args, "wantsSample").is_truthy();
    let warnings = list(page_args, "warnings");
    args.warnings.extend(warnings.iter().filter_map(|warning| warning.as_string()));
    let words = list(page_args, "words");
    let text = |pair: &Array, at| pair.get(at).as_string().unwrap_or_default();
    let words = words.iter().map(|pair| Array::from(&pair));
    link_args::add(&mut args, steps, words.map(|pair| (text(&pair, 0), text(&pair, 1))));
    args
}
