//! The window: bars at the top and bottom, panes in between.

use egui::{CentralPanel, Frame, Id, Margin, Panel, ScrollArea, Ui};

use super::view::ViewTextures;
use super::{
    banners, dialogs, dock, file_chooser, go_to, hints, key_listener, menu_bar, palette, readers,
    revisions, second_model, side_panes, status_bar, tab_bar, theme, timeline, toasts, toolbar,
    view,
};
use rigscope_state::{Action, AppState, UvAction};

/// If less height remains below the bars, the timeline scrolls. Then the panes' height, and the timeline's
/// minimum height.
const LOW_POINTS: f32 = 290.0;
const PANES_POINTS: f32 = 130.0;
const MIN_TIMELINE_POINTS: f32 = 56.0;

/// Shows the whole window; user input is added to `out`.
///
/// Must be called in every pass, because key handling depends on the state set up by the previous call.
pub fn window_ui(ui: &mut Ui, state: &AppState, textures: ViewTextures, out: &mut Vec<Action>) {
    theme::set(ui.ctx(), &state.settings);
    key_listener::take_keys(ui.ctx(), state, out);
    if state.is_embedded {
        embedded_ui(ui, state, textures, out);
        return;
    }
    timeline::release_clock(ui.ctx(), state, out);
    let is_pressed = ui.input(|input| input.pointer.primary_down());
    if is_pressed != state.is_pressed {
        out.push(Action::Press(is_pressed));
    }
    let bar = Frame::side_top_panel(ui.style()).inner_margin(Margin::symmetric(8, 3));

    let top = |name| (name, Panel::top(name).frame(bar));
    bar_ui(ui, top("menu bar"), |ui| menu_bar::menu_bar_ui(ui, state, out));
    bar_ui(ui, top("toolbar"), |ui| toolbar::toolbar_ui(ui, state, out));
    if state.num_tabs() > 1 {
        bar_ui(ui, top("tab bar"), |ui| tab_bar::tab_bar_ui(ui, state, out));
    }
    let bottom = |name, frame| (name, Panel::bottom(name).frame(frame));
    bar_ui(ui, bottom("status bar", bar), |ui| status_bar::status_bar_ui(ui, state, out));
    if state.settings.timeline {
        // In a very low window, it scrolls and leaves the panes their share.
        let room = ui.available_height();
        let frame = bar.inner_margin(Margin::symmetric(8, 6));
        bar_ui(ui, bottom("timeline", frame), |ui| {
            if room < LOW_POINTS {
                let area = ScrollArea::vertical().id_salt("timeline");
                let area = area.max_height((room - PANES_POINTS).max(MIN_TIMELINE_POINTS));
                area.auto_shrink([false, true])
                    .show(ui, |ui| timeline::timeline_ui(ui, state, out));
            } else {
                timeline::timeline_ui(ui, state, out);
            }
        });
    }
    side_panes::side_panes_ui(ui, state, out);
    let view = CentralPanel::default()
        .frame(Frame::new().fill(ui.visuals().panel_fill))
        .show(ui, |ui| dock::dock_ui(ui, state, textures, out))
        .inner;

    second_model::second_model_ui(ui, state, view, out);
    hints::hints_ui(ui, state, view, out);
    banners::banners_ui(ui, state, view, out);
    toasts::toasts_ui(ui, state, view, out);
    dialogs::dialogs_ui(ui, state, out);
    readers::readers_ui(ui, state, out);
    revisions::revisions_ui(ui, state, out);
    go_to::go_to_ui(ui, state, out);
    file_chooser::file_chooser_ui(ui, state, out);
    palette::palette_ui(ui, state, out);
    hover_rows(state, out);
    // A dialog and its shortcut may both close it; a second action would close the dialog below.
    let mut is_closing = false;
    out.retain(|action| {
        !matches!(action, Action::CloseDialog) || !std::mem::replace(&mut is_closing, true)
    });
    // Sizes and hovered rows of a discarded pass are invalid.
    if ui.ctx().will_discard() {
        out.retain(|action| {
            !matches!(
                action,
                Action::ViewSized(_) | Action::Uv(UvAction::Sized(_)) | Action::HoverRow(_)
            )
        });
    }
}

/// Only the view, for a page that has its own controls.
fn embedded_ui(ui: &mut Ui, state: &AppState, textures: ViewTextures, out: &mut Vec<Action>) {
    CentralPanel::default()
        .frame(Frame::NONE)
        .show(ui, |ui| view::view_ui(ui, state, textures, out));
    if ui.ctx().will_discard() {
        out.retain(|action| !matches!(action, Action::ViewSized(_)));
    }
}

/// A bar across the window, as high as its content. egui uses the height from the previous pass; if it has
/// changed, the pass is repeated, so that the view isn't drawn at a temporary size.
fn bar_ui(ui: &mut Ui, (name, panel): (&'static str, Panel), add: impl FnOnce(&mut Ui)) {
    let height = panel.show(ui, add).response.rect.height();
    let id = Id::unique(("height of the bar", name));
    let last = ui.data_mut(|data| {
        let last = data.get_temp::<f32>(id);
        data.insert_temp(id, height);
        last
    });
    if last.is_none_or(|last| (last - height).abs() > 0.5) {
        ui.ctx().request_discard("a bar has another height");
    }
}

/// A row reports in every pass that it is hovered. Passes on only changes, including the end of hovering.
fn hover_rows(state: &AppState, out: &mut Vec<Action>) {
    let mut hovered = None;
    out.retain(|action| match action {
        Action::HoverRow(row) => {
            hovered = *row;
            false
        }
        _ => true,
    });
    if hovered != state.hovered_row() {
        out.push(Action::HoverRow(hovered));
    }
}
