//! The Poses pane: thumbnails of each clip's key poses, evenly spaced; clicking one goes to its time.
//!
//! Only visible rows are laid out. They are reported to the state, so that they are drawn first.

use egui::{
    Align2, Color32, CursorIcon, FontId, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    UiBuilder, pos2, vec2,
};

use super::format::{self, counted};
use super::theme::gap;
use super::widgets::{changed_selection, document_id};
use super::{theme, thumbnail_textures};
use rigscope_core::model::{ClipId, display_text};
use rigscope_state::{
    Action, AppState, ClipPoses, Document, MAX_STRIPS, NUM_POSES, PosesAction, Strip,
};

/// Key of the thumbnails in egui's memory.
const PICTURES: &str = "key poses";
/// Width of the clip's name and length on the left.
const NAME_WIDTH: f32 = 132.0;
/// Range of a thumbnail's side, which depends on the available width.
const MIN_SIDE: f32 = 40.0;
const MAX_SIDE: f32 = 144.0;
const GAP: f32 = gap::SMALL;
const ROW_GAP: f32 = 6.0;

/// Frees the thumbnails after the pane has been closed.
pub(super) fn forget(ui: &Ui) {
    thumbnail_textures::forget(ui.ctx(), PICTURES);
}

pub(super) fn poses_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return forget(ui);
    };
    let num = state.num_clips();
    if num == 0 {
        ui.weak("The file has no clip.");
        return forget(ui);
    }
    let bar = ui.spacing().scroll.bar_width + ui.spacing().scroll.bar_inner_margin;
    let room = ui.available_width() - NAME_WIDTH - bar;
    let side = (room / NUM_POSES as f32 - GAP).min(MAX_SIDE);
    // The number of rows is rounded, so that none is cut off.
    let height = ui.available_height() + ROW_GAP;
    let rows = (height / (side + ROW_GAP)).round().clamp(1.0, num as f32);
    let side = side.min(height / rows - ROW_GAP).max(MIN_SIDE).floor();
    let id = document_id(state, "key poses");
    ui.spacing_mut().item_spacing.y = ROW_GAP;
    let mut area = ScrollArea::vertical().id_salt(id).auto_shrink([false, false]);
    let current = state.tab.playback.clip.map(ClipId::index);
    if let Some(row) = changed_selection(ui, id, current) {
        let pitch = side + ui.spacing().item_spacing.y;
        let middle = 0.5 * (ui.available_height() - pitch);
        area = area.vertical_scroll_offset((row as f32 * pitch - middle.max(0.0)).max(0.0));
    }
    let mut kept = Vec::new();
    area.show_rows(ui, side, num, |ui, rows| {
        for row in rows.clone() {
            let clip = ClipId::from_index(row);
            let strip = state.tab.view.poses.strip(clip);
            kept.extend(strip.thumbnail());
            row_ui(ui, state, document, clip, strip, side, out);
        }
        let seen = rows.start..rows.end.min(rows.start + MAX_STRIPS);
        if *state.tab.view.poses.seen() != seen {
            out.push(Action::Poses(PosesAction::InView(seen)));
        }
    });
    thumbnail_textures::keep_only(ui.ctx(), PICTURES, &kept);
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    clip: ClipId,
    strip: Strip<'_>,
    side: f32,
    out: &mut Vec<Action>,
) {
    let poses = document.pose_times(clip);
    let width = NAME_WIDTH + poses.times.len() as f32 * (side + GAP);
    let (rect, _) = ui.allocate_exact_size(vec2(width, side), Sense::hover());
    let (name, pictures) = rect.split_left_right_at_x(rect.left() + NAME_WIDTH);
    name_ui(ui, state, document, clip, name, out);
    let texture = strip.thumbnail().map(|thumbnail| {
        let name = clip.0.to_string();
        thumbnail_textures::texture(ui.ctx(), PICTURES, &name, thumbnail)
    });
    let now = pose_now(state, &poses);
    for (number, time) in poses.times.iter().enumerate() {
        let left = pictures.left() + number as f32 * (side + GAP);
        let cell = Rect::from_min_size(pos2(left, pictures.top()), vec2(side, side));
        let id = ui.scope_id().with(("key pose", clip.0, number));
        let response = ui.interact(cell, id, Sense::click());
        let at = format::time(state, Some(clip), *time);
        let label = format!("{} at {at}", document.clip_name(clip.index()));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        let is_pointed_at = response.hovered() || response.has_focus();
        let stroke = match (now == Some(number), is_pointed_at) {
            (true, _) => Stroke::new(2.0, theme::accent(ui.visuals())),
            (false, true) => Stroke::new(1.0, ui.visuals().strong_text_color()),
            (false, false) => ui.visuals().widgets.noninteractive.bg_stroke,
        };
        let fill = ui.visuals().extreme_bg_color;
        ui.painter().rect(cell, 4.0, fill, stroke, StrokeKind::Inside);
        if let Some(texture) = texture {
            let num = poses.times.len() as f32;
            let (from, to) = (number as f32 / num, (number + 1) as f32 / num);
            let part = Rect::from_min_max(pos2(from, 0.0), pos2(to, 1.0));
            ui.painter().image(texture, cell.shrink(2.0), part, Color32::WHITE);
        } else {
            let text = if strip == Strip::Pending { "…".to_owned() } else { at.clone() };
            let color = ui.visuals().weak_text_color();
            let font = FontId::proportional(12.0);
            ui.painter().text(cell.center(), Align2::CENTER_CENTER, text, font, color);
        }
        if response.clicked() {
            out.push(Action::Poses(PosesAction::Show(clip, *time)));
        }
        let help = format!("Goes to {at} of {}.", document.clip_name(clip.index()));
        response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(help);
    }
}

/// The clip's name and length; clicking it shows the clip from its start.
fn name_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    clip: ClipId,
    rect: Rect,
    out: &mut Vec<Action>,
) {
    let is_current = state.tab.playback.clip == Some(clip);
    let rect = rect.with_max_x(rect.right() - 8.0);
    let mut ui = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("clip of poses", clip.0)));
    ui.spacing_mut().item_spacing.y = 2.0;
    let name = document.clip_name(clip.index());
    let button = egui::Button::selectable(is_current, display_text::name(&name)).truncate();
    let button = ui.add(button).on_hover_text(format!("{name}\nPlays this clip."));
    if button.accessible_name(format!("Poses of {name}")).clicked() {
        out.push(Action::SetClip(clip));
    }
    let secs = document.model.clips.get(clip).map_or(0.0, |clip| clip.duration_secs);
    let keys = document.key_times.get(clip.index()).map_or(0, rigscope_state::KeyTimes::len);
    ui.horizontal(|ui| {
        ui.add_space(ui.spacing().button_padding.x);
        let length = format::duration(state, Some(clip), secs);
        let facts = format!("{length}, {}", counted(keys, "key"));
        ui.add(egui::Label::new(RichText::new(facts).small().weak()).truncate());
    });
}

/// The pose nearest to the current time.
fn pose_now(state: &AppState, poses: &ClipPoses) -> Option<usize> {
    let playback = &state.tab.playback;
    if playback.clip != Some(poses.clip) {
        return None;
    }
    let away = |number: &usize| poses.times.get(*number).map(|t| (t - playback.time_secs).abs());
    (0..poses.times.len())
        .min_by(|a, b| away(a).partial_cmp(&away(b)).unwrap_or(std::cmp::Ordering::Equal))
}
