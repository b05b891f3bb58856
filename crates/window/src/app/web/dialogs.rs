//! File selection with the browser's own dialog.

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use super::{files, page};
use crate::app::save_dialog::SaveDialog;
use crate::app::{Msg, send};
use rigscope_io::formats::FORMATS;
use rigscope_state::FileKind;

/// Answers immediately: the browser asks for a target or uses its downloads folder.
///
/// # Errors
/// Never fails.
pub(in crate::app) fn pick_export(
    _: &Window,
    place: SaveDialog,
    answer: fn(Option<std::path::PathBuf>) -> Msg,
    proxy: EventLoopProxy<Msg>,
) -> std::io::Result<()> {
    let path = std::path::Path::new("/downloads").join(place.name);
    send(&proxy, answer(Some(path)));
    Ok(())
}

/// Opens the dialog; the answer arrives as [`Msg::Picked`].
///
/// # Errors
/// Never fails.
pub(in crate::app) fn pick_files(
    _: &Window,
    kind: FileKind,
    _: Option<std::path::PathBuf>,
    proxy: EventLoopProxy<Msg>,
) -> std::io::Result<()> {
    let mut accepted = Vec::new();
    if let FileKind::Image(slot) = kind {
        accepted.extend(slot.extensions().iter().map(|extension| format!(".{extension}")));
    } else if kind == FileKind::Compare {
        let infos = FORMATS.iter().map(|format| &format.info).filter(|info| info.can_read);
        let all = infos.flat_map(|info| info.extensions);
        accepted.extend(all.map(|extension| format!(".{extension}")));
    }
    let is_one = matches!(kind, FileKind::Image(_) | FileKind::Compare);
    let take = page::callback(move |given| {
        send(&proxy, Msg::Picked(kind, files::take(&given)));
    });
    page::call("pickFiles", &[accepted.join(",").into(), (!is_one).into(), take]);
    Ok(())
}
