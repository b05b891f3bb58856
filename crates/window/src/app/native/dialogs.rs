//! File selection with the platform's own dialog.
//!
//! The dialog is created on the main thread, as some platforms require, and awaited on another, so that the
//! window stays responsive.
//!
//! Linux has a dialog only with a desktop portal or with the program zenity. rfd returns `None` for a dialog that can't
//! be shown as for a cancelled one, and reports the difference only to its log.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};

use rfd::FileHandle;
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::app::{Msg, send};
use rigscope_state::FileDialog;

/// Opens the dialog; the result arrives as [`Msg::Picked`], or as [`Msg::NoDialog`] without any.
///
/// # Errors
/// If the system can't start a thread to wait on.
pub(in crate::app) fn show(
    window: &Window,
    dialog: FileDialog,
    proxy: EventLoopProxy<Msg>,
) -> std::io::Result<()> {
    // An error means that there is a logger already.
    if log::set_logger(&FAILURES).is_ok() {
        log::set_max_level(log::LevelFilter::Error);
    }
    FAILURES.0.store(false, Ordering::Relaxed);
    let mut shown = rfd::AsyncFileDialog::new().set_title(dialog.title).set_parent(window);
    if let Some(folder) = &dialog.folder {
        shown = shown.set_directory(folder);
    }
    for filter in &dialog.filters {
        let all = ["*".to_owned()];
        let extensions =
            if filter.extensions.is_empty() { &all[..] } else { &filter.extensions[..] };
        shown = shown.add_filter(&filter.name, extensions);
    }
    // The dialog opens here; the future waits for it.
    let chosen: Pin<Box<dyn Future<Output = Vec<FileHandle>> + Send>> = match &dialog.name {
        Some(name) => {
            let file = shown.set_file_name(name).save_file();
            Box::pin(async { file.await.into_iter().collect() })
        }
        None if dialog.is_multiple => {
            let files = shown.pick_files();
            Box::pin(async { files.await.unwrap_or_default() })
        }
        None => {
            let file = shown.pick_file();
            Box::pin(async { file.await.into_iter().collect() })
        }
    };
    let wait = move || -> Vec<PathBuf> {
        let files = pollster::block_on(chosen);
        files.iter().map(|file| file.path().to_owned()).collect()
    };
    super::jobs::spawn("file dialog", wait, move |paths| {
        let paths = paths.unwrap_or_default();
        let msg = if paths.is_empty() && FAILURES.0.load(Ordering::Relaxed) {
            tracing::info!("no desktop portal and no zenity; using the window's own file chooser");
            Msg::NoDialog(Box::new(dialog))
        } else {
            Msg::Picked(dialog.purpose, paths)
        };
        send(&proxy, msg);
    })
}

/// The user's folder.
pub(in crate::app) fn home_folder() -> Option<PathBuf> {
    directories::UserDirs::new().map(|dirs| dirs.home_dir().to_owned())
}

/// Whether rfd failed to show a dialog.
struct Failures(AtomicBool);

static FAILURES: Failures = Failures(AtomicBool::new(false));

impl log::Log for Failures {
    /// The module that tries the portal and then zenity. It logs an error if both failed; its submodules log those of
    /// the portal.
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() == log::Level::Error
            && metadata.target() == "rfd::backend::xdg_desktop_portal"
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    fn flush(&self) {}
}
