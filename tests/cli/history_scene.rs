//! A repository whose history tests examine, and a program that leaves a trace when it is started.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::runner::{Folder, Ran};

pub(super) const HERO: &str = "hero.obj";
/// Longest run of a command; endless ones would never stop.
const TIME_LIMIT: Duration = Duration::from_secs(50);

/// A folder with a home, a program that leaves a trace, and a repository.
pub(super) struct Scene {
    pub(super) folder: Folder,
    /// The working tree.
    pub(super) repo: PathBuf,
    /// First in PATH, if another `git` is to be used.
    git_folder: Option<PathBuf>,
}

impl Scene {
    /// Three revisions of a model, a baseline, and a change on disk. `None` without Git.
    pub(super) fn new() -> Option<Self> {
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

    pub(super) fn add_revisions(&self, repo: &Path) {
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
    pub(super) fn replace_git(&mut self, line: &str) {
        let script = format!("#!/bin/sh\n{line}\nPATH=\"${{PATH#*:}}\"\nexec git \"$@\"\n");
        self.folder.put_bytes("bin/git", script.as_bytes());
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.folder.path("bin/git"), mode).unwrap();
        self.git_folder = Some(self.folder.path("bin"));
    }

    pub(super) fn command(&self, program: &Path, at: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).current_dir(at).env("HOME", self.folder.path("home"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME").stdin(Stdio::null());
        if let Some(folder) = &self.git_folder {
            let path = std::env::var("PATH").unwrap_or_default();
            command.env("PATH", format!("{}:{path}", folder.display()));
        }
        command
    }

    pub(super) fn try_git(&self, at: &Path, args: &[&str]) -> Option<String> {
        let output = self.command(Path::new("git"), at, args).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Runs Git, also if it fails.
    pub(super) fn git(&self, at: &Path, args: &[&str]) -> String {
        self.try_git(at, args).unwrap()
    }

    pub(super) fn config(&self, name: &str, value: &str) {
        self.git(&self.repo, &["config", name, value]);
    }

    /// The path of the program that leaves a trace.
    pub(super) fn program(&self) -> String {
        self.folder.path("run").to_str().unwrap().to_owned()
    }

    pub(super) fn has_trace(&self) -> bool {
        std::fs::remove_file(self.folder.path("trace")).is_ok()
    }

    /// Runs Rigscope, and stops it after [`TIME_LIMIT`].
    pub(super) fn rigscope(&self, at: &Path, args: &[&str]) -> Ran {
        self.rigscope_with(at, args, &[])
    }

    pub(super) fn rigscope_with(
        &self,
        at: &Path,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> Ran {
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
    pub(super) fn traces(&self, at: &Path) -> Vec<String> {
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
    pub(super) fn assert_works(&self, at: &Path, num_revisions: usize, what: &str) {
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
    pub(super) fn promise(&self, object: &str, url: &str) {
        let hash = self.git(&self.repo, &["rev-parse", object]);
        let (folder, name) = hash.split_at(2);
        std::fs::remove_file(self.repo.join(format!(".git/objects/{folder}/{name}"))).unwrap();
        self.config("core.repositoryFormatVersion", "1");
        self.config("extensions.partialClone", "o");
        self.config("remote.o.promisor", "true");
        self.config("remote.o.url", url);
    }

    /// Sends models through the drivers `x`.
    pub(super) fn attributes(&self) {
        self.folder.put_bytes("repo/.git/info/attributes", b"*.obj filter=x diff=x\n");
    }

    pub(super) fn filter(&self, kind: &str) {
        self.attributes();
        self.config(&format!("filter.x.{kind}"), &self.program());
    }
}

/// A triangle with a vertex that moves.
pub(super) fn put_hero(folder: &Path, x: f32) {
    let text = format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    std::fs::write(folder.join(HERO), text).unwrap();
}
