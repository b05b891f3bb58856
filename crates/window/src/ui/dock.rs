//! The dock: panes in tiles that can be split, stacked as tabs, dragged and resized.
//!
//! The state stores which panes are open. The arrangement is in egui's memory; after a change by the user,
//! an action stores it in the settings.

use egui::{Id, Rect, Ui, WidgetText};
use egui_tiles::{
    Behavior, EditAction, Linear, LinearDir, ResizeState, SimplificationOptions, TabState, Tabs,
    Tile, TileId, Tiles, Tree, UiResponse,
};

use super::tooltips::explained_by_command;
use super::view::ViewTextures;
use super::{dock_groups, dock_sizes, dock_tabs, materials, pane_ui, poses, view};
use rigscope_state::{Action, AppState, Command, DockArea, PANES, Pane, Panes, RaisedPane};

/// Initial share of the upper row in each column.
const VIEW_SHARE: f32 = 0.66;
const RIGHT_SHARE: f32 = 0.6;
/// The height of a button.
const TAB_BAR_POINTS: f32 = 26.0;

/// The dock in egui's memory.
#[derive(Clone)]
struct Dock {
    tree: Tree<Pane>,
    /// The panes that the tree was last updated for.
    panes: Option<Panes>,
    /// The last pane brought to the front.
    front: Option<RaisedPane>,
    /// The stored layout that the tree was read from or written to.
    layout: Option<String>,
}

/// Shows all open panes and returns the view's rectangle.
pub(super) fn dock_ui(
    ui: &mut Ui,
    state: &AppState,
    textures: ViewTextures,
    out: &mut Vec<Action>,
) -> Rect {
    if !state.settings.panes.shows(Pane::Poses) {
        poses::forget(ui);
    }
    if !state.settings.panes.shows(Pane::Materials) {
        materials::forget(ui);
    }
    let id = Id::unique("dock");
    let kept = state.settings.layout.as_ref();
    let known: Option<Dock> = ui.data(|data| data.get_temp(id));
    let mut dock = match known {
        // A different stored layout means that the user has reset it.
        Some(dock) if dock.layout.as_ref() == kept => dock,
        _ => Dock {
            tree: kept.and_then(|text| parsed(text)).unwrap_or_else(tree),
            panes: None,
            front: state.raised_pane,
            layout: kept.cloned(),
        },
    };
    if dock.panes.as_ref() != Some(&state.settings.panes) {
        show_panes(&mut dock, &state.settings.panes);
    }
    let tiles = &dock.tree.tiles;
    let view_tile = tiles.find_pane(&Pane::View).unwrap_or(TileId::from_u64(u64::MAX));
    let visible = tiles.tile_ids().filter(|&id| tiles.is_visible(id)).collect();
    let mut focused = None;
    if dock.front != state.raised_pane {
        dock.front = state.raised_pane;
        let pane = state.raised_pane.map(|fronted| fronted.pane);
        let id = pane.and_then(|pane| dock.tree.tiles.find_pane(&pane));
        dock.tree.make_active(|tile, _| Some(tile) == id);
        focused = state.raised_pane.filter(|fronted| fronted.takes_focus);
    }
    let mut panes = PanesUi {
        state,
        textures,
        out,
        view: ui.max_rect(),
        is_edited: false,
        view_tile,
        visible,
        focused: focused.map(|fronted| fronted.pane),
        hidden_tabs: Vec::new(),
    };
    let shares = dock_sizes::enforce_min_sizes(&mut dock.tree, ui.available_size(), is_user_sized);
    dock.tree.ui(&mut panes, ui);
    let (view, is_edited) = (panes.view, panes.is_edited);
    if is_edited {
        dock_groups::ungroup_containers(&mut dock.tree);
    } else {
        dock_sizes::restore_shares(&mut dock.tree, shares);
    }
    let covered = dock_groups::covered_panes(&dock.tree, &state.settings.panes);
    if covered != state.covered_panes {
        out.push(Action::CoveredPanes(covered));
    }
    if is_edited && let Ok(text) = serde_json::to_string(&dock.tree) {
        dock.layout = Some(text.clone());
        out.push(Action::SaveLayout(text));
    }
    ui.data_mut(|data| data.insert_temp(id, dock));
    view
}

