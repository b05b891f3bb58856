//! Programs of the user that read further formats.

use serde_json::Value;

use super::runner::{Folder, Ran};

const MODEL: &str = r#"{"schema": "rigscope.model/1", "bones": [{"name": "root"}],
    "meshes": [{"name": "hero", "positions": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]],
        "joints": [[0], [0], [0]], "weights": [[1], [1], [1]]}]}"#;
const CLIP: &str = r#"{"schema": "rigscope.model/1", "bones": [{"name": "root"}],
    "clips": [{"name": "rise", "times": [0, 1], "translations": [[[0, 0, 0]], [[0, 0, 5]]]}]}"#;

/// A folder with settings in `settings` and models in `models`; the reader prints the file itself.
fn folder(script: &str, more: &str) -> Folder {
    let folder = Folder::new();
    let config =
        "[readers.hero]\ncommand = [\"sh\", \"read.sh\", \"{file}\"]\nextensions = [\"hero\"]\n";
    folder.put_bytes("settings/config.toml", format!("{config}{more}").as_bytes());
    folder.put_bytes("settings/read.sh", script.as_bytes());
    folder.put_bytes("models/a.hero", MODEL.as_bytes());
    folder.put_bytes("models/rise.hero", CLIP.as_bytes());
    folder
}

fn run(folder: &Folder, args: &[&str]) -> Ran {
    let settings = folder.path("settings");
    let output = folder.command(args).env("RIGSCOPE_CONFIG_DIR", settings).output().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_program_reads_files_of_its_extension_and_those_named_with_them() {
    let folder = folder("echo careful >&2; cat \"$1\"", "");
    let ran = run(&folder, &["info", "models/a.hero", "--with", "models/rise.hero", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let info = ran.json();
    assert_eq!((&info["format"], &info["details"]["reader"]), (&"json".into(), &"hero".into()));
    assert_eq!(info["bytes"], MODEL.len());
    assert_eq!(info["clips"][0]["name"], "rise");
    let findings = info["notes"].as_array().unwrap().iter();
    let mut warnings = findings.filter(|finding| finding["code"] == "reader-warning");
    assert_eq!(warnings.next().unwrap()["message"], "careful");

    let ran = run(&folder, &["validate", "models", "--json"]);
    let files: Vec<Value> = ran.json()["files"].as_array().unwrap().clone();
    assert_eq!(files.len(), 2, "a folder is searched for them: {files:?}");

    let pose = ["pose", "models/a.hero", "--with", "models/rise.hero", "--clip", "rise"];
    let ran = run(&folder, &[&pose[..], &["--time", "1", "-o", "a.json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(folder.read_json("a.json")["vertices"][0], serde_json::json!([0.0, 0.0, 5.0]));
}

#[test]
fn failures_name_file_reader_and_reason() {
    for (script, more, message) in [
        ("echo 'line 3: no bones' >&2; exit 1", "", "the reader hero failed: line 3: no bones"),
        ("echo hello", "", "printed \"hello\\n\" instead of a GLB or Rigscope JSON"),
        ("true", "", "printed nothing instead of"),
        ("sleep 60", "timeout_secs = 0.2\n", "was stopped after 0.2 s"),
        ("sed s/joints/joint/ \"$1\"", "", "output of the reader hero: meshes[0].joint"),
    ] {
        let folder = folder(script, more);
        let ran = run(&folder, &["info", "models/a.hero"]);
        assert_eq!(ran.code, 2, "{script}: {}", ran.stderr);
        assert!(ran.stderr.contains("models/a.hero: "), "{}", ran.stderr);
        assert!(ran.stderr.contains(message), "{script}: {}", ran.stderr);
    }
}

#[test]
fn only_the_settings_folder_of_the_user_lists_programs() {
    let folder = folder("cat \"$1\"", "");
    let config = folder.read("settings/config.toml");
    folder.put_bytes("models/config.toml", config.as_bytes());
    folder.put_bytes("models/rigscope.toml", config.as_bytes());
    // Rigscope JSON opens without a reader, whatever its name is.
    folder.put_bytes("models/a.hero", b"HERO");
    let output =
        folder.command(&["info", "models/a.hero"]).env("RIGSCOPE_CONFIG_DIR", "none").output();
    let output = output.unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("not a file format"), "{stderr}");
}

#[test]
fn a_faulty_settings_file_is_reported_with_its_line() {
    let folder = folder("cat \"$1\"", "extension = 3\n");
    let ran = run(&folder, &["info", "models/a.hero"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("config.toml: line 4"), "{}", ran.stderr);
}
