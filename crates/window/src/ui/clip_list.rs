//! The clips of a document as rows, with a filter if there are many.

use egui::{Id, Key, Ui};

use super::format::duration;
use super::rows::{row_pitch, rows_within_ui};
use super::search_field::search_field_ui;
use rigscope_core::model::ClipId;
use rigscope_state::{AppState, Document};

/// Shorter lists have no filter.
const MIN_FILTERED: usize = 8;

/// The text of a filter, and the frame in which it was last shown.
#[derive(Clone, Default)]
struct ClipFilter {
    text: String,
    frame: u64,
}

pub(super) struct ClipList<'a> {
    pub(super) state: &'a AppState,
    pub(super) document: &'a Document,
    /// Identifies the filter, for example "clips of the model".
    pub(super) name: &'a str,
    /// Scrolled into view when the list appears.
    pub(super) selected: Option<ClipId>,
    /// The list opens over the window, up to this high: its filter starts empty and has the focus, and the
    /// list keeps its height while it is filtered.
    pub(super) popup_height: Option<f32>,
}

impl ClipList<'_> {
    /// Shows the matching clips, each by `row_ui` with its text. Returns the first one if Enter was pressed
    /// in the filter.
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        id: Id,
        mut row_ui: impl FnMut(&mut Ui, ClipId, String),
    ) -> Option<ClipId> {
        let Self { state, document, name, selected, popup_height } = *self;
        let num = document.model.clips.len();
        if let Some(height) = popup_height {
            let needed = (num + usize::from(num >= MIN_FILTERED)) as f32 * row_pitch(ui);
            ui.set_min_height(needed.min(height));
        }
        let list_height = popup_height.map(|height| height - row_pitch(ui));
        let selected = selected.map(ClipId::index);
        let mut clip_ui = |ui: &mut Ui, index: usize| {
            let clip = ClipId::from_index(index);
            let secs = document
                .model
                .clips
                .get(ClipId::from_index(index))
                .map_or(0.0, |clip| clip.duration_secs);
            let length = duration(state, Some(clip), secs);
            row_ui(ui, clip, format!("{}  ({length})", document.clip_name(index)));
        };
        if num < MIN_FILTERED {
            rows_within_ui(ui, name, list_height, num, selected, clip_ui);
            return None;
        }
        let frame = ui.ctx().cumulative_frame_nr();
        let mut filter: ClipFilter = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let has_opened = popup_height.is_some() && filter.frame + 1 < frame;
        if has_opened {
            filter.text.clear();
        }
        filter.frame = frame;
        let label = format!("Filter {name}");
        let width = ui.available_width();
        let field = search_field_ui(ui, &mut filter.text, &label, "Filter clips", width)
            .on_hover_text("Lists only clips whose name contains all words.");
        if has_opened {
            field.request_focus();
        }
        let matches = matches(document, &filter.text);
        let is_chosen = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.data_mut(|data| data.insert_temp(id, filter));
        let Some(matches) = matches else {
            rows_within_ui(ui, name, list_height, num, selected, clip_ui);
            return None;
        };
        if matches.is_empty() {
            ui.weak("No clip matches.");
        }
        let at = matches.iter().position(|&index| Some(index) == selected);
        rows_within_ui(ui, name, list_height, matches.len(), at, |ui, row| {
            if let Some(&index) = matches.get(row) {
                clip_ui(ui, index);
            }
        });
        matches.first().filter(|_| is_chosen).map(|&index| ClipId::from_index(index))
    }
}

/// The clips whose names contain all words of `text`; `None` without words, which matches all clips.
fn matches(document: &Document, text: &str) -> Option<Vec<usize>> {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    let fits = |index: &usize| {
        let name = document.clip_name(*index).to_lowercase();
        words.iter().all(|word| name.contains(word))
    };
    (!words.is_empty()).then(|| (0..document.model.clips.len()).filter(fits).collect())
}