/// The default layout: each pane in its home.
fn tree() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let mut tabs = |home: DockArea| {
        let panes = PANES.iter().filter(|info| info.home == home);
        let ids = panes.map(|info| tiles.insert_pane(info.pane)).collect();
        tiles.insert_tab_tile(ids)
    };
    let [left, middle, below, right, right_below] =
        [DockArea::Left, DockArea::Middle, DockArea::Below, DockArea::Right, DockArea::RightBelow]
            .map(&mut tabs);
    let mut split = |dir, children: [TileId; 2], share| {
        tiles.insert_container(Linear::new_binary(dir, children, share))
    };
    let middle = split(LinearDir::Vertical, [middle, below], VIEW_SHARE);
    let right = split(LinearDir::Vertical, [right, right_below], RIGHT_SHARE);
    let mut root = Linear::new(LinearDir::Horizontal, vec![left, middle, right]);
    root.shares.set_share(left, 0.185);
    root.shares.set_share(middle, 0.6);
    root.shares.set_share(right, 0.215);
    let root = tiles.insert_container(root);
    Tree::new(Id::unique("panes"), root, tiles)
}

/// Whether the user has resized the rows.
fn is_user_sized(rows: &Linear) -> bool {
    let [upper, lower] = rows.children.as_slice() else { return true };
    let [upper, lower] = [upper, lower].map(|&id| rows.shares[id]);
    let share = upper / (upper + lower).max(f32::MIN_POSITIVE);
    ![VIEW_SHARE, RIGHT_SHARE].iter().any(|first| (share - first).abs() < 1e-3)
}

/// Parses a stored layout. It must contain each pane at most once and no unknown ones. Missing panes are
/// added to their home.
fn parsed(text: &str) -> Option<Tree<Pane>> {
    let mut tree: Tree<Pane> = serde_json::from_str(text).ok()?;
    let root = tree.root()?;
    for info in PANES {
        let is_pane = |tile: &&Tile<Pane>| matches!(tile, Tile::Pane(pane) if *pane == info.pane);
        match tree.tiles.tiles().filter(is_pane).count() {
            0 => {
                let neighbours = PANES.iter().filter(|other| other.home == info.home);
                let mut known = neighbours.filter_map(|other| tree.tiles.find_pane(&other.pane));
                let parent = known.find_map(|id| tree.tiles.parent_of(id)).unwrap_or(root);
                let new = tree.tiles.insert_pane(info.pane);
                match tree.tiles.get_mut(parent) {
                    Some(Tile::Container(container)) => container.add_child(new),
                    _ => return None,
                }
            }
            1 => {}
            _ => return None,
        }
    }
    dock_groups::ungroup_containers(&mut tree);
    Some(tree)
}

/// Shows open panes, hides the others, and brings newly opened ones to the front.
fn show_panes(dock: &mut Dock, panes: &Panes) {
    for info in PANES {
        let Some(id) = dock.tree.tiles.find_pane(&info.pane) else { continue };
        let is_open = panes.shows(info.pane);
        let was_open = dock.panes.as_ref().is_none_or(|old| old.shows(info.pane));
        dock.tree.set_visible(id, is_open);
        if is_open && !was_open {
            dock.tree.make_active(|tile, _| tile == id);
        }
    }
    dock.panes = Some(panes.clone());
}

/// Implements egui_tiles' callbacks.
struct PanesUi<'a> {
    state: &'a AppState,
    textures: ViewTextures,
    out: &'a mut Vec<Action>,
    view: Rect,
    is_edited: bool,
    /// The view's tile.
    view_tile: TileId,
    /// The visible tiles.
    visible: Vec<TileId>,
    /// The pane that receives the keyboard focus.
    focused: Option<Pane>,
    /// Tabs that are in the overflow menu.
    hidden_tabs: Vec<TileId>,
}

/// A focus target for the whole pane: pressing Tab continues with the widgets in it.
fn focus_ui(ui: &Ui, pane: Pane, takes_focus: bool) -> egui::Response {
    let id = Id::unique(("pane", pane));
    let whole = ui.interact(ui.max_rect(), id, egui::Sense::focusable_noninteractive());
    whole.widget_info(|| {
        let name = pane.info().name;
        egui::WidgetInfo::labeled(egui::Role::Pane, true, format!("{name} pane"))
    });
    if takes_focus {
        whole.request_focus();
    }
    whole
}

