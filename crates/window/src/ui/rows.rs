//! A list that lays out only its visible rows, for panes and popups.

use egui::{ScrollArea, Ui};

/// Maximum height of a list in a pane or popup.
const LIST_HEIGHT: f32 = 240.0;
/// The frame in which a list was last shown.
#[derive(Clone, Copy, PartialEq, Eq)]
struct LastShown {
    frame: u64,
}

/// `num` button-like rows, each made by `row_ui`. When the list appears, it scrolls to `selected`.
pub(super) fn rows_ui(
    ui: &mut Ui,
    id: &str,
    num: usize,
    selected: Option<usize>,
    mut row_ui: impl FnMut(&mut Ui, usize),
) {
    let height = ui.spacing().interact_size.y;
    let mut area = ScrollArea::vertical().id_salt(id).max_height(LIST_HEIGHT);
    let frame = ui.ctx().cumulative_frame_nr();
    let key = ui.scope_id().with((id, "opened"));
    let last: Option<LastShown> = ui.data(|data| data.get_temp(key));
    // Not shown in the previous frame, so it has just opened.
    if last.is_none_or(|last| last.frame + 1 < frame)
        && let Some(row) = selected
    {
        let pitch = height + ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset((row as f32 * pitch - LIST_HEIGHT * 0.5).max(0.0));
    }
    ui.data_mut(|data| data.insert_temp(key, LastShown { frame }));
    area.show_rows(ui, height, num, |ui, rows| {
        for row in rows {
            row_ui(ui, row);
        }
    });
}
