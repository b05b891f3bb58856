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
mod animation;
mod app_state;
mod apply;
mod as_bsm2;
mod bones;
mod bytes;
mod clock;
mod collision;
mod command;
mod command_line;
mod companions;
mod compare;
mod document;
mod export;
mod figures;
mod focus;
mod histogram;
mod history;
mod hover;
mod job;
mod key_times;
mod layers;
mod load;
mod log;
mod neighbour;
mod normals;
mod note_list;
mod painting;
mod pane;
mod pick;
mod pick_hull;
mod pick_loose;
mod picture;
mod playback;
mod probe;
mod script;
mod second;
mod selection;
mod settings;
mod surface;
mod tabs;
mod task;
mod toast;
mod truth;
mod uv;
mod vertex_walk;
mod view;
mod weights;

pub use crate::convert::TextureMode;
pub use action::{Action, Effect, FileKind, LoadFailure, LoadReason, LoadRequest, StartAt};
pub use animation::{
    AnimationAction, AnimationView, Channel, CurveSpace, Curves, CurvesView, LAYER_MISFIT,
    LayerChoice, MorphRow, Onion, RootPath, TurnAs,
};
pub use app_state::{AppState, Dialog, FrameTimings, WatchStatus};
pub use as_bsm2::{AS_BSM2_TASK, AsBsm2, AsBsm2Action, Baked, DeviationKind};
pub use bones::{BONE_SIZES, BoneDrawing, BonesAction, BonesView, Trail};
pub use bytes::{BrokenFile, BytesAction, BytesView, FileBytes};
pub use collision::{
    CollisionAction, CollisionPart, CollisionShapes, CollisionView, OCCLUDER_COLOR, REACH_TASK,
    STORED_COLOR, TRUE_COLOR, Verdict,
};
pub use command::{Command, CommandInfo, MENUS, Menu, key_table_markdown};
pub use companions::{CompanionAction, CompanionRow, Dropped, DroppedKind};
pub use compare::{COMPARE_TASK, CompareAction, CompareState, Compared, DiffMatch, Other};
pub use document::{Document, Origin, SubsetRow};
pub use export::{Export, ExportChoice, ExportOutcome, ExportRequest, ExportStage};
pub use figures::{FigureOf, FigureRow, Figures, FiguresAction, TextureRow};
pub use histogram::{HISTOGRAM_STEPS, Histogram};
pub use hover::Hover;
pub use job::{Job, Problem};
pub use key_times::KeyTimes;
pub use layers::Layer;
pub use log::{Log, LogEntry};
pub use note_list::{NoteFilter, NoteList, NoteOrder, NotesAction};
pub use painting::{LegendRow, Painting};
pub use pane::{Fronted, Home, PANES, Pane, PaneInfo, Panes};
pub use pick::{
    BONE_REACH_POINTS, PickAt, PickFor, PickHit, PickWhat, PickedBone, PickedPoint, PickedTriangle,
    pick,
};
pub use picture::{
    MAX_IMAGES, PictureAction, PictureChoice, PictureFormat, PictureKind, PictureOutcome,
    PictureRequest, PictureStage, Pictures,
};
pub use playback::{LoopMode, Playback, TimeRange};
pub use probe::{
    FacesVertexNormals, Fact, FactSection, FactValue, HullProbe, Influence, Quantised,
    TriangleProbe, VertexProbe,
};
pub use script::{Script, Selector};
pub use second::{Arrangement, SecondAction, SecondModel, SecondView};
pub use selection::Selection;
pub use settings::{MAX_RECENT, Settings, Theme, UI_SCALES};
pub use surface::{
    BAD_TRIANGLES_TASK, DEGENERATE_COLOR, FLIPPED_COLOR, GLYPH_PERMILLE, SurfaceAction, SurfaceView,
};
pub use tabs::{TabAction, TabRow};
pub use task::{RunningTask, Task, TaskSlot};
pub use toast::{Toast, ToastLevel, Toasts};
pub use truth::{TRUTH_TASK, Truth, TruthAction, TruthState};
pub use uv::{UV_TASK, UvAction, UvLayout, UvPicture, UvShown, UvView};
pub use vertex_walk::InspectAction;
pub use view::{Overlays, SubsetLook, ViewState};
pub use weights::{
    FIRST_OF_TWO, SECOND_OF_TWO, WEIGHTS_PAINT, WeightFigures, WeightRow, WeightsAction,
    WeightsMode, WeightsView,
};

pub use crate::pose::{BlendError, LayerMode, Sampling};
pub use crate::validate::BoneSeam;

#[cfg(test)]
mod pair_tests;
#[cfg(test)]
mod tests;
