//! `rules`, and how `validate` chooses which findings count.

use rigscope_core::diagnose::CAUSES;
use rigscope_core::model::{FindingKind, MeshId};
use rigscope_core::validate::findings;
use serde_json::{Value, json};

use super::runner::Folder;
use crate::support::{fixtures, readable_samples};

/// The codes found in the first file.
fn codes(found: &Value) -> Vec<&str> {
    let findings = found["files"][0]["notes"].as_array().unwrap();
    findings.iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

#[test]
fn rules_lists_every_finding_with_its_fix() {
    let folder = Folder::new();
    let text = folder.run_to(0, &["rules"]).stdout;
    let found = folder.run_to(0, &["rules", "--json"]).json();
    assert_eq!(found["schema"], "rigscope.rules/1");
    let rules = found["rules"].as_array().unwrap();
    assert_eq!(rules.len(), findings().count());
    let causes = found["causes"].as_array().unwrap();
    assert_eq!(causes.len(), CAUSES.len());
    let section = text.split("\ncauses\n").nth(1).unwrap();
    for (entry, row) in causes.iter().zip(CAUSES) {
        let expected = json!({
            "name": row.name, "meaning": row.statement, "fix": row.fix, "explains": row.explains,
            "guess": row.is_guess(),
        });
        assert_eq!(*entry, expected);
        assert!(section.contains(row.statement) && section.contains(row.name));
    }
    for (entry, row) in rules.iter().zip(findings().map(FindingKind::info)) {
        let expected = json!({
            "code": row.code, "severity": row.severity.as_str(), "group": row.group.as_str(),
            "meaning": row.meaning, "effect": row.consequence, "fix": row.fix, "example": row.example,
            "mend": row.fix,
        });
        assert_eq!(*entry, expected);
        assert!(text.contains(row.meaning) && text.contains(row.code));
    }
}

#[test]
fn one_rule_is_explained_and_an_unknown_one_gets_a_suggestion() {
    let folder = Folder::new();
    let info = FindingKind::ZeroNormal.info();
    let text = folder.run_to(0, &["rules", "zero-normal"]).stdout;
    for part in [info.meaning, info.consequence, info.fix] {
        assert!(text.contains(part), "{text}");
    }
    let one = folder.run_to(0, &["rules", "zero-normal", "--json"]).json();
    assert_eq!(one["rules"].as_array().unwrap().len(), 1);
    let ran = folder.run_to(2, &["rules", "zero-normals"]);
    assert!(ran.stderr.contains("did you mean `zero-normal`"), "{}", ran.stderr);
}

#[test]
fn a_cause_is_explained_by_its_name() {
    let folder = Folder::new();
    let info = CAUSES.iter().find(|cause| cause.name == "up-axis").unwrap();
    let ran = folder.run_to(0, &["rules", "up-axis"]);
    let text = &ran.stdout;
    assert!(text.starts_with("up-axis (cause)\n"), "{text}");
    for part in [info.statement, info.fix, "rigscope diagnose FILE", "--cause up-axis", "a guess"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let found = folder.run_to(0, &["rules", "inverse-binds-transposed"]).stdout;
    assert!(
        found.contains("Explains: wrong-inverse-bind, ") && !found.contains("guess"),
        "{found}"
    );
    let one = folder.run_to(0, &["rules", "up-axis", "--json"]).json();
    assert_eq!((&one["rules"], one["causes"].as_array().unwrap().len()), (&json!([]), 1));
    let both = folder.run_to(0, &["rules", "tangent-sign"]).stdout;
    assert!(both.contains("tangent-sign (warning, mesh)") && both.contains("tangent-sign (cause)"));
    let ran = folder.run_to(2, &["rules", "inverse-bind-transposed"]);
    let words = "unknown finding or cause `inverse-bind-transposed`; did you mean \
                 `inverse-binds-transposed`?";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
}

#[test]
fn a_denied_code_fails_and_an_ignored_one_is_dropped_and_counted() {
    let folder = Folder::with(&fixtures::with_zero_normal());
    let validate = |code: i32, args: &[&str]| {
        let args = [&["validate", "a.bsm2", "--json"], args].concat();
        folder.run_to(code, &args).json()
    };
    validate(1, &["--deny", "zero-normal"]);
    validate(0, &["--deny", "no-clips", "--deny", "zero-tangent"]);
    let found = validate(0, &["--allow", "zero-normal", "--deny", "warnings"]);
    assert!(!codes(&found).contains(&"zero-normal"));
    assert_eq!((&found["allowed"], &found["warnings"]), (&json!(1), &json!(0)));
    let text = folder.run_to(0, &["validate", "a.bsm2", "--allow", "zero-normal"]);
    assert!(text.stdout.ends_with("0 warnings, 3 infos, 1 ignored\n"), "{}", text.stdout);
}

#[test]
fn only_selected_rules_and_unreadable_files_are_reported() {
    let mut model = fixtures::with_zero_normal();
    model.meshes[MeshId(0)].subsets.truncate(1);
    let folder = Folder::with(&model);
    let of = |rules: &str| {
        let args = ["validate", "a.bsm2", "--json", "--rules", rules];
        folder.run_to(0, &args).json()
    };
    assert_eq!(codes(&of("zero-normal")), ["zero-normal"]);
    assert_eq!(codes(&of("zero-normal,uncovered-indices")).len(), 2);
    assert!(!codes(&of("animation")).contains(&"zero-normal"));
    // Bone 0 never moves: a rule's finding, and none of a reader's.
    assert!(codes(&of("all")).contains(&"bone-never-moves"), "{}", of("all"));
    assert!(!codes(&of("readers")).contains(&"bone-never-moves"));
    folder.put_bytes("a.bsm2", &[0xff; 40]);
    let args = ["validate", "a.bsm2", "--rules", "animation"];
    assert!(folder.run_to(1, &args).stdout.contains("unreadable"));
}

#[test]
fn unknown_codes_are_usage_errors_and_the_nearest_is_suggested() {
    let folder = Folder::with(&fixtures::two_triangles());
    for option in ["--allow", "--deny", "--rules"] {
        let ran = folder.run_to(2, &["validate", "a.bsm2", option, "zero-normals"]);
        assert!(ran.stderr.contains("did you mean `zero-normal`"), "{}", ran.stderr);
    }
    folder.run_to(2, &["validate", "a.bsm2", "--json", "--sarif"]);
}

#[test]
fn the_project_config_applies_and_the_command_line_overrides_it() {
    let folder = Folder::new();
    folder.put("in/a.bsm2", &fixtures::with_zero_normal());
    let validate = |code: i32, args: &[&str]| {
        folder.run_to(code, &[&["validate", "in", "--json"], args].concat())
    };
    folder.put_bytes("rigscope.toml", b"[validate]\ndeny = ['warnings']\n");
    validate(1, &[]);
    validate(0, &["--allow", "zero-normal"]);
    folder.put_bytes("in/rigscope.toml", b"[validate]\nallow = ['zero-normal']\n");
    assert_eq!(validate(0, &[]).json()["allowed"], 1);
    validate(1, &["--deny", "zero-normal"]);
    validate(1, &["--config", "rigscope.toml"]);
    folder.put_bytes("in/rigscope.toml", b"[validate]\n\nallow = ['zero-normals']\n");
    let ran = validate(2, &[]);
    assert!(
        ran.stderr.contains("rigscope.toml: error: line 3, column 10: unknown"),
        "{}",
        ran.stderr
    );
    validate(2, &["--config", "missing.toml"]);
}

#[test]
fn sarif_contains_rule_level_file_and_place() {
    let folder = Folder::new();
    folder.put("in/a b.bsm2", &fixtures::with_zero_normal());
    let good = fixtures::bsm2(&fixtures::two_triangles());
    folder.put_bytes("in/cut.bsm2", &good[..good.len() - 9]);
    let found = folder.run_to(1, &["validate", "in", "--sarif", "--rules", "readers"]).json();
    assert_eq!(found["version"], "2.1.0");
    let run = &found["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), findings().count());
    let results = run["results"].as_array().unwrap();
    for result in results {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(rule["defaultConfiguration"]["level"], result["level"]);
        let help = rule["help"]["markdown"].as_str().unwrap();
        assert!(help.contains(rule["fullDescription"]["text"].as_str().unwrap()), "{help}");
        assert!(help.contains(rule["help"]["text"].as_str().unwrap()), "{help}");
    }
    let of = |code: &str| results.iter().find(|result| result["ruleId"] == code).unwrap();
    let place = |result: &Value| result["locations"][0]["physicalLocation"].clone();
    let zero = of("zero-normal");
    assert_eq!(zero["level"], "warning");
    assert_eq!(place(zero)["artifactLocation"]["uri"], "in/a%20b.bsm2");
    let logical = &zero["locations"][0]["logicalLocations"][0]["fullyQualifiedName"];
    assert_eq!(*logical, "meshes[0].vertices[2]");
    let cut = place(of("unreadable"));
    assert!(cut["region"]["byteOffset"].is_u64(), "{cut}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_is_validated_without_a_panic() {
    let samples = readable_samples();
    let folder = Folder::new();
    let paths = samples.iter().map(|path| std::fs::canonicalize(path).unwrap());
    let paths: Vec<_> = paths.map(|path| path.to_str().unwrap().to_owned()).collect();
    let mut args = vec!["validate", "--json"];
    args.extend(paths.iter().map(String::as_str));
    let ran = folder.run(&args);
    assert!(ran.code <= 1, "{}", ran.stderr);
    assert!(!ran.stdout.contains("internal error"), "{}", ran.stdout);
    assert_eq!(ran.json()["files"].as_array().unwrap().len(), paths.len());
}
