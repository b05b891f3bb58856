//! The panes around the view. Open panes are part of the state; their layout belongs to the dock
//! library.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Defines the panes, in tab order. A row consists of the identifier, which saved layouts contain,
/// the title of the tab and name of the command that opens and closes it, the default location,
/// whether it is open by default, and shortcuts and help of the command.
macro_rules! panes {
    ($(
        $(#[$attr:meta])* $pane:ident $name:literal $home:ident $start:ident $([$($key:literal),+])? $help:literal;
    )+) => {
        /// A pane that can be opened, closed and moved.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        pub enum Pane {
            $(#[doc = $help] $(#[$attr])* $pane,)+
        }

        /// All panes, in the order of [`Pane`].
        pub const PANES: &[PaneInfo] = &[$(PaneInfo {
            pane: Pane::$pane,
            name: $name,
            home: DockArea::$home,
            starts_open: $start,
            keys: &[$($($key),+)?],
            help: $help,
        }),+];
    };
}

panes! {
    View "3D view" Middle OPEN
        "Shows the model. This pane can't be closed.";
    Outline "Outline" Left OPEN ["F6"]
        "Lists subsets and bones, on the left.";
    Inspector "Inspector" Right OPEN ["F7"]
        "Shows details of the selection, on the right.";
    #[serde(alias = "Notes")]
    Findings "Findings" Below OPEN ["F8"]
        "Lists problems found in the file, below the view.";
    Diagnosis "Diagnosis" Below CLOSED ["Alt+F8"]
        "Names the cause of the problems, shows the model without it, and fixes the file, below the view.";
    Bytes "Bytes" Below CLOSED ["Ctrl+B"]
        "Shows the bytes of the file, coloured by their meaning, below the view.";
    AsBsm2 "As BSM2" Right CLOSED
        "Shows deviations caused by packing as BSM2, on the right.";
    Compare "Comparison" Below CLOSED
        "Lists differences from another file, below the view.";
    Truth "GPU check" Right CLOSED
        "Shows deviations between GPU and CPU, on the right.";
    Log "Log" Below CLOSED ["Ctrl+L"]
        "Lists all messages, below the view.";
    Weights "Weights" Right CLOSED ["Shift+W"]
        "Shows bone weights and the vertices that they affect, on the right.";
    Statistics "Mesh statistics" RightBelow CLOSED ["Shift+F3"]
        "Shows the content and size of each mesh and subset, on the right.";
    Curves "Curves" Below CLOSED ["Alt+F"]
        "Plots translation, rotation and scale of the selected bone over the clip, below the view.";
    Animation "Animation" Right CLOSED ["Alt+A"]
        "Sets sampling, ghosts, loop seam, root motion, a second clip and morph target weights, on the right.";
    Collision "Collision" RightBelow CLOSED ["Alt+K"]
        "Shows hulls, occlusion mesh and bounds, and checks whether the bounds contain the model, on the right.";
    Uv "UV layout" Below CLOSED ["Alt+U"]
        "Shows UVs over their texture, below the view.";
    Measure "Measurements" Below CLOSED
        "Shows measured distances and angles over the clip, below the view.";
    Poses "Key poses" Below CLOSED ["Shift+P"]
        "Shows thumbnails of each clip's key poses, below the view. A click goes to the pose.";
    Light "Light" RightBelow CLOSED ["Ctrl+Alt+L"]
        "Sets the lighting of the materials, on the right.";
    Materials "Materials" Right CLOSED ["Ctrl+M"]
        "Shows the properties of each material, its textures by channel, and the subsets that use it, on the right.";
    BonePairs "Bone pairs" Below CLOSED ["Alt+Shift+B"]
        "Shows which bones of added animations move which bones of the model, and changes the pairs, below the view.";
    FrameTimes "Frame times" Below CLOSED ["Alt+F3"]
        "Shows CPU times by step and GPU times by pass of recent frames, below the view.";
}

const OPEN: bool = true;
const CLOSED: bool = false;

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
    /// The title of its tab, and the name of the command that opens and closes it.
    pub name: &'static str,
    /// The default location.
    pub home: DockArea,
    /// Whether it is open by default.
    pub starts_open: bool,
    /// Shortcuts and help of the command that opens and closes it.
    pub(crate) keys: &'static [&'static str],
    pub(crate) help: &'static str,
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
    /// Whether `pane` is open and no other tab covers it.
    pub fn is_in_front(&self, pane: Pane) -> bool {
        self.settings.panes.shows(pane) && !self.covered_panes.contains(&pane)
    }

    /// Closes `pane` if it is in front; otherwise opens and raises it.
    pub(super) fn toggle_pane(&mut self, pane: Pane) {
        if self.is_in_front(pane) {
            self.settings.panes.set(pane, false);
        } else {
            self.bring_to_front(pane);
        }
    }

    /// Opens `pane` and raises it above the other panes in its tab group.
    pub(super) fn bring_to_front(&mut self, pane: Pane) {
        self.settings.panes.set(pane, true);
        self.covered_panes.remove(&pane);
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
    use crate::Command;

    #[test]
    fn every_pane_but_the_view_has_a_command_that_opens_and_closes_it() {
        let mut state = crate::AppState::default();
        for info in PANES.iter().filter(|info| info.pane != Pane::View) {
            let command = Command::pane(info.pane);
            assert!(Command::all().any(|known| known == command), "{command:?}");
            let was_open = state.settings.panes.shows(info.pane);
            state.run(command);
            assert_ne!(state.settings.panes.shows(info.pane), was_open, "{command:?}");
        }
        assert!(!Command::all().any(|known| known == Command::pane(Pane::View)));
    }

    #[test]
    fn the_key_of_a_covered_pane_raises_it_and_then_closes_it() {
        let mut state = crate::AppState::default();
        state.apply(crate::Action::CoveredPanes([Pane::Findings].into()));
        let command = Command::pane(Pane::Findings);
        assert!(!command.is_on(&state), "it can't be seen");
        state.run(command);
        assert_eq!(state.raised_pane.unwrap().pane, Pane::Findings);
        assert!(command.is_on(&state) && state.settings.panes.shows(Pane::Findings));
        state.run(command);
        assert!(!state.settings.panes.shows(Pane::Findings));
    }

    #[test]
    fn names_in_saved_layouts_and_scripts_are_still_known() {
        for name in [
            "View",
            "Outline",
            "Inspector",
            "Findings",
            "Bytes",
            "AsBsm2",
            "Compare",
            "Truth",
            "Log",
            "Weights",
            "Statistics",
            "Curves",
            "Animation",
            "Collision",
            "Uv",
            "Measure",
            "Poses",
            "Light",
            "Materials",
            "FrameTimes",
        ] {
            let pane: Pane = serde_json::from_str(&format!("{name:?}")).unwrap();
            assert_eq!(format!("{pane:?}"), name);
        }
        assert_eq!(serde_json::from_str::<Pane>("\"Notes\"").unwrap(), Pane::Findings);
        for name in
            ["comparison", "gpu-check", "mesh-statistics", "uv-layout", "measurements", "key-poses"]
        {
            assert!(Command::from_kebab(name).is_ok(), "{name}");
        }
        // Links and scripts of earlier versions.
        for (name, pane) in
            [("notes", Pane::Findings), ("uv", Pane::Uv), ("compare", Pane::Compare)]
        {
            assert_eq!(Pane::from_kebab(name), Ok(pane));
        }
    }

    #[test]
    fn focus_cycles_through_the_open_panes() {
        let mut state = crate::AppState::default();
        let mut stepped = |step| {
            state.step_pane(step);
            let raised_pane = state.raised_pane.unwrap();
            assert!(raised_pane.takes_focus);
            raised_pane.pane
        };
        let there = [1, 1, 1, 1].map(&mut stepped);
        assert_eq!(there, [Pane::Outline, Pane::Inspector, Pane::Findings, Pane::View]);
        assert_eq!(stepped(-1), Pane::Findings);
        state.settings.panes.set(Pane::Findings, false);
        state.step_pane(1);
        assert_eq!(state.raised_pane.unwrap().pane, Pane::View);
    }

    #[test]
    fn the_view_cannot_be_closed() {
        let mut panes = Panes::default();
        panes.set(Pane::View, false);
        panes.set(Pane::Findings, false);
        assert!(panes.shows(Pane::View) && !panes.shows(Pane::Findings));
        assert!(panes.shows(Pane::Outline));
    }
}
