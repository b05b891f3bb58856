//! File selection with the platform's own dialog.
//!
//! The dialog is created on the main thread, as some platforms require, and awaited on another, so that the
//! window stays responsive.

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::app::save_dialog::SaveDialog;
use crate::app::{Msg, send};
use rigscope_io::files::ExternalReaders;
use rigscope_io::formats::FORMATS;
use rigscope_state::FileKind;

/// Opens a save dialog; the result arrives as `answer`.
///
/// # Errors
/// If the system can't start a thread to wait on.
pub(in crate::app) fn pick_export(
    window: &Window,
    place: SaveDialog,
    answer: fn(Option<std::path::PathBuf>) -> Msg,
    proxy: EventLoopProxy<Msg>,
) -> std::io::Result<()> {
    let SaveDialog { title, folder, name, extension } = place;
    let mut dialog = rfd::AsyncFileDialog::new()
        .set_title(title)
        .set_parent(window)
        .set_file_name(name)
        .add_filter(&extension, &[&extension]);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let asked = dialog.save_file();
    let wait = || pollster::block_on(asked);
    super::jobs::spawn("file dialog", wait, move |file| {
        let path = file.ok().flatten().map(|file| file.path().to_owned());
        send(&proxy, answer(path));
    })
}

/// Opens the dialog in `folder`; the result arrives as [`Msg::Picked`].
///
/// # Errors
/// If the system can't start a thread to wait on.
pub(in crate::app) fn pick_files(
    window: &Window,
    kind: FileKind,
    folder: Option<std::path::PathBuf>,
    proxy: EventLoopProxy<Msg>,
) -> std::io::Result<()> {
    let title = match kind {
        FileKind::Model => "Open files",
        FileKind::Companions => "Add files to the model",
        FileKind::Compare => "Compare with a file",
        FileKind::Image(slot) => slot.question(),
    };
    let mut dialog = rfd::AsyncFileDialog::new().set_title(title).set_parent(window);
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    if let FileKind::Image(slot) = kind {
        dialog = dialog.add_filter("Images", &slot.extensions());
    } else if kind != FileKind::Companions {
        let infos = || FORMATS.iter().map(|f| &f.info).filter(|i| i.can_read);
        let readers = ExternalReaders::of_user().unwrap_or_default();
        let all = infos().flat_map(|info| info.extensions).copied();
        let all: Vec<_> = all.chain(readers.extensions()).collect();
        dialog = dialog.add_filter("All supported", &all);
        for program in readers.programs().iter().filter(|program| !program.extensions.is_empty()) {
            dialog = dialog.add_filter(&program.name, &program.extensions);
        }
        for info in infos() {
            dialog = dialog.add_filter(info.name, info.extensions);
        }
    }
    dialog = dialog.add_filter("All files", &["*"]);
    let is_one = matches!(kind, FileKind::Image(_));
    let (one, several) =
        if is_one { (Some(dialog.pick_file()), None) } else { (None, Some(dialog.pick_files())) };
    let wait = || {
        let one = one.and_then(pollster::block_on);
        let several = several.and_then(pollster::block_on).unwrap_or_default();
        one.iter().chain(&several).map(|file| file.path().to_owned()).collect()
    };
    super::jobs::spawn("file dialog", wait, move |paths| {
        send(&proxy, Msg::Picked(kind, paths.unwrap_or_default()));
    })
}
