//! Repositories that try to start programs when their history is read.
//!
//! Each attack is first tried on Git itself, which shows that the program would be started.

use std::os::unix::fs::symlink;

use super::history_scene::{HERO, Scene, put_hero};

/// An attack: its name, its preparation, a command of Git that starts the program, and whether all objects remain.
type Attack = (&'static str, fn(&Scene), &'static [&'static str], bool);

const ATTACKS: [Attack; 20] = [
    ("clean filter", |scene| scene.filter("clean"), &["diff", "HEAD"], true),
    ("filter process", |scene| scene.filter("process"), &["diff", "HEAD"], true),
    (
        "smudge filter",
        |scene| scene.filter("smudge"),
        &["cat-file", "--filters", "HEAD:hero.obj"],
        true,
    ),
    (
        "text conversion",
        |scene| {
            scene.attributes();
            scene.config("diff.x.textconv", &scene.program());
        },
        &["log", "-p", "-1"],
        true,
    ),
    (
        "driver of a difference",
        |scene| {
            scene.attributes();
            scene.config("diff.x.command", &scene.program());
        },
        &["diff", "HEAD~1", "HEAD"],
        true,
    ),
    (
        "external difference",
        |scene| scene.config("diff.external", &scene.program()),
        &["diff", "HEAD~1", "HEAD"],
        true,
    ),
    (
        "included configuration",
        |scene| {
            scene.filter("smudge");
            let text = format!("[filter \"x\"]\n\tclean = {}\n", scene.program());
            scene.folder.put_bytes("repo/.git/more", text.as_bytes());
            scene.config("include.path", "more");
        },
        &["diff", "HEAD"],
        true,
    ),
    (
        "missing file, upload-pack",
        |scene| {
            scene.promise("HEAD:hero.obj", "/");
            scene.config("remote.o.uploadpack", &scene.program());
        },
        &["cat-file", "-p", "HEAD:hero.obj"],
        false,
    ),
    (
        "missing commit, upload-pack",
        |scene| {
            scene.promise("HEAD~1", "/");
            scene.config("remote.o.uploadpack", &scene.program());
        },
        &["cat-file", "-p", "HEAD~1"],
        false,
    ),
    (
        "missing folder, ext",
        |scene| {
            scene.promise("HEAD~1^{tree}", &format!("ext::{}", scene.program()));
            scene.config("protocol.ext.allow", "always");
        },
        &["log", "--", "hero.obj"],
        false,
    ),
    (
        "missing head, ssh",
        |scene| {
            scene.promise("HEAD", "ssh://host/path");
            scene.config("core.sshCommand", &scene.program());
        },
        &["cat-file", "-p", "HEAD"],
        false,
    ),
    (
        "missing target of a branch, proxy",
        |scene| {
            scene.promise("HEAD~1", "git://host/path");
            scene.config("core.gitProxy", &scene.program());
            let hash = "1234567812345678123456781234567812345678\n";
            scene.folder.put_bytes("repo/.git/refs/heads/ghost", hash.as_bytes());
        },
        &["cat-file", "-t", "ghost"],
        false,
    ),
    (
        "aliases and pagers",
        |scene| {
            let program = format!("!{}", scene.program());
            for command in ["rev-parse", "ls-tree", "cat-file", "log", "ls-files", "other"] {
                scene.config(&format!("alias.{command}"), &program);
                scene.config(&format!("pager.{command}"), &scene.program());
            }
            scene.config("core.pager", &scene.program());
        },
        &["other"],
        true,
    ),
    (
        "file system monitor",
        |scene| scene.config("core.fsmonitor", &scene.program()),
        &["status"],
        true,
    ),
    (
        "hooks",
        |scene| {
            let hooks =
                ["reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc"];
            for hook in hooks {
                symlink(scene.program(), scene.repo.join(".git/hooks").join(hook)).unwrap();
            }
        },
        &["update-ref", "refs/heads/other", "HEAD"],
        true,
    ),
    (
        "signature",
        |scene| {
            let head = scene.git(&scene.repo, &["cat-file", "commit", "HEAD"]);
            let (fields, message) = head.split_once("\n\n").unwrap();
            let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----";
            scene
                .folder
                .put_bytes("signed", format!("{fields}\n{signature}\n\n{message}\n").as_bytes());
            let signed = ["hash-object", "-t", "commit", "-w", "../signed"];
            let signed = scene.git(&scene.repo, &signed);
            scene.git(&scene.repo, &["reset", "--quiet", "--soft", &signed]);
            scene.config("log.showSignature", "true");
            scene.config("gpg.program", &scene.program());
        },
        &["log", "-1"],
        true,
    ),
    (
        "references of alternates",
        |scene| {
            let main = scene.folder.path("main");
            std::fs::rename(&scene.repo, &main).unwrap();
            let clone = ["clone", "--quiet", "--shared", "main", "repo"];
            scene.git(main.parent().unwrap(), &clone);
            put_hero(&scene.repo, 0.9);
            scene.config("core.alternateRefsCommand", &scene.program());
        },
        &["rev-list", "--alternate-refs"],
        true,
    ),
    (
        "file with the place of the Git folder",
        |scene| {
            scene.filter("clean");
            std::fs::rename(scene.repo.join(".git"), scene.folder.path("store")).unwrap();
            scene.folder.put_bytes("repo/.git", b"gitdir: ../store\n");
        },
        &["diff", "HEAD"],
        true,
    ),
    (
        "configuration of a worktree",
        |scene| {
            let main = scene.folder.path("main");
            std::fs::rename(&scene.repo, &main).unwrap();
            scene.git(&main, &["worktree", "add", "--quiet", "../repo", "-b", "other"]);
            put_hero(&scene.repo, 0.9);
            scene.config("extensions.worktreeConfig", "true");
            let program = scene.program();
            scene.git(&scene.repo, &["config", "--worktree", "core.fsmonitor", &program]);
        },
        &["status"],
        true,
    ),
    (
        "submodule",
        |scene| {
            let main = scene.folder.path("main");
            std::fs::rename(&scene.repo, &main).unwrap();
            std::fs::create_dir(&scene.repo).unwrap();
            scene.git(&scene.repo, &["init", "--quiet"]);
            scene.add_revisions(&scene.repo);
            scene.git(&scene.repo, &["submodule", "--quiet", "add", "../main", "sub"]);
            put_hero(&scene.repo.join("sub"), 0.9);
            let config = ["config", "core.fsmonitor", &scene.program()];
            scene.git(&scene.repo.join("sub"), &config);
        },
        &["status"],
        true,
    ),
];

#[test]
fn reading_the_history_of_a_hostile_repository_starts_nothing() {
    for (name, prepare, trigger, is_complete) in ATTACKS {
        let Some(scene) = Scene::new() else { return };
        prepare(&scene);
        scene.git(&scene.repo, trigger);
        assert!(scene.has_trace(), "{name}: git {trigger:?} doesn't start the program");
        let mut traces = scene.traces(&scene.repo);
        if name == "submodule" {
            traces.extend(scene.traces(&scene.repo.join("sub")));
        }
        assert!(traces.is_empty(), "{name}: {traces:?} start the program");
        if is_complete {
            scene.assert_works(&scene.repo, 3, name);
        }
        // The trigger still works, so that it wasn't undone by accident.
        scene.git(&scene.repo, trigger);
        assert!(scene.has_trace() || name == "hooks", "{name}: the attack has ended");
    }
}

#[test]
fn versions_of_git_without_switches_against_downloads_are_as_safe() {
    for (name, prepare, ..) in ATTACKS.into_iter().filter(|attack| !attack.3) {
        let Some(mut scene) = Scene::new() else { return };
        prepare(&scene);
        // Git before 2.39 knows neither variable.
        scene.replace_git("unset GIT_NO_LAZY_FETCH GIT_ALLOW_PROTOCOL");
        let traces = scene.traces(&scene.repo);
        assert!(traces.is_empty(), "{name}: {traces:?} start the program");
        let log = scene.rigscope(&scene.repo, &["log", HERO]);
        let text = format!("{}{}", log.stdout, log.stderr);
        let is_named =
            ["this clone doesn't have", "unable to", "bad object", "Could not read", "no revision"];
        assert!(is_named.iter().any(|words| text.contains(words)), "{name}: {text}");
    }
}

#[test]
fn a_bare_repository_among_the_files_of_another_is_not_one() {
    let Some(scene) = Scene::new() else { return };
    let evil = scene.repo.join("evil");
    std::fs::create_dir(&evil).unwrap();
    scene.git(&evil, &["init", "--quiet", "--bare", "."]);
    put_hero(&evil, 0.25);
    let itself = ["--git-dir=.", "--work-tree=."];
    scene.git(&evil, &[&itself[..], &["add", "-f", HERO]].concat());
    scene.git(&evil, &[&itself[..], &["commit", "--quiet", "-m", "in"]].concat());
    for (name, value) in
        [("core.bare", "false"), ("core.worktree", "."), ("filter.x.clean", &*scene.program())]
    {
        scene.git(&evil, &["config", "-f", "config", name, value]);
    }
    std::fs::write(evil.join(".gitattributes"), "*.obj filter=x\n").unwrap();
    scene.git(&scene.repo, &["add", "-f", "evil"]);
    scene.has_trace();
    scene.git(&scene.repo, &["commit", "--quiet", "-m", "out"]);
    put_hero(&evil, 0.5);
    scene.git(&evil, &["diff", "HEAD", "--"]);
    assert!(scene.has_trace(), "git doesn't start the program");
    assert_eq!(scene.traces(&evil), [""; 0]);
    // The file is one of the outer repository.
    let log = scene.rigscope(&evil, &["log", HERO]);
    let newest = log.stdout.lines().nth(1).unwrap_or_default();
    assert!(newest.ends_with("\"out\""), "{}{}", log.stdout, log.stderr);
    let diff = scene.rigscope(&scene.repo, &["diff", "--git", "HEAD", "evil/hero.obj"]);
    assert!(diff.stdout.starts_with("evil/hero.obj: differs"), "{}", diff.stdout);
    assert!(!scene.has_trace());
}

#[test]
fn a_repository_of_another_user_is_read_only_if_git_trusts_it() {
    let Some(mut scene) = Scene::new() else { return };
    scene.replace_git("export GIT_TEST_ASSUME_DIFFERENT_OWNER=1");
    let log = scene.rigscope(&scene.repo, &["log", HERO]);
    assert!(log.code == 2 && log.stderr.contains("dubious ownership"), "{}", log.stderr);
    scene.git(&scene.repo, &["config", "--global", "safe.directory", "*"]);
    scene.assert_works(&scene.repo, 3, "trusted");
}

#[test]
fn a_working_tree_elsewhere_is_refused() {
    let Some(scene) = Scene::new() else { return };
    let other = scene.folder.path("other");
    std::fs::create_dir(&other).unwrap();
    put_hero(&other, 0.0);
    scene.filter("clean");
    scene.config("core.worktree", other.to_str().unwrap());
    assert_eq!(scene.traces(&scene.repo), [""; 0]);
    let ran = scene.rigscope(&scene.repo, &["log", HERO]);
    assert!(ran.stderr.contains("doesn't belong to that folder"), "{}", ran.stderr);
}

#[test]
fn variables_of_git_do_not_replace_the_repository_of_the_file() {
    let Some(scene) = Scene::new() else { return };
    let other = scene.folder.path("other");
    std::fs::create_dir(&other).unwrap();
    scene.git(&other, &["init", "--quiet"]);
    let (dir, tree) = (other.join(".git"), other.to_str().unwrap().to_owned());
    let program = scene.program();
    let variables = [
        ("GIT_DIR", dir.to_str().unwrap()),
        ("GIT_WORK_TREE", &*tree),
        ("GIT_INDEX_FILE", "nothing"),
        ("GIT_OBJECT_DIRECTORY", &*tree),
        ("GIT_EXTERNAL_DIFF", &*program),
        ("GIT_SSH_COMMAND", &*program),
        ("GIT_TRACE", "1"),
    ];
    let log = scene.rigscope_with(&scene.repo, &["log", HERO], &variables);
    assert_eq!(log.stdout.lines().count(), 4, "{}", log.stderr);
    let diff = scene.rigscope_with(&scene.repo, &["diff", "--git", "HEAD"], &variables);
    assert!(diff.stdout.starts_with("hero.obj: differs"), "{}{}", diff.stdout, diff.stderr);
    assert!(!scene.has_trace());
}

#[test]
fn names_and_messages_of_git_are_printed_without_control_characters() {
    let Some(scene) = Scene::new() else { return };
    let name = "a\u{1b}]0;b\u{7}\u{9b}c\u{202e}.obj";
    std::fs::copy(scene.repo.join(HERO), scene.repo.join(name)).unwrap();
    scene.git(&scene.repo, &["add", "-A"]);
    let author = "--author=A\u{1b}[31m\u{85} <a@example.org>";
    scene.git(&scene.repo, &["commit", "--quiet", author, "-m", "b\u{1b}[31m\u{202e}"]);
    std::fs::write(scene.repo.join(name), "no model").unwrap();
    for args in [
        &["log", HERO][..],
        &["log", name],
        &["bisect", "--moved", "1%", HERO],
        &["diff", "--git", "HEAD"],
        &["diff", "--git", "HEAD~2..HEAD"],
        &["diff", "--git", "\u{1b}[31m"],
        &["bisect", "--moved", "1%", "--good", "\u{9b}", HERO],
        &["log", "no\u{1b}.obj"],
    ] {
        let ran = scene.rigscope(&scene.repo, args);
        let text = format!("{}{}", ran.stdout, ran.stderr);
        let is_raw = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(!text.is_empty() && !text.contains(is_raw), "{args:?}: {text:?}");
    }
}
