//! Targets of all kinds, kills between steps, concurrent writers, and unrelated files in the folder.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::file_set::STEPS_LEFT;
use super::*;
use crate::files::Inputs;
use crate::files::save::save;
use crate::formats::content_name;

fn outputs<'a>(files: &'a [(PathBuf, Vec<u8>)]) -> Vec<Output<'a>> {
    (files.iter())
        .map(|(path, bytes)| Output { path: path.clone(), bytes, may_replace: true })
        .collect()
}

/// The files in a folder by name, except temporary ones.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .filter(|(name, _)| !name.starts_with(".rigscope-"))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

fn save_plain(path: &Path, bytes: &[u8], force: bool) -> Result<(), SaveError> {
    save(path, bytes, force, &Inputs::none())
}

#[test]
fn an_existing_file_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.json");
    save_plain(&path, b"first", false).unwrap();
    let error = save_plain(&path, b"second", false).unwrap_err().to_string();
    assert!(error.contains("--force"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"first");
    save_plain(&path, b"third", true).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"third");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_folder_cannot_be_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("taken");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("inside"), b"kept").unwrap();
    assert!(save_plain(&path, b"x", true).is_err());
    assert!(check_target(&path, true, &Inputs::none()).is_err());
    assert!(save_plain(&folder.path().join("none/out"), b"x", true).is_err());
    assert_eq!(contents(&path)["inside"], b"kept");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_set_that_would_overwrite_an_input_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("out.bin"), b"read").unwrap();
    let inputs = Inputs::of([at("out.bin")]);
    let files = [(at("out.bin"), b"new".to_vec()), (at("out.x"), b"main".to_vec())];
    let error = save_set(&outputs(&files), &inputs).unwrap_err();
    assert!(matches!(error.refusal, Refusal::Input), "{error}");
    assert_eq!(contents(folder.path()).len(), 1);
    assert_eq!(contents(folder.path())["out.bin"], b"read");
}

/// A glTF file with a buffer named by content hash, as its writer names them.
fn named_set(folder: &Path, bytes: &[u8]) -> Vec<(PathBuf, Vec<u8>)> {
    let buffer = content_name("out", "bin", bytes);
    let main = format!("{{\"uri\":\"{buffer}\"}}").into_bytes();
    vec![(folder.join(&buffer), bytes.to_vec()), (folder.join("out.gltf"), main)]
}

#[test]
fn content_named_sets_are_complete_at_every_step_and_stale_files_deleted() {
    for stop in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let inputs = Inputs::none();
        let old = named_set(folder.path(), b"old");
        save_set(&outputs(&old), &inputs).unwrap();
        let kept = content_name("out", "bin", b"named by another");
        let others = [
            // Looks like one of ours, but isn't.
            ("out.20240101.bin", b"a date".to_vec()),
            (&kept, b"named by another".to_vec()),
            ("copy.gltf", kept.clone().into_bytes()),
        ];
        for (name, bytes) in &others {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        let new = named_set(folder.path(), b"new");
        STEPS_LEFT.set(Some(stop));
        let ran = catch_unwind(AssertUnwindSafe(|| save_set(&outputs(&new), &inputs)));
        STEPS_LEFT.set(None);
        let found = contents(folder.path());
        let main = &found["out.gltf"];
        let set = [&old, &new].into_iter().find(|set| set[1].1 == *main).unwrap();
        let buffer = set[0].0.file_name().unwrap().to_str().unwrap();
        assert_eq!(found[buffer], set[0].1, "after {stop} steps");
        for (name, bytes) in &others {
            assert_eq!(found[*name], *bytes, "{name} after {stop} steps");
        }
        if ran.is_ok() {
            assert_eq!(*set, new);
            assert_eq!(found.len(), 2 + others.len(), "{:?}", found.keys());
        }
    }
}

#[test]
fn existing_content_named_files_are_not_rewritten() {
    let folder = tempfile::tempdir().unwrap();
    let files = named_set(folder.path(), b"same");
    let inputs = Inputs::none();
    assert_eq!(save_set(&outputs(&files), &inputs).unwrap(), [true, true]);
    assert_eq!(save_set(&outputs(&files), &inputs).unwrap(), [false, true]);
    assert_eq!(contents(folder.path()).len(), 2);
}

#[test]
fn sets_with_fixed_names_never_mix_and_roll_back_on_failure() {
    let set = |folder: &Path, text: &str| -> Vec<(PathBuf, Vec<u8>)> {
        let names = ["out.0.bsm2", "out.1.bsm2", "out.2.bsm2"];
        let file = |name| (folder.join(name), format!("{text} {name}").into_bytes());
        names.map(file).to_vec()
    };
    for stop in 0..9 {
        let folder = tempfile::tempdir().unwrap();
        let inputs = Inputs::none();
        save_set(&outputs(&set(folder.path(), "old")), &inputs).unwrap();
        let new = set(folder.path(), "new");
        STEPS_LEFT.set(Some(stop));
        let ran = catch_unwind(AssertUnwindSafe(|| save_set(&outputs(&new), &inputs)));
        STEPS_LEFT.set(None);
        let found = contents(folder.path());
        let of = |text: &str| found.values().filter(|b| b.starts_with(text.as_bytes())).count();
        assert!(of("old") == 0 || of("new") == 0, "after {stop} steps: {found:?}");
        assert_eq!(ran.is_ok() || stop >= 6, of("new") == 3, "after {stop} steps");
    }
    // The last file can't be replaced: there is a folder with its name.
    let folder = tempfile::tempdir().unwrap();
    let old = set(folder.path(), "old");
    save_set(&outputs(&old), &Inputs::none()).unwrap();
    let mut new = set(folder.path(), "new");
    std::fs::create_dir(folder.path().join("out.3.bsm2")).unwrap();
    new.push((folder.path().join("out.3.bsm2"), b"new".to_vec()));
    assert!(save_set(&outputs(&new), &Inputs::none()).is_err());
    for (path, bytes) in old {
        assert_eq!(std::fs::read(path).unwrap(), bytes);
    }
}

