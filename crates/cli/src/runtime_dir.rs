//! Keeps libwayland from printing an error when nothing is wrong.
//!
//! Every Vulkan instance that wgpu makes can show Wayland windows. Mesa's device selection layer therefore asks a
//! Wayland compositor which GPU it uses, even if only images are drawn, and libwayland prints "error:
//! XDG_RUNTIME_DIR is invalid or not set in the environment." in containers, cron jobs and SSH sessions, where that
//! variable isn't set. Changing a variable of a running process is unsafe, and neither wgpu nor the layer has an
//! option, so the program starts itself again with the directory that systemd would have set.

use std::ffi::OsStr;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;

use super::{Command, SkinArg};

const VARIABLE: &str = "XDG_RUNTIME_DIR";

/// Starts the program again with `XDG_RUNTIME_DIR` if it needs the GPU and the variable isn't set; the process, its
/// number and its streams stay the same. Returns if there is nothing to do or the system refuses.
///
/// To be called before any work is done or a thread is started.
pub fn set_runtime_dir(command: Option<&Command>) {
    let variable = |name| std::env::var_os(name);
    if !draws(command)
        || !is_missing(variable(VARIABLE).as_deref(), variable("WAYLAND_DISPLAY").as_deref())
    {
        return;
    }
    // The owner of this entry is the user of the process.
    let Ok(user) = std::fs::metadata("/proc/self").map(|entry| entry.uid()) else { return };
    let Ok(program) = std::env::current_exe() else { return };
    let mut args = std::env::args_os();
    let name = args.next().unwrap_or_else(|| program.clone().into());
    let mut again = std::process::Command::new(program);
    again.arg0(name).args(args).env(VARIABLE, format!("/run/user/{user}"));
    let error = again.exec();
    tracing::debug!(%error, "libwayland may print that {VARIABLE} isn't set");
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
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
