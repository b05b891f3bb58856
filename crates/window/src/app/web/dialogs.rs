//! File selection with the browser's own dialog.

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use super::{files, page};
use crate::app::{Msg, send};
use rigscope_state::{FileDialog, FileKind, FilePurpose};

/// Opens the dialog; the answer arrives as [`Msg::Picked`]. A target is answered immediately: the browser asks for it
/// or uses its downloads folder.
///
/// # Errors
/// Never fails.
pub(in crate::app) fn show(
    _: &Window,
    dialog: FileDialog,
    proxy: EventLoopProxy<Msg>,
) -> std::io::Result<()> {
    let purpose = dialog.purpose;
    if let Some(name) = dialog.name {
        let path = std::path::Path::new("/downloads").join(name);
        send(&proxy, Msg::Picked(purpose, vec![path]));
        return Ok(());
    }
    let mut accepted = Vec::new();
    // Related files may have any extension.
    if let FilePurpose::Open(FileKind::Image(_) | FileKind::Compare) = purpose
        && let Some(filter) = dialog.filters.first()
    {
        accepted.extend(filter.extensions.iter().map(|extension| format!(".{extension}")));
    }
    let take = page::callback(move |given| {
        send(&proxy, Msg::Picked(purpose, files::take(&given)));
    });
    page::call("pickFiles", &[accepted.join(",").into(), dialog.is_multiple.into(), take]);
    Ok(())
}

/// A page has no folders.
pub(in crate::app) fn home_folder() -> Option<std::path::PathBuf> {
    None
}
