//! A list that lays out only its visible rows, for panes and popups.

use egui::{ScrollArea, Ui};

/// Maximum height of a list in a pane.
const LIST_HEIGHT: f32 = 240.0;
/// Space between a popup and its button, and between it and the edge of the window, with its frame.
const POPUP_MARGIN: f32 = 24.0;

/// The frame in which a list was last shown.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LastShown {
    frame: u64,
}

/// The height that a popup of the next widget can have, above or below it.
pub(super) fn popup_height(ui: &Ui) -> f32 {
    let (window, next) = (ui.ctx().content_rect(), ui.cursor());
    let above = next.top() - window.top();
    let below = window.bottom() - next.top() - ui.spacing().interact_size.y;
    (above.max(below) - POPUP_MARGIN).max(LIST_HEIGHT)
}

/// Height of a row with the space below it.
pub(super) fn row_pitch(ui: &Ui) -> f32 {
    ui.spacing().interact_size.y + ui.spacing().item_spacing.y
}

/// `num` button-like rows, each made by `row_ui`. When the list appears, it scrolls to `selected`.
pub(super) fn rows_ui(
    ui: &mut Ui,
    id: &str,
    num: usize,
    selected: Option<usize>,
    row_ui: impl FnMut(&mut Ui, usize),
) {
    rows_within_ui(ui, id, None, num, selected, row_ui);
}

/// The same in a popup that can have `popup_height`, or in a pane.
pub(super) fn rows_within_ui(
    ui: &mut Ui,
    id: &str,
    popup_height: Option<f32>,
    num: usize,
    selected: Option<usize>,
    mut row_ui: impl FnMut(&mut Ui, usize),
) {
    let height = ui.spacing().interact_size.y;
    let max_height = popup_height.unwrap_or(LIST_HEIGHT);
    let mut area = ScrollArea::vertical().id_salt(id).max_height(max_height);
    if popup_height.is_some() {
        // A popup is as high as its content, so the list must not adapt to the height of the popup.
        area = area.min_scrolled_height(max_height);
    }
    let frame = ui.ctx().cumulative_frame_nr();
    let key = ui.scope_id().with((id, "opened"));
    let last: Option<LastShown> = ui.data(|data| data.get_temp(key));
    // Not shown in the previous frame, so it has just opened.
    if last.is_none_or(|last| last.frame + 1 < frame)
        && let Some(row) = selected
    {
        let offset = row as f32 * row_pitch(ui) - max_height * 0.5;
        area = area.vertical_scroll_offset(offset.max(0.0));
    }
    ui.data_mut(|data| data.insert_temp(key, LastShown { frame }));
    area.show_rows(ui, height, num, |ui, rows| {
        for row in rows {
            row_ui(ui, row);
        }
    });
}
