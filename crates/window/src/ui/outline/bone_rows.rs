//! The rows of bones, indented and cut at the pane's edge; only visible rows are laid out.
//!
//! The whole list has the keyboard focus: up and down move between rows, right and left open, close, enter
//! or leave a branch, plus and minus open and close it, Enter frames.

use egui::style::ScrollAnimation;
use egui::{
    Align, Id, Key, Modifiers, Rect, RichText, Role, ScrollArea, Sense, Stroke, TextStyle,
    TextWrapMode, Ui, WidgetInfo, WidgetText, pos2, vec2,
};

use super::bone_tree::{BoneRow, BoneTree};
use crate::ui::context_menu::row_menu_ui;
use crate::ui::key_listener::{TREE_KEYS, claim_list_keys, list_step};
use rigscope_core::model::BoneId;
use rigscope_state::{Action, AppState, Command, Document, Selection};

const ROW_HEIGHT: f32 = 20.0;
/// Indentation per level, if the pane is wide enough.
const INDENT: f32 = 14.0;
/// Maximum share of the width used for indentation; the rest is for names.
const MAX_INDENT_SHARE: f32 = 0.45;
/// Minimum distance between guide lines; closer ones would merge into a grey area.
const MIN_GUIDE: f32 = 5.0;
/// Width of the triangle that opens a branch.
const TOGGLE: f32 = 16.0;

/// Shows the rows of `tree`. Widget ids are derived from `id`, which identifies the document.
pub(super) fn bone_rows_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    tree: &mut BoneTree,
    id: Id,
    out: &mut Vec<Action>,
) {
    let selected = state.tab.selection.bone();
    let is_news = tree.is_news(document, selected);
    let (rows, deepest) = tree.rows(document);
    let at = selected.and_then(|bone| rows.iter().position(|row| row.bone == bone));
    let has_tree = rows.iter().any(|row| row.is_open.is_some());
    let focus = ui.interact(ui.available_rect_before_wrap(), id, Sense::focusable_noninteractive());
    focus.widget_info(|| WidgetInfo::labeled(Role::Tree, true, document.model.bone_noun().title()));
    let mut scroll_to = at.filter(|_| is_news);
    if focus.has_focus() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a pane has some rows"
        )]
        let page = (ui.available_height() / ROW_HEIGHT) as usize;
        if let Some(next) = keys_ui(ui, &rows, at, page, tree, out) {
            out.push(Action::Select(Selection::Bone(next.1)));
            scroll_to = Some(next.0);
        }
        claim_list_keys(ui, id, TREE_KEYS);
    }
    let area = ScrollArea::vertical().id_salt(id).auto_shrink([false, false]);
    area.show_viewport(ui, |ui, viewport| {
        let (left, top) = (ui.max_rect().left(), ui.max_rect().top());
        let width = ui.max_rect().width();
        ui.set_height(rows.len() as f32 * ROW_HEIGHT);
        let indent = INDENT.min(width * MAX_INDENT_SHARE / deepest.max(1) as f32);
        let place = |number: usize| {
            let corner = pos2(left, top + number as f32 * ROW_HEIGHT);
            Rect::from_min_size(corner, vec2(width, ROW_HEIGHT))
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        let seen = [viewport.top() / ROW_HEIGHT, viewport.bottom() / ROW_HEIGHT + 1.0]
            .map(|row| (row.max(0.0) as usize).min(rows.len()));
        for number in seen[0]..seen[1] {
            let Some(&row) = rows.get(number) else {
                break;
            };
            let mut look =
                RowLayout { rect: place(number), indent, has_tree, id, is_focused: false };
            look.is_focused = focus.has_focus() && selected == Some(row.bone);
            row_ui(ui, state, document, row, &look, tree, out);
        }
        if let Some(number) = scroll_to {
            let rect = place(number);
            // A visible row stays in place under the pointer.
            let is_seen = ui.clip_rect().y_range().contains(rect.top())
                && ui.clip_rect().y_range().contains(rect.bottom());
            if !is_seen {
                ui.scroll_to_rect_animation(rect, Some(Align::Center), ScrollAnimation::none());
            }
        }
    });
}

struct RowLayout {
    rect: Rect,
    indent: f32,
    /// A row can be opened, so all rows reserve space for the triangle.
    has_tree: bool,
    id: Id,
    is_focused: bool,
}

