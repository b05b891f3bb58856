//! The timeline: controls, and below them the track with ruler, keys, events and playhead.
//!
//! | file | shows |
//! |---|---|
//! | `controls` | buttons and fields: play, key, time, clip, sampling, speed |
//! | `track` | the rows, scrubbing, zooming |
//! | `runtime_choice` | the runtime that the document is played as |
//! | `time_scale` | conversion between times and positions |
//! | `ruler` | labels, and the playback range with its handles |
//! | `key_marks` | keys of a row, merged if too close |
//! | `second_clip` | the weight of a second clip |
//! | `event_marks` | events of the clip |
//! | `overview` | the visible part of the clip while zoomed in |

mod controls;
mod event_marks;
mod key_marks;
mod overview;
mod pose_choice;
mod ruler;
mod runtime_choice;
mod second_clip;
mod time_scale;
mod track;

use egui::Ui;

use crate::ui::theme::gap;
use rigscope_state::{Action, AppState, TimelineAction};

pub(super) fn timeline_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    controls::controls_ui(ui, state, out);
    ui.add_space(gap::TIGHT);
    track::track_ui(ui, state, out);
}

/// Ends scrubbing when the pointer button is released, wherever that happens, so that playback continues.
pub(super) fn release_clock(ctx: &egui::Context, state: &AppState, out: &mut Vec<Action>) {
    if state.tab.playback.is_held && !ctx.input(|input| input.pointer.primary_down()) {
        out.push(Action::Timeline(TimelineAction::EndScrub));
    }
}
