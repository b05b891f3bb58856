//! One tab: all that belongs to one document.
//!
//! Not for: which tabs there are and which one is shown, which is `tabs`.

use super::documents::{History, Problem};
use super::{BrokenFile, Document, Export, Origin, Playback, Selection, ViewState, WatchStatus};

/// All that belongs to one document. Whatever is in here goes when another tab is shown and comes
/// back with it.
#[derive(Clone, Debug, Default)]
pub struct Tab {
    /// Stays the same while the tab is open, and is no other tab's.
    pub(super) id: u64,
    /// The open file.
    pub document: Option<Document>,
    /// What the view shows.
    pub view: ViewState,
    /// The clock.
    pub playback: Playback,
    /// What is selected.
    pub selection: Selection,
    /// How watching goes.
    pub watch: WatchStatus,
    /// Why the last file did not arrive.
    pub problem: Option<Problem>,
    /// The last file that could not be read to its end.
    pub broken: Option<BrokenFile>,
    /// What the export dialog has been set to.
    pub export: Option<Export>,
    pub(super) history: History,
    /// The document has changed on disk and was not read again.
    pub(super) is_stale: bool,
}

impl Tab {
    /// Tells it from all others, as long as it is open.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Where the document came from.
    pub(super) fn origin(&self) -> Option<&Origin> {
        self.document.as_ref().map(|document| &document.origin)
    }
}
