//! The row of the second clip: when it plays, and with which weight.

use egui::{Align2, FontId, Mesh, Painter, Rect, Stroke, Ui, pos2};

use super::time_scale::TimeScale;
use crate::ui::theme;
use rigscope_core::pose::SecondClip;

/// Space above and below the full weight.
const PADDING: f32 = 2.0;

/// An area whose height is the weight, with lines where the clip begins again.
pub(super) fn paint_second_clip(
    ui: &Ui,
    painter: &Painter,
    (layer, name): (&SecondClip, &str),
    scale: &TimeScale,
    rect: Rect,
) {
    let [start, end] = layer.base_secs;
    let mut times = vec![start, end];
    if let Some(fade) = layer.fade {
        let fade_end = fade.start_secs + fade.duration_secs;
        times.extend([fade.start_secs, fade_end].iter().filter(|time| (start..end).contains(time)));
    }
    times.sort_by(f64::total_cmp);
    let (top, bottom) = (rect.top() + PADDING, rect.bottom() - 1.0);
    let height = |weight: f32| bottom - (bottom - top) * weight;
    let color = theme::accent(ui.visuals());
    let edge: Vec<_> =
        times.iter().map(|time| pos2(scale.x(*time), height(layer.at(*time).weight))).collect();
    // A polygon would need corners in different places, which parts without weight don't have.
    let mut area = Mesh::default();
    let stroke = Stroke::new(1.0, color);
    for (pair, first) in edge.windows(2).zip((0u32..).step_by(4)) {
        let [a, b] = [pair[0], pair[1]];
        for corner in [a, b, pos2(b.x, bottom), pos2(a.x, bottom)] {
            area.colored_vertex(corner, color.gamma_multiply(0.35));
        }
        area.add_triangle(first, first + 1, first + 2);
        area.add_triangle(first, first + 2, first + 3);
        if a != b {
            painter.line_segment([a, b], stroke);
        }
    }
    painter.add(area);
    for time in begins(layer) {
        let x = scale.x(time);
        painter.line_segment([pos2(x, top), pos2(x, bottom)], stroke);
    }
    let from = layer.fade.map_or(start, |fade| fade.start_secs).max(scale.visible.start_secs);
    let at = pos2(scale.x(from).max(rect.left()) + 6.0, rect.center().y);
    let font = FontId::proportional(11.0);
    painter.text(at, Align2::LEFT_CENTER, name, font, ui.visuals().strong_text_color());
}

/// The times at which the second clip begins again, up to a number that can still be distinguished.
fn begins(layer: &SecondClip) -> Vec<f64> {
    const MAX_BEGINS: usize = 200;
    let [start, end] = layer.base_secs;
    let own = layer.span_secs[1] - layer.span_secs[0];
    if own <= 0.0 || (layer.is_in_step && layer.fade.is_none()) {
        return Vec::new();
    }
    let first = layer.fade.map_or(start, |fade| fade.start_secs);
    let times = (0u32..).map(|number| first + own * f64::from(number));
    let times = times.take_while(|time| *time < end).take(MAX_BEGINS);
    times.filter(|time| *time > start).collect()
}
