//! Inspector of a clip.

use egui::Ui;

use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::{count, number, seconds};
use crate::ui::theme::gap;
use crate::ui::widgets::{facts_ui, heading_ui};
use rigscope_core::model::{ClipId, Element, Event, KeySpace, Motion, display_text};
use rigscope_state::{Action, AppState, Command, Document, KeyTimes, Pane, ShownPose};

/// Maximum height of the event list.
const EVENTS_HEIGHT: f32 = 160.0;

pub(super) fn clip_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    clip: ClipId,
    out: &mut Vec<Action>,
) {
    let Some(info) = document.model.clips.get(clip) else { return };
    heading_ui(ui, &document.clip_name(clip.index()));
    let mut facts = vec![
        ("Number", clip.0.to_string()),
        ("Start", seconds(info.start_secs)),
        ("Duration", seconds(info.duration_secs)),
    ];
    let path = document.model.paths.as_ref().and_then(|paths| paths.clips.get(clip));
    if let Some(path) = path.filter(|path| !path.is_empty()) {
        facts.push(("Path", path.clone()));
    }
    if let Some(keys) = document.key_times.get(clip.index()) {
        facts.push(("Keys", count(keys.len())));
        if let KeyTimes::Uniform { interval_secs, .. } = keys
            && *interval_secs > 0.0
        {
            facts.push(("Keys per second", number(1.0 / interval_secs)));
        }
    }
    match &info.motion {
        Motion::Sampled(motion) => {
            facts.push(("Interval", seconds(motion.interval_ns as f64 * 1e-9)));
            facts.push((
                "Matrices",
                match motion.space {
                    KeySpace::Skin => "baked skinning matrices".into(),
                    KeySpace::Local => "local, relative to the parent".into(),
                },
            ));
            if motion.is_bind_pair {
                facts.push((
                    "Meaning",
                    "bind pair (bone matrix and inverse bind matrix), not a motion".into(),
                ));
            }
        }
        Motion::Tracks(tracks) => facts.push(("Bones with curves", count(tracks.len()))),
        Motion::Curves(_) => facts.push(("Curves", "evaluated from the file".into())),
        Motion::VertexAnimation(cache) => {
            facts.push(("Vertex positions", count(cache.positions.len())));
        }
    }
    if !info.morph_tracks.is_empty() {
        facts.push(("Morph tracks", count(info.morph_tracks.len())));
    }
    if !info.material_tracks.is_empty() {
        facts.push(("Material tracks", count(info.material_tracks.len())));
    }
    if !info.events.is_empty() {
        facts.push(("Events", count(info.events.len())));
    }
    if let Some(range) = document.range_in_files(Element::Key { clip: clip.0 }, None) {
        facts.push(("In the file", range));
    }
    if state.tab.playback.clip == Some(clip) {
        match state.tab.playback.shown {
            ShownPose::ClipTime => {}
            ShownPose::ClipStart => facts.push(("Drawn", "the first pose".into())),
            ShownPose::Rest => facts.push(("Drawn", "the rest pose instead".into())),
            ShownPose::Bind => facts.push(("Drawn", "the bind pose instead".into())),
        }
    }
    facts_ui(ui, &facts);
    if state.tab.playback.clip == Some(clip) {
        ui.add_space(gap::SMALL);
        ui.horizontal_wrapped(|ui| {
            for (command, label) in [
                (Command::pane(Pane::Animation), "Animation"),
                (Command::ToggleLoopSeam, "Loop seam"),
                (Command::MeasureBlendError, "Deviation of linear blending"),
            ] {
                framed_command_button_ui(ui, state, command, label, out);
            }
        });
    }
    if !info.events.is_empty() {
        ui.add_space(gap::MEDIUM);
        ui.strong("Events");
        let text = |event: &Event| match event.bone {
            Some(bone) => {
                let bone = document.bone_name(bone);
                format!(
                    "{} {} ({bone})",
                    display_text::name(&event.name),
                    display_text::name(&event.value)
                )
            }
            None => {
                format!("{} {}", display_text::name(&event.name), display_text::name(&event.value))
            }
        };
        egui::ScrollArea::vertical().id_salt("events").max_height(EVENTS_HEIGHT).show_rows(
            ui,
            ui.text_style_height(&egui::TextStyle::Body),
            info.events.len(),
            |ui, rows| {
                for event in info.events.get(rows).unwrap_or_default() {
                    let time = seconds(event.time_secs);
                    let row = format!("{time:>9}  {}", text(event));
                    let row = ui.add(egui::Button::new(row).frame(false));
                    if row.on_hover_text("Goes to this event.").clicked() {
                        out.push(Action::SetClip(clip));
                        out.push(Action::Seek(event.time_secs));
                    }
                }
            },
        );
    }
}
