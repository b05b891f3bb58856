//! Damaged files: `validate`, `diagnose`, `diff` and `fix` agree about each of them.

use rigscope_core::model::Model;
use serde_json::Value;

use super::faults::{FAULTS, Fault};
use super::runner::{Folder, Ran};
use super::{edits, rigs};
use crate::support::written::converted;

/// The good rig, with every fault that it can have.
const RIG: &str = "biped";
/// The fewest damaged files.
const MIN_FILES: usize = 40;
/// Distances of one file in two reports may differ by this fraction.
const SAME: f64 = 0.01;
/// A fixed file deviates from the good one by less than this fraction of its size.
const RESTORED: f64 = 1e-3;

fn glb(model: &Model) -> Vec<u8> {
    converted(model, "gltf", None).files.remove(0).1.bytes
}

fn names<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    let all = list.as_array().into_iter().flatten();
    all.filter_map(|own| own[key].as_str()).collect()
}

/// The distance of `diff --json`, and its share of the size.
fn distance(diff: &Value) -> [f64; 2] {
    let of = |key: &str| diff["worst"][key].as_f64().unwrap_or_default();
    [of("distance"), of("of_size")]
}

/// The reports of the commands about a damaged file.
struct Story {
    validate: Value,
    validate_text: String,
    diagnose: Value,
    fix: Ran,
}

/// Contradictions between the reports about a damaged file, and whether a fix restored the good drawing, if it was fixed.
fn contradictions(folder: &Folder) -> (Vec<String>, Option<bool>) {
    let story = Story {
        validate: folder.run(&["validate", "bad.glb", "--json"]).json(),
        validate_text: folder.run(&["validate", "bad.glb"]).stdout,
        diagnose: folder.run(&["diagnose", "bad.glb", "--json"]).json(),
        fix: folder.run(&["fix", "bad.glb", "-o", "fixed.glb", "--json", "--force"]),
    };
    let mut out = Vec::new();
    let causes = story.diagnose["causes"].as_array().unwrap();
    let named = names(&story.diagnose["causes"], "cause");
    let of_validate = names(&story.validate["files"][0]["causes"], "cause");
    if !of_validate.iter().all(|name| named.contains(name)) {
        out.push(format!("validate names {of_validate:?}, diagnose {named:?}"));
    }
    if !of_validate.is_empty() && story.validate_text.contains("bad.glb: ok") {
        out.push("validate prints ok under a cause".to_owned());
    }
    let findings = names(&story.validate["files"][0]["notes"], "code");
    for cause in story.validate["files"][0]["causes"].as_array().into_iter().flatten() {
        let mut explained = cause["explains"].as_array().into_iter().flatten();
        if !explained.all(|code| findings.contains(&code.as_str().unwrap())) {
            out.push(format!("{cause} explains findings that validate doesn't list"));
        }
    }
    let fixed = story.fix.json();
    let applied = names(&fixed["applied"], "cause");
    for cause in causes {
        let name = cause["cause"].as_str().unwrap();
        let is_offered = !cause["fix"]["command"].is_null();
        let is_decided = cause["rivals"].is_null() && cause["guess"] == false;
        if is_offered && is_decided && !applied.contains(&name) {
            out.push(format!("diagnose offers the fix of {name}, and fix doesn't apply it"));
        }
        if !is_offered && applied.contains(&name) {
            out.push(format!("fix applies {name}, which diagnose says it can't"));
        }
    }
    if applied.is_empty() {
        return (out, None);
    }
    let moved = fixed["moved"]["max"].as_f64().unwrap_or_default();
    let diff = folder.run(&["diff", "bad.glb", "fixed.glb", "--json"]).json();
    let [found, _] = distance(&diff);
    // Otherwise `diff` pairs other vertices than `fix`, or compares the vertices as stored only.
    let is_comparable = diff["matched"]["by"] == "index" && diff["worst"]["clip"].is_number();
    if is_comparable && (moved - found).abs() > SAME * moved.max(found) + 1e-4 {
        out.push(format!("fix moves vertices by {moved}, diff finds {found}"));
    }
    let after = folder.run(&["validate", "fixed.glb", "--json"]).json();
    let codes = names(&after["files"][0]["notes"], "code");
    for left in fixed["unfixable"].as_array().into_iter().flatten() {
        let code = left["code"].as_str().unwrap();
        let is_info = !names(&story.validate["files"][0]["notes"], "code").contains(&code);
        if !codes.contains(&code) && !is_info {
            out.push(format!("fix leaves {code}, which validate doesn't find any more"));
        }
    }
    let again = folder.run(&["diagnose", "fixed.glb", "--json"]).json();
    let still = names(&again["causes"], "cause");
    if applied.iter().any(|name| still.contains(name)) {
        out.push(format!("{applied:?} were undone, but diagnose still names {still:?}"));
    }
    let from_good = folder.run(&["diff", "good.glb", "fixed.glb", "--json"]).json();
    (out, Some(distance(&from_good)[1] <= RESTORED))
}

fn damaged(fault: &Fault, good: &Model) -> Option<Model> {
    let mut bad = good.clone();
    let is_possible = !fault.needs_bones || edits::has_binds(good);
    (is_possible && (fault.inject)(&mut bad)).then_some(bad)
}

#[test]
fn all_commands_agree_about_damaged_files() {
    let folder = Folder::new();
    let (mut num, mut fixed, mut wrong) = (0, [0; 2], Vec::new());
    for (name, rig) in rigs::all().iter().filter(|(name, _)| name == RIG) {
        let good = edits::good(rig);
        folder.put_bytes("good.glb", &glb(&good));
        for fault in FAULTS {
            let Some(bad) = damaged(fault, &good) else { continue };
            folder.put_bytes("bad.glb", &glb(&bad));
            num += 1;
            let (contradictions, restores) = contradictions(&folder);
            let lines = contradictions.into_iter();
            wrong.extend(lines.map(|line| format!("{name}, {}: {line}", fault.name)));
            if let Some(restores) = restores {
                fixed[0] += 1;
                fixed[1] += usize::from(restores);
                if !restores {
                    println!("{name}, {}: not restored", fault.name);
                }
            }
        }
    }
    assert!(num >= MIN_FILES, "{num} files");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let [num_fixed, num_restored] = fixed;
    assert!(num_restored * 100 >= num_fixed * 90, "{num_restored} of {num_fixed} restored");
}
