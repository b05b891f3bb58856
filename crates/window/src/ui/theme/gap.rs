//! Spacing, in points. All gaps in panes use one of these steps.

/// Between closely related elements.
pub(in crate::ui) const TIGHT: f32 = 2.0;
/// Between a row of controls and its content.
pub(in crate::ui) const SMALL: f32 = 4.0;
/// Between parts of a pane.
pub(in crate::ui) const MEDIUM: f32 = 8.0;
/// Around titles and buttons of dialogs.
pub(in crate::ui) const LARGE: f32 = 12.0;
/// Between parts of a page.
pub(in crate::ui) const PAGE: f32 = 20.0;
