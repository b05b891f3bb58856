//! The environment of every Git process.

use std::process::{Command, Stdio};
use std::time::Duration;

/// Variables with the places of Git and of the user's settings. All others, such as `GIT_DIR`, would replace the
/// repository of the file, or name programs.
const INSTALLATION: [&str; 4] =
    ["GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"];
/// Prefixes of variables that hold settings of the user, such as `safe.directory` on build machines.
const SETTINGS: [&str; 4] =
    ["GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_CONFIG_PARAMETERS"];

/// Limits of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunLimits {
    pub(super) time: Duration,
    pub(super) memory_bytes: u64,
    pub(super) output_bytes: u64,
}

impl RunLimits {
    /// For a query whose answer is short.
    pub(super) const QUERY: Self =
        Self { time: Duration::from_secs(60), memory_bytes: 1 << 30, output_bytes: 1 << 20 };
    /// For lists of files or commits.
    pub(super) const LIST: Self =
        Self { time: Duration::from_secs(600), memory_bytes: 4 << 30, output_bytes: 1 << 30 };

    /// For an object of that size. Git may have it several times in memory while it applies differences.
    pub(super) const fn object(bytes: u64) -> Self {
        Self { time: Duration::from_secs(300), memory_bytes: 4 << 30, output_bytes: bytes }
    }
}

/// Git without arguments. Its terminal, pager and locale are fixed, and
/// variables that replace the repository are removed.
pub(super) fn git() -> Command {
    let mut command = Command::new("git");
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in variables.filter(|name| name.starts_with("GIT_")) {
        let is_kept = INSTALLATION.contains(&&*name)
            || SETTINGS.iter().any(|prefix| name.starts_with(prefix));
        if !is_kept {
            command.env_remove(name);
        }
    }
    command
        .stdin(Stdio::null())
        .args(["--no-pager", "--literal-pathspecs"])
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_OPTIONAL_LOCKS", "0")
        // No object is fetched (since Git 2.39.4 and 2.45), and no transport is allowed (in all versions).
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("LC_ALL", "C");
    command
}
