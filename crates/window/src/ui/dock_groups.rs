//! Groups of tabs in the dock: which panes are behind another tab, and groups that contain only panes.

use std::collections::BTreeSet;

use egui_tiles::{Container, Tile, TileId, Tree};

use rigscope_state::{PANES, Pane, Panes};

/// The panes that are open but behind another tab of their group.
pub(super) fn covered_panes(tree: &Tree<Pane>, panes: &Panes) -> BTreeSet<Pane> {
    let active = tree.active_tiles();
    let is_covered = |pane: &Pane| {
        let tile = tree.tiles.find_pane(pane);
        panes.shows(*pane) && tile.is_some_and(|tile| !active.contains(&tile))
    };
    PANES.iter().map(|info| info.pane).filter(is_covered).collect()
}

/// Moves panes that share a group of tabs with a row or column into the first group of that row or column.
/// egui_tiles makes such groups if a tab is dropped on the middle of a column, and gives the column a tab.
pub(super) fn ungroup_containers(tree: &mut Tree<Pane>) {
    while let Some((group, inner)) = mixed_group(tree) {
        let Some(target) = first_group(tree, inner) else { return };
        let children = match tree.tiles.get(group) {
            Some(Tile::Container(container)) => container.children_vec(),
            _ => return,
        };
        let active = active_tab(tree, group);
        let moved: Vec<TileId> = children.into_iter().filter(|&child| child != inner).collect();
        if let Some(Tile::Container(Container::Tabs(tabs))) = tree.tiles.get_mut(target) {
            tabs.children.extend(&moved);
            if let Some(active) = active.filter(|active| moved.contains(active)) {
                tabs.set_active(active);
            }
        }
        let Some(parent) = tree.tiles.parent_of(group) else {
            tree.root = Some(inner);
            tree.tiles.remove(group);
            continue;
        };
        // The column takes the place and the size of the group.
        if let Some(Tile::Container(container)) = tree.tiles.get_mut(parent) {
            _ = container.replace_child(group, inner);
        }
        tree.tiles.remove(group);
    }
}

/// A group of tabs with a row or column in it, and that row or column.
fn mixed_group(tree: &Tree<Pane>) -> Option<(TileId, TileId)> {
    tree.tiles.iter().find_map(|(&id, tile)| {
        let Tile::Container(Container::Tabs(tabs)) = tile else { return None };
        let is_container = |id: &&TileId| matches!(tree.tiles.get(**id), Some(Tile::Container(_)));
        tabs.children.iter().find(is_container).map(|&inner| (id, inner))
    })
}

/// The first group of tabs in the row or column `id`.
fn first_group(tree: &Tree<Pane>, id: TileId) -> Option<TileId> {
    match tree.tiles.get(id)? {
        Tile::Container(Container::Tabs(_)) => Some(id),
        Tile::Container(container) => {
            container.children_vec().into_iter().find_map(|child| first_group(tree, child))
        }
        Tile::Pane(_) => None,
    }
}

fn active_tab(tree: &Tree<Pane>, group: TileId) -> Option<TileId> {
    match tree.tiles.get(group)? {
        Tile::Container(Container::Tabs(tabs)) => tabs.active,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_tiles::Tiles;

    #[test]
    fn a_pane_dropped_on_a_column_joins_its_tabs() {
        let mut tiles = Tiles::default();
        let [view, outline, findings] =
            [Pane::View, Pane::Outline, Pane::Findings].map(|pane| tiles.insert_pane(pane));
        let [upper, lower] = [view, outline].map(|pane| tiles.insert_tab_tile(vec![pane]));
        let column = tiles.insert_vertical_tile(vec![upper, lower]);
        let group = tiles.insert_tab_tile(vec![column, findings]);
        if let Some(Tile::Container(Container::Tabs(tabs))) = tiles.get_mut(group) {
            tabs.set_active(findings);
        }
        let root = tiles.insert_horizontal_tile(vec![group]);
        let mut tree = Tree::new(egui::Id::unique("test"), root, tiles);
        ungroup_containers(&mut tree);
        assert_eq!(mixed_group(&tree), None);
        assert_eq!(tree.tiles.parent_of(column), Some(root), "in place of the group");
        assert_eq!(tree.tiles.parent_of(findings), Some(upper));
        assert_eq!(active_tab(&tree, upper), Some(findings), "in front, as it was dropped");
    }

    #[test]
    fn only_panes_behind_a_tab_are_covered() {
        let mut tiles = Tiles::default();
        let [view, findings, log] =
            [Pane::View, Pane::Findings, Pane::Log].map(|pane| tiles.insert_pane(pane));
        let root = tiles.insert_tab_tile(vec![view, findings, log]);
        let mut tree = Tree::new(egui::Id::unique("test"), root, tiles);
        tree.make_active(|tile, _| tile == findings);
        tree.set_visible(log, false);
        let panes = Panes::default();
        assert!(panes.shows(Pane::Findings) && !panes.shows(Pane::Log));
        assert_eq!(covered_panes(&tree, &panes), [Pane::View].into(), "a closed pane isn't");
    }
}
