//! The 3D view: the model's image, and mouse input on it.

use egui::{
    Color32, FontId, Painter, PointerButton, Pos2, Rect, Response, Sense, Stroke, TextureId, Ui,
    pos2, vec2,
};
use glam::{Vec2, Vec3};

use super::format::count;
use super::haloed_text::{haloed_galley, label_place};
use super::projection::{Projection, TURN_RAD_PER_VIEW, ndc};
use super::{
    bone_legend, compass, context_menu, finding_marks, glyph_legend, hints, legend, measure_marks,
    picking, start, theme, wheel,
};
use rigscope_core::model::{BoneNoun, display_text};
use rigscope_core::visual::Light;
use rigscope_state::{
    Action, AppState, Command, DragKeys, DragMotion, MouseButton, PartsMs, PickAt, PickFor,
    Selection,
};

/// Dragging by this many points zooms like one notch of a wheel.
const DRAG_POINTS_PER_NOTCH: f32 = 40.0;
/// More names are unreadable; the selected bone's name is always drawn.
const MAX_NAMES: usize = 400;
/// Opacity of the name of the farthest bone.
const FARTHEST_OPACITY: f32 = 0.25;

/// The images drawn by the shell.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewTextures {
    /// The 3D view as an egui texture; `None` without a GPU or model.
    pub texture: Option<TextureId>,
    /// The UV layout as an egui texture.
    pub uv: Option<TextureId>,
}

/// Shows the image and returns its rectangle.
pub(super) fn view_ui(
    ui: &mut Ui,
    state: &AppState,
    textures: ViewTextures,
    out: &mut Vec<Action>,
) -> Rect {
    let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::click_and_drag());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, "View"));
    let size = Vec2::new(rect.width(), rect.height());
    if size != state.view_size_points && size.min_element() > 0.0 {
        out.push(Action::ViewSized(size));
    }
    if let Some(texture) = textures.texture {
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        ui.painter().image(texture, rect, whole, Color32::WHITE);
    } else if state.page_background.is_none() {
        ui.painter().rect_filled(rect, 0.0, ui.visuals().extreme_bg_color);
    }
    if state.tab.document.is_none() {
        if state.shows_start() {
            start::start_ui(ui, state, rect, out);
        }
        return rect;
    }
    start::forget(ui);
    let area = DocumentArea::of(state, rect);
    gestures(ui, &response, area.as_ref(), rect, state, out);
    context_menu::view_menu_ui(&response, state, out);
    if let Some(area) = &area {
        let painter = ui.painter_at(area.window);
        let place = Projection::of(state, area.view);
        finding_marks::finding_marks_ui(&painter, state, &place);
        let mut labels = measure_marks::marks_ui(ui, &painter, state, &response, area.view);
        labels.extend(marker_ui(&painter, state, &place));
        names_ui(&painter, state, &place, labels);
        picking::hover_ui(ui, state, &response, [area.view, rect], out);
    }
    let painter = ui.painter_at(rect);
    let below_hints = hints::below_strip(ui.ctx(), rect);
    if state.tab.view.overlays.statistics {
        statistics_ui(&painter, state, below_hints);
    }
    let legend_bottom = legend::legend_ui(&painter, state, below_hints);
    if !state.is_embedded {
        picking::pick_bar_ui(ui, state, rect, out);
    }
    bone_legend::bone_legend_ui(&painter, state, rect, legend_bottom);
    glyph_legend::glyph_legend_ui(ui, state, rect, out);
    compass::compass_ui(ui, state, rect, out);
    rect
}

/// The document's area in the image, which it may share with a second model.
struct DocumentArea {
    /// The area that its view fills.
    view: Rect,
    /// The visible part of that area.
    window: Rect,
}

impl DocumentArea {
    /// `None` if only the second model is visible.
    fn of(state: &AppState, rect: Rect) -> Option<Self> {
        let layers = state.layers();
        let layer = layers.iter().find(|layer| layer.is_document)?;
        let part = |[left, right]: [f32; 2]| {
            let x = rect.x_range();
            Rect::from_x_y_ranges(egui::lerp(x, left)..=egui::lerp(x, right), rect.y_range())
        };
        Some(Self { view: part(layer.view), window: part(layer.window) })
    }
}

