//! Initial values of a save dialog.

use std::path::PathBuf;

use rigscope_state::Settings;

#[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page only needs the name"))]
pub(super) struct SaveDialog {
    pub(super) title: &'static str,
    /// `None` uses the folder that the system chooses.
    pub(super) folder: Option<PathBuf>,
    pub(super) name: String,
    /// Without a dot.
    pub(super) extension: String,
}

impl SaveDialog {
    /// Starts in the folder of the last dialog.
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
