//! The page's arguments, from its address or from its creation (`rigscope share`), named like command-line
//! options.

use anyhow::Context as _;
use js_sys::Array;
use wasm_bindgen::JsValue;

use super::files;
use super::page::{field, log};
use crate::app::{RunArgs, ScriptArgs};
use rigscope_core::model::UpAxis;
use rigscope_core::runtime::Runtime;
use rigscope_io::formats::EFFECT_CONFIG;

/// Opens the window in the page. `page_args` has `files` that the page has fetched, each with the `word` that
/// named it (none for related files), and `words`, pairs of name and value. Without a file, it opens the
/// sample.
///
/// # Errors
/// If a value is invalid, or the page already has a window.
pub fn open(given: &JsValue) -> anyhow::Result<()> {
    super::super::run(args(given)?)
}

fn args(given: &JsValue) -> anyhow::Result<RunArgs> {
    let mut args = RunArgs::default();
    let mut steps = ScriptArgs::default();
    for (path, word) in files::put(&field(given, "files")) {
        match &*word {
            "url" => args.files.push(path),
            "with" => args.options.with.push(path),
            "compare" => steps.compare = Some(path),
            _ => {}
        }
    }
    args.is_embedded = field(given, "isEmbedded").is_truthy();
    args.sample = args.files.is_empty() && field(given, "wantsSample").is_truthy();
    for pair in Array::from(&field(given, "words")) {
        let pair = Array::from(&pair);
        let text = |at| pair.get(at).as_string().unwrap_or_default();
        let (word, value) = (text(0), text(1));
        match &*word {
            "clip" => args.clip = Some(value),
            "time" => args.time_secs = Some(number(&word, &value)?),
            "fps" => args.options.fps = Some(number(&word, &value)?),
            "format" => args.options.format = Some(value),
            "up" => args.options.up = Some(up_axis(&value)?),
            "without" => args.options.without.push(value),
            "no-effect" => args.options.without.push(EFFECT_CONFIG.to_owned()),
            "bones-by-order" => args.options.bones_by_order = true,
            "as" => steps.runtime = Some(runtime(&value)?),
            "run" => steps.run.extend(listed(&value)),
            "panes" => steps.panes.extend(listed(&value)),
            "select" => steps.select = Some(value),
            _ => log(&format!("unknown argument in the address: {word}")),
        }
    }
    args.with_script(steps)
}

fn listed(value: &str) -> impl Iterator<Item = String> {
    value.split(',').filter(|word| !word.is_empty()).map(str::to_owned)
}

fn number(word: &str, value: &str) -> anyhow::Result<f64> {
    let number = value.parse().ok().filter(|number: &f64| number.is_finite());
    number.with_context(|| format!("{word}={value}: not a number"))
}

fn runtime(id: &str) -> anyhow::Result<&'static Runtime> {
    Runtime::of_id(id).with_context(|| format!("as={id}: no such runtime"))
}

fn up_axis(value: &str) -> anyhow::Result<UpAxis> {
    match value {
        "y" => Ok(UpAxis::Y),
        "z" => Ok(UpAxis::Z),
        _ => anyhow::bail!("up={value}: must be y or z"),
    }
}
