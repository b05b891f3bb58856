//! Marks for the clip's events on the timeline.

use egui::{Painter, Pos2, Rect, Shape, Stroke, Ui, pos2};

use super::time_scale::TimeScale;
use crate::ui::format::time;
use rigscope_core::model::{Event, display_text};
use rigscope_state::AppState;

/// Size of a mark, and the pointer's distance for a hit, in points.
const MARK_SIZE: f32 = 5.0;
/// Maximum number of events in a tooltip.
const MAX_LISTED: usize = 12;

/// The events of the current clip, with their positions.
pub(super) struct EventMarks<'a> {
    state: &'a AppState,
    marks: Vec<(f32, &'a Event)>,
    track: Rect,
}

impl<'a> EventMarks<'a> {
    pub(super) fn of(state: &'a AppState, scale: &TimeScale, track: Rect) -> Self {
        let events = state.clip().map_or(&[][..], |clip| &clip.events);
        let marks = events.iter().map(|event| (scale.x(event.time_secs), event));
        Self { state, marks: marks.collect(), track }
    }

    pub(super) fn paint(&self, ui: &Ui, painter: &Painter) {
        let color = ui.visuals().hyperlink_color;
        let bottom = self.track.center().y + MARK_SIZE;
        for &(x, _) in &self.marks {
            let corners = vec![
                pos2(x - MARK_SIZE, bottom),
                pos2(x, bottom - MARK_SIZE * 1.6),
                pos2(x + MARK_SIZE, bottom),
            ];
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        }
    }

    /// Whether `pointer` is in the events row.
    pub(super) fn contains(&self, pointer: Pos2) -> bool {
        self.track.contains(pointer)
    }

    /// The time of the event nearest to the pointer, within reach.
    pub(super) fn time_at(&self, pointer: Pos2) -> Option<f64> {
        let away = |x: f32| (x - pointer.x).abs();
        let near = self.marks.iter().filter(|(x, _)| away(*x) <= MARK_SIZE);
        let nearest = near.min_by(|(a, _), (b, _)| away(*a).total_cmp(&away(*b)));
        nearest.filter(|_| self.contains(pointer)).map(|(_, event)| event.time_secs)
    }

    /// The events under the pointer, as text.
    pub(super) fn text_at(&self, pointer: Pos2) -> Option<String> {
        let near = self.marks.iter().filter(|(x, _)| (x - pointer.x).abs() <= MARK_SIZE);
        let num_more = near.clone().count().saturating_sub(MAX_LISTED);
        let near = near.take(MAX_LISTED);
        let mut lines: Vec<String> = near.map(|(_, event)| self.text(event)).collect();
        if num_more > 0 {
            lines.push(format!("and {num_more} more"));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn text(&self, event: &Event) -> String {
        let bone = event.bone.zip(self.state.tab.document.as_ref());
        let bone = bone.map(|(bone, document)| format!(" ({})", document.bone_name(bone)));
        let at = time(self.state, self.state.tab.playback.clip, event.time_secs);
        let (name, value) = (display_text::name(&event.name), display_text::name(&event.value));
        format!("{at}  {name} {value}{}", bone.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_hit_an_event_only_on_its_mark() {
        let event =
            |time_secs| Event { time_secs, name: "step".into(), value: String::new(), bone: None };
        let (first, second) = (event(0.25), event(0.5));
        let state = AppState::default();
        let events = EventMarks {
            state: &state,
            marks: vec![(50.0, &first), (57.0, &second)],
            track: Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 20.0)),
        };
        assert_eq!(events.time_at(pos2(52.0, 18.0)), Some(0.25));
        assert_eq!(events.time_at(pos2(54.0, 18.0)), Some(0.5));
        assert_eq!(events.time_at(pos2(70.0, 18.0)), None);
        assert_eq!(events.time_at(pos2(50.0, -2.0)), None, "above the row");
    }
}
