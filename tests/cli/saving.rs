//! Saving: inputs, links, devices, and sets of files when the process is killed.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::runner::{Folder, put_viewer};
use crate::support::{fixtures, gltf};

/// All bytes of the files of a folder, by name.
fn contents(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let names = folder.names().into_iter();
    names
        .map(|name| {
            let bytes = std::fs::read(folder.path(&name)).unwrap();
            (name, bytes)
        })
        .collect()
}

#[test]
fn every_file_found_in_a_folder_is_a_protected_input() {
    let folder = Folder::new();
    folder.put("in/hero.bsm2", &fixtures::two_triangles());
    folder.put_bytes("in/hero.glb", b"no glTF, but an input");
    let args = ["convert", "in", "--out-dir", "in", "--to", "glb", "--force"];
    let ran = folder.run_to(2, &args);
    assert!(ran.stderr.contains("never overwritten"), "{}", ran.stderr);
    assert_eq!(folder.read("in/hero.glb"), "no glTF, but an input");
    let named =
        ["convert", "in/hero.bsm2", "in/hero.glb", "--out-dir", "in", "--to", "glb", "--force"];
    folder.run_to(2, &named);
    assert_eq!(folder.read("in/hero.glb"), "no glTF, but an input");
}

#[test]
fn related_files_are_never_overwritten() {
    let folder = Folder::new();
    gltf::write_triangle(&folder.path(""), "in.gltf", "skin.png");
    folder.put_bytes("skin.png", b"no picture, but named");
    let before = folder.bytes("in.gltf.bin");
    // The buffer is named, or led to by a link.
    let mut targets = vec!["in.gltf.bin", "skin.png"];
    std::fs::hard_link(folder.path("in.gltf.bin"), folder.path("hard.bsm2")).unwrap();
    targets.push("hard.bsm2");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in.gltf.bin", folder.path("soft.bsm2")).unwrap();
        targets.push("soft.bsm2");
    }
    for target in targets {
        let args = ["convert", "in.gltf", "-o", target, "--to", "bsm2", "--force"];
        let ran = folder.run_to(2, &args);
        assert!(ran.stderr.contains("never overwritten"), "{target}: {}", ran.stderr);
    }
    assert_eq!(folder.bytes("in.gltf.bin"), before);
    // The same for `pose`.
    gltf::write_triangle(&folder.path(""), "posed.gltf", "skin.png");
    let pose = |to: &str| folder.run_to(2, &["pose", "posed.gltf", "-o", to, "--force"]);
    std::fs::rename(folder.path("posed.gltf.bin"), folder.path("posed.json")).unwrap();
    let text = folder.read("posed.gltf").replace("posed.gltf.bin", "posed.json");
    folder.put_bytes("posed.gltf", text.as_bytes());
    assert!(pose("posed.json").stderr.contains("never overwritten"));
}

#[test]
fn files_that_another_job_will_read_are_protected_inputs() {
    let folder = Folder::new();
    // `b.gltf` reads a file that converting `a.bsm2` would write.
    folder.put("in/a.bsm2", &fixtures::two_triangles());
    gltf::write_triangle(&folder.path("in"), "b.gltf", "none.png");
    std::fs::rename(folder.path("in/b.gltf.bin"), folder.path("in/a.obj")).unwrap();
    let text = folder.read("in/b.gltf").replace("b.gltf.bin", "a.obj");
    folder.put_bytes("in/b.gltf", text.as_bytes());
    let before = folder.bytes("in/a.obj");
    let ran = folder.run_to(
        2,
        &[
            "convert",
            "in/a.bsm2",
            "in/b.gltf",
            "--out-dir",
            "in",
            "--to",
            "obj",
            "--force",
            "--jobs",
            "1",
        ],
    );
    assert!(ran.stderr.contains("a.obj"), "{}", ran.stderr);
    assert_eq!(folder.bytes("in/a.obj"), before);
    assert!(folder.path("in/b.obj").exists());
}

