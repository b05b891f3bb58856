//! How the window looks in a page: it is a canvas that fills it.

use wasm_bindgen::JsCast;
use winit::dpi::LogicalSize;
use winit::platform::web::WindowAttributesExtWebSys;
use winit::window::WindowAttributes;

use super::page;

/// The canvas of the page.
const CANVAS: &str = "rigscope";

/// The page's own size counts.
pub(in crate::app) fn attributes(_: [f32; 2]) -> WindowAttributes {
    let document = web_sys::window().and_then(|window| window.document());
    let canvas = document.and_then(|document| document.get_element_by_id(CANVAS));
    let canvas = canvas.and_then(|canvas| canvas.dyn_into().ok());
    WindowAttributes::default().with_canvas(canvas).with_focusable(true).with_prevent_default(true)
}

/// Pages have the size that browsers give them.
pub(in crate::app) fn size_to_keep(_: LogicalSize<f32>) -> Option<[f32; 2]> {
    None
}

/// Says in the tab of the browser what is open.
pub(in crate::app) fn set_title(_: &winit::window::Window, title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Says what the line at the bottom does, to those who hear the page: of a canvas nothing is read aloud.
pub(in crate::app) fn say_status(text: impl FnOnce() -> String) {
    page::call("sayStatus", &[text().into()]);
}

/// An error in words.
pub(in crate::app) fn plain(error: &dyn std::error::Error) -> String {
    error.to_string()
}

/// Says over the page why there is no window.
pub(in crate::app) fn say_failure(error: &anyhow::Error) {
    page::call("failed", &[format!("{error:#}").into()]);
}
