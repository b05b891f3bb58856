//! Steps of one grid, in points: what panels leave free is one of these.

/// Between what belongs together.
pub(in crate::ui) const TIGHT: f32 = 2.0;
/// Between a row of controls and what they are for.
pub(in crate::ui) const SMALL: f32 = 4.0;
/// Between parts of a panel.
pub(in crate::ui) const MEDIUM: f32 = 8.0;
/// Around titles and buttons of dialogs.
pub(in crate::ui) const LARGE: f32 = 12.0;
/// Between parts of a page.
pub(in crate::ui) const PAGE: f32 = 20.0;
