//! The summary and the findings of a file, without a window, for browsers without WebGPU.

use anyhow::Context as _;
use serde::Serialize;
use wasm_bindgen::JsValue;

use super::files;
use super::page::field;
use rigscope_core::model::Report;
use rigscope_core::summary::{FindingEntry, Info};
use rigscope_core::validate::validate;
use rigscope_io::OpenOptions;
use rigscope_io::files::{Pipes, name_of};
use rigscope_io::open::{Opener, info};

#[derive(Serialize)]
struct Description {
    info: Info,
    findings: Vec<FindingEntry>,
}

/// The description of the first of the `files` of `given`, as JSON; the others are related files.
///
/// # Errors
/// A message for the user.
pub fn describe(given: &JsValue) -> anyhow::Result<String> {
    let mut named = files::put(&field(given, "files")).into_iter();
    let (path, _) = named.next().context("no file is given")?;
    let with = named.filter(|(_, word)| word == "with").map(|(path, _)| path).collect();
    let options = OpenOptions { with, ..OpenOptions::default() };
    let report = Report::new();
    let opener = Opener::new(&options, Pipes::Refused, &report)
        .map_err(|(path, error)| anyhow::anyhow!("{}: {error}", name_of(&path)))?;
    let name = name_of(&path);
    let document = opener.open(&path, &report);
    let document = document.map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    let rules = Report::new();
    // This report is never cancelled.
    let _ = validate(&document.model, &rules);
    let mut findings = document.findings(&rules);
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
    let findings = findings.iter().map(FindingEntry::from).collect();
    Ok(serde_json::to_string(&Description { info: info(&document, &name), findings })?)
}
