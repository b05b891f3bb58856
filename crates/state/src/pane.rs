//! The panes around the view. Open panes are part of the state; their layout belongs to the dock
//! library.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A pane that can be opened, closed and moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    /// The 3D view; always open.
    View,
    /// Subsets and bones.
    Outline,
    /// Details of the selection.
    Inspector,
    /// Findings.
    Notes,
    /// Hex view of the file.
    Bytes,
    /// Deviations after conversion to BSM2.
    AsBsm2,
    /// Differences from another file.
    Compare,
    /// GPU skinning compared with the CPU.
    Truth,
    /// All messages.
    Log,
    /// Bone weights.
    Weights,
    /// Mesh statistics.
    Statistics,
    /// Animation curves of the selected bone.
    Curves,
    /// Ghosts, seams, layers and weights.
    Animation,
    /// Hulls, occlusion meshes and bounds.
    Collision,
    /// UV layout.
    Uv,
    /// Distances and angles over the clip.
    Measure,
    /// Key poses of clips.
    Poses,
    /// Lighting.
    Light,
    /// Materials and their textures.
    Materials,
    /// Times of recent frames.
    FrameTimes,
}

/// The default location of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DockArea {
    Left,
    Middle,
    Below,
    /// Right of the view, upper half.
    Right,
    /// Right of the view, lower half.
    RightBelow,
}

/// A row of [`PANES`].
#[derive(Clone, Copy, Debug)]
pub struct PaneInfo {
    pub pane: Pane,
    /// The title of its tab.
    pub name: &'static str,
    /// The default location.
    pub home: DockArea,
    /// Whether it is open by default.
    pub starts_open: bool,
}

/// All panes, in tab order. Invariant: the order matches [`Pane`].
pub const PANES: &[PaneInfo] = &[
    row(Pane::View, "3D view", DockArea::Middle, true),
    row(Pane::Outline, "Outline", DockArea::Left, true),
    row(Pane::Inspector, "Inspector", DockArea::Right, true),
    row(Pane::Notes, "Notes", DockArea::Below, true),
    row(Pane::Bytes, "Bytes", DockArea::Below, false),
    row(Pane::AsBsm2, "As BSM2", DockArea::Right, false),
    row(Pane::Compare, "Compare", DockArea::Below, false),
    row(Pane::Truth, "GPU check", DockArea::Right, false),
    row(Pane::Log, "Log", DockArea::Below, false),
    row(Pane::Weights, "Weights", DockArea::Right, false),
    row(Pane::Statistics, "Statistics", DockArea::RightBelow, false),
    row(Pane::Curves, "Curves", DockArea::Below, false),
    row(Pane::Animation, "Animation", DockArea::Right, false),
    row(Pane::Collision, "Collision", DockArea::RightBelow, false),
    row(Pane::Uv, "UV", DockArea::Below, false),
    row(Pane::Measure, "Measure", DockArea::Below, false),
    row(Pane::Poses, "Key poses", DockArea::Below, false),
    row(Pane::Light, "Light", DockArea::RightBelow, false),
    row(Pane::Materials, "Materials", DockArea::Right, false),
    row(Pane::FrameTimes, "Frame times", DockArea::Below, false),
];

const fn row(pane: Pane, name: &'static str, home: DockArea, starts_open: bool) -> PaneInfo {
    PaneInfo { pane, name, home, starts_open }
}

impl Pane {
    /// The row of this pane in [`PANES`].
    pub fn info(self) -> &'static PaneInfo {
        &PANES[self as usize]
    }
}

/// The set of open panes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Panes(BTreeSet<Pane>);

/// Column widths set by the user in the Bytes pane, in points; `None` fits the content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BytesColumns {
    /// Offset, bytes and text.
    pub bytes: Option<f32>,
    /// Names of records.
    pub record: Option<f32>,
}

/// A pane to bring to the front of its tab group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RaisedPane {
    /// Incremented with each request.
    pub number: u64,
    pub pane: Pane,
    /// Whether the pane also gets keyboard focus.
    pub takes_focus: bool,
}

impl crate::AppState {
    /// Opens `pane` and raises it above the other panes in its tab group.
    pub(super) fn bring_to_front(&mut self, pane: Pane) {
        self.settings.panes.set(pane, true);
        self.raise(pane, false);
    }

    /// Moves keyboard focus by `step` open panes, in the order of [`PANES`], wrapping around.
    /// Starts from the pane focused or raised last.
    pub(super) fn step_pane(&mut self, step: isize) {
        let open = PANES.iter().map(|info| info.pane);
        let open: Vec<Pane> = open.filter(|pane| self.settings.panes.shows(*pane)).collect();
        let last = self.raised_pane.map_or(Pane::View, |raised_pane| raised_pane.pane);
        // If that pane is closed, start from the open pane before it.
        let at = open.iter().rposition(|pane| *pane <= last).unwrap_or(0);
        let next = at.cast_signed() + step;
        let next = next.rem_euclid(open.len().cast_signed()).cast_unsigned();
        if let Some(&pane) = open.get(next) {
            self.raise(pane, true);
        }
    }

    fn raise(&mut self, pane: Pane, takes_focus: bool) {
        let number = self.raised_pane.map_or(0, |raised_pane| raised_pane.number) + 1;
        self.raised_pane = Some(RaisedPane { number, pane, takes_focus });
    }
}

impl Default for Panes {
    fn default() -> Self {
        let open = PANES.iter().filter(|info| info.starts_open);
        Self(open.map(|info| info.pane).collect())
    }
}

impl Panes {
    /// Whether `pane` is open.
    pub fn shows(&self, pane: Pane) -> bool {
        pane == Pane::View || self.0.contains(&pane)
    }

    pub fn toggle(&mut self, pane: Pane) {
        self.set(pane, !self.shows(pane));
    }

    /// Opens or closes `pane`.
    pub fn set(&mut self, pane: Pane, is_open: bool) {
        if is_open {
            self.0.insert(pane);
        } else {
            self.0.remove(&pane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, info) in PANES.iter().enumerate() {
            assert_eq!(info.pane as usize, index);
            assert_eq!(info.pane.info().name, info.name);
        }
    }

    #[test]
    fn the_focus_goes_through_the_open_panes_and_around() {
        let mut state = crate::AppState::default();
        let mut stepped = |step| {
            state.step_pane(step);
            let raised_pane = state.raised_pane.unwrap();
            assert!(raised_pane.takes_focus);
            raised_pane.pane
        };
        let there = [1, 1, 1, 1].map(&mut stepped);
        assert_eq!(there, [Pane::Outline, Pane::Inspector, Pane::Notes, Pane::View]);
        assert_eq!(stepped(-1), Pane::Notes);
        state.settings.panes.set(Pane::Notes, false);
        state.step_pane(1);
        assert_eq!(state.raised_pane.unwrap().pane, Pane::View);
    }

    #[test]
    fn the_view_cannot_be_closed() {
        let mut panes = Panes::default();
        panes.set(Pane::View, false);
        panes.set(Pane::Notes, false);
        assert!(panes.shows(Pane::View) && !panes.shows(Pane::Notes));
        assert!(panes.shows(Pane::Outline));
    }
}
