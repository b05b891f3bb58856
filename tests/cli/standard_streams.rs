//! `-` as the name of an input or output: standard input and output.

use std::io::Write as _;
use std::process::Stdio;

use super::runner::{Folder, put_viewer};
use crate::support::fixtures;

/// Runs the program with `stdin`, and checks its exit code. Returns stdout and stderr.
fn piped(folder: &Folder, code: i32, stdin: &[u8], args: &[&str]) -> (Vec<u8>, String) {
    let mut command = folder.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // The program may end without reading everything.
        scope.spawn(move || drop(pipe.write_all(stdin)));
        child.wait_with_output().unwrap()
    });
    let stderr = String::from_utf8(output.stderr).unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{stdout}{stderr}");
    (output.stdout, stderr)
}

#[test]
fn a_model_is_read_from_stdin() {
    let folder = Folder::with(&fixtures::with_hierarchy());
    let model = folder.bytes("a.bsm2");
    for args in [
        &["info", "-"][..],
        &["info", "-", "--json"],
        &["info", "-", "--jsonl"],
        &["validate", "-"],
        &["validate", "-", "--json"],
    ] {
        let as_file: Vec<&str> =
            args.iter().map(|arg| if *arg == "-" { "a.bsm2" } else { *arg }).collect();
        let (stdout, stderr) = piped(&folder, 0, &model, args);
        let expected = folder.run_to(0, &as_file).stdout.replace("a.bsm2", "-");
        assert_eq!(String::from_utf8(stdout).unwrap(), expected, "{args:?}");
        assert_eq!(stderr, "");
    }
    let (stdout, _) = piped(&folder, 0, &model, &["diff", "-", "a.bsm2"]);
    assert!(stdout.starts_with(b"equal"));
    piped(&folder, 0, &model, &["diff", "a.bsm2", "-"]);
    piped(&folder, 0, &model, &["convert", "-", "-o", "b.glb"]);
    piped(&folder, 0, &folder.bytes("b.glb"), &["info", "-", "--format", "gltf"]);
    piped(&folder, 0, &model, &["pose", "-", "-o", "b.json"]);
    assert_eq!(folder.names(), ["a.bsm2", "b.glb", "b.json"]);
}

#[test]
fn bad_input_on_stdin_is_described_like_a_file() {
    let folder = Folder::with(&fixtures::two_triangles());
    let (_, stderr) = piped(&folder, 2, b"", &["info", "-"]);
    assert!(stderr.starts_with("-: error: the file is empty"), "{stderr}");
    let (_, stderr) = piped(&folder, 2, &[0; 1 << 20], &["info", "-"]);
    assert!(stderr.starts_with("-: error: not a file format"), "{stderr}");
    let model = folder.bytes("a.bsm2");
    let (_, stderr) = piped(&folder, 2, &model, &["diff", "-", "-"]);
    assert!(stderr.contains("standard input can be read only once"), "{stderr}");
    let (_, stderr) = piped(&folder, 2, &model, &["baseline", "-"]);
    assert!(stderr.contains("standard input has no path"), "{stderr}");
    let (_, stderr) = piped(&folder, 2, &model, &["convert", "-", "--out-dir", "x", "--to", "glb"]);
    assert!(stderr.contains("standard input has no name"), "{stderr}");
}

#[test]
fn a_file_that_refers_to_others_needs_them_by_name() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.run_to(0, &["convert", "a.bsm2", "-o", "b.gltf"]);
    let gltf = folder.bytes("b.gltf");
    let buffer = folder.names().into_iter().find(|name| name.ends_with(".bin")).unwrap();
    let (_, stderr) = piped(&folder, 2, &gltf, &["info", "-"]);
    assert!(stderr.contains(".bin") && stderr.contains("--with"), "{stderr}");
    piped(&folder, 0, &gltf, &["info", "-", "--with", &buffer]);
}

#[test]
fn outputs_go_to_stdout_and_messages_to_stderr() {
    let folder = Folder::with(&fixtures::with_hierarchy());
    let model = folder.bytes("a.bsm2");
    folder.run_to(0, &["convert", "a.bsm2", "-o", "b.glb"]);
    let (stdout, stderr) = piped(&folder, 0, &model, &["convert", "-", "-o", "-", "--to", "glb"]);
    assert!(stdout == folder.bytes("b.glb") && stderr.contains("- -> -"), "{stderr}");
    for format in ["obj", "json"] {
        let name = format!("p.{format}");
        folder.run_to(0, &["pose", "a.bsm2", "-o", &name]);
        let (stdout, _) = piped(&folder, 0, b"", &["pose", "a.bsm2", "-o", "-", "--to", format]);
        assert!(stdout == folder.bytes(&name), "{format}");
    }
    put_viewer(&folder);
    let args = ["share", "-", "--viewer", "viewer", "-o", "-", "--clip", "wave", "--time", "99"];
    let (stdout, stderr) = piped(&folder, 0, &model, &args);
    assert!(stdout.starts_with(b"<") && stderr.contains("the time 99 s is outside"), "{stderr}");
    for args in [
        ["convert", "a.bsm2", "-o", "-"],
        ["pose", "a.bsm2", "-o", "-"],
        #[cfg(feature = "gpu")]
        ["render", "a.bsm2", "-o", "-"],
    ] {
        let (stdout, stderr) = piped(&folder, 2, b"", &args);
        assert!(stdout.is_empty() && stderr.contains("with --to, such as --to "), "{stderr}");
    }
    let (stdout, stderr) =
        piped(&folder, 2, b"", &["convert", "a.bsm2", "-o", "-", "--to", "gltf"]);
    assert!(stdout.is_empty() && stderr.contains("standard output has room for one"), "{stderr}");
    let refused = ["convert", "a.bsm2", "-o", "-", "--to", "glb", "--json"];
    let (_, stderr) = piped(&folder, 2, b"", &refused);
    assert!(stderr.contains("both write to standard output"), "{stderr}");
    for args in [&["fix", "a.bsm2", "-o", "-"][..], &["baseline", "a.bsm2", "-o", "-"]] {
        let (_, stderr) = piped(&folder, 2, b"", args);
        assert!(stderr.contains("can't write to standard output"), "{stderr}");
    }
    assert_eq!(folder.names(), ["a.bsm2", "b.glb", "p.json", "p.obj", "viewer"]);
}

#[cfg(feature = "gpu")]
#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn images_go_to_stdout() {
    let folder = Folder::with(&fixtures::with_hierarchy());
    let model = folder.bytes("a.bsm2");
    let args = ["render", "-", "-o", "-", "--to", "png", "--size", "40x30"];
    let (stdout, stderr) = piped(&folder, 0, &model, &args);
    assert!(stdout.starts_with(b"\x89PNG") && stderr.is_empty(), "{stderr}");
    let args = ["render", "-", "-o", "-", "--to", "gif", "--size", "40x30", "--frames", "3"];
    assert!(piped(&folder, 0, &model, &args).0.starts_with(b"GIF89a"));
    let args = ["render", "-", "-o", "-", "--to", "png", "--frames", "3"];
    let (_, stderr) = piped(&folder, 2, &model, &args);
    assert!(stderr.contains("room for one image"), "{stderr}");
    assert_eq!(folder.names(), ["a.bsm2"]);
}
