//! The window in a page: a canvas that fills it.

use wasm_bindgen::JsCast;
use winit::dpi::LogicalSize;
use winit::platform::web::WindowAttributesExtWebSys;
use winit::window::WindowAttributes;

use super::page;

/// The id of the page's canvas.
const CANVAS: &str = "rigscope";

/// Ignores the size: the page determines it.
pub(in crate::app) fn attributes(_: [f32; 2]) -> WindowAttributes {
    let document = web_sys::window().and_then(|window| window.document());
    let canvas = document.and_then(|document| document.get_element_by_id(CANVAS));
    let canvas = canvas.and_then(|canvas| canvas.dyn_into().ok());
    WindowAttributes::default().with_canvas(canvas).with_focusable(true).with_prevent_default(true)
}

/// Not stored: the browser determines a page's size.
pub(in crate::app) fn size_to_keep(_: LogicalSize<f32>) -> Option<[f32; 2]> {
    None
}

/// Shows the title in the browser's tab.
pub(in crate::app) fn set_title(_: &winit::window::Window, title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Announces the status bar's text to screen readers, which can't read a canvas.
pub(in crate::app) fn announce_status(text: impl FnOnce() -> String) {
    page::call("announceStatus", &[text().into()]);
}

/// An error message.
pub(in crate::app) fn plain(error: &dyn std::error::Error) -> String {
    error.to_string()
}

/// Shows on the page why there is no window.
pub(in crate::app) fn show_failure(error: &anyhow::Error) {
    page::call("programStopped", &[format!("{error:#}").into()]);
}
