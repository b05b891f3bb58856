//! Tabs that don't fit: they move to a menu at the end of their bar.

use egui::{TextStyle, TextWrapMode, Ui, WidgetText};
use egui_tiles::{Behavior, TileId, Tiles, UiResponse};

use super::tooltips::explained_by_command;
use rigscope_state::{Action, AppState, Command, Pane};

/// Width of the menu's button, in points.
const MORE_POINTS: f32 = 30.0;

/// The tabs that move to the menu. `widths` are the widths of all tabs in order, in points like `room`; the
/// active one stays in the bar.
pub(super) fn hidden_tabs(
    widths: &[(TileId, f32)],
    active: Option<TileId>,
    room: f32,
) -> Vec<TileId> {
    if widths.iter().map(|(_, width)| width).sum::<f32>() <= room {
        return Vec::new();
    }
    let is_active = |id: TileId| Some(id) == active;
    let of_active = widths.iter().find(|(id, _)| is_active(*id)).map_or(0.0, |(_, width)| *width);
    let mut left = room - MORE_POINTS - of_active;
    let mut hidden = Vec::new();
    for &(id, width) in widths.iter().filter(|(id, _)| !is_active(*id)) {
        // After the first tab that doesn't fit, the rest moves too, to keep the order.
        if hidden.is_empty() && width <= left { left -= width } else { hidden.push(id) }
    }
    hidden
}

/// Width of a tab with `title` as egui_tiles draws it, in points.
pub(super) fn tab_width(
    ui: &Ui,
    behavior: &impl Behavior<Pane>,
    title: WidgetText,
    is_closable: bool,
) -> f32 {
    const BEFORE_CLOSE_POINTS: f32 = 4.0;
    let title = title.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, TextStyle::Button);
    let close =
        if is_closable { BEFORE_CLOSE_POINTS + behavior.close_button_outer_size() } else { 0.0 };
    title.size().x + 2.0 * behavior.tab_title_spacing(ui.visuals()) + close
}

/// A menu button that lists `panes`; choosing one brings it to the front.
pub(super) fn more_tabs_ui(ui: &mut Ui, state: &AppState, panes: &[Pane], out: &mut Vec<Action>) {
    let more = ui.menu_button("»", |ui| {
        for &pane in panes {
            let entry = ui.button(pane.info().name);
            if explained_by_command(entry, state, Command::pane(pane)).clicked() {
                out.push(Action::ShowPane(pane, true));
                ui.close();
            }
        }
    });
    more.response.on_hover_text("More panes").accessible_name("More panes");
}

/// Draws a tab like egui_tiles does, for a behavior that decides which tabs are drawn.
pub(super) struct PlainTab<'a, T>(pub(super) &'a mut T);

impl<T: Behavior<Pane>> Behavior<Pane> for PlainTab<'_, T> {
    fn pane_ui(&mut self, ui: &mut Ui, tile: TileId, pane: &mut Pane) -> UiResponse {
        self.0.pane_ui(ui, tile, pane)
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        self.0.tab_title_for_pane(pane)
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        self.0.is_tab_closable(tiles, tile)
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        self.0.on_tab_close(tiles, tile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_that_do_not_fit_move_to_the_menu_except_the_active_one() {
        let ids = [1, 2, 3, 4].map(TileId::from_u64);
        let widths = ids.map(|id| (id, 50.0));
        assert!(hidden_tabs(&widths, Some(ids[0]), 200.0).is_empty());
        assert_eq!(hidden_tabs(&widths, Some(ids[0]), 199.0), ids[3..]);
        assert_eq!(hidden_tabs(&widths, Some(ids[3]), 150.0), ids[1..3]);
        assert_eq!(hidden_tabs(&widths, Some(ids[2]), 10.0), [ids[0], ids[1], ids[3]]);
    }
}
