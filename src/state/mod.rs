//! All that the window knows, and how every action changes it.
//!
//! For: the window (`ui` shows the state and returns actions, `app` carries out effects) and
//! tests, which play whole sessions without a window.
//! Not for: drawing, files, threads, clocks. Time arrives as seconds passed to
//! [`AppState::tick`], wall-clock text and results of work arrive inside an [`Action`].
//!
//! Data flow: `ui` -> [`Action`] -> [`AppState::apply`] -> [`Effect`] -> `app`.
//!
//! Invariant: the old document stays until a new one has been read; a failed load changes nothing
//! but what is said about it.
//! Invariant: whatever an index in here names, it exists in the document shown.

mod action;
mod app_state;
mod apply;
mod as_bsm2;
mod command;
mod compare;
mod document;
mod export;
mod focus;
mod histogram;
mod job;
mod key_times;
mod layers;
mod load;
mod painting;
mod pane;
mod pick;
mod playback;
mod probe;
mod run;
mod second;
mod selection;
mod settings;
mod task;
mod toast;
mod truth;
mod view;

pub use action::{Action, Effect, FileKind, LoadFailure, LoadReason, LoadRequest, StartAt};
pub use app_state::{AppState, Dialog, FrameTimings, WatchStatus};
pub use as_bsm2::{AS_BSM2_TASK, AsBsm2, AsBsm2Action, Baked, DeviationKind};
pub use command::{COMMANDS, Command, CommandInfo, Menu};
pub use compare::{COMPARE_TASK, CompareAction, CompareState, Compared, DiffMatch, Other};
pub use document::{Document, Origin, SubsetRow};
pub use export::{Export, ExportChoice, ExportOutcome, ExportRequest, ExportStage};
pub use histogram::{HISTOGRAM_STEPS, Histogram};
pub use job::{Job, Problem};
pub use key_times::KeyTimes;
pub use layers::Layer;
pub use painting::{LegendRow, Painting};
pub use pane::{Fronted, Home, PANES, Pane, PaneInfo, Panes};
pub use pick::{BONE_REACH_POINTS, PickAt, pick};
pub use playback::{LoopMode, Playback, TimeRange};
pub use probe::{Influence, VertexProbe};
pub use second::{Arrangement, SecondAction, SecondModel, SecondView};
pub use selection::Selection;
pub use settings::{MAX_RECENT, Settings, Theme};
pub use task::{RunningTask, Task, TaskSlot};
pub use toast::{Toast, ToastLevel, Toasts};
pub use truth::{TRUTH_TASK, Truth, TruthAction, TruthState};
pub use view::{Overlays, SubsetLook, ViewState};

#[cfg(test)]
mod pair_tests;
#[cfg(test)]
mod tests;
