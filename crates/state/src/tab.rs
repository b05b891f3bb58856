//! The state of one tab, which belongs to one document.
//!
//! Not for: the list of tabs, which is in `documents/tabs`.

use super::documents::{History, Problem};
use super::{BrokenFile, Document, Export, Origin, Playback, Selection, ViewState, WatchStatus};

/// The state of one tab. It is kept while another tab is shown.
#[derive(Clone, Debug, Default)]
pub struct Tab {
    /// Unique while the tab is open.
    pub(super) id: u64,
    pub document: Option<Document>,
    pub view: ViewState,
    pub playback: Playback,
    pub selection: Selection,
    /// The state of the file on disk.
    pub watch: WatchStatus,
    /// The failure of the last load.
    pub problem: Option<Problem>,
    /// The last file that couldn't be read completely.
    pub broken: Option<BrokenFile>,
    /// The export options.
    pub export: Option<Export>,
    pub(super) history: History,
    /// The document has changed on disk and hasn't been reloaded.
    pub(super) is_stale: bool,
}

impl Tab {
    /// Unique among open tabs.
    pub fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn origin(&self) -> Option<&Origin> {
        self.document.as_ref().map(|document| &document.origin)
    }
}
