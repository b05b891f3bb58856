//! Bottom: when. Controls above, below them the track: ruler, keys, events, and the playhead.
//!
//! | file | shows |
//! |---|---|
//! | `controls` | buttons and fields: play, key, time, clip, sampling, speed |
//! | `track` | the rows below each other, scrubbing, zooming |
//! | `scale` | times as places, and back |
//! | `ruler` | labels, and the range that is played with its handles |
//! | `keys` | keys of a row, thinned where they would merge |
//! | `events` | events of the clip |
//! | `overview` | which part of the clip is seen, while it is not all |

mod controls;
mod events;
mod keys;
mod overview;
mod pose_choice;
mod ruler;
mod scale;
mod track;

use egui::Ui;

use crate::ui::theme::gap;
use rigscope_state::{Action, AppState, TimelineAction};

pub(super) fn timeline_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    controls::controls_ui(ui, state, out);
    ui.add_space(gap::TIGHT);
    track::track_ui(ui, state, out);
}

/// Lets the clock go once the pointer has: wherever it was held, playing goes on.
pub(super) fn release_clock(ctx: &egui::Context, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.playback.is_held && !ctx.input(|input| input.pointer.primary_down()) {
        out.push(Action::Timeline(TimelineAction::EndScrub));
    }
}
