//! Which files of repositories are read: storages of Git, links, pipes, devices, and files after filters.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use super::history_scene::{HERO, Scene, put_hero};

#[test]
fn repositories_of_every_storage_are_read() {
    let Some(scene) = Scene::new() else { return };
    let top = scene.repo.parent().unwrap();
    scene.assert_works(&scene.repo, 3, "plain");
    let url = format!("file://{}", scene.repo.display());
    let clones: [(&str, &[&str], usize); 4] = [
        ("shared", &["--shared"], 3),
        ("shallow", &["--depth", "1"], 1),
        ("separate", &["--separate-git-dir", "elsewhere"], 3),
        ("reftable", &["--ref-format=reftable"], 3),
    ];
    for (name, options, num) in clones {
        let source = if name == "shallow" { &*url } else { "repo" };
        scene.git(top, &[&["clone", "--quiet"], options, &[source, name]].concat());
        if name == "reftable" && !top.join(name).is_dir() {
            // Git before 2.45.
            continue;
        }
        put_hero(&top.join(name), 0.9);
        scene.assert_works(&top.join(name), num, name);
    }
    let split = top.join("shared");
    scene.git(&split, &["update-index", "--split-index"]);
    put_hero(&split, 0.9);
    scene.assert_works(&split, 3, "split index");
    let sparse = top.join("separate");
    scene.git(&sparse, &["sparse-checkout", "set", "--cone", "--sparse-index", "folder"]);
    put_hero(&sparse, 0.9);
    scene.assert_works(&sparse, 3, "sparse index");
    let sha256 = top.join("sha256");
    std::fs::create_dir(&sha256).unwrap();
    scene.git(&sha256, &["init", "--quiet", "--object-format=sha256"]);
    scene.add_revisions(&sha256);
    scene.assert_works(&sha256, 3, "SHA-256");
}

#[test]
fn changed_files_that_are_links_or_pipes_are_reported_and_not_read() {
    let Some(scene) = Scene::new() else { return };
    let hero = scene.repo.join(HERO);
    let outside = scene.folder.path("outside.obj");
    std::fs::copy(&hero, &outside).unwrap();
    let diff = |words: &str| {
        let ran = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD"]);
        assert_eq!(ran.code, 2, "{}{}", ran.stdout, ran.stderr);
        let start = "hero.obj: the new version can't be read: ";
        assert!(ran.stdout.starts_with(start) && ran.stdout.contains(words), "{}", ran.stdout);
    };
    for target in [&*outside, Path::new("/dev/zero"), Path::new("../outside.obj")] {
        std::fs::remove_file(&hero).unwrap();
        symlink(target, &hero).unwrap();
        diff("a symbolic link leads out of the repository");
    }
    std::fs::remove_file(&hero).unwrap();
    assert!(Command::new("mkfifo").arg(&hero).status().unwrap().success());
    diff("this is not a regular file");
    // A link within the repository is followed.
    std::fs::remove_file(&hero).unwrap();
    put_hero(&scene.repo, 0.9);
    std::fs::rename(&hero, scene.repo.join("other.obj")).unwrap();
    symlink("other.obj", &hero).unwrap();
    let ran = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD"]);
    assert!(ran.stdout.starts_with("hero.obj: differs"), "{}{}", ran.stdout, ran.stderr);
    // Files whose format is found by their content.
    scene.folder.put_bytes("repo/a.json", b"{}");
    scene.git(&scene.repo, &["add", "a.json"]);
    std::fs::remove_file(scene.repo.join("a.json")).unwrap();
    symlink("/dev/zero", scene.repo.join("a.json")).unwrap();
    scene.rigscope(&scene.repo, &["diff", "--git", "HEAD"]);
}

#[test]
fn endless_files_in_the_git_folder_are_refused() {
    for name in ["index", "shallow", "objects/info/alternates"] {
        let Some(scene) = Scene::new() else { return };
        let path = scene.repo.join(".git").join(name);
        let _ = std::fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let ran = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD"]);
        let name = name.trim_start_matches("objects/");
        let words = format!("`{name}` in the Git folder: this is not a regular file");
        assert!(ran.code == 2 && ran.stderr.contains(&words), "{}", ran.stderr);
    }
    let oid = "a".repeat(64);
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 1\n");
    let Some(scene) = Scene::new() else { return };
    scene.folder.put_bytes("repo/hero.obj", pointer.as_bytes());
    scene.git(&scene.repo, &["commit", "--quiet", "-am", "pointer"]);
    let object = scene.repo.join(format!(".git/lfs/objects/aa/aa/{oid}"));
    std::fs::create_dir_all(object.parent().unwrap()).unwrap();
    symlink("/dev/zero", &object).unwrap();
    let log = |words: &str| {
        let ran = scene.rigscope(&scene.repo, &["log", HERO]);
        assert!(ran.stdout.contains(words), "{}{}", ran.stdout, ran.stderr);
    };
    log("this is not a regular file");
    std::fs::remove_file(&object).unwrap();
    assert!(Command::new("mkfifo").arg(&object).status().unwrap().success());
    log("this is not a regular file");
    std::fs::remove_file(&object).unwrap();
    std::fs::write(&object, "x").unwrap();
    log("its SHA-256 differs");
}

