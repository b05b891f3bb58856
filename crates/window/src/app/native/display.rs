//! Choice of display, and the error message without one.

#[cfg(unix)]
use std::ffi::OsStr;
#[cfg(unix)]
use std::path::Path;

use winit::error::EventLoopError;
use winit::event_loop::EventLoopBuilder;

/// Uses X11 if the Wayland display doesn't respond and X11 is available: winit always tries Wayland first,
/// and can create only one event loop.
pub(super) fn choose<T>(builder: &mut EventLoopBuilder<T>) {
    #[cfg(all(unix, not(target_vendor = "apple")))]
    {
        use winit::platform::x11::EventLoopBuilderExtX11 as _;
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let Some(name) = set("WAYLAND_DISPLAY") else { return };
        let folder = set("XDG_RUNTIME_DIR");
        if set("DISPLAY").is_some() && !answers(&name, folder.as_deref().map(Path::new)) {
            tracing::warn!(
                "the display named by WAYLAND_DISPLAY doesn't respond; using DISPLAY instead"
            );
            builder.with_x11();
        }
    }
    #[cfg(not(all(unix, not(target_vendor = "apple"))))]
    let _ = builder;
}

/// Whether a Wayland server listens on the socket with that name.
///
/// Source: `wl_display_connect` of libwayland: a path, or a name below `XDG_RUNTIME_DIR`.
#[cfg(unix)]
fn answers(name: &OsStr, folder: Option<&Path>) -> bool {
    use std::os::unix::net::UnixStream;
    let path = match (Path::new(name), folder) {
        (path, _) if path.is_absolute() => path.to_owned(),
        (path, Some(folder)) => folder.join(path),
        (_, None) => return false,
    };
    UnixStream::connect(path).is_ok()
}

/// On X11, winit panics without the keyboard data of xkbcommon, which minimal containers lack.
///
/// Source: xkbcommon's user configuration: `XKB_CONFIG_ROOT`, by default /usr/share/X11/xkb.
pub(super) fn check_keyboard_data() -> anyhow::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let named = set("XKB_CONFIG_ROOT");
        // A Wayland server sends its keymap. Distributions with other folders have another default.
        let is_usual = named.is_some() || Path::new("/usr/share/X11").is_dir();
        let root = named.unwrap_or_else(|| "/usr/share/X11/xkb".into());
        anyhow::ensure!(
            set("WAYLAND_DISPLAY").is_some() || !is_usual || Path::new(&root).is_dir(),
            "can't open a window: there is no keyboard data in {}. On Debian and Ubuntu: apt install xkb-data",
            root.display()
        );
    }
    Ok(())
}

/// The error for a missing event loop.
pub(super) fn missing(error: &EventLoopError) -> anyhow::Error {
    let set = ["WAYLAND_DISPLAY", "WAYLAND_SOCKET", "DISPLAY"].map(|name| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty())?;
        Some(format!("{name}={}", value.display()))
    });
    anyhow::anyhow!("{}", sentence(set.into_iter().flatten().collect(), &plain(error)))
}

fn sentence(set: Vec<String>, error: &str) -> String {
    let hint = "commands such as info, convert and render don't need a display";
    match set.is_empty() {
        // On other systems, displays aren't named by variables; use the system's message.
        true if !cfg!(all(unix, not(target_vendor = "apple"))) => {
            format!("can't open a window: {error}")
        }
        true => format!(
            "can't open a window: there is no display (neither WAYLAND_DISPLAY nor DISPLAY is set); {hint}"
        ),
        false => format!(
            "can't open a window: the display {} doesn't respond ({error}); {hint}",
            set.join(", ")
        ),
    }
}

/// The message of a winit error without its source location.
pub(in crate::app) fn plain(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    let Some(rest) = text.strip_prefix("os error at ") else { return text };
    // `path:line: message`.
    let mut parts = rest.split(": ");
    parts.next();
    let plain = parts.collect::<Vec<_>>().join(": ");
    if plain.is_empty() { text } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("{0}")]
    struct TestError(&'static str);

    #[test]
    fn error_messages_omit_source_locations() {
        let error =
            TestError("os error at /home/a/.cargo/winit-0.30.13/src/mod.rs:765: neither: nor");
        assert_eq!(plain(&error), "neither: nor");
        assert_eq!(plain(&TestError("Exit Failure: 1")), "Exit Failure: 1");
    }

    #[cfg(all(unix, not(target_vendor = "apple")))]
    #[test]
    fn missing_and_unresponsive_displays_have_different_errors() {
        let none = sentence(Vec::new(), "os");
        assert!(none.contains("neither WAYLAND_DISPLAY nor DISPLAY is set"), "{none}");
        let deaf = sentence(vec!["DISPLAY=:9".into()], "refused");
        assert!(deaf.contains("the display DISPLAY=:9 doesn't respond (refused)"), "{deaf}");
    }

    #[cfg(unix)]
    #[test]
    fn a_display_responds_if_a_server_listens() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wayland-7");
        let listens = || answers("wayland-7".as_ref(), Some(folder.path()));
        assert!(!listens());
        let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(listens() && answers(path.as_os_str(), None));
        assert!(!answers("wayland-7".as_ref(), None));
        drop(listener);
        assert!(!listens(), "a socket that was left behind");
    }
}
