//! Environment variables that keep graphics libraries from printing messages that mean nothing to users.
//!
//! - Every Vulkan instance that wgpu makes can show Wayland windows. Mesa's device selection layer therefore asks a
//!   Wayland compositor which GPU it uses, even if only images are drawn, and libwayland prints "error: XDG_RUNTIME_DIR is
//!   invalid or not set in the environment." in containers, cron jobs and SSH sessions, where that variable isn't set.
//! - Mesa prints that some of its drivers, such as lavapipe before version 22, aren't conformant.
//! - xkbcommon prints an error for every locale without a Compose file.
//!
//! Changing a variable of a running process is unsafe, and wgpu and winit have no option for it, so the program starts
//! itself again with these variables.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use super::{Command, SkinArg};

const RUNTIME_DIR: &str = "XDG_RUNTIME_DIR";

/// Variables that lower the log level of libraries. Sources: xkbcommon.h (`xkb_context_set_log_level`), Mesa's
/// documentation of environment variables.
const LOG_LEVELS: [(&str, &str); 3] = [
    ("XKB_LOG_LEVEL", "crit"),
    ("MESA_LOG_LEVEL", "error"),
    ("MESA_VK_IGNORE_CONFORMANCE_WARNING", "true"),
];

/// Starts the program again with the missing variables if it needs the GPU; the process, its number and its streams
/// stay the same. Variables set by the user are kept. With `is_verbose`, messages of libraries are printed. Returns if
/// there is nothing to do or the system refuses.
///
/// To be called before any work is done or a thread is started.
pub fn set_library_environment(command: Option<&Command>, is_verbose: bool) {
    if !draws(command) {
        return;
    }
    let missing = missing(is_verbose, |name| std::env::var_os(name));
    if missing.is_empty() {
        return;
    }
    let Ok(program) = std::env::current_exe() else { return };
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_else(|| program.clone().into());
    let mut again = std::process::Command::new(program);
    let error = again.arg0(name).args(args).envs(missing).exec();
    tracing::debug!(%error, "graphics libraries may print messages");
}

/// The variables to set, given those that are set.
fn missing(
    is_verbose: bool,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<(&'static str, OsString)> {
    let mut missing = Vec::new();
    let (runtime_dir, display) = (variable(RUNTIME_DIR), variable("WAYLAND_DISPLAY"));
    // The owner of this entry is the user of the process.
    if is_missing(runtime_dir.as_deref(), display.as_deref())
        && let Ok(entry) = std::fs::metadata("/proc/self")
    {
        missing.push((RUNTIME_DIR, format!("/run/user/{}", entry.uid()).into()));
    }
    if !is_verbose {
        let unset = LOG_LEVELS.iter().filter(|(name, _)| variable(name).is_none());
        missing.extend(unset.map(|(name, level)| (*name, level.into())));
    }
    missing
}

/// Whether libwayland would find no directory for its socket; an absolute `WAYLAND_DISPLAY` needs none.
fn is_missing(runtime_dir: Option<&OsStr>, display: Option<&OsStr>) -> bool {
    let is_absolute = |path: Option<&OsStr>| path.is_some_and(|path| Path::new(path).is_absolute());
    !is_absolute(runtime_dir) && !is_absolute(display)
}

/// Whether a command opens the GPU.
fn draws(command: Option<&Command>) -> bool {
    match command {
        None
        | Some(Command::View(_) | Command::Render(_) | Command::Thumbnail(_) | Command::Bench(_)) => {
            true
        }
        Some(Command::Pose(args)) => args.skin == SkinArg::Gpu,
        Some(Command::Diff(args)) => args.heat_map.is_some(),
        Some(Command::Diagnose(args)) => args.image.is_some(),
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_the_user_are_kept_and_messages_printed_if_verbose() {
        let set = |list: &[&str]| {
            let list: Vec<String> = list.iter().map(|name| (*name).to_owned()).collect();
            move |name: &str| list.iter().any(|own| own == name).then(|| OsString::from("/own"))
        };
        let names = |missing: Vec<(&'static str, OsString)>| -> Vec<&str> {
            missing.into_iter().map(|(name, _)| name).collect()
        };
        let all = LOG_LEVELS.map(|(name, _)| name);
        assert_eq!(names(missing(false, set(&[RUNTIME_DIR]))), all);
        assert_eq!(names(missing(false, set(&[RUNTIME_DIR, all[0]]))), all[1..]);
        assert!(missing(true, set(&[RUNTIME_DIR])).is_empty());
        // After the restart, nothing is missing.
        assert!(missing(false, set(&[RUNTIME_DIR, all[0], all[1], all[2]])).is_empty());
    }

    #[test]
    fn wayland_socket_is_missing_without_an_absolute_path() {
        let is_missing = |dir: Option<&str>, display: Option<&str>| {
            is_missing(dir.map(OsStr::new), display.map(OsStr::new))
        };
        assert!(is_missing(None, None) && is_missing(Some(""), Some("wayland-0")));
        assert!(is_missing(Some("run/user"), None));
        assert!(!is_missing(Some("/run/user/1000"), None));
        assert!(!is_missing(None, Some("/run/user/1000/wayland-0")));
    }
}