impl Behavior<Pane> for PanesUi<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        let pane = *pane;
        if pane == Pane::View {
            if self.focused == Some(pane) {
                // The view handles all unclaimed keys.
                ui.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
            }
            self.view = view::view_ui(ui, self.state, self.textures, self.out);
            return UiResponse::None;
        }
        let focus = focus_ui(ui, pane, self.focused == Some(pane));
        let fill = ui.visuals().panel_fill;
        egui::Frame::new().fill(fill).inner_margin(egui::Margin::symmetric(10, 6)).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            pane_ui(ui, pane, self.state, self.textures, self.out);
        });
        if focus.has_focus() {
            let stroke = ui.visuals().widgets.active.fg_stroke;
            let inside = egui::StrokeKind::Inside;
            ui.painter().rect_stroke(focus.rect, 0.0, stroke, inside);
        }
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        let name = pane.info().name;
        match (pane, self.state.tab.view.findings.rows.len()) {
            (Pane::Findings, num @ 1..) => format!("{name} ({num})").into(),
            _ => name.into(),
        }
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        tiles.get_pane(&tile).is_some_and(|pane| *pane != Pane::View)
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        if let Some(&pane) = tiles.get_pane(&tile) {
            self.out.push(Action::ShowPane(pane, false));
        }
        // It stays in place, hidden.
        false
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            // Hidden panes keep their places.
            prune_single_child_tabs: false,
            ..SimplificationOptions::default()
        }
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut Ui,
        _: TileId,
        tabs: &Tabs,
        scroll_offset: &mut f32,
    ) {
        let open: Vec<_> =
            tabs.children.iter().copied().filter(|id| self.visible.contains(id)).collect();
        let widths = open.into_iter().map(|id| {
            let title = self.tab_title_for_tile(tiles, id);
            (id, dock_tabs::tab_width(ui, self, title, self.is_tab_closable(tiles, id)))
        });
        let widths: Vec<_> = widths.collect();
        let hidden = dock_tabs::hidden_tabs(&widths, tabs.active, ui.available_width());
        if hidden.is_empty() {
            return;
        }
        *scroll_offset = 0.0;
        let panes: Vec<_> = hidden.iter().filter_map(|id| tiles.get_pane(id).copied()).collect();
        dock_tabs::more_tabs_ui(ui, self.state, &panes, self.out);
        self.hidden_tabs.extend(hidden);
    }

    fn tab_ui(
        &mut self,
        tiles: &mut Tiles<Pane>,
        ui: &mut Ui,
        id: Id,
        tile: TileId,
        tab: &TabState,
    ) -> egui::Response {
        if self.hidden_tabs.contains(&tile) {
            let nowhere = Rect::from_min_size(ui.cursor().min, egui::Vec2::ZERO);
            return ui.interact(nowhere, id, egui::Sense::hover());
        }
        let response = dock_tabs::PlainTab(self).tab_ui(tiles, ui, id, tile, tab);
        match tiles.get_pane(&tile) {
            Some(&pane) => explained_by_command(response, self.state, Command::pane(pane)),
            None => response,
        }
    }

    fn tab_bar_height(&self, _: &egui::Style) -> f32 {
        TAB_BAR_POINTS
    }

    /// A view without other tabs is recognisable without a tab.
    fn is_tab_bar_visible(&self, _: TileId, tabs: &Tabs) -> bool {
        let mut open = tabs.children.iter().filter(|&&id| self.visible.contains(&id));
        let only = open.next();
        only != Some(&self.view_tile) || open.next().is_some()
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        2.0
    }

    fn resize_stroke(&self, style: &egui::Style, state: ResizeState) -> egui::Stroke {
        let widgets = &style.visuals.widgets;
        match state {
            ResizeState::Idle => widgets.noninteractive.bg_stroke,
            ResizeState::Hovering => widgets.hovered.fg_stroke,
            ResizeState::Dragging => widgets.active.fg_stroke,
        }
    }

    fn min_size(&self) -> f32 {
        90.0
    }

    fn on_edit(&mut self, edit: EditAction) {
        self.is_edited |= matches!(edit, EditAction::TileResized | EditAction::TileDropped);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_layout_is_read_back() {
        let text = serde_json::to_string(&tree()).unwrap();
        let again = parsed(&text).unwrap();
        assert_eq!(again, tree());
        for info in PANES {
            assert!(again.tiles.find_pane(&info.pane).is_some());
        }
    }

    #[test]
    fn a_layout_of_unknown_panes_is_rejected() {
        assert!(parsed("").is_none());
        assert!(parsed("{}").is_none());
        let twice =
            serde_json::to_string(&Tree::new_tabs(Id::unique("panes"), vec![Pane::View; 2]))
                .unwrap();
        assert!(parsed(&twice).is_none());
    }

    #[test]
    fn panes_missing_in_an_old_layout_are_added() {
        let old =
            serde_json::to_string(&Tree::new_tabs(Id::unique("panes"), vec![Pane::View])).unwrap();
        let tree = parsed(&old).unwrap();
        assert!(tree.tiles.find_pane(&Pane::Outline).is_some());
    }

    #[test]
    fn closed_panes_are_hidden_and_keep_their_place() {
        let mut dock = Dock { tree: tree(), panes: None, front: None, layout: None };
        let mut panes = Panes::default();
        panes.set(Pane::Findings, false);
        show_panes(&mut dock, &panes);
        let findings = dock.tree.tiles.find_pane(&Pane::Findings).unwrap();
        assert!(!dock.tree.is_visible(findings));
        assert!(matches!(
            dock.tree.tiles.parent_of(findings).and_then(|id| dock.tree.tiles.get(id)),
            Some(Tile::Container(egui_tiles::Container::Tabs(_)))
        ));
    }
}
