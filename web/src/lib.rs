//! What the page calls: the window, and work for its workers.
//!
//! Not for: anything else. All of it is in `rigscope_window::app::web`.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Opens the window in the page's canvas; an error is a sentence.
///
/// # Errors
/// When the page is asked for what is not known, or has a window already.
#[wasm_bindgen]
pub fn open(asked: &JsValue) -> Result<(), String> {
    rigscope_window::app::open(asked).map_err(|error| format!("{error:#}"))
}

/// Does the job of that number.
#[wasm_bindgen]
pub fn work(number: u32) {
    rigscope_window::app::work(number);
}

/// Answers for the job of that number, whose worker stopped by `error`.
#[wasm_bindgen]
pub fn lost(number: u32, error: &str) {
    rigscope_window::app::lost(number, error);
}
