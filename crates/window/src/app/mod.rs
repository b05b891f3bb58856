//! The window's shell: event loop, surface, threads, files, dialogs.
//!
//! `native` and `web` implement the platform-specific parts with the same names; `system` is the one being
//! built.
//!
//! For: carrying out the requests of [`rigscope_state`] and reporting the results back.
//! Not for: decisions or panes.
//!
//! In the browser, files are a tree in memory (`rigscope_io::files::disk`), which the page fills with dropped,
//! chosen and fetched files and updates when they change; written files become downloads. The page's address
//! becomes the same arguments as on the command line. Jobs without the GPU run in workers that share the
//! page's memory, or after the next frame if the browser doesn't allow that (a page opened from disk). The
//! page's thread must not wait: GPU results are futures, and contended locks are retried.
//!
//! With a software adapter, the view uses one sample per pixel until camera and pose rest (`sample_count`),
//! only the parts of the window that have changed are painted (`damage`, `paint`), and the view is copied
//! into place. The views of other documents, for thumbnails of recent files and key poses, come from
//! `portrait` and are cached on disk by a hash of their inputs (`thumbnail_cache`).
//!
//! Each frame: [`run`] starts the event loop; each event either updates egui's input or arrives as a `Msg`
//! from a thread; a redraw runs the UI, applies its actions, carries out the requests, redraws the 3D view
//! if it has changed, and paints the UI on top.
//!
//! Invariant: only this module starts threads; each has a name and reports back with a `Msg`.
//! Invariant: [`rigscope_state::AppState`] is the single source of truth; everything on the GPU can be
//! rebuilt from it.
//! Invariant: nothing is drawn unless something has changed.

mod chosen_files;
mod damage;
mod document_loading;
mod draw_context;
mod egui_texture;
mod export;
mod file_dialogs;
mod fix;
mod frame;
mod frame_times;
mod graphics;
mod image_export;
mod job_runner;
#[cfg(any(test, target_arch = "wasm32"))]
mod link_args;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod paint;
mod paint_cache;
mod portrait;
mod poses;
mod readers;
mod requests;
mod revisions;
mod run_args;
mod sample_count;
mod screenshot;
mod script_runner;
mod settings_text;
mod start;
mod step_times;
mod surface;
mod thumbnail_cache;
mod thumbnails;
mod upload_jobs;
mod uploads;
mod uv_view;
mod view3d;
mod view_key;
mod watch;
#[cfg(target_arch = "wasm32")]
mod web;
mod window;

#[cfg(not(target_arch = "wasm32"))]
use native as system;
#[cfg(target_arch = "wasm32")]
use web as system;

pub use run_args::{RunArgs, ScriptArgs};
pub use start::run;
#[cfg(target_arch = "wasm32")]
pub use web::{describe, fail_job, open, work};

use job_runner::JobResult;
use rigscope_core::model::Progress;
use rigscope_state::{Action, JobId};
use winit::event_loop::EventLoopProxy;

/// Messages from threads to the window.
#[derive(Debug)]
enum Msg {
    JobProgress(JobId, Progress),
    /// A job has ended.
    JobDone(JobId, JobResult),
    /// A part of a running job's answer.
    Answer(Box<Action>),
    /// Files chosen in a dialog; empty if it was cancelled.
    Picked(rigscope_state::FilePurpose, Vec<std::path::PathBuf>),
    /// The system has no file dialogs.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a browser has a file dialog"))]
    NoDialog(Box<rigscope_state::FileDialog>),
    /// The settings couldn't be written; the text is the reason.
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "a page has no settings file"))]
    SettingsNotWritten(String),
    /// Pasted text, on platforms that don't report pasting as key events.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(dead_code, reason = "a desktop reports pasting as key events")
    )]
    Pasted(String),
    /// The GPU has been opened, or opening it has failed.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(dead_code, reason = "a desktop opens the GPU synchronously")
    )]
    Opened,
    /// Files dropped on the window.
    #[cfg_attr(
        not(target_arch = "wasm32"),
        expect(dead_code, reason = "a desktop reports drops as window events")
    )]
    Dropped(Vec<std::path::PathBuf>),
    /// A request of the page that the window is a part of.
    #[cfg(target_arch = "wasm32")]
    Page(system::embedding::PageRequest),
}

/// Sends `msg`, unless the window has been closed.
fn send(proxy: &EventLoopProxy<Msg>, msg: Msg) {
    let _ = proxy.send_event(msg);
}
