//! Columns of panes in a narrow window: none gets narrower than what is in it can bear.

use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tree};

use crate::state::Pane;

/// What a column needs, in points, and what the one with the view does.
const MIN_SIDE: f32 = 156.0;
const MIN_VIEW: f32 = 212.0;

/// Shares of columns as somebody has set them.
pub(super) type Shares = Vec<(TileId, f32)>;

/// Gives columns that are too narrow in `width` points what the widest can spare, and returns what the
/// shares were.
pub(super) fn make_room(tree: &mut Tree<Pane>, width: f32) -> Shares {
    let Some(columns) = columns(tree) else { return Shares::new() };
    let seen: Vec<TileId> =
        columns.children.iter().copied().filter(|&id| tree.tiles.is_visible(id)).collect();
    let before: Shares = seen.iter().map(|&id| (id, columns.shares[id])).collect();
    let all: f32 = before.iter().map(|(_, share)| share).sum();
    let view = tree.tiles.find_pane(&Pane::View);
    let has_view = |id: TileId| {
        let above = std::iter::successors(view, |&id| tree.tiles.parent_of(id));
        above.into_iter().any(|above| above == id)
    };
    let mins: Vec<f32> =
        seen.iter().map(|&id| if has_view(id) { MIN_VIEW } else { MIN_SIDE }).collect();
    // Where not even that is there, all columns are as wide in proportion.
    let scale = (width / mins.iter().sum::<f32>().max(1.0)).min(1.0);
    let widths: Vec<f32> =
        before.iter().map(|(_, share)| share / all.max(f32::MIN_POSITIVE) * width).collect();
    let lacking = |(width, min): (&f32, &f32)| (min * scale - width).max(0.0);
    let spare = |(width, min): (&f32, &f32)| (width - min * scale).max(0.0);
    let lack: f32 = widths.iter().zip(&mins).map(lacking).sum();
    let spared: f32 = widths.iter().zip(&mins).map(spare).sum();
    if lack <= 0.0 || spared <= 0.0 {
        return Shares::new();
    }
    let widths = widths.iter().zip(&mins);
    let now: Shares = seen
        .iter()
        .zip(widths)
        .map(|(&id, of)| (id, of.0 + lacking(of) - spare(of) * lack / spared))
        .collect();
    give_back(tree, now);
    before
}

/// Sets shares of columns.
pub(super) fn give_back(tree: &mut Tree<Pane>, shares: Shares) {
    let root = tree.root();
    if let Some(Tile::Container(Container::Linear(columns))) =
        root.and_then(|root| tree.tiles.get_mut(root))
    {
        shares.into_iter().for_each(|(id, share)| columns.shares.set_share(id, share));
    }
}

fn columns(tree: &Tree<Pane>) -> Option<&Linear> {
    match tree.root().and_then(|root| tree.tiles.get(root)) {
        Some(Tile::Container(Container::Linear(columns)))
            if columns.dir == LinearDir::Horizontal =>
        {
            Some(columns)
        }
        _ => None,
    }
}
