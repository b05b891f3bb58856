//! Runs the program in a temporary folder.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::CommandFactory as _;
use rigscope_cli::Cli;
use rigscope_core::model::Model;
use serde_json::Value;

use crate::support::fixtures;

/// A folder that the program runs in, removed at the end.
pub(super) struct Folder(tempfile::TempDir);

/// The result of a run.
pub(super) struct Ran {
    pub(super) code: i32,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Folder {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with one file, `a.bsm2`.
    pub(super) fn with(model: &Model) -> Self {
        let folder = Self::new();
        folder.put("a.bsm2", model);
        folder
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn put(&self, name: &str, model: &Model) {
        self.put_bytes(name, &fixtures::bsm2(model));
    }

    pub(super) fn put_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(super) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub(super) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(super) fn read_json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// Names of the direct entries, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program, to be run in this folder with `args`, with nothing of the tester's own taste.
    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program("rigscope", env!("CARGO_BIN_EXE_rigscope")));
        command
            .args(args)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            // As in a container: libwayland would complain on stderr.
            .env_remove("XDG_RUNTIME_DIR")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE");
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> Ran {
        let ran = Ran::of(self.command(args).output().unwrap());
        for command in ran.suggestions() {
            assert!(is_accepted(&command), "{args:?} suggests a usage error: {command}");
        }
        ran
    }

    /// Runs a command line of the program.
    #[cfg(unix)]
    pub(super) fn run_in_shell(&self, command: &str) -> Ran {
        let own = self.command(&[]);
        let program = PathBuf::from(own.get_program());
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).current_dir(self.0.path()).stdin(Stdio::null());
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths =
            program.parent().map(PathBuf::from).into_iter().chain(std::env::split_paths(&paths));
        shell.env("PATH", std::env::join_paths(paths).unwrap());
        Ran::of(shell.output().unwrap())
    }

    /// Runs the program and checks that it ends with `code`.
    pub(super) fn run_to(&self, code: i32, args: &[&str]) -> Ran {
        let ran = self.run(args);
        let hint = if ran.code == 3 { crate::support::NO_GPU } else { "" };
        assert_eq!(ran.code, code, "{args:?}\n{}{}{hint}", ran.stdout, ran.stderr);
        ran
    }
}

/// Puts files in the place of a built viewer, as `share` reads it: `--viewer viewer`.
pub(super) fn put_viewer(folder: &Folder) {
    let page = "<script type=\"module\" src=\"rigscope.js\"></script>";
    for name in ["viewer/index.html", "viewer/rigscope.js", "viewer/rigscope_bg.wasm"] {
        folder.put_bytes(name, page.as_bytes());
    }
}

impl Ran {
    fn of(output: std::process::Output) -> Self {
        Self {
            code: output.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The commands of this program that the output suggests, without those with placeholders.
    pub(super) fn suggestions(&self) -> Vec<String> {
        let mut commands = Vec::new();
        for line in self.stdout.lines().chain(self.stderr.lines()) {
            let spans = line.split('`').skip(1).step_by(2);
            let labelled =
                ["  or: ", "    or: ", "  evidence and fix: ", "    take them over with: "];
            let labelled = labelled.iter().filter_map(|label| line.strip_prefix(label));
            let found = spans.chain(labelled).filter(|text| text.starts_with("rigscope "));
            let has_placeholder =
                |text: &str| text.split(' ').any(|word| word.starts_with("OUT") || word == "IN");
            commands.extend(found.filter(|text| !has_placeholder(text)).map(str::to_owned));
        }
        commands
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap()
    }
}

/// Whether the program accepts a command line.
fn is_accepted(command: &str) -> bool {
    let command = command.replace(r"'\''", "").replace("$'", "'");
    let parts = command.split(['"', '\'']).enumerate();
    let words = parts.flat_map(|(at, part)| match at % 2 {
        1 => vec![part],
        _ => part.split_whitespace().collect(),
    });
    // Clap reports a request for help as an error.
    command.ends_with("help") || Cli::command().try_get_matches_from(words).is_ok()
}

/// A program of this package: that of the folder `RIGSCOPE_TEST_PROGRAMS` if set, such as an installed one, otherwise the
/// one that was `built` with the tests.
pub(super) fn program(name: &str, built: &str) -> PathBuf {
    let folder = std::env::var_os("RIGSCOPE_TEST_PROGRAMS");
    folder.map_or_else(|| built.into(), |folder| PathBuf::from(folder).join(name))
}

/// `path` with the separators that the program prints on this system.
pub(super) fn native(path: &str) -> String {
    path.replace('/', std::path::MAIN_SEPARATOR_STR)
}

/// The keys of an object in their order.
///
/// `serde_json` sorts keys when it reads, so they are looked up in the text.
pub(super) fn keys_in_order(text: &str, keys: &str) {
    let mut at = 0;
    for key in keys.split_whitespace() {
        let quoted = format!("\"{key}\":");
        let found = text[at..].find(&quoted);
        at += found.unwrap_or_else(|| panic!("{key} is missing or too early"));
    }
}
