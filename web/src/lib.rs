//! The functions exported to the page and its workers.
//!
//! Not for: the implementation, which is in `rigscope_window::app::web`.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Opens the window in the page's canvas. An error is a message for the user.
///
/// # Errors
/// If an argument is unknown, or the page already has a window.
#[wasm_bindgen]
pub fn open(args: &JsValue) -> Result<(), String> {
    rigscope_window::app::open(args).map_err(|error| format!("{error:#}"))
}

/// Runs the job with that number.
#[wasm_bindgen]
pub fn work(number: u32) {
    rigscope_window::app::work(number);
}

/// Fails the job with that number, whose worker stopped with `error`.
#[wasm_bindgen]
pub fn fail_job(number: u32, error: &str) {
    rigscope_window::app::fail_job(number, error);
}

/// The summary and the findings of the given files as JSON, for a browser without WebGPU. An error is a message for the
/// user.
///
/// # Errors
/// If the file can't be read.
#[wasm_bindgen]
pub fn describe(args: &JsValue) -> Result<String, String> {
    rigscope_window::app::describe(args).map_err(|error| format!("{error:#}"))
}
