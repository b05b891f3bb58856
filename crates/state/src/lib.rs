//! The complete state of the window, and how actions change it.
//!
//! For: the window (`ui` draws the state and returns actions, `app` carries out requests) and tests,
//! which run whole sessions without a window.
//! Not for: drawing, files, threads, clocks. Time arrives as seconds passed to [`AppState::tick`];
//! wall-clock text and results of background work arrive in an [`Action`].
//!
//! Data flow: `ui` -> [`Action`] -> [`AppState::apply`] -> [`Request`] -> `app`.
//!
//! [`AppState`] with [`Tab`] and [`ViewState`] contains the data of all modules, and [`Action`]
//! their actions. A module defines its data and adds to `impl AppState`, so all of them import
//! those types. Between each other, modules import only downwards in this table:
//!
//! | module | contents |
//! |---|---|
//! | `script` | commands and selections to run from the command line |
//! | `documents` | open documents: tabs, loading and reloading, undo |
//! | `command` | the command table |
//! | `measuring` | points measured by the user, at one time and over the clip |
//! | `animation` | analysis of motion: curves, ghosts, layers, root motion |
//! | `second_model` | comparison with the BSM2 conversion, another file, the CPU, the model without its faults |
//! | `panes` | panes with a list or a picture |
//! | `view` | display options: subsets, colours, bones, marks |
//! | `user_images` | images that the user has replaced |
//! | `output` | exports, fixed files, images, the command line for an image |
//! | `file_chooser` | file dialogs, and the window's own one |
//! | `readers` | the list of programs that read further formats |
//! | `revisions` | the revisions of the open file in its repository |
//! | `settings` | settings saved between sessions |
//! | `playback` | the clock of the current clip |
//! | `selection` | the selection, the item under the pointer, details of both |
//! | `opened` | one loaded document, with data derived from it during loading |
//! | `pane` | the table of panes, and which of them are open |
//! | `tasks` | background tasks, their results and messages |
//!
//! # Dependent data
//!
//! After each action, [`AppState`] updates the fields that depend on others, but only if those have changed.
//! Results of background tasks are `Derived` (`tasks/derived.rs`): a value together with the key that it was
//! computed from. Another key removes the value, and a new task starts if a pane needs it. Keys never contain
//! the time of a playing clip.
//!
//! # Tabs and undo
//!
//! [`Tab`] contains the state of one document. [`AppState::tab`] is the visible one; the others
//! are swapped with it as a whole (`documents/tabs.rs`), so no other module needs to know about them. If an
//! action changes the undoable part of the view, it becomes a step in `documents/history.rs`.
//!
//! # Shared with `rigscope render`
//!
//! The window's images are drawn from a copy of the state on another thread, with the same layers as the
//! view; `output/command_line.rs` spells the same image as a command, and a test compares the pixels. Hulls,
//! bounds, occlusion meshes and bad triangles are `visual::Marks` for both. A second model
//! (`second_model/layers.rs`) is one more layer, posed by the same clock: the BSM2 conversion, or another
//! file.
//!
//! Images that replace a file's textures (`user_images`) are kept next to the model, which stays as it was
//! read.
//!
//! Invariant: the old document stays until a new one has been loaded. A failed load changes only
//! its messages.
//! Invariant: every stored index is valid for the current document.

mod action;
mod animation;
mod app_state;
mod apply;
mod command;
mod documents;
mod file_chooser;
mod measuring;
mod navigation;
mod opened;
mod output;
mod pane;
mod panes;
mod playback;
mod readers;
mod revisions;
mod script;
mod second_model;
mod selection;
mod settings;
mod tab;
mod tasks;
mod undo_stack;
mod user_images;
mod view;
mod view_state;

pub use action::{Action, FileKind, LoadFailure, LoadReason, LoadRequest, Request, StartAt};
pub use animation::{
    AnimationAction, AnimationView, Channel, CurveSpace, CurveSubject, Curves, CurvesView,
    LAYER_MISFIT, MorphRow, Onion, RootPath, RotationAs,
};
pub use app_state::{AppState, Dialog, FrameTimings, PageBackground, WatchStatus};
pub use command::{
    Command, CommandInfo, Icon, MENUS, Menu, key_table_markdown, printed_key, printed_keys,
};
pub use documents::*;
pub use file_chooser::{
    ChooserAction, ChosenRows, FileChooser, FileDialog, FileFilter, FilePurpose,
};
pub use measuring::*;
pub use navigation::{DragKeys, DragMotion, MouseButton, Navigation};
pub use opened::*;
pub use output::*;
pub use pane::{BytesColumns, DockArea, PANES, Pane, PaneInfo, Panes, RaisedPane};
pub use panes::*;
pub use playback::*;
pub use readers::{ReaderChange, ReaderList, ReadersAction, command_words};
pub use revisions::{RevisionList, RevisionsAction};
pub use script::{Script, Selector};
pub use second_model::*;
pub use selection::*;
pub use settings::{MAX_RECENT, OldSettings, Settings, Theme, UI_SCALES};
pub use tab::Tab;
pub use tasks::*;
use user_images::image_facts;
pub use user_images::{
    AppliedImages, ImageFacts, ImageRequest, ImageSlot, UserImage, UserImageAction, UserImages,
};
pub use view::*;
pub use view_state::{SubsetLook, ViewState};

pub use rigscope_core::pose::{BlendError, LayerMode, Sampling, StretchedEdge};
pub use rigscope_core::validate::BoneSeam;
pub use rigscope_core::visual::{PickHit, PickedBone, PickedPoint, PickedTriangle};

#[cfg(test)]
mod tests;
