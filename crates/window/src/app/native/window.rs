//! The window's appearance on a desktop.

use rigscope_core::images::{self, Texels};
use winit::dpi::LogicalSize;
use winit::window::WindowAttributes;

pub(in crate::app) use super::display::plain;

/// Smallest window size that leaves room for the view between the panes, in points.
const MIN_SIZE: LogicalSize<f32> = LogicalSize::new(880.0, 560.0);

/// The program's icon, rendered by Rigscope from the sample.
const ICON: &[u8] = rigscope_assets::ICON;

/// Attributes for a window of that size, or of the default size if it is too small.
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

/// The size to restore next time, if the current one is usable.
pub(in crate::app) fn size_to_keep(size_points: LogicalSize<f32>) -> Option<[f32; 2]> {
    let is_usable = size_points.width >= MIN_SIZE.width && size_points.height >= MIN_SIZE.height;
    is_usable.then(|| size_points.into())
}

pub(in crate::app) fn set_title(window: &winit::window::Window, title: &str) {
    window.set_title(title);
}

/// Nothing to do: the status bar shows the text.
pub(in crate::app) fn announce_status(_: impl FnOnce() -> String) {}

/// The program's icon; `None` if it can't be decoded, which isn't fatal.
fn icon() -> Option<winit::window::Icon> {
    let header = images::header(ICON, "icon.png").ok()?;
    let surface = images::decode(ICON, header).ok()?.levels.into_iter().flatten().next()?;
    let Texels::Rgba8(rgba8) = surface.texels else { return None };
    winit::window::Icon::from_rgba(rgba8, surface.width, surface.height).ok()
}

/// Nothing to do: the program prints the error when it ends.
pub(in crate::app) fn show_failure(_: &anyhow::Error) {}
