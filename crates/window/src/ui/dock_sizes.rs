//! Minimum sizes of panes in a small window.

use egui::Vec2;
use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tree};

use rigscope_state::Pane;

/// Minimum width of a column, and of the one with the view, in points.
const MIN_SIDE: f32 = 156.0;
const MIN_VIEW: f32 = 212.0;
/// Minimum height of a row: a tab, a row of controls and a few lines. The view needs less.
const MIN_HEIGHT: f32 = 196.0;
const MIN_VIEW_HEIGHT: f32 = 150.0;

/// The user's shares, by container.
pub(super) type Shares = Vec<(TileId, Vec<(TileId, f32)>)>;

/// Enlarges panes that are too small for a dock of `size` points at the cost of their neighbours, and
/// returns the original shares. Rows that the user has resized (`is_user_sized`) keep theirs.
pub(super) fn enforce_min_sizes(
    tree: &mut Tree<Pane>,
    size: Vec2,
    is_user_sized: impl Fn(&Linear) -> bool,
) -> Shares {
    let Some(root) = tree.root() else { return Shares::new() };
    let Some(columns) = linear(tree, root).filter(|root| root.dir == LinearDir::Horizontal) else {
        return Shares::new();
    };
    let rows: Vec<TileId> = columns.children.clone();
    let mut before = Shares::new();
    before.extend(enforce_min_sizes_in(tree, root, size.x, [MIN_SIDE, MIN_VIEW]));
    for id in rows {
        let is_free = |rows: &Linear| rows.dir == LinearDir::Vertical && !is_user_sized(rows);
        if linear(tree, id).is_some_and(is_free) {
            let mins = [MIN_HEIGHT, MIN_VIEW_HEIGHT];
            before.extend(enforce_min_sizes_in(tree, id, size.y, mins));
        }
    }
    before
}

/// Like [`enforce_min_sizes`], for one container that is `length` points long. Its children need `min` points, or
/// `min_view` if they contain the view.
fn enforce_min_sizes_in(
    tree: &mut Tree<Pane>,
    parent: TileId,
    length: f32,
    [min, min_view]: [f32; 2],
) -> Option<(TileId, Vec<(TileId, f32)>)> {
    let children = linear(tree, parent)?;
    let seen: Vec<TileId> =
        children.children.iter().copied().filter(|&id| tree.tiles.is_visible(id)).collect();
    let before: Vec<(TileId, f32)> = seen.iter().map(|&id| (id, children.shares[id])).collect();
    let all: f32 = before.iter().map(|(_, share)| share).sum();
    let view = tree.tiles.find_pane(&Pane::View);
    let has_view = |id: TileId| {
        let above = std::iter::successors(view, |&id| tree.tiles.parent_of(id));
        above.into_iter().any(|above| above == id)
    };
    let mins: Vec<f32> = seen.iter().map(|&id| if has_view(id) { min_view } else { min }).collect();
    // If the minimums don't fit, scale them all down.
    let scale = (length / mins.iter().sum::<f32>().max(1.0)).min(1.0);
    let lengths: Vec<f32> =
        before.iter().map(|(_, share)| share / all.max(f32::MIN_POSITIVE) * length).collect();
    let lacking = |(length, min): (&f32, &f32)| (min * scale - length).max(0.0);
    let spare = |(length, min): (&f32, &f32)| (length - min * scale).max(0.0);
    let lack: f32 = lengths.iter().zip(&mins).map(lacking).sum();
    let spared: f32 = lengths.iter().zip(&mins).map(spare).sum();
    if lack <= 0.0 || spared <= 0.0 {
        return None;
    }
    let lengths = lengths.iter().zip(&mins);
    let now = seen
        .iter()
        .zip(lengths)
        .map(|(&id, of)| (id, of.0 + lacking(of) - spare(of) * lack / spared));
    let now = vec![(parent, now.collect())];
    restore_shares(tree, now);
    Some((parent, before))
}

/// Restores shares.
pub(super) fn restore_shares(tree: &mut Tree<Pane>, shares: Shares) {
    for (parent, children) in shares {
        if let Some(Tile::Container(Container::Linear(linear))) = tree.tiles.get_mut(parent) {
            children.into_iter().for_each(|(id, share)| linear.shares.set_share(id, share));
        }
    }
}

fn linear(tree: &Tree<Pane>, id: TileId) -> Option<&Linear> {
    match tree.tiles.get(id) {
        Some(Tile::Container(Container::Linear(linear))) => Some(linear),
        _ => None,
    }
}
