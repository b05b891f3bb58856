//! The UV pane: the layout over the texture, with pan, zoom and picking.

use egui::{Align2, Color32, FontId, PointerButton, Pos2, Rect, Sense, Stroke, Ui, pos2, vec2};
use glam::Vec2;

use super::format::{capital, count, counted};
use super::materials::channels_ui;
use super::rows::{popup_height, rows_within_ui};
use super::theme;
use super::view::ViewTextures;
use super::wheel;
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, UV_TASK, UvAction, UvLayout, UvTextureChoice};

/// Distance within which the pointer picks a vertex, in points.
const REACH_POINTS: f32 = 6.0;

pub(super) fn uv_ui(ui: &mut Ui, state: &AppState, textures: ViewTextures, out: &mut Vec<Action>) {
    if state.tab.document.is_none() {
        ui.weak("Nothing is open.");
        return;
    }
    if state.is_uv_stale() {
        out.push(Action::Uv(UvAction::Prepare));
    }
    ui.horizontal_wrapped(|ui| {
        bar_ui(ui, state, out);
        ui.separator();
        texture_ui(ui, state, out);
    });
    if let Some(layout) = state.tab.view.uv.layout.get() {
        ui.horizontal_wrapped(|ui| {
            let picture = state.tab.view.uv.picture.get();
            let picture = picture.filter(|picture| picture.image.is_some());
            let name = picture.map_or("No texture", |picture| file_name(&picture.name));
            ui.weak(display_text::name(name));
            if let Some(refused) = picture.and_then(|picture| picture.refused.as_ref()) {
                ui.colored_label(ui.visuals().warn_fg_color, refused);
            }
            ui.separator();
            counts_ui(ui, layout);
        });
    }
    canvas_ui(ui, state, textures, out);
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn bar_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let view = &state.tab.view.uv;
    let fit = ui.button("Fit").on_hover_text("Zooms to show the whole layout.");
    if fit.accessible_name("Fit the layout").clicked() {
        out.push(Action::Uv(UvAction::Fit));
    }
    let names = state.uv_set_names();
    if names.len() > 1 {
        let set = names.get(view.set).map_or("", String::as_str);
        let height = popup_height(ui);
        let combo = egui::ComboBox::from_id_salt("uv set")
            .selected_text(display_text::name(set))
            .height(height);
        let response = combo.show_ui(ui, |ui| {
            rows_within_ui(
                ui,
                "uv sets",
                Some(height),
                names.len(),
                Some(view.set),
                |ui, number| {
                    let name = names.get(number).map_or("", String::as_str);
                    let label = ui.selectable_label(view.set == number, display_text::name(name));
                    if label.clicked() {
                        out.push(Action::Uv(UvAction::ChooseSet(number)));
                    }
                },
            );
        });
        let help = "Chooses the UV set to show.";
        response.response.on_hover_text(help).accessible_name("UV set");
    }
    let mut has_tints = view.has_tints;
    let help = "Colours mirrored triangles orange, and triangles outside 0 to 1 violet.";
    if ui.checkbox(&mut has_tints, "Tints").on_hover_text(help).changed() {
        out.push(Action::Uv(UvAction::Tint(has_tints)));
    }
    let mut only = view.only_texture;
    let help = "Draws only subsets whose material uses the texture shown.";
    let only_box = ui.checkbox(&mut only, "Only this texture").on_hover_text(help);
    if only_box.changed() {
        out.push(Action::Uv(UvAction::OnlyTexture(only)));
    }
    if state.is_running(UV_TASK) {
        ui.spinner();
    }
}

/// The texture behind the layout, and its visible channel.
fn texture_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let shown = state.tab.view.uv.texture;
    let roles = state.uv_roles();
    let mut look = |texture| out.push(Action::Uv(UvAction::ChooseTexture(texture)));
    if roles.len() > 1 {
        let combo = egui::ComboBox::from_id_salt("uv texture");
        let combo = combo.selected_text(capital(shown.role.info().label));
        let response = combo.show_ui(ui, |ui| {
            for role in roles {
                let label = capital(role.info().label);
                if ui.selectable_label(role == shown.role, label).clicked() {
                    look(UvTextureChoice { role, ..shown });
                }
            }
        });
        let help = "Chooses the texture behind the layout.";
        response.response.on_hover_text(help).accessible_name("Texture behind the layout");
    }
    channels_ui(ui, shown.channel, "Layout", |channel| look(UvTextureChoice { channel, ..shown }));
    let num_levels = state.tab.view.uv.picture.get().map_or(1, |picture| picture.num_levels);
    if num_levels > 1 {
        let level = shown.level.min(num_levels - 1);
        let mut chosen = level;
        let slider = egui::Slider::new(&mut chosen, 0..=num_levels - 1).text("Mip level");
        let help = "Shows a mip level that is stored in the texture's file.";
        let slider = ui.add(slider).on_hover_text(help);
        slider.accessible_name("Mip level of the texture");
        if chosen != level {
            look(UvTextureChoice { level: chosen, ..shown });
        }
    }
}

