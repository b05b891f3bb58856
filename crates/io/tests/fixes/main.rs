//! Breaks correct files in one way each, fixes them, and checks the guarantees of `fix`: the finding is gone, no other
//! appears, all other bytes are the same, and a second run changes nothing.

#![allow(clippy::unwrap_used, reason = "tests may panic")]
#![allow(clippy::indexing_slicing, reason = "tests may panic")]
#![allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "tests print tables")]

mod breakage;
mod changes;
mod glb;
mod multi;
#[path = "../injected/rigs.rs"]
mod rigs;
mod shared;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use breakage::{BREAKAGES, Breakage};
use rigscope_core::diagnose::Context;
use rigscope_core::fix::FIXES;
use rigscope_core::model::{Finding, FindingGroup, Model, Report, Severity};
use rigscope_core::validate::validate;
use rigscope_io::convert::{ConvertOptions, convert, target_of};
use rigscope_io::files::{ClaimedPaths, ConversionFiles, Inputs, Pipes};
use rigscope_io::fix::{Choice, FixOptions, FixResult, fix};
use rigscope_io::formats::FORMATS;
use rigscope_io::open::Opener;
use rigscope_io::{Error, OpenOptions};

/// The file of a rig in the format with this extension.
fn file_of(rig: &Model, extension: &str) -> Vec<u8> {
    let (format, part) = target_of(extension).unwrap();
    let mut options = ConvertOptions::default();
    options.write.part = part.map(str::to_owned);
    options.write.stem = "rig".to_owned();
    options.write.hierarchy = format.info.id == "bsm2";
    let converted = convert(rig, format, extension, &options, &Report::new()).unwrap();
    converted.files[0].1.bytes.clone()
}

fn rig(name: &str) -> Model {
    rigs::all().into_iter().find(|(own, _)| own == name).unwrap().1
}

fn open(bytes: &[u8], extension: &str) -> Result<Vec<Finding>, Error> {
    let document =
        OpenOptions::default().open_bytes(&format!("rig.{extension}"), bytes.to_vec())?;
    let report = Report::new();
    validate(&document.model, &report).unwrap();
    Ok([document.findings, report.findings()].concat())
}

fn count(findings: &[Finding], code: &str) -> u64 {
    findings.iter().filter(|finding| finding.kind.code() == code).map(|f| f.count).sum()
}

fn fixed(bytes: &[u8], extension: &str, choice: Choice) -> FixResult {
    let opener = Opener::new(&OpenOptions::default(), Pipes::Refused, &Report::new()).unwrap();
    let opener = opener.with_images();
    let file = opener.file_in_memory(&format!("rig.{extension}"), bytes.to_vec());
    let document = opener.read(&file, &Report::new()).unwrap();
    let target = PathBuf::from(format!("fixed.{extension}"));
    let with: [PathBuf; 0] = [];
    let files = || ConversionFiles {
        target: &target,
        input: Path::new("rig"),
        with: &with,
        inputs: Inputs::none(),
        force: true,
        claims: ClaimedPaths::default(),
        read_findings: &[],
    };
    let options = FixOptions { choice, context: Context::default(), diagnosis: None };
    fix(&file, &document, &options, &files, &Report::new()).unwrap()
}

fn named(code: &str) -> Choice {
    Choice::codes([code.to_owned()])
}

/// Checks one fix; an error describes the failure.
fn check(breakage: &Breakage, broken: &[u8]) -> Result<(), String> {
    let Breakage { code, extension, is_patched, .. } = *breakage;
    let before = open(broken, extension).map_err(|error| format!("can't be read: {error}"))?;
    if count(&before, code) == 0 {
        let codes: Vec<&str> = before.iter().map(|finding| finding.kind.code()).collect();
        return Err(format!("the breakage has no such finding: {codes:?}"));
    }
    let result = fixed(broken, extension, named(code));
    let Some(written) = &result.written else {
        return Err(format!("not fixed: {:?}", result.refused));
    };
    if written.is_patched != is_patched {
        return Err(format!("patched: {}", written.is_patched));
    }
    let bytes = &written.files[0].1.bytes;
    let after = open(bytes, extension).map_err(|error| format!("the result: {error}"))?;
    if count(&after, code) > 0 {
        return Err("the finding remains".to_owned());
    }
    // Rules about keys skip unsorted curves.
    let is_examined = |finding: &&Finding| {
        code != "keys-not-ascending" || finding.kind.info().group != FindingGroup::Animation
    };
    for finding in after.iter().filter(is_examined) {
        let is_worse = finding.severity() >= Severity::Warning
            && finding.count > count(&before, finding.kind.code());
        if is_patched && (is_worse || count(&before, finding.kind.code()) == 0) {
            return Err(format!("new: {finding:?}"));
        }
    }
    if is_patched {
        other_bytes_are_same(breakage, broken, bytes)?;
    }
    let again = fixed(bytes, extension, named(code));
    if again.written.is_some() {
        return Err("a second run changes the file".to_owned());
    }
    damage(bytes, extension);
    Ok(())
}