/// The view under the pointer: one of two halves, or the whole image.
fn view_at(state: &AppState, rect: Rect, pointer: Pos2) -> Rect {
    if state.tab.view.second.document_part() == [0.0, 1.0] {
        return rect;
    }
    let (left, right) = rect.split_left_right_at_fraction(0.5);
    if left.contains(pointer) { left } else { right }
}

fn gestures(
    ui: &Ui,
    response: &Response,
    area: Option<&DocumentArea>,
    rect: Rect,
    state: &AppState,
    out: &mut Vec<Action>,
) {
    if response.drag_started() {
        // From now on, shortcuts apply to the view. A click moves the focus there by itself.
        ui.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
    }
    drag(ui, response, rect, state, out);
    if response.contains_pointer()
        && let Some(pointer) = response.hover_pos()
    {
        let factor = wheel::distance_factor(ui);
        if factor != 1.0 {
            out.push(Action::Zoom { factor, at_ndc: ndc(view_at(state, rect, pointer), pointer) });
        }
    }
    let is_measuring = state.tab.view.measure.is_picking;
    if is_measuring && response.hovered() {
        ui.set_cursor_icon(egui::CursorIcon::Crosshair);
    }
    let is_click = response.clicked_by(PointerButton::Primary);
    // A right click also selects the subject of its menu.
    let opens_menu = response.secondary_clicked() && !is_measuring;
    if (is_click || opens_menu)
        && let Some(pointer) = response.interact_pointer_pos()
        && let Some(area) = area.filter(|area| area.window.contains(pointer))
    {
        out.push(Action::Pick(PickAt {
            ndc: ndc(area.view, pointer),
            what: picking::pick_kind(state, click_modifiers(ui)),
            wanted_for: if is_measuring { PickFor::Measuring } else { PickFor::Selecting },
        }));
        if response.double_clicked() && !is_measuring {
            out.push(Action::Run(Command::FrameSelection));
        }
    }
}

/// Moves the camera or the light by a drag, according to the settings.
fn drag(ui: &Ui, response: &Response, rect: Rect, state: &AppState, out: &mut Vec<Action>) {
    let delta = response.drag_delta();
    if delta == egui::Vec2::ZERO {
        return;
    }
    let buttons = [
        (PointerButton::Primary, MouseButton::Primary),
        (PointerButton::Middle, MouseButton::Middle),
        (PointerButton::Secondary, MouseButton::Secondary),
    ];
    let button = buttons.into_iter().find(|(button, _)| response.dragged_by(*button));
    let Some((_, button)) = button else { return };
    let keys = ui.input(|input| DragKeys {
        shift: input.modifiers.shift,
        ctrl: input.modifiers.command,
        alt: input.modifiers.alt,
    });
    let light = &state.tab.view.overlays.light;
    let motion = match state.settings.navigation.motion(button, keys) {
        // Shift has no effect without an environment.
        Some(DragMotion::TurnLight) if !light.is_from_environment() => {
            state.settings.navigation.motion(button, DragKeys { shift: false, ..keys })
        }
        motion => motion,
    };
    match motion {
        None => {}
        Some(DragMotion::TurnLight) => turn_light(ui, response, rect, *light, out),
        Some(DragMotion::Orbit) => {
            let per_point = TURN_RAD_PER_VIEW / rect.height().max(1.0);
            out.push(Action::Orbit {
                yaw_rad: -delta.x * per_point,
                pitch_rad: delta.y * per_point,
            });
        }
        Some(DragMotion::Pan) => out.push(Action::Pan(Vec2::new(delta.x, delta.y))),
        Some(DragMotion::Zoom) => {
            let notches = (delta.y - delta.x) / DRAG_POINTS_PER_NOTCH;
            let factor = wheel::NOTCH_ZOOM.powf(notches);
            out.push(Action::Zoom { factor, at_ndc: Vec2::ZERO });
        }
    }
}

