//! The panes around the view. Which are open is state; where they are is the docks' own.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// A pane that can be opened, closed and moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Pane {
    /// The picture; always open.
    View,
    /// Subsets and bones.
    Outline,
    /// What is selected.
    Inspector,
    /// Findings.
    Notes,
    /// The bytes of the file.
    Bytes,
    /// What packing changes.
    AsBsm2,
    /// What differs from another file.
    Compare,
    /// The GPU against the CPU.
    Truth,
    /// All messages.
    Log,
    /// Weights of bones.
    Weights,
    /// Figures of meshes.
    Statistics,
    /// Curves of the selected bone.
    Curves,
    /// Ghosts, seams, layers and weights.
    Animation,
    /// Hulls, occluder and bounds.
    Collision,
    /// Texture coordinates.
    Uv,
    /// Distances and angles over the clip.
    Measure,
    /// Key poses of clips.
    Poses,
    /// How materials are lit.
    Light,
    /// Materials and their textures.
    Materials,
    /// What the last frames took.
    FrameTimes,
}

/// Where a pane is until somebody moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// Left of the view.
    Left,
    /// The middle.
    Middle,
    /// Below the view.
    Below,
    /// Right of the view, upper half.
    Right,
    /// Right of the view, lower half.
    RightBelow,
}

/// One row of the table of panes.
#[derive(Clone, Copy, Debug)]
pub struct PaneInfo {
    /// Which one.
    pub pane: Pane,
    /// As its tab says.
    pub name: &'static str,
    /// Where it is at first.
    pub home: Home,
    /// Whether it is open at first.
    pub starts_open: bool,
}

/// All panes, in the order of tabs.
pub const PANES: &[PaneInfo] = &[
    row(Pane::View, "3D view", Home::Middle, true),
    row(Pane::Outline, "Outline", Home::Left, true),
    row(Pane::Inspector, "Inspector", Home::Right, true),
    row(Pane::Notes, "Notes", Home::Below, true),
    row(Pane::Bytes, "Bytes", Home::Below, false),
    row(Pane::AsBsm2, "As BSM2", Home::Right, false),
    row(Pane::Compare, "Compare", Home::Below, false),
    row(Pane::Truth, "GPU check", Home::Right, false),
    row(Pane::Log, "Log", Home::Below, false),
    row(Pane::Weights, "Weights", Home::Right, false),
    row(Pane::Statistics, "Statistics", Home::RightBelow, false),
    row(Pane::Curves, "Curves", Home::Below, false),
    row(Pane::Animation, "Animation", Home::Right, false),
    row(Pane::Collision, "Collision", Home::RightBelow, false),
    row(Pane::Uv, "UV", Home::Below, false),
    row(Pane::Measure, "Measure", Home::Below, false),
    row(Pane::Poses, "Key poses", Home::Below, false),
    row(Pane::Light, "Light", Home::RightBelow, false),
    row(Pane::Materials, "Materials", Home::Right, false),
    row(Pane::FrameTimes, "Frame times", Home::Below, false),
];

const fn row(pane: Pane, name: &'static str, home: Home, starts_open: bool) -> PaneInfo {
    PaneInfo { pane, name, home, starts_open }
}

impl Pane {
    /// Its row in the table.
    pub fn info(self) -> &'static PaneInfo {
        &PANES[self as usize]
    }
}

/// Which panes are open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Panes(BTreeSet<Pane>);

/// How wide columns of the bytes have been made, in points; none: as wide as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BytesColumns {
    /// Offset, bytes and text.
    pub bytes: Option<f32>,
    /// Names of records.
    pub record: Option<f32>,
}

/// A pane that was asked for, which comes to the front of its tabs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fronted {
    /// Counts how often one was.
    pub number: u64,
    /// Which one.
    pub pane: Pane,
    /// It gets the focus of the keyboard too.
    pub takes_focus: bool,
}

impl crate::AppState {
    /// Opens `pane` and brings it before those that share its place.
    pub(super) fn bring_to_front(&mut self, pane: Pane) {
        self.settings.panes.set(pane, true);
        self.front(pane, false);
    }

    /// Gives the focus of the keyboard to the open pane that comes `step` after the one that was
    /// asked for last, in the order of the table and around its end.
    pub(super) fn step_pane(&mut self, step: isize) {
        let open = PANES.iter().map(|info| info.pane);
        let open: Vec<Pane> = open.filter(|pane| self.settings.panes.shows(*pane)).collect();
        let last = self.fronted.map_or(Pane::View, |fronted| fronted.pane);
        // One that has been closed is taken for the one before it.
        let at = open.iter().rposition(|pane| *pane <= last).unwrap_or(0);
        let next = at.cast_signed() + step;
        let next = next.rem_euclid(open.len().cast_signed()).cast_unsigned();
        if let Some(&pane) = open.get(next) {
            self.front(pane, true);
        }
    }

    fn front(&mut self, pane: Pane, takes_focus: bool) {
        let number = self.fronted.map_or(0, |fronted| fronted.number) + 1;
        self.fronted = Some(Fronted { number, pane, takes_focus });
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

    /// Opens a closed pane and closes an open one.
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
            let fronted = state.fronted.unwrap();
            assert!(fronted.takes_focus);
            fronted.pane
        };
        let there = [1, 1, 1, 1].map(&mut stepped);
        assert_eq!(there, [Pane::Outline, Pane::Inspector, Pane::Notes, Pane::View]);
        assert_eq!(stepped(-1), Pane::Notes);
        state.settings.panes.set(Pane::Notes, false);
        state.step_pane(1);
        assert_eq!(state.fronted.unwrap().pane, Pane::View);
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
