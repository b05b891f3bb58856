//! `baseline`, `check`, `init` and the rules of `rigscope.toml`.

use serde_json::Value;

use super::runner::Folder;

/// A folder with the sample in two formats and its baseline.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.put_bytes("in/hero.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "in/hero.bsm2", "-o", "in/hero.glb"]);
    folder.run_to(0, &["baseline", "in"]);
    folder
}

/// Moves a vertex of a `.glb` along x.
fn move_vertex(folder: &Folder, name: &str, vertex: usize, by: f32) {
    let mut bytes = folder.bytes(name);
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json_bytes = number(12);
    let json: Value = serde_json::from_slice(&bytes[20..20 + json_bytes]).unwrap();
    let accessor = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap();
    let accessor = &json["accessors"][usize::try_from(accessor).unwrap()];
    let view =
        &json["bufferViews"][usize::try_from(accessor["bufferView"].as_u64().unwrap()).unwrap()];
    let offset =
        |value: &Value| value["byteOffset"].as_u64().map_or(0, |at| usize::try_from(at).unwrap());
    let at = 28 + json_bytes + offset(accessor) + offset(view) + vertex * 12;
    let x = f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    bytes[at..at + 4].copy_from_slice(&(x + by).to_le_bytes());
    folder.put_bytes(name, &bytes);
}