fn row_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    row: BoneRow,
    look: &RowLayout,
    tree: &mut BoneTree,
    out: &mut Vec<Action>,
) {
    let (rect, bone) = (look.rect, row.bone);
    let is_selected = state.tab.selection.bone() == Some(bone);
    let name = document.bone_title(bone);
    let id = look.id.with(bone.0);
    let response = ui.interact(rect, id, Sense::CLICK);
    response.widget_info(|| WidgetInfo::selected(Role::TreeItem, true, is_selected, &name));
    let visuals = ui.visuals();
    let fill = match (is_selected, response.hovered()) {
        (true, _) => Some(visuals.selection.bg_fill),
        (false, true) => Some(visuals.widgets.hovered.weak_bg_fill),
        (false, false) => None,
    };
    if let Some(fill) = fill {
        ui.painter().rect_filled(rect, 3.0, fill);
    }
    if response.contains_pointer() {
        out.push(Action::HoverRow(Some(Selection::Bone(bone))));
    }
    if look.is_focused {
        let stroke = visuals.selection.stroke;
        ui.painter().rect_stroke(rect, 3.0, stroke, egui::StrokeKind::Inside);
    }
    if look.indent >= MIN_GUIDE {
        // Thin in high contrast too, because a deep tree has many lines.
        let line = visuals.widgets.noninteractive.bg_stroke;
        let stroke =
            if line.width > 1.0 { Stroke::new(1.0, line.color.gamma_multiply(0.45)) } else { line };
        for level in 0..row.depth {
            let x = rect.left() + level as f32 * look.indent + TOGGLE * 0.5;
            ui.painter().vline(x, rect.y_range(), stroke);
        }
    }
    let mut left = rect.left() + row.depth as f32 * look.indent;
    if look.has_tree {
        let place = Rect::from_min_size(pos2(left, rect.top()), vec2(TOGGLE, ROW_HEIGHT));
        if let Some(is_open) = row.is_open {
            let verb = if is_open { "Collapse" } else { "Expand" };
            let toggle = ui.interact(place, id.with("toggle"), Sense::CLICK);
            toggle.widget_info(|| {
                WidgetInfo::labeled(Role::DisclosureTriangle, true, format!("{verb} {name}"))
            });
            let icon = toggle.clone().with_new_rect(place.shrink2(vec2(3.0, 5.0)));
            let openness = f32::from(u8::from(is_open));
            egui::collapsing_header::paint_default_icon(ui, openness, &icon);
            if toggle.clicked() {
                tree.set_open(bone, !is_open);
                ui.ctx().request_repaint();
            }
            toggle.on_hover_text(format!("{verb} ({})", if is_open { "−" } else { "+" }));
        }
        left += TOGGLE;
    }
    left += 3.0;
    let text = WidgetText::from(bone_text(state, document, bone, is_selected));
    let is_node = document.model.noun_of(bone) != document.model.bone_noun();
    let room = (rect.right() - left - 2.0).max(0.0);
    let text = text.into_galley(ui, Some(TextWrapMode::Truncate), room, TextStyle::Body);
    let color =
        if is_selected { ui.visuals().selection.stroke.color } else { ui.visuals().text_color() };
    let corner = pos2(left, rect.center().y - text.size().y * 0.5);
    let is_cut = text.elided;
    ui.painter().galley(corner, text, color);
    if response.clicked() {
        out.push(Action::Select(Selection::Bone(bone)));
        ui.memory_mut(|memory| memory.request_focus(look.id));
    }
    if response.double_clicked() {
        out.push(Action::Run(Command::FrameSelection));
    }
    row_menu_ui(&response, state, Selection::Bone(bone), out);
    match is_node {
        true => {
            let text = format!("{name}\nThis node of the scene isn't part of the skeleton.");
            response.on_hover_text(text);
        }
        false if is_cut => {
            response.on_hover_text(name);
        }
        false => {}
    }
}

/// Bones that move no vertices are weak, nodes of a scene with a skeleton are italic, hidden ones are
/// struck through. Selected rows aren't weak, because that would be unreadable.
fn bone_text(state: &AppState, document: &Document, bone: BoneId, is_selected: bool) -> RichText {
    let is_hidden = !state.tab.view.bones.shows(bone);
    let text = RichText::new(document.bone_title(bone));
    let is_node = document.model.noun_of(bone) != document.model.bone_noun();
    let text = if is_node { text.italics() } else { text };
    let text = if is_hidden { text.strikethrough() } else { text };
    if is_selected || (document.is_used(bone) && !is_hidden) { text } else { text.weak() }
}

/// Handles key presses; returns the row to go to.
fn keys_ui(
    ui: &Ui,
    rows: &[BoneRow],
    at: Option<usize>,
    page: usize,
    tree: &mut BoneTree,
    out: &mut Vec<Action>,
) -> Option<(usize, BoneId)> {
    let num_pressed = |key| ui.input_mut(|i| i.count_and_consume_key(Modifiers::NONE, key));
    for (key, is_open) in [(Key::Plus, true), (Key::Minus, false)] {
        let row = at.and_then(|at| rows.get(at)).filter(|row| row.is_open == Some(!is_open));
        if let Some(row) = row.filter(|_| num_pressed(key) > 0) {
            tree.set_open(row.bone, is_open);
            ui.ctx().request_repaint();
        }
    }
    if num_pressed(Key::Enter) > 0 {
        out.push(Action::Run(Command::FrameSelection));
    }
    if let Some(next) = at.and_then(|at| sideways(ui, rows, at, tree)) {
        return Some((next, rows.get(next)?.bone));
    }
    let next = list_step(ui, at, rows.len(), page)?;
    Some((next, rows.get(next)?.bone))
}

/// Right opens a branch or enters it, left closes it or goes to its parent.
fn sideways(ui: &Ui, rows: &[BoneRow], at: usize, tree: &mut BoneTree) -> Option<usize> {
    let is_pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let row = rows.get(at)?;
    let (right, left) = (is_pressed(Key::ArrowRight), is_pressed(Key::ArrowLeft));
    if right == left {
        return None;
    }
    if row.is_open == Some(left) {
        tree.set_open(row.bone, right);
        ui.ctx().request_repaint();
        return None;
    }
    if right {
        row.is_open.map(|_| at + 1)
    } else {
        rows[..at].iter().rposition(|above| above.depth < row.depth)
    }
}