#[cfg(unix)]
#[test]
fn devices_are_written_to_and_not_replaced() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.run_to(0, &["convert", "a.bsm2", "-o", "/dev/null", "--to", "glb", "--force"]);
    let ran =
        folder.run_to(2, &["convert", "a.bsm2", "-o", "/dev/null", "--to", "gltf", "--force"]);
    assert!(ran.stderr.contains("several"), "{}", ran.stderr);
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    let ran =
        folder.run_to(2, &["convert", "a.bsm2", "-o", "/dev/stdout", "--to", "glb", "--force"]);
    assert!(ran.stderr.contains("another file or pipe"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
    assert_eq!(folder.names(), ["a.bsm2"]);
}

/// `num` times `num` squares.
fn grid(num: usize) -> String {
    let mut text = String::new();
    for at in 0..(num + 1) * (num + 1) {
        let (x, y) = (at % (num + 1), at / (num + 1));
        text.push_str(&format!("v {x} {y} {}\n", (x * y) % 7));
    }
    for at in 0..num * num {
        let first = at / num * (num + 1) + at % num + 1;
        let above = first + num + 1;
        text.push_str(&format!("f {first} {} {} {above}\n", first + 1, above + 1));
    }
    text
}

/// Whether `out.gltf` names a buffer that is there and as long as it says.
fn assert_whole(folder: &Path) {
    let Ok(text) = std::fs::read(folder.join("out.gltf")) else { return };
    let json: Value = serde_json::from_slice(&text).expect("whole JSON");
    let buffer = &json["buffers"][0];
    let bytes = std::fs::read(folder.join(buffer["uri"].as_str().unwrap())).expect("its buffer");
    assert_eq!(bytes.len() as u64, buffer["byteLength"].as_u64().unwrap());
    // One of the two that are converted, and not the one with the other's numbers.
    let least = json["accessors"][0]["min"].to_string();
    let first = f32::from_le_bytes(bytes[..4].try_into().unwrap());
    assert!(!least.is_empty() && first.is_finite());
}

#[test]
fn sets_of_files_survive_kills_and_concurrent_writes() {
    let folder = Folder::new();
    folder.put("a.bsm2", &fixtures::two_triangles());
    folder.put_bytes("b.obj", grid(24).as_bytes());
    let run = |input: &str| {
        let args = ["convert", input, "-o", "out.gltf", "--force", "--unchecked"];
        let mut command = folder.command(&args);
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
        command.spawn().unwrap()
    };
    for round in 0..30_u64 {
        let mut both = [run("a.bsm2"), run("b.obj")];
        // Some are killed early, some late, some not at all.
        std::thread::sleep(Duration::from_millis(round * 3 % 40));
        if round % 3 > 0 {
            let _ = both[(round % 2) as usize].kill();
        }
        for child in &mut both {
            child.wait().unwrap();
        }
        assert_whole(&folder.path(""));
    }
    folder.run_to(0, &["convert", "a.bsm2", "-o", "out.gltf", "--force"]);
    let left: Vec<_> = contents(&folder).into_iter().map(|(name, _)| name).collect();
    let buffers = left.iter().filter(|name| name.ends_with(".bin")).count();
    assert_eq!(buffers, 1, "what nothing names is removed: {left:?}");
    folder.run_to(0, &["validate", "out.gltf"]);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_temporary_file() {
    let folder = Folder::new();
    folder.put_bytes("a.obj", grid(220).as_bytes());
    let temporaries = || {
        let names = folder.names().into_iter();
        names.filter(|name| name.starts_with(".rigscope-")).count()
    };
    let mut seen = 0;
    for signal in ["INT", "TERM", "HUP"].into_iter().cycle().take(24) {
        let args = ["convert", "a.obj", "-o", "out.gltf", "--force", "--unchecked"];
        let mut child = folder.command(&args).stdout(std::process::Stdio::null()).spawn().unwrap();
        while temporaries() == 0 && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        let kill = format!("kill -{signal} {}", child.id());
        let _ = std::process::Command::new("sh").args(["-c", &kill]).output();
        let status = child.wait().unwrap();
        seen += usize::from(status.code().is_none());
        assert_eq!(temporaries(), 0, "after {signal}");
    }
    assert!(seen > 0, "no process was ended while it was writing");
}

/// A folder with `in.gltf`, its buffer under four names, a config and two files for `share`.
fn folder_with_links() -> Folder {
    let folder = Folder::new();
    gltf::write_triangle(&folder.path(""), "in.gltf", "skin.png");
    folder.put_bytes("rigscope.toml", b"");
    folder.put_bytes("list.txt", b"in.gltf\n");
    std::fs::hard_link(folder.path("in.gltf"), folder.path("hard.jsonl")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in.gltf", folder.path("soft.jsonl")).unwrap();
        std::os::unix::fs::symlink("in.gltf.bin", folder.path("buffer.jsonl")).unwrap();
    }
    folder
}

#[test]
fn no_command_overwrites_a_file_that_it_reads() {
    let folder = folder_with_links();
    put_viewer(&folder);
    folder.put_bytes("empty.glb", b"");
    let mut targets = vec!["in.gltf", "in.gltf.bin", "hard.jsonl", "rigscope.toml"];
    if cfg!(unix) {
        targets.extend(["soft.jsonl", "buffer.jsonl"]);
    }
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for target in targets {
        commands.push(vec!["baseline", "in.gltf", "-o", target, "--force"]);
        commands.push(vec!["baseline", "in.gltf", "-o", target, "--force", "--cache", "cache"]);
    }
    commands.push(vec!["baseline", "in.gltf", "--config", "list.txt", "-o", "list.txt", "--force"]);
    // An empty baseline is valid.
    commands.push(vec!["check", "in.gltf", "--baseline", "rigscope.toml", "--update"]);
    commands.push(vec!["check", "in.gltf", "empty.glb", "--baseline", "empty.glb", "--update"]);
    let share = ["share", "in.gltf", "--viewer", "viewer", "--force", "-o"];
    for target in ["in.gltf", "in.gltf.bin", "viewer/index.html", "viewer/rigscope.js"] {
        commands.push([&share[..], &[target]].concat());
    }
    commands.push(vec!["fix", "in.gltf", "-o", "in.gltf.bin", "--force"]);
    if cfg!(feature = "catalog") {
        for target in ["in.gltf", "in.gltf.bin", "list.txt"] {
            commands.push(vec!["catalog", "--files-from", "list.txt", "-o", target, "--force"]);
        }
    }
    if cfg!(feature = "gpu") {
        for command in ["render", "thumbnail"] {
            commands.push(vec![command, "in.gltf", "-o", "in.gltf", "--force"]);
        }
        commands.push(vec!["diff", "in.gltf", "in.gltf", "--heat", "in.gltf", "--force"]);
        commands.push(vec!["diagnose", "in.gltf", "--image", "in.gltf", "--force"]);
    }
    let files = ["in.gltf", "in.gltf.bin", "rigscope.toml", "list.txt", "empty.glb"];
    let files = files.into_iter().chain(["viewer/index.html", "viewer/rigscope.js"]);
    let before: Vec<_> = files.clone().map(|name| folder.bytes(name)).collect();
    for command in commands {
        let command: Vec<&str> = match command.first() {
            // `thumbnail` always overwrites.
            Some(&"thumbnail") => command.into_iter().filter(|word| *word != "--force").collect(),
            _ => command,
        };
        let ran = folder.run(&command);
        let after: Vec<_> = files.clone().map(|name| folder.bytes(name)).collect();
        assert!(after == before, "{command:?} {}", ran.stderr);
        assert_eq!(ran.code, 2, "{command:?} {} {}", ran.stdout, ran.stderr);
    }
}

#[test]
fn init_never_overwrites_what_it_reads() {
    let folder = Folder::new();
    folder.put("a.bsm2", &fixtures::two_triangles());
    std::fs::hard_link(folder.path("a.bsm2"), folder.path("rigscope.toml")).unwrap();
    let before = folder.bytes("a.bsm2");
    let ran = folder.run_to(2, &["init", "--force"]);
    assert!(ran.stderr.contains("never overwritten"), "{}", ran.stderr);
    assert_eq!(folder.bytes("a.bsm2"), before);
}