fn counts_ui(ui: &mut Ui, layout: &UvLayout) {
    if layout.num_triangles == 0 {
        ui.colored_label(ui.visuals().warn_fg_color, "No triangle has UVs.");
        return;
    }
    ui.weak(counted(layout.num_triangles, "triangle"));
    let [mirrored, outside, flat] = theme::colors(ui.visuals()).uv_faults;
    for (number, what, color) in [
        (layout.num_mirrored, "mirrored", mirrored),
        (layout.num_outside, "outside 0 to 1", outside),
        (layout.num_flat, "without area", flat),
    ] {
        if number > 0 {
            ui.colored_label(color, format!("{} {what}", count(number)));
        }
    }
}

fn canvas_ui(ui: &mut Ui, state: &AppState, textures: ViewTextures, out: &mut Vec<Action>) {
    let size = ui.available_size().max(vec2(40.0, 40.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    response
        .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, "UV layout"));
    let view = &state.tab.view.uv;
    let size = Vec2::new(rect.width(), rect.height());
    if size != view.size_points {
        out.push(Action::Uv(UvAction::Sized(size)));
    }
    let painter = ui.painter_at(rect);
    match textures.uv {
        Some(texture) => {
            let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
            painter.image(texture, rect, whole, Color32::WHITE);
        }
        None => {
            painter.rect_filled(rect, 0.0, ui.visuals().extreme_bg_color);
        }
    }
    let from_middle = |at: Pos2| {
        let offset = at - rect.center();
        Vec2::new(offset.x, offset.y)
    };
    let on_screen = |uv: Vec2| {
        let offset = view.point_of(uv);
        rect.center() + vec2(offset.x, offset.y)
    };
    selection_ui(ui, &painter, state, on_screen);

    let delta = response.drag_delta();
    if delta != egui::Vec2::ZERO {
        out.push(Action::Uv(UvAction::Pan(Vec2::new(delta.x, delta.y))));
    }
    let Some(pointer) = response.hover_pos().filter(|_| response.contains_pointer()) else {
        return;
    };
    let at = view.uv_at(from_middle(pointer));
    let factor = wheel::distance_factor(ui);
    if factor != 1.0 {
        out.push(Action::Uv(UvAction::Zoom { factor, at }));
    }
    if response.clicked_by(PointerButton::Primary) {
        let reach = REACH_POINTS * view.uv_per_point();
        out.push(Action::Uv(UvAction::Pick { at, reach }));
    }
    let text = format!("u {:.4}  v {:.4}", at.x, at.y);
    let corner = rect.left_bottom() + vec2(6.0, -5.0);
    let (font, color) = (FontId::monospace(11.0), theme::colors(ui.visuals()).over);
    super::haloed_text::shadowed_text(&painter, corner, Align2::LEFT_BOTTOM, &text, &font, color);
}

fn selection_ui(
    ui: &Ui,
    painter: &egui::Painter,
    state: &AppState,
    on_screen: impl Fn(Vec2) -> Pos2,
) {
    let color = theme::accent(ui.visuals());
    let places: Vec<Pos2> = state.selected_uvs().into_iter().map(on_screen).collect();
    match places.as_slice() {
        [] => {}
        [one] => {
            painter.circle_stroke(*one, 5.0, Stroke::new(3.0, theme::colors(ui.visuals()).halo));
            painter.circle_stroke(*one, 5.0, Stroke::new(1.5, color));
            painter.circle_filled(*one, 1.8, color);
        }
        _ => {
            let fill = color.gamma_multiply(0.35);
            let stroke = Stroke::new(1.6, color);
            painter.add(egui::Shape::convex_polygon(places, fill, stroke));
        }
    }
}