/// Rotates the environment by the same angle as a drag to the right rotates the model.
fn turn_light(ui: &Ui, response: &Response, rect: Rect, light: Light, out: &mut Vec<Action>) {
    // Rotation is stored in whole degrees; the remainder of a slow drag is carried over.
    let id = response.id.with("turn of the light");
    let rest = if response.drag_started() {
        0.0
    } else {
        ui.data(|data| data.get_temp(id)).unwrap_or(0.0)
    };
    let per_point = TURN_RAD_PER_VIEW.to_degrees() / rect.height().max(1.0);
    let degrees: f32 = response.drag_delta().x.mul_add(per_point, rest);
    let whole = degrees.trunc();
    ui.data_mut(|data| data.insert_temp(id, degrees - whole));
    #[expect(clippy::cast_possible_truncation, reason = "a drag has few degrees")]
    let turn_degrees = light.turn_degrees.saturating_add(whole as i16);
    if turn_degrees != light.turn_degrees {
        out.push(Action::SetLight(Light { turn_degrees, ..light }));
    }
}

/// The modifiers held when the button was released. After a slow frame, the current ones may differ.
fn click_modifiers(ui: &Ui) -> egui::Modifiers {
    ui.input(|input| {
        let mut events = input.events.iter().rev();
        let released = events.find_map(|event| match event {
            egui::Event::PointerButton { pressed: false, modifiers, .. } => Some(*modifiers),
            _ => None,
        });
        released.unwrap_or(input.modifiers)
    })
}

/// Draws bone names that don't overlap each other or the labels in `taken`.
fn names_ui(painter: &Painter, state: &AppState, place: &Projection, mut taken: Vec<Rect>) {
    let overlays = &state.tab.view.overlays;
    let selected = state.tab.selection.bone();
    let shows_all = overlays.bones && overlays.bone_names;
    if !shows_all && selected.is_none() {
        return;
    }
    let Some(document) = &state.tab.document else { return };
    let font = FontId::proportional(11.0);
    let mut seen = std::collections::HashSet::new();
    let mut names: Vec<(rigscope_core::model::BoneId, Pos2, f32)> = Vec::new();
    for shape in state.bone_shapes() {
        let is_shown = shows_all || selected == Some(shape.bone);
        if is_shown
            && seen.insert(shape.bone)
            && let Some((at, distance)) = place.of_file(shape.head)
        {
            names.push((shape.bone, at, distance));
        }
    }
    let distances = names.iter().map(|(_, _, distance)| *distance);
    let nearest = distances.clone().fold(f32::INFINITY, f32::min);
    let depth = distances.fold(f32::NEG_INFINITY, f32::max) - nearest;
    // The selected bone's name comes first, then those nearest to the camera.
    names.sort_by(|a, b| {
        let rank = |bone| selected != Some(bone);
        rank(a.0).cmp(&rank(b.0)).then(a.2.total_cmp(&b.2))
    });
    for (bone, at, distance) in names.into_iter().take(MAX_NAMES) {
        let is_selected = selected == Some(bone);
        let opacity = if is_selected || depth <= 0.0 {
            1.0
        } else {
            1.0 - (1.0 - FARTHEST_OPACITY) * (distance - nearest) / depth
        };
        let color = if is_selected {
            theme::colors_of(painter.ctx()).over_selected
        } else {
            theme::colors_of(painter.ctx()).over.gamma_multiply(opacity)
        };
        let name = document.bone_name(bone);
        let galley = painter.layout_no_wrap(name, font.clone(), color);
        let rect = label_place(painter, at, vec2(7.0, -7.0), galley.size());
        if !is_selected && taken.iter().any(|other| other.intersects(rect)) {
            continue;
        }
        taken.push(rect);
        haloed_galley(painter, rect.min, galley, color, opacity);
    }
}

/// The centre of a triangle whose outline is too small to be noticed.
fn middle_if_small(corners: [Vec3; 3], place: &Projection) -> Option<Pos2> {
    const SMALL_POINTS: f32 = 8.0;
    let [Some(a), Some(b), Some(c)] = corners.map(|corner| place.of_display(corner)) else {
        return None;
    };
    let around = Rect::from_points(&[a, b, c]);
    (around.size().max_elem() < SMALL_POINTS).then(|| around.center())
}