fn states(folder: &Folder, code: i32) -> Vec<(String, String)> {
    let found = folder.run_to(code, &["check", "--json"]).json();
    assert_eq!(found["schema"], "rigscope.check/1");
    let files = found["files"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    files.map(|file| (text(&file["file"]), text(&file["state"]))).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn unchanged_renamed_missing_and_new_files_are_told_apart() {
    let folder = folder();
    let lines = folder.read("rigscope.lock.jsonl");
    assert!(
        lines.starts_with("{\"schema\":\"rigscope.lock/1\"}\n{\"file\":\"in/hero.bsm2\""),
        "{lines}"
    );
    assert_eq!(lines.lines().count(), 3);
    assert_eq!(
        states(&folder, 0),
        pairs(&[("in/hero.bsm2", "unchanged"), ("in/hero.glb", "unchanged")])
    );
    std::fs::create_dir(folder.path("moved")).unwrap();
    std::fs::rename(folder.path("in/hero.glb"), folder.path("moved/hero.glb")).unwrap();
    assert_eq!(
        states(&folder, 0),
        pairs(&[("in/hero.bsm2", "unchanged"), ("moved/hero.glb", "renamed")])
    );
    std::fs::remove_file(folder.path("moved/hero.glb")).unwrap();
    folder.put_bytes("in/new.bsm2", rigscope_assets::SAMPLE);
    assert_eq!(
        states(&folder, 1),
        pairs(&[("in/hero.bsm2", "unchanged"), ("in/hero.glb", "missing"), ("in/new.bsm2", "new")])
    );
    // Another folder isn't covered.
    folder.run_to(0, &["check", "in/hero.bsm2"]);
    folder.run_to(1, &["check", "in/hero.glb"]);
    folder.run_to(2, &["check", "nowhere"]);
    folder.run_to(0, &["check", "--update"]);
    assert_eq!(
        states(&folder, 0),
        pairs(&[("in/hero.bsm2", "unchanged"), ("in/new.bsm2", "unchanged")])
    );
}

/// The files that were opened, and the last line of the text.
fn checked(folder: &Folder, code: i32, args: &[&str]) -> (Vec<String>, String) {
    let found = folder.run_to(code, &[&["check", "--json"], args].concat()).json();
    let files = found["files"].as_array().unwrap().iter();
    let names = files.filter(|file| file["checked"] == true).map(|file| &file["file"]);
    let text = folder.run_to(code, &[&["check"], args].concat()).stdout;
    let line = text.lines().find(|line| line.contains(" unchanged")).unwrap().to_owned();
    (names.map(|name| name.as_str().unwrap().to_owned()).collect(), line)
}

#[test]
fn only_files_that_could_differ_from_the_baseline_are_checked() {
    let folder = Folder::new();
    folder.put_bytes("a.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "a.bsm2", "-o", "b.gltf"]);
    folder.put_bytes("c/alone.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["baseline", "."]);
    let (none, text) = checked(&folder, 0, &[]);
    assert!(none.is_empty(), "{none:?}");
    assert_eq!(
        text,
        "3 files, 3 unchanged (0 files checked; the others and the rules are as in the baseline)"
    );
    let (all, text) = checked(&folder, 0, &["--recheck"]);
    assert_eq!((all.len(), &*text), (3, "3 files, 3 unchanged"));

    // The file itself.
    let good = folder.bytes("c/alone.bsm2");
    let mut bad = good.clone();
    bad[52] = 3;
    folder.put_bytes("c/alone.bsm2", &bad);
    assert_eq!(checked(&folder, 1, &[]).0, ["c/alone.bsm2"]);
    folder.put_bytes("c/alone.bsm2", &good);

    // A related file that was read, and one that doesn't matter.
    let mut names = std::fs::read_dir(folder.path("")).unwrap().flatten();
    let buffer = names.find_map(|entry| {
        entry.file_name().into_string().ok().filter(|name| name.ends_with(".bin"))
    });
    let buffer = buffer.unwrap();
    let good = folder.bytes(&buffer);
    let mut other = good.clone();
    other[0] ^= 1;
    folder.put_bytes(&buffer, &other);
    assert_eq!(checked(&folder, 0, &[]).0, ["b.gltf"]);
    folder.put_bytes(&buffer, &good);
    folder.put_bytes("notes.txt", b"-");
    assert!(checked(&folder, 0, &[]).0.is_empty());
    // An image may be meant for any model next to it or above it.
    folder.put_bytes("c/skin.png", b"-");
    assert_eq!(checked(&folder, 0, &[]).0.len(), 3);
    std::fs::remove_file(folder.path("c/skin.png")).unwrap();

    // A rule, for some files and for all.
    folder.put_bytes("rigscope.toml", b"[budget.\"c/*\"]\ntriangles = 100000\n");
    assert_eq!(checked(&folder, 0, &[]).0, ["c/alone.bsm2"]);
    folder.put_bytes("rigscope.toml", b"[[ignore]]\nrule = \"zero-normal\"\nreason = \"-\"\n");
    assert_eq!(checked(&folder, 0, &[]).0.len(), 3);
    folder.run_to(0, &["check", "--update"]);
    assert!(checked(&folder, 0, &[]).0.is_empty());
    assert_eq!(checked(&folder, 0, &["--format", "bsm2", "a.bsm2"]).0, ["a.bsm2"]);
}

#[test]
fn files_over_budget_are_always_checked() {
    let folder = folder();
    folder.put_bytes("rigscope.toml", b"[budget]\ntriangles = 5\n");
    folder.run_to(0, &["baseline", "in", "--force"]);
    assert_eq!(checked(&folder, 1, &[]).0.len(), 2);
    let log = folder.run_to(1, &["check", "--report", "sarif"]).json();
    assert!(!log["runs"][0]["results"].as_array().unwrap().is_empty());
}

#[test]
fn a_vertex_that_moves_by_a_ten_thousandth_of_the_size_fails() {
    let folder = folder();
    // The sample is 2.5 m large.
    move_vertex(&folder, "in/hero.glb", 1000, 0.000_26);
    let ran = folder.run_to(1, &["check"]);
    assert!(ran.stdout.contains("in/hero.glb: moved: the mesh differs"), "{}", ran.stdout);
    assert!(ran.stdout.contains("2 files, 1 unchanged, 1 moved"), "{}", ran.stdout);
    for (format, part) in [
        ("junit", "failures=\"1\""),
        ("github", "::error file=in/hero.glb,line=1,title=moved::"),
        ("gitlab", "\"check_name\": \"moved\""),
        ("markdown", "| ❌ | `in/hero.glb` | the mesh differs"),
        ("html", "<section class=\"failed\"><h2>in/hero.glb"),
        ("sarif", "\"baselineState\": \"new\""),
        ("jsonl", "\"schema\":\"rigscope.check-line/1\""),
    ] {
        let text = folder.run_to(1, &["check", "--report", format]).stdout;
        assert!(text.contains(part), "{format}: {text}");
    }
}

#[test]
fn new_findings_fail_and_fixed_ones_are_listed() {
    let folder = folder();
    let good = folder.bytes("in/hero.bsm2");
    let mut bad = good.clone();
    // The weights of the first vertex follow six counts and 28 bytes of other attributes.
    bad[52] = 3;
    folder.put_bytes("in/hero.bsm2", &bad);
    let text = folder.run_to(1, &["check"]).stdout;
    assert!(text.contains("in/hero.bsm2: new warning: "), "{text}");
    assert!(text.contains("weights-not-normalized"), "{text}");
    folder.run_to(0, &["check", "--update"]);
    folder.put_bytes("in/hero.bsm2", &good);
    let text = folder.run(&["check"]).stdout;
    assert!(text.contains("in/hero.bsm2: fixed: weights-not-normalized"), "{text}");
}

#[test]
fn baselines_that_are_missing_or_damaged_are_named_with_the_remedy() {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    let ran = folder.run_to(2, &["check"]);
    assert!(ran.stderr.contains("there is no baseline; write one with `rigscope baseline .`"));
    folder.put_bytes("rigscope.lock.jsonl", b"{\"schema\":\"rigscope.lock/1\"}\n<<<<<<< main\n");
    let ran = folder.run_to(2, &["check"]);
    assert!(ran.stderr.contains("line 2: a merge conflict"), "{}", ran.stderr);
    folder.run_to(2, &["baseline", "."]);
    folder.run_to(0, &["baseline", ".", "--force"]);
    folder.run_to(0, &["check"]);
}

#[test]
fn the_baseline_is_found_from_subfolders_and_by_absolute_paths() {
    let folder = folder();
    let run = |args: &[&str], inside: &str| {
        let mut command = folder.command(args);
        let ran = command.current_dir(folder.path(inside)).output().unwrap();
        assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    };
    assert!(run(&["check"], "in").starts_with("2 files, 2 unchanged"));
    assert!(run(&["check", "hero.glb"], "in").starts_with("1 file, 1 unchanged"));
    let absolute = folder.path("in/hero.glb");
    let other = Folder::new();
    let ran = other.run_to(0, &["check", absolute.to_str().unwrap()]);
    assert!(ran.stdout.starts_with("1 file, 1 unchanged"), "{}", ran.stdout);

    move_vertex(&folder, "in/hero.glb", 0, 1.0);
    for args in [&["check", "hero.glb"][..], &["check"]] {
        let mut command = folder.command(args);
        let ran = command.current_dir(folder.path("in")).output().unwrap();
        assert_eq!(ran.status.code(), Some(1));
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.starts_with("hero.glb: moved: "), "{text}");
    }
}

#[test]
fn paths_that_do_not_exist_are_listed_and_make_the_check_fail() {
    let folder = folder();
    let found = folder.run_to(2, &["check", "in", "nowhere", "--json"]).json();
    assert_eq!(found["ok"], false);
    assert_eq!(found["missing_paths"], serde_json::json!(["nowhere"]));
    assert_eq!(found["files"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_project_begins_with_rules_that_its_files_pass() {
    let folder = folder();
    folder.run_to(0, &["init"]);
    let text = folder.read("rigscope.toml");
    assert!(text.contains("\ntriangles = 8600    # triangles of all meshes\n"), "{text}");
    folder.run_to(0, &["check"]);
    folder.run_to(2, &["init"]);
    let rules = "[budget]\ntriangles = 7000\n[budget.\"**/*.glb\"]\ntriangles = 5000\n\
                 [names]\nfiles = [\"*.bsm2\"]\n[skeleton]\nfile = \"in/hero.glb\"\n";
    folder.put_bytes("rigscope.toml", rules.as_bytes());
    let found = folder.run_to(1, &["check", "--json"]).json();
    let glb = &found["files"][1];
    assert_eq!(found["files"][0]["over_budget"].as_array().unwrap().len(), 0);
    assert_eq!(glb["over_budget"][0]["message"], "6,856 triangles (limit: 5,000 triangles)");
    assert_eq!(glb["new_findings"][0]["code"], "name-not-allowed");
    // Over budget fails although the baseline has it.
    let ran = folder.run_to(1, &["check"]);
    assert_eq!(ran.suggestions(), ["rigscope check --update"], "{}", ran.stdout);
    // It accepts the new finding, and not the limit.
    let ran = folder.run_to(1, &["check", "--update"]);
    assert!(ran.stdout.contains("raise the limit in the rigscope.toml"), "{}", ran.stdout);
    assert_eq!(folder.run_to(1, &["check"]).suggestions(), [""; 0]);
    let found = folder.run_to(1, &["check", "--json"]).json();
    assert_eq!(found["files"][1]["new_findings"].as_array().unwrap().len(), 0);
    let text = folder.run_to(1, &["validate", "in/hero.glb", "--brief"]).stdout;
    assert!(text.contains("over-budget"), "{text}");
}