#[test]
fn files_after_the_filters_of_git_are_unchanged() {
    let Some(scene) = Scene::new() else { return };
    // The content of a file in Git LFS, whose pointer is committed.
    let oid = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 5\n");
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    scene.folder.put_bytes("repo/hero.obj", pointer.as_bytes());
    scene.folder.put_bytes("repo/text.obj", text.as_bytes());
    scene.git(&scene.repo, &["add", "-A"]);
    scene.git(&scene.repo, &["commit", "--quiet", "-m", "pointer"]);
    scene.folder.put_bytes("repo/hero.obj", b"hello");
    scene.folder.put_bytes("repo/text.obj", text.replace('\n', "\r\n").as_bytes());
    let ran = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD"]);
    assert!(ran.stderr.contains("no model file has changed"), "{}{}", ran.stdout, ran.stderr);
    scene.folder.put_bytes("repo/hero.obj", b"hallo");
    scene.folder.put_bytes("repo/text.obj", text.replace("1 0 0", "2 0 0\r").as_bytes());
    let ran = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD"]);
    assert!(ran.stdout.contains("hero.obj: the old version can't be read"), "{}", ran.stdout);
    assert!(ran.stdout.contains("text.obj: differs"), "{}", ran.stdout);
}

#[test]
fn staged_files_are_checked_instead_of_those_on_disk() {
    let Some(scene) = Scene::new() else { return };
    let check = |code: i32, args: &[&str]| {
        let ran = scene.rigscope(&scene.repo, &[&["check"], args].concat());
        assert_eq!(ran.code, code, "{}{}", ran.stdout, ran.stderr);
        ran.stdout
    };
    let num_objects = || scene.git(&scene.repo, &["count-objects"]);
    assert!(check(1, &[]).contains("hero.obj: moved: "));
    let before = num_objects();
    assert!(check(0, &["--staged"]).starts_with("1 file, 1 unchanged"));
    assert!(check(0, &["--staged", HERO]).starts_with("1 file, 1 unchanged"));
    assert_eq!(num_objects(), before, "nothing is written to the repository");
    scene.git(&scene.repo, &["add", HERO]);
    put_hero(&scene.repo, 0.7);
    assert!(check(1, &["--staged"]).contains("hero.obj: moved: vertices moved by "));
    check(0, &[]);
    scene.git(&scene.repo, &["rm", "--quiet", "-f", "--cached", HERO]);
    let text = check(1, &["--staged"]);
    assert!(text.contains("hero.obj: missing: "), "{text}");
    check(2, &["--staged", "--update"]);
    scene.git(&scene.repo, &["rm", "--quiet", "--cached", "rigscope.lock.jsonl"]);
    let ran = scene.rigscope(&scene.repo, &["check", "--staged"]);
    assert!(ran.code == 2 && ran.stderr.contains("the baseline isn't staged"), "{}", ran.stderr);
}

#[test]
fn renamed_files_are_compared_with_what_they_were() {
    let Some(scene) = Scene::new() else { return };
    let diff = |range: &str| {
        let ran = scene.rigscope(&scene.repo, &["diff", "--git", range, "--json"]);
        let json = ran.json();
        let files = json["files"].as_array().unwrap().iter();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        let rows = files.map(|file| {
            [text(&file["file"]), text(&file["renamed_from"]), text(&file["state"])].join(" ")
        });
        (ran.code, rows.collect::<Vec<_>>())
    };
    scene.git(&scene.repo, &["checkout", "--quiet", "--", HERO]);
    scene.git(&scene.repo, &["mv", HERO, "folder.obj"]);
    scene.git(&scene.repo, &["commit", "--quiet", "-m", "rename"]);
    assert_eq!(diff("HEAD~1..HEAD"), (0, vec!["folder.obj hero.obj renamed".to_owned()]));
    let ran = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD~1..HEAD"]);
    assert!(ran.stdout.starts_with("folder.obj (renamed from hero.obj): "), "{}", ran.stdout);
}
