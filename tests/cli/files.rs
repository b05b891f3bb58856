//! Output files: whole or not at all, and never over another one unasked.

use super::runner::Folder;
use crate::support::fixtures;

const OTHER: &[u8] = b"somebody's work";

fn folder_with_output() -> Folder {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.put_bytes("out.json", OTHER);
    folder
}

#[test]
fn an_existing_output_is_overwritten_only_with_force() {
    let folder = folder_with_output();
    let ran = folder.run_to(2, &["pose", "a.bsm2", "-o", "out.json"]);
    assert_eq!(ran.stderr, "out.json: error: the file already exists; --force overwrites it\n");
    assert_eq!(folder.read("out.json").as_bytes(), OTHER);
    folder.run_to(0, &["pose", "a.bsm2", "-o", "out.json", "--force"]);
    assert_eq!(folder.read_json("out.json")["schema"], "rigscope.pose/1");
    assert_eq!(folder.names(), ["a.bsm2", "out.json"], "no temporary file is left");
}

#[test]
fn a_failure_preserves_the_old_output_and_leaves_no_other_file() {
    let folder = folder_with_output();
    folder.put_bytes("cut.bsm2", &fixtures::bsm2(&fixtures::two_triangles())[..50]);
    for args in [
        ["cut.bsm2", "--force", "--key=0"],
        ["missing.bsm2", "--force", "--key=0"],
        ["a.bsm2", "--force", "--clip=unknown"],
    ] {
        let all = [&["pose", "-o", "out.json"], &args[..]].concat();
        folder.run_to(2, &all);
        assert_eq!(folder.read("out.json").as_bytes(), OTHER, "{args:?}");
        assert_eq!(folder.names(), ["a.bsm2", "cut.bsm2", "out.json"]);
    }
}

#[test]
fn invalid_outputs_are_refused_with_their_path() {
    let folder = Folder::with(&fixtures::two_triangles());
    std::fs::create_dir(folder.path("taken.obj")).unwrap();
    for (output, message) in [
        ("out.fbx", "the name of the output must end in .obj or .json, unless --to is given"),
        ("out", "the name of the output must end in .obj or .json, unless --to is given"),
        ("taken.obj", "this is a folder; name a file to write"),
        ("nowhere/out.obj", "the folder of this file doesn't exist; create it first"),
    ] {
        let ran = folder.run_to(2, &["pose", "a.bsm2", "-o", output, "--force"]);
        assert_eq!(ran.stderr, format!("{output}: error: {message}\n"));
    }
    assert_eq!(folder.names(), ["a.bsm2", "taken.obj"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_on_stdout_too() {
    let folder = Folder::with(&fixtures::two_triangles());
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = folder.command(&["info", "a.bsm2", "--json"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "error: standard output can't be written: no space left on device\n");
}
