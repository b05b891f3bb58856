//! What the page calls: the window, and work for its workers.
//!
//! Not for: anything else. All of it is in `rigscope::app::web`.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::wasm_bindgen;

/// Opens the window in the page's canvas; an error is a sentence.
///
/// # Errors
/// When the page has a window already.
#[wasm_bindgen]
pub fn open() -> Result<(), String> {
    rigscope::app::run(rigscope::app::RunArgs::default()).map_err(|error| format!("{error:#}"))
}

/// Does the job that waits longest.
#[wasm_bindgen]
pub fn work() {
    rigscope::app::work();
}
