//! Links to devices, pipes and huge files in the places where the program reads.

use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::runner::Folder;
use crate::support::{fixtures, gltf};

/// Runs the program with 3 GB of address space; fails if it takes too long.
fn run(folder: &Folder, args: &[&str]) -> i32 {
    let own = folder.command(args);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "ulimit -v 3000000; exec \"$0\" \"$@\""]).arg(own.get_program()).args(args);
    command.current_dir(folder.path("")).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().expect("ended by a signal");
        }
        if begun.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{args:?} doesn't end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn pipe(folder: &Folder, name: &str) {
    let made = std::process::Command::new("mkfifo").arg(folder.path(name)).status();
    assert!(made.unwrap().success());
}

/// Puts a link to an endless device, then a pipe, in the place of `name`, and calls `check`.
fn in_place_of(folder: &Folder, name: &str, check: impl Fn(&str)) {
    symlink("/dev/zero", folder.path(name)).unwrap();
    check("device");
    std::fs::remove_file(folder.path(name)).unwrap();
    pipe(folder, name);
    check("pipe");
    std::fs::remove_file(folder.path(name)).unwrap();
}

#[test]
fn devices_and_pipes_beside_an_input_or_an_output_are_neither_read_nor_waited_for() {
    let folder = Folder::new();
    gltf::write_triangle(&folder.path(""), "in.gltf", "skin.png");
    folder.put("other.bsm2", &fixtures::two_triangles());
    std::fs::copy(folder.path("in.gltf.bin"), folder.path("buffer")).unwrap();
    std::fs::remove_file(folder.path("in.gltf.bin")).unwrap();
    in_place_of(&folder, "in.gltf.bin", |_| assert_eq!(run(&folder, &["info", "in.gltf"]), 2));
    std::fs::rename(folder.path("buffer"), folder.path("in.gltf.bin")).unwrap();
    in_place_of(&folder, "skin.png", |_| {
        assert!(run(&folder, &["info", "in.gltf"]) <= 2);
        assert!(run(&folder, &["convert", "in.gltf", "-o", "x.obj", "--force"]) <= 2);
    });
    for (name, args) in [
        ("out.bin", ["convert", "in.gltf", "-o", "out.gltf", "--force"]),
        ("other.gltf", ["convert", "other.bsm2", "-o", "out.gltf", "--force"]),
        ("other.mtl", ["convert", "other.bsm2", "-o", "out.gltf", "--force"]),
    ] {
        run(&folder, &["convert", "in.gltf", "-o", "out.gltf", "--force"]);
        let _ = std::fs::remove_file(folder.path(name));
        in_place_of(&folder, name, |kind| {
            let code = run(&folder, &args);
            assert!(code == 0 || code == 2, "{name} {kind}: {code}");
        });
    }
}

#[test]
fn devices_and_pipes_as_settings_lists_and_models_are_refused() {
    let folder = Folder::with(&fixtures::two_triangles());
    in_place_of(&folder, "rigscope.toml", |_| {
        assert!(run(&folder, &["validate", "a.bsm2"]) <= 2);
        assert_eq!(run(&folder, &["validate", "a.bsm2", "--config", "rigscope.toml"]), 2);
    });
    in_place_of(&folder, "b.bsm2", |kind| {
        assert!(run(&folder, &["validate", "."]) <= 2, "{kind}");
        assert_eq!(run(&folder, &["check", "a.bsm2", "--baseline", "b.bsm2"]), 2, "{kind}");
        assert!(run(&folder, &["info", "--with", "a.bsm2", "a.bsm2"]) <= 2, "{kind}");
    });
    symlink("/dev/zero", folder.path("list")).unwrap();
    assert_eq!(run(&folder, &["info", "--files-from", "list"]), 2);
}

#[test]
fn a_large_file_without_a_known_format_is_refused_by_its_beginning() {
    let folder = Folder::new();
    for name in
        ["a.glb", "a.bsm2", "a.bsm", "a.obj", "a.txt", "a.fbx", "a.iqm", "a.ozz", "a.json", "a"]
    {
        std::fs::File::create(folder.path(name)).unwrap().set_len(6 << 30).unwrap();
        let begun = Instant::now();
        assert_eq!(run(&folder, &["info", name]), 2, "{name}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{name}: {:?}", begun.elapsed());
        std::fs::remove_file(folder.path(name)).unwrap();
    }
}