/// Marks the selected vertex or small triangle; returns the label's rectangle.
fn marker_ui(painter: &Painter, state: &AppState, place: &Projection) -> Option<Rect> {
    let vertex = state.selected_position().and_then(|p| place.of_display(p));
    let triangle = || middle_if_small(state.triangle_probe()?.posed, place);
    let at = vertex.or_else(triangle)?;
    let colors = theme::colors_of(painter.ctx());
    painter.circle_stroke(at, 6.0, Stroke::new(3.0, colors.halo));
    painter.circle_stroke(at, 6.0, Stroke::new(1.5, colors.over_selected));
    let Selection::Vertex { vertex, .. } = state.tab.selection else { return None };
    let text = format!("vertex {}", vertex.0);
    let font = FontId::proportional(11.0);
    let galley = painter.layout_no_wrap(text, font, colors.over);
    let rect = label_place(painter, at, vec2(10.0, -8.0), galley.size());
    haloed_galley(painter, rect.min, galley, colors.over, 1.0);
    Some(rect)
}

fn statistics_ui(painter: &Painter, state: &AppState, rect: Rect) {
    /// Shorter steps and passes aren't listed.
    const SEEN_MS: f32 = 0.05;
    /// Distance of values from the start of their names, and their largest width.
    const VALUE_POINTS: f32 = 130.0;
    const MAX_VALUE_POINTS: f32 = 300.0;
    let Some(document) = &state.tab.document else { return };
    let timings = &state.timings;
    let ms = |value: Option<f32>| value.map_or("–".to_owned(), |ms| format!("{ms:.2} ms"));
    let triangles = usize::try_from(timings.triangles).unwrap_or(usize::MAX);
    let parts = |parts: &PartsMs| {
        let parts = parts.iter().filter(|(_, ms)| *ms >= SEEN_MS);
        let parts: Vec<_> =
            parts.map(|(part, ms)| format!("{} {ms:.1} ms", part.replace('_', " "))).collect();
        parts.join(", ")
    };
    let noun = document.model.bone_noun();
    let num_bones = match noun {
        BoneNoun::Bone => document.model.num_bones(),
        BoneNoun::Node => document.model.num_nodes(),
    };
    let lines = [
        ("Vertices", count(document.model.num_vertices())),
        ("Triangles drawn", count(triangles)),
        (noun.title(), count(num_bones)),
        ("Draw calls", timings.draws.to_string()),
        ("GPU frame time", ms(timings.gpu_ms)),
        ("GPU passes", parts(&timings.passes_ms)),
        ("CPU frame time", ms(Some(timings.cpu_ms))),
        ("CPU steps", parts(&timings.steps_ms)),
        ("Frames drawn", timings.frames.to_string()),
        ("GPU", timings.adapter.clone()),
    ];
    let font = FontId::proportional(12.0);
    let colors = theme::colors_of(painter.ctx());
    let galley = |text: &str, color| {
        let text = display_text::name(text).into_owned();
        painter.layout(text, font.clone(), color, MAX_VALUE_POINTS)
    };
    let rows =
        lines.map(|(name, value)| (galley(name, colors.over_weak), galley(&value, colors.over)));
    let widest = rows.iter().map(|(_, value)| value.size().x).fold(0.0, f32::max);
    let heights = rows.each_ref().map(|(name, value)| name.size().y.max(value.size().y) + 2.0);
    let corner = rect.left_top() + vec2(12.0, 10.0);
    let size = vec2(VALUE_POINTS + widest, heights.iter().sum());
    // Text on the model is hard to read.
    let plate = Rect::from_min_size(corner, size).expand2(vec2(6.0, 4.0));
    let fill = painter.ctx().style_of(painter.ctx().theme()).visuals.window_fill;
    painter.rect_filled(plate, 6.0, fill.gamma_multiply(0.85));
    let mut at = corner;
    for ((name, value), height) in rows.into_iter().zip(heights) {
        painter.galley(at, name, colors.over_weak);
        painter.galley(at + vec2(VALUE_POINTS, 0.0), value, colors.over);
        at.y += height;
    }
}
