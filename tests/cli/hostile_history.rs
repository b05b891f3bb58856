//! Repositories that try to start programs, or to make reading endless, when their history is read.
//!
//! Each attack is first tried on Git itself, which shows that the program would be started.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::runner::{Folder, Ran};

const HERO: &str = "hero.obj";
/// Longest run of a command; endless ones would never stop.
const TIME_LIMIT: Duration = Duration::from_secs(50);

/// A folder with a home, a program that leaves a trace, and a repository.
struct Scene {
    folder: Folder,
    /// The working tree.
    repo: PathBuf,
    /// First in PATH, if another `git` is to be used.
    git_folder: Option<PathBuf>,
}

impl Scene {
    /// Three revisions of a model, a baseline, and a change on disk. `None` without Git.
    fn new() -> Option<Self> {
        let folder = Folder::new();
        let config = "[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n\
                      [protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n";
        folder.put_bytes("home/.gitconfig", config.as_bytes());
        let trace = folder.path("trace");
        let script = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", trace.display());
        folder.put_bytes("run", script.as_bytes());
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path("run"), mode).unwrap();
        let repo = folder.path("repo");
        let scene = Self { folder, repo, git_folder: None };
        std::fs::create_dir(&scene.repo).unwrap();
        scene.try_git(&scene.repo, &["init", "--quiet"])?;
        scene.add_revisions(&scene.repo);
        Some(scene)
    }

    fn add_revisions(&self, repo: &Path) {
        for x in [0.0, 0.4, 0.7] {
            put_hero(repo, x);
            let ran = self.rigscope(repo, &["baseline", HERO, "--force"]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            self.git(repo, &["add", "-A"]);
            self.git(repo, &["commit", "--quiet", "-m", "change"]);
        }
        put_hero(repo, 0.9);
    }

    /// Puts a script before Git, with a line that changes its environment.
    fn replace_git(&mut self, line: &str) {
        let script = format!("#!/bin/sh\n{line}\nPATH=\"${{PATH#*:}}\"\nexec git \"$@\"\n");
        self.folder.put_bytes("bin/git", script.as_bytes());
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.folder.path("bin/git"), mode).unwrap();
        self.git_folder = Some(self.folder.path("bin"));
    }

    fn command(&self, program: &Path, at: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(at).env("HOME", self.folder.path("home"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME").stdin(Stdio::null());
        if let Some(folder) = &self.git_folder {
            let path = std::env::var("PATH").unwrap_or_default();
            command.env("PATH", format!("{}:{path}", folder.display()));
        }
        command
    }

    fn try_git(&self, at: &Path, args: &[&str]) -> Option<String> {
        let output = self.command(Path::new("git"), at, args).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs Git, also if it fails.
    fn git(&self, at: &Path, args: &[&str]) -> String {
        self.try_git(at, args).unwrap()
    }

    fn config(&self, name: &str, value: &str) {
        self.git(&self.repo, &["config", name, value]);
    }

    /// The path of the program that leaves a trace.
    fn program(&self) -> String {
        self.folder.path("run").to_str().unwrap().to_owned()
    }

    fn has_trace(&self) -> bool {
        std::fs::remove_file(self.folder.path("trace")).is_ok()
    }

    /// Runs Rigscope, and stops it after [`TIME_LIMIT`].
    fn rigscope(&self, at: &Path, args: &[&str]) -> Ran {
        self.rigscope_with(at, args, &[])
    }

    fn rigscope_with(&self, at: &Path, args: &[&str], variables: &[(&str, &str)]) -> Ran {
        let program = self.folder.command(&[]).get_program().to_owned();
        let mut command = self.command(Path::new(&program), at, args);
        command.envs(variables.iter().copied());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < TIME_LIMIT {
            std::thread::sleep(Duration::from_millis(5));
        }
        let is_endless = child.try_wait().unwrap().is_none();
        if is_endless {
            child.kill().unwrap();
        }
        assert!(!is_endless, "{args:?} takes longer than {TIME_LIMIT:?}");
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs the commands that read the history, and returns those that leave a trace.
    fn traces(&self, at: &Path) -> Vec<String> {
        let commands = [
            &["log", HERO][..],
            &["bisect", "--moved", "1%", HERO],
            &["bisect", "--finding", "weights-not-normalized", "--good", "HEAD~1", HERO],
            &["check"],
            &["diff", "--git", "HEAD"],
            &["diff", "--git", "HEAD~1..main"],
            &["diff", "--git", "ghost"],
            &["diff", "--git", "HEAD@{1}", HERO],
        ];
        let has_trace = |args: &&&[&str]| {
            self.rigscope(at, args);
            self.has_trace()
        };
        commands.iter().filter(has_trace).map(|args| args.join(" ")).collect()
    }

    /// Checks that the commands work as in a plain repository.
    fn assert_works(&self, at: &Path, num_revisions: usize, what: &str) {
        let log = self.rigscope(at, &["log", HERO]);
        assert_eq!(log.stdout.lines().count(), num_revisions + 1, "{what}: {}", log.stderr);
        let diff = self.rigscope(at, &["diff", "--git", "HEAD"]);
        let is_found = diff.stdout.starts_with("hero.obj: differs");
        assert!(is_found, "{what}: {}{}", diff.stdout, diff.stderr);
        let check = self.rigscope(at, &["check", "--json"]);
        let moved = &check.json()["files"][0]["moved"];
        assert!(moved["of_size"].as_f64().is_some(), "{what}: {moved} {}", check.stderr);
    }

    /// Removes an object, and names the repository as the remote that has it.
    fn promise(&self, object: &str, url: &str) {
        let hash = self.git(&self.repo, &["rev-parse", object]);
        let (folder, name) = hash.split_at(2);
        std::fs::remove_file(self.repo.join(format!(".git/objects/{folder}/{name}"))).unwrap();
        self.config("core.repositoryFormatVersion", "1");
        self.config("extensions.partialClone", "o");
        self.config("remote.o.promisor", "true");
        self.config("remote.o.url", url);
    }

    /// Sends models through the drivers `x`.
    fn attributes(&self) {
        self.folder.put_bytes("repo/.git/info/attributes", b"*.obj filter=x diff=x\n");
    }

    fn filter(&self, kind: &str) {
        self.attributes();
        self.config(&format!("filter.x.{kind}"), &self.program());
    }
}

/// A triangle with a vertex that moves.
fn put_hero(folder: &Path, x: f32) {
    let text = format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    std::fs::write(folder.join(HERO), text).unwrap();
}

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