#[test]
fn concurrent_saves_do_not_mix() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for text in ["one", "two"] {
            let folder = folder.path();
            scope.spawn(move || {
                for round in 0..40 {
                    let names = ["s.skn", "s.cfp", "s.cmx"];
                    let files: Vec<_> = (names.iter())
                        .map(|name| (folder.join(name), format!("{text} {round}").into_bytes()))
                        .collect();
                    save_set(&outputs(&files), &Inputs::none()).unwrap();
                    let named = named_set(folder, format!("{text} {round}").as_bytes());
                    save_set(&outputs(&named), &Inputs::none()).unwrap();
                }
            });
        }
    });
    let found = contents(folder.path());
    assert_eq!(found["s.skn"], found["s.cmx"]);
    assert_eq!(found["s.cfp"], found["s.cmx"]);
    assert_eq!(found.len(), 5, "{:?}", found.keys());
    let main = String::from_utf8(found["out.gltf"].clone()).unwrap();
    assert!(found.keys().any(|name| main.contains(name.as_str())));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn outputs_get_default_permissions_or_those_of_the_replaced_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        save_plain(&at("ours"), b"x", false).unwrap();
        std::fs::write(at("any"), b"x").unwrap();
        assert_eq!(mode(&at("ours")), mode(&at("any")));
        for wanted in [0o600, 0o755, 0o640, 0o444] {
            let path = at(&format!("{wanted:o}"));
            std::fs::write(&path, b"old").unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(wanted)).unwrap();
            save_plain(&path, b"new", true).unwrap();
            assert_eq!(mode(&path), wanted, "{wanted:o}");
            assert_eq!(std::fs::read(&path).unwrap(), b"new");
        }
    }

    #[test]
    fn related_files_are_not_written_through_links_that_lead_out_of_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let at = |name: &str| outer.path().join(name);
        std::fs::create_dir_all(at("out/deep")).unwrap();
        for name in ["theirs", "out/deep/ours"] {
            std::fs::write(at(name), b"old").unwrap();
        }
        let output = |name: &str| Output { path: at(name), bytes: b"new", may_replace: true };
        let save = || save_set(&[output("out/a.bin"), output("out/a.gltf")], &Inputs::none());
        for target in ["../theirs", "../new"] {
            symlink(target, at("out/a.bin")).unwrap();
            let error = save().unwrap_err();
            assert!(matches!(error.refusal, Refusal::Outside), "{error}");
            assert!(!at("out/a.gltf").exists() && !at("new").exists());
            std::fs::remove_file(at("out/a.bin")).unwrap();
        }
        assert_eq!(std::fs::read(at("theirs")).unwrap(), b"old");
        symlink("deep/ours", at("out/a.bin")).unwrap();
        save().unwrap();
        assert_eq!(std::fs::read(at("out/deep/ours")).unwrap(), b"new");
    }

    #[test]
    fn symlinks_are_preserved_and_their_targets_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("deep")).unwrap();
        std::fs::write(at("deep/real"), b"old").unwrap();
        symlink("deep/real", at("link")).unwrap();
        symlink("link", at("link to link")).unwrap();
        symlink("deep/new", at("dangling")).unwrap();
        symlink("loop", at("loop")).unwrap();
        for (link, real) in [("link to link", "deep/real"), ("dangling", "deep/new")] {
            assert!(save_plain(&at(link), b"x", false).is_err(), "{link}");
            save_plain(&at(link), link.as_bytes(), true).unwrap();
            assert!(at(link).symlink_metadata().unwrap().is_symlink());
            assert_eq!(std::fs::read(at(real)).unwrap(), link.as_bytes());
        }
        assert!(save_plain(&at("loop"), b"x", true).is_err());
        assert_eq!(std::fs::read_dir(at("deep")).unwrap().count(), 2);
    }

    #[test]
    fn devices_and_pipes_are_written_to_and_not_replaced() {
        save_plain(Path::new("/dev/null"), b"x", true).unwrap();
        save_plain(Path::new("/dev/null"), b"x", false).unwrap();
        let null = Path::new("/dev/null").metadata().unwrap();
        assert!(!null.is_file());
        if cfg!(target_os = "linux") {
            let error = save_plain(Path::new("/dev/full"), b"x", true).unwrap_err();
            assert!(matches!(error.refusal, Refusal::Io(_)), "{error}");
        }
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        std::thread::scope(|scope| {
            let read = scope.spawn(|| std::fs::read(&pipe).unwrap());
            save_plain(&pipe, b"through", true).unwrap();
            assert_eq!(read.join().unwrap(), b"through");
        });
        assert!(!pipe.metadata().unwrap().is_file());
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let error = save_plain(&socket, b"x", true).unwrap_err();
        assert!(matches!(error.refusal, Refusal::NotAFile), "{error}");
        let files = [(folder.path().join("beside"), b"x".to_vec()), (pipe.clone(), b"x".to_vec())];
        let error = save_set(&outputs(&files), &Inputs::none()).unwrap_err();
        assert!(matches!(error.refusal, Refusal::Several), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
