//! Key marks of a row. Keys too close to draw separately share a mark.

use egui::{Color32, Painter, Pos2, Rect, Stroke, pos2, vec2};

use super::time_scale::TimeScale;
use rigscope_state::KeyTimes;

/// Keys closer than this share a mark.
const MARK_SPACING: f32 = 5.0;
/// Half of a mark's height.
const MARK_REACH: f32 = 5.0;

/// The keys from `first_secs` to `last_secs`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KeyMark {
    pub(super) first_secs: f64,
    pub(super) last_secs: f64,
    pub(super) num: usize,
}

/// The visible marks, from left to right. Their number is limited by the width, not by the number of keys.
pub(super) fn marks(keys: &KeyTimes, scale: &TimeScale) -> Vec<KeyMark> {
    let spacing_secs = scale.secs(MARK_SPACING);
    let end_secs = scale.visible.end_secs + spacing_secs.max(1e-9);
    let mut left = keys.between(scale.visible.start_secs, end_secs);
    let mut marks = Vec::new();
    while let Some(first_secs) = keys.secs(left.start).filter(|_| !left.is_empty()) {
        let next = keys.between(first_secs, first_secs + spacing_secs).end.max(left.start + 1);
        let last_secs = keys.secs(next - 1).unwrap_or(first_secs);
        marks.push(KeyMark { first_secs, last_secs, num: next - left.start });
        left.start = next;
    }
    marks
}

/// The mark at `x`.
pub(super) fn mark_at(marks: &[KeyMark], scale: &TimeScale, x: f32) -> Option<KeyMark> {
    let away = |mark: &KeyMark| (scale.x(mark.first_secs) - x).abs();
    let nearest = marks.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.copied().filter(|mark| away(mark) <= MARK_SPACING)
}

/// Draws the marks in the row `rect`, more strongly for several keys.
pub(super) fn paint_marks(
    painter: &Painter,
    marks: &[KeyMark],
    scale: &TimeScale,
    rect: Rect,
    color: Color32,
) {
    let (top, bottom) = (rect.center().y - MARK_REACH, rect.center().y + MARK_REACH);
    for mark in marks {
        let x = scale.x(mark.first_secs);
        let width = if mark.num > 1 { 2.0 } else { 1.0 };
        painter.line_segment([pos2(x, top), pos2(x, bottom)], Stroke::new(width, color));
    }
}

pub(super) fn paint_diamond(painter: &Painter, center: Pos2, radius: f32, color: Color32) {
    let corners = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
        .map(|(x, y)| center + vec2(x, y) * radius)
        .to_vec();
    painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
}

#[cfg(test)]
mod tests {
    use egui::Rangef;

    use super::*;
    use rigscope_state::TimeRange;

    fn scale(end_secs: f64) -> TimeScale {
        let visible = TimeRange { start_secs: 0.0, end_secs };
        TimeScale { x: Rangef::new(0.0, 500.0), visible }
    }

    fn uniform(num: usize) -> KeyTimes {
        KeyTimes::Uniform { start_secs: 0.0, interval_secs: 0.1, num }
    }

    #[test]
    fn distant_keys_have_separate_marks() {
        let found = marks(&uniform(11), &scale(1.0));
        assert_eq!(found.len(), 11);
        assert!(found.iter().all(|mark| mark.num == 1 && mark.first_secs == mark.last_secs));
    }

    #[test]
    fn nearby_keys_share_a_mark_with_a_count() {
        let found = marks(&uniform(1001), &scale(100.0));
        assert_eq!(found.iter().map(|mark| mark.num).sum::<usize>(), 1001);
        assert!(found.len() <= 101 && found.iter().all(|mark| mark.num <= 11), "{}", found.len());
        let apart = found.windows(2).map(|pair| pair[1].first_secs - pair[0].first_secs);
        assert!(apart.fold(f64::MAX, f64::min) > 0.99);
    }

    #[test]
    fn only_visible_keys_are_marked() {
        let visible = TimeRange { start_secs: 2.0, end_secs: 3.0 };
        let part = TimeScale { x: Rangef::new(0.0, 500.0), visible };
        assert_eq!(marks(&uniform(1001), &part).len(), 11);
    }
}
