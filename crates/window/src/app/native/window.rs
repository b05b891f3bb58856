//! How the window looks to the desktop.

use winit::dpi::LogicalSize;
use winit::window::WindowAttributes;

pub(in crate::app) use super::display::plain;

/// Smallest window in which the panels leave something to see, in points.
const MIN_SIZE: LogicalSize<f32> = LogicalSize::new(880.0, 560.0);

/// The program's icon, drawn by itself from the sample.
const ICON: &[u8] = rigscope_assets::ICON;

/// A window of that size, as far as it is one.
pub(in crate::app) fn attributes(size_points: [f32; 2]) -> WindowAttributes {
    let [width, height] = size_points;
    WindowAttributes::default()
        .with_window_icon(icon())
        .with_min_inner_size(MIN_SIZE)
        .with_inner_size(LogicalSize::new(
            width.clamp(MIN_SIZE.width, 16_384.0),
            height.clamp(MIN_SIZE.height, 16_384.0),
        ))
}

/// The size to open with next time, of a window that has it now.
pub(in crate::app) fn size_to_keep(size_points: LogicalSize<f32>) -> Option<[f32; 2]> {
    let is_usable = size_points.width >= MIN_SIZE.width && size_points.height >= MIN_SIZE.height;
    is_usable.then(|| size_points.into())
}

/// Says in the title bar what is open.
pub(in crate::app) fn set_title(window: &winit::window::Window, title: &str) {
    window.set_title(title);
}

/// The line at the bottom says it.
pub(in crate::app) fn say_status(_: impl FnOnce() -> String) {}

/// The program's icon; none where it cannot be decoded, which is no reason not to start.
fn icon() -> Option<winit::window::Icon> {
    let image = image::load_from_memory(ICON).ok()?.to_rgba8();
    let (width, height) = image.dimensions();
    winit::window::Icon::from_rgba(image.into_raw(), width, height).ok()
}

/// The program says so where it ends.
pub(in crate::app) fn say_failure(_: &anyhow::Error) {}
