//! File dialogs of the system, or the built-in one on systems without them.

use super::system::dialogs;
use super::window::{App, Shell};
use super::{Msg, send};
use rigscope_io::files::{ExternalReaders, list_folder};
use rigscope_io::formats::FORMATS;
use rigscope_state::{Action, ChooserAction, FileDialog, FileFilter, FileKind, JobId, ToastLevel};

impl App {
    /// Opens a file dialog, unless one is already open: a second one would be hidden behind it.
    pub(super) fn ask_for_files(&mut self, dialog: FileDialog, shell: &Shell) {
        if self.is_picking {
            return;
        }
        if self.lacks_dialogs {
            return self.open_chooser(dialog);
        }
        match dialogs::show(&shell.window, dialog, self.proxy.clone()) {
            Ok(()) => self.is_picking = true,
            Err(error) => {
                let text = format!("the file dialog could not be opened: {error}");
                self.state.toasts.push(ToastLevel::Error, text);
            }
        }
    }

    /// Opens the window's own dialog, now and in future: asking a portal that doesn't answer takes long.
    pub(super) fn open_chooser(&mut self, dialog: FileDialog) {
        self.lacks_dialogs = true;
        let open = ChooserAction::Open(Box::new(dialog), dialogs::home_folder());
        send(&self.proxy, Msg::Answer(Box::new(Action::Chooser(open))));
    }

    /// Lists a folder for it, on a thread.
    pub(super) fn list_folder(
        &mut self,
        id: JobId,
        folder: std::path::PathBuf,
        name: Option<String>,
    ) {
        self.jobs.start(id, move |_| {
            let listing = list_folder(&folder, name.as_deref());
            let listing = listing.map_err(|error| error.to_string());
            Ok(Action::Chooser(ChooserAction::Listed(id, listing)))
        });
    }
}

/// The files of a dialog that opens them.
pub(super) fn filters(kind: FileKind) -> Vec<FileFilter> {
    let mut filters = Vec::new();
    if let FileKind::Image(slot) = kind {
        filters.push(FileFilter::new("Images", &slot.extensions()));
    } else if kind != FileKind::RelatedFiles {
        let infos = || FORMATS.iter().map(|format| &format.info).filter(|info| info.can_read);
        let readers = ExternalReaders::of_user().unwrap_or_default();
        let all = infos().flat_map(|info| info.extensions).copied();
        let all: Vec<_> = all.chain(readers.extensions()).collect();
        filters.push(FileFilter::new("All supported", &all));
        let programs = readers.programs().iter().filter(|program| !program.extensions.is_empty());
        filters.extend(programs.map(|program| FileFilter::new(&program.name, &program.extensions)));
        filters.extend(infos().map(|info| FileFilter::new(info.name, info.extensions)));
    }
    filters.push(FileFilter::all_files());
    filters
}