/// Compares everything outside the arrays that the breakage names, by the byte map.
fn other_bytes_are_same(breakage: &Breakage, old: &[u8], new: &[u8]) -> Result<(), String> {
    let may_change = |bytes: &[u8]| -> BTreeSet<u64> {
        let document = OpenOptions::default()
            .open_bytes(&format!("rig.{}", breakage.extension), bytes.to_vec())
            .unwrap();
        let provenance = &document.model.provenance;
        let own = provenance.spans.iter().filter(|span| {
            let is_named = |field: &str| span.fields.iter().any(|own| own.name == field);
            breakage.fields.iter().any(|field| is_named(field))
                || breakage.fields.contains(&span.element.name())
        });
        own.flat_map(|span| (0..span.count).filter_map(|at| span.record(span.first + at)))
            .flatten()
            .collect()
    };
    let (old_parts, new_parts) = (may_change(old), may_change(new));
    let rest = |bytes: &[u8], parts: &BTreeSet<u64>| -> Vec<u8> {
        let own = (0u64..).zip(bytes).filter(|(at, _)| !parts.contains(at));
        own.map(|(_, byte)| *byte).collect()
    };
    let (mut old, mut new) = (rest(old, &old_parts), rest(new, &new_parts));
    if breakage.fields.contains(&"JSON") && breakage.extension == "glb" {
        // The lengths of the file and of the JSON chunk.
        old.drain(8..16);
        new.drain(8..16);
    }
    if old == new { Ok(()) } else { Err("other bytes have changed".to_owned()) }
}

/// Opens truncated and changed results, which must not panic.
fn damage(bytes: &[u8], extension: &str) {
    for part in 1..16 {
        let cut = bytes.len() * part / 16;
        let _ = open(&bytes[..cut], extension);
        let mut changed = bytes.to_vec();
        changed[cut] ^= 0x5a;
        let _ = open(&changed, extension);
    }
}

#[test]
fn each_fix_removes_its_finding_and_changes_nothing_else() {
    let only = std::env::var("RIGSCOPE_FIX").ok();
    let mut faults = Vec::new();
    for breakage in BREAKAGES {
        if only.as_ref().is_some_and(|only| only != breakage.code) {
            continue;
        }
        let mut bytes = file_of(&rig(breakage.rig), breakage.extension);
        (breakage.apply)(&mut bytes);
        if let Err(fault) = check(breakage, &bytes) {
            faults.push(format!("{} ({}): {fault}", breakage.code, breakage.extension));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Codes without a breakage: the rigs have no seams, and `overdraw-order` shares its fix with `vertex-cache-order`.
/// The vertices of a rig are too few for `vertex-fetch-order`.
const WITHOUT_BREAKAGE: &[&str] =
    &["torn-seam", "uneven-seam", "overdraw-order", "vertex-fetch-order"];

#[test]
fn every_fix_has_a_test() {
    let of_files = FORMATS.iter().filter_map(|format| format.writer?.editor);
    let of_files = of_files.flat_map(|editor| editor.fixes.iter().flat_map(|fix| fix.codes));
    let all = FIXES.iter().flat_map(|fix| fix.codes).chain(of_files).copied();
    let is_tested = |code: &&str| {
        BREAKAGES.iter().any(|breakage| breakage.code == *code) || WITHOUT_BREAKAGE.contains(code)
    };
    let untested: BTreeSet<&str> = all.filter(|code| !is_tested(code)).collect();
    assert_eq!(untested, BTreeSet::new());
}

#[test]
fn good_files_remain_unchanged() {
    for (name, model) in rigs::all() {
        for extension in ["glb", "gltf", "iqm"] {
            let bytes = file_of(&model, extension);
            if extension == "gltf" {
                continue;
            }
            let result = fixed(&bytes, extension, Choice::All);
            assert!(result.written.is_none(), "{name}.{extension}: {:?}", result.applied);
        }
    }
}

#[test]
fn causes_are_undone_in_place() {
    let bytes =
        glb::with_numbers(file_of(&rig("biped"), "glb"), "inverse bind matrix", |matrix, _| {
            let transposed = glam::DMat4::from_cols_slice(matrix).transpose();
            matrix.copy_from_slice(&transposed.to_cols_array());
        });
    let choice = Choice::causes(["inverse-binds-transposed".to_owned()]);
    let result = fixed(&bytes, "glb", choice.clone());
    let written = result.written.unwrap();
    assert!(written.is_patched);
    assert!(result.moved.unwrap().of_extent().unwrap() > 0.1);
    assert_eq!(written.files[0].1.bytes, file_of(&rig("biped"), "glb"));
    assert!(fixed(&written.files[0].1.bytes, "glb", choice).written.is_none());
}
