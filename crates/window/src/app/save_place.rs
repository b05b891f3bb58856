//! What a dialog for saving a file starts with.

use std::path::PathBuf;

use rigscope_state::Settings;

/// The title, folder, file name and extension of the dialog.
pub(super) struct SavePlace {
    pub(super) title: &'static str,
    /// `None` for the folder that the system chooses.
    pub(super) folder: Option<PathBuf>,
    pub(super) name: String,
    /// Without a dot.
    pub(super) extension: String,
}

impl SavePlace {
    /// In the folder of the last dialog.
    pub(super) fn of(
        settings: &Settings,
        title: &'static str,
        name: String,
        extension: impl Into<String>,
    ) -> Self {
        let folder = settings.dialog_folder().map(ToOwned::to_owned);
        Self { title, folder, name, extension: extension.into() }
    }
}
