//! Which panes are open, and what those with lists of their own show.
//!
//! Not for: where panes are: the docks of `ui` know.

mod bytes;
mod figures;
mod note_list;
mod pane;
mod uv;

pub use bytes::{BrokenFile, BytesAction, BytesView, FileBytes};
pub use figures::{FigureOf, FigureRow, Figures, FiguresAction, TextureRow};
pub use note_list::{NoteFilter, NoteList, NoteOrder, NotesAction};
pub use pane::{Fronted, Home, PANES, Pane, PaneInfo, Panes};
pub use uv::{UV_TASK, UvAction, UvLayers, UvLayout, UvPicture, UvView};
