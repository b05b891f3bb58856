//! All that the window knows, and how every action changes it.
//!
//! For: the window (`ui` shows the state and returns actions, `app` carries out effects) and
//! tests, which play whole sessions without a window.
//! Not for: drawing, files, threads, clocks. Time arrives as seconds passed to
//! [`AppState::tick`], wall-clock text and results of work arrive inside an [`Action`].
//!
//! Data flow: `ui` -> [`Action`] -> [`AppState::apply`] -> [`Effect`] -> `app`.
//!
//! The hub names every room: [`AppState`] with its [`Tab`] and [`ViewState`] holds what they keep,
//! [`Action`] has what they do. A room is data and what it adds to `impl AppState`, so each of them
//! imports the hub; one another they import one way, downwards:
//!
//! | room | holds |
//! |---|---|
//! | `script` | commands and selections that the command line has played |
//! | `documents` | what is open: a document in each tab, files that come and go, and undo of each |
//! | `command` | the table of commands |
//! | `measuring` | points measured by hand, now and over the clip |
//! | `animation` | what is shown of motion beside the pose |
//! | `second_model` | what the document is held against: itself packed, another file, the CPU |
//! | `panes` | what panes with lists of their own show |
//! | `view` | what the view shows: looks, colours, bones, marks |
//! | `by_hand` | images that the user has set in place of the file's |
//! | `output` | what goes out: exports, pictures, the command line of a picture |
//! | `settings` | what is kept for the next run |
//! | `playback` | the clock of the clip shown, and what moves it |
//! | `selection` | what is selected, what is under the pointer, and what is known about both |
//! | `opened` | one open file: the document and what is worked out of it at loading |
//! | `pane` | which panes there are, and which are open |
//! | `tasks` | work beside the window, what it computes, and its messages |
//!
//! Invariant: the old document stays until a new one has been read; a failed load changes nothing
//! but what is said about it.
//! Invariant: whatever an index in here names, it exists in the document shown.

mod action;
mod animation;
mod app_state;
mod apply;
mod by_hand;
mod command;
mod documents;
mod measuring;
mod navigation;
mod opened;
mod output;
mod pane;
mod panes;
mod playback;
mod script;
mod second_model;
mod selection;
mod settings;
mod steps;
mod tab;
mod tasks;
mod view;
mod view_state;

pub use action::{Action, Effect, FileKind, LoadFailure, LoadReason, LoadRequest, StartAt};
pub use animation::{
    AnimationAction, AnimationView, Channel, CurveSpace, Curves, CurvesView, LAYER_MISFIT,
    MorphRow, Onion, RootPath, RotationAs,
};
pub use app_state::{AppState, Dialog, FrameTimings, WatchStatus};
use by_hand::image_facts;
pub use by_hand::{ByHand, ByHandAction, Dressed, HandImage, HandSlot, ImageFacts, ImageRequest};
pub use command::{
    Command, CommandInfo, Icon, MENUS, Menu, key_table_markdown, printed_key, printed_keys,
};
pub use documents::*;
pub use measuring::*;
pub use navigation::{DragKeys, DragMotion, MouseButton, Navigation};
pub use opened::*;
pub use output::*;
pub use pane::{BytesColumns, Fronted, Home, PANES, Pane, PaneInfo, Panes};
pub use panes::*;
pub use playback::*;
pub use rigscope_io::convert::TextureMode;
pub use script::{Script, Selector};
pub use second_model::*;
pub use selection::*;
pub use settings::{MAX_RECENT, OldSettings, Settings, Theme, UI_SCALES};
pub use tab::Tab;
pub use tasks::*;
pub use view::*;
pub use view_state::{SubsetLook, ViewState};

pub use rigscope_core::pose::{BlendError, LayerMode, Sampling, StretchedEdge};
pub use rigscope_core::validate::BoneSeam;
pub use rigscope_core::visual::{PickHit, PickedBone, PickedPoint, PickedTriangle};

#[cfg(test)]
mod tests;
