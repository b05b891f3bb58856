//! The window's shell: event loop, surface, threads, files, dialogs.
//!
//! What a desktop and a browser do each in its own way lies in `native` and `web`, under the same names;
//! `system` is the one that is built.
//!
//! For: carrying out what [`rigscope_state`] asks for and reporting back what came of it.
//! Not for: deciding anything, and not for panels.
//!
//! Order of work: [`run`] opens the event loop; each event either changes what egui knows or
//! arrives as a `Msg` from a thread; a redraw runs the panels, applies their actions, carries
//! out the effects, draws the view where it has changed, and then the panels over it.
//!
//! Invariant: only this module starts threads; each has a name and answers by `Msg`.
//! Invariant: all truth is in [`rigscope_state::AppState`]; whatever is on the GPU is made from it,
//! again if need be.
//! Invariant: nothing is drawn unless something has changed.

mod brought;
mod damage;
mod drawer;
mod drawing;
mod effects;
mod egui_texture;
mod export;
mod frame_times;
mod front;
mod graphics;
mod kept_pictures;
mod laps;
mod loader;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod paint;
mod painter;
mod picture_key;
mod pictures;
mod play_script;
mod portrait;
mod poses;
mod reading;
mod run_args;
mod samples;
mod save_place;
mod screenshot;
mod settings_text;
mod start;
mod surface;
mod thumbnails;
mod uploads;
mod uv_view;
mod view3d;
mod watch;
#[cfg(target_arch = "wasm32")]
mod web;
mod window;

#[cfg(not(target_arch = "wasm32"))]
use native as system;
#[cfg(target_arch = "wasm32")]
use web as system;

pub use laps::{StepListener, listen_to_steps};
pub use run_args::RunArgs;
pub use start::run;
#[cfg(target_arch = "wasm32")]
pub use web::{lost, open, work};

use loader::JobEvent;

/// What threads tell the window.
#[derive(Debug)]
enum Msg {
    /// Reading a file goes on or has ended.
    Job(u64, JobEvent),
    /// The user has chosen files, or none.
    Picked(rigscope_state::FileKind, Vec<std::path::PathBuf>),
    /// The user has said where to write, or thought better of it.
    PickedExport(Option<std::path::PathBuf>),
    /// The same for a picture.
    PickedPicture(Option<std::path::PathBuf>),
    /// The settings could not be written, and why.
    SettingsNotWritten(String),
    /// Text was pasted, where the system does not say so by keys.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(dead_code, reason = "a desktop says so by keys")
    )]
    Pasted(String),
    /// The GPU is open, or is not to be had.
    #[cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "a desktop has it at once"))]
    Opened,
    /// Files were let go over the window.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(dead_code, reason = "a desktop says so by events")
    )]
    Dropped(Vec<std::path::PathBuf>),
    /// What the GPU was asked has come back.
    Answer(Box<rigscope_state::Action>),
}
