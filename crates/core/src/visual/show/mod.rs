//! The visible parts of a model: switches and colourings, each a row of one table.
//!
//! For: command line, window, settings, undo and `gpu`, which all use this table.
//! Not for: drawing (passes of `gpu`) and the consequences of a switch (`state`).

mod table;

pub use table::{Coloring, ON_HARDWARE, SHOW, Show, ShowGroup, Switch};
pub(super) use table::{DEGENERATE_COLOR, FLIPPED_COLOR};

use table::NUM_SWITCHES;

use super::VertexPaint;

/// Numbers by which shaders identify vertex paint.
const HEAT: u32 = 2;
const COLORS: u32 = 3;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ShowInfo {
    /// The switch or colouring of this row.
    pub item: Item,
    /// Its group in the menu.
    pub group: ShowGroup,
    /// Keyboard shortcuts: modifiers and key, such as `Ctrl+Shift+O`.
    pub keys: &'static [&'static str],
    /// Name for `--show`; `None` if only the window has it.
    pub word: Option<&'static str>,
    /// Label in menus.
    pub label: &'static str,
    /// Description in one sentence.
    pub help: &'static str,
    /// Whether it is on by default.
    pub is_on: bool,
    /// Where its state is stored, and whether it can be undone.
    pub scope: Scope,
    /// How it is drawn.
    pub drawn_with: DrawnWith,
    /// Requirement without which nothing is shown.
    pub needs: Needs,
    /// Meaning of single colours, linear RGB.
    pub legend: &'static [([f32; 3], &'static str)],
}

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// On or off.
    Switch(Switch),
    /// One of several alternatives.
    Coloring(Coloring),
}

/// The scope of a row's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Per document: changes can be undone, and documents opened later start with them.
    Document,
    /// For all documents: stored in the settings and not undone.
    Program,
    /// Per model, until another is loaded, since it requires a measurement: neither undone nor
    /// stored in the settings.
    Model,
}

/// How a row is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnWith {
    /// By a pass of `gpu`, identified by its shader.
    Pass(&'static str),
    /// By the surface passes, with a flag.
    Shading,
    /// By the surface passes, with this number; `None` if the kind of paint determines it.
    Coloring(Option<u32>),
    /// As lines in addition to the model.
    Marks,
    /// As text over the view in the window.
    Text,
}

/// The requirements of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// None; it can be set before a model is loaded.
    Nothing,
    /// Any model.
    Model,
    /// Bones.
    Skeleton,
    /// Bone boxes in the file.
    BoneBoxes,
    /// Springs or their colliders.
    Springs,
    /// A rest pose that differs from the initially shown pose.
    RestPose,
    /// Collision hulls.
    Hulls,
    /// An occlusion mesh.
    Occluder,
    /// A stored box and sphere.
    StoredBounds,
    /// A bind pose from inverse bind matrices.
    BindPose,
    /// A selected bone.
    SelectedBone,
}

impl Item {
    /// Index of its row; past the end for [`Coloring::Paint`].
    pub const fn row(self) -> usize {
        match self {
            Self::Switch(switch) => switch as usize,
            Self::Coloring(coloring) => NUM_SWITCHES + coloring as usize,
        }
    }

    /// Its row in the table; `None` for [`Coloring::Paint`].
    pub const fn info(self) -> Option<&'static ShowInfo> {
        let row = self.row();
        if row < SHOW.len() { Some(&SHOW[row]) } else { None }
    }
}

impl Switch {
    /// Its row in the table.
    pub const fn info(self) -> &'static ShowInfo {
        &SHOW[self as usize]
    }

    /// All switches in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        SHOW.iter().filter_map(|info| match info.item {
            Item::Switch(switch) => Some(switch),
            Item::Coloring(_) => None,
        })
    }
}

impl Coloring {
    /// Its row in the table; `None` for [`Coloring::Paint`].
    pub fn info(self) -> Option<&'static ShowInfo> {
        Item::Coloring(self).info()
    }

    /// Whether it requires computed per-vertex colours or values.
    pub fn is_painted(self) -> bool {
        let painted = DrawnWith::Coloring(None);
        self.info().is_none_or(|info| info.drawn_with == painted)
    }

    /// Whether it shows a material property or a part of the lighting.
    pub fn is_of_material(self) -> bool {
        self.info().is_some_and(|info| info.group == ShowGroup::Material)
    }

    /// The number that shaders use for it, given its paint; 0 for none.
    pub fn number(self, paint: Option<&VertexPaint>) -> u32 {
        match (self.info().map(|info| info.drawn_with), paint) {
            (Some(DrawnWith::Coloring(Some(number))), _) => number,
            (_, Some(VertexPaint::Heat { .. })) => HEAT,
            (_, Some(VertexPaint::Colors(_))) => COLORS,
            (_, None) => 0,
        }
    }
}

impl Show {
    /// Toggles `switch`.
    pub fn toggle(&mut self, switch: Switch) {
        *self.switch_mut(switch) ^= true;
        // Bone names require visible bones.
        self.bones |= switch == Switch::BoneNames && self.bone_names;
    }

    /// Sets all switches of [`ON_HARDWARE`].
    pub fn set_for_hardware(&mut self, is_on: bool) {
        for switch in ON_HARDWARE {
            *self.switch_mut(*switch) = is_on;
        }
    }

    /// Selects `coloring`, or turns it off if it is active.
    pub fn toggle_coloring(&mut self, coloring: Coloring) {
        self.coloring = (self.coloring != Some(coloring)).then_some(coloring);
    }

    /// Parses a comma-separated list; unlisted switches are off.
    ///
    /// `bones-on-top` also shows the bones; of several colourings the last one applies.
    ///
    /// # Errors
    /// A sentence with the valid names, if one is unknown.
    pub fn parse(list: &str) -> Result<Self, String> {
        let mut show = Self::NOTHING;
        for word in list.split(',').map(str::trim).filter(|w| !w.is_empty()) {
            match SHOW.iter().find(|info| info.word == Some(word)) {
                Some(info) => match info.item {
                    Item::Switch(switch) => *show.switch_mut(switch) = true,
                    Item::Coloring(coloring) => show.coloring = Some(coloring),
                },
                None => {
                    let known: Vec<_> = SHOW.iter().filter_map(|info| info.word).collect();
                    return Err(format!(
                        "`{word}` can't be shown; valid names are {}",
                        known.join(", ")
                    ));
                }
            }
        }
        show.bones |= show.bones_on_top;
        Ok(show)
    }

    /// The list that [`Show::parse`] reads as this value, without overlays drawn as marks.
    pub fn words(&self) -> String {
        let show = self.drawn();
        let is_on = |info: &&ShowInfo| match info.item {
            Item::Switch(switch) => show.get(switch) && info.drawn_with != DrawnWith::Marks,
            Item::Coloring(coloring) => show.coloring == Some(coloring),
        };
        let words = SHOW.iter().filter(is_on).filter_map(|info| info.word);
        words.collect::<Vec<_>>().join(",")
    }

    /// The effective switches: without bones, none are on top.
    #[must_use]
    pub fn drawn(self) -> Self {
        Self { bones_on_top: self.bones && self.bones_on_top, ..self }
    }

    /// The value for the settings: vertex paint belongs to one document.
    #[must_use]
    pub fn as_setting(self) -> Self {
        let has_row = |coloring: &Coloring| coloring.info().is_some();
        Self { coloring: self.coloring.filter(has_row), ..self.of_another_model() }
    }

    /// The value for another model, without measured items.
    #[must_use]
    pub fn of_another_model(self) -> Self {
        self.with_switches_of(&Self::NOTHING, |info| info.scope == Scope::Model)
    }

    /// The same, with program-wide switches taken from `other`.
    #[must_use]
    pub fn shared_with(self, other: &Self) -> Self {
        self.with_switches_of(other, |info| info.scope == Scope::Program)
    }

    /// The same, with switches that aren't undone taken from `other`.
    #[must_use]
    pub fn undone_in(self, other: &Self) -> Self {
        self.with_switches_of(other, |info| info.scope != Scope::Document)
    }

    /// The same without the switches in `groups`.
    #[must_use]
    pub fn without(self, groups: &[ShowGroup]) -> Self {
        self.with_switches_of(&Self::NOTHING, |info| groups.contains(&info.group))
    }

    /// The same, with the switches selected by `is_copied` taken from `other`.
    fn with_switches_of(mut self, other: &Self, is_copied: impl Fn(&ShowInfo) -> bool) -> Self {
        for switch in Switch::all().filter(|switch| is_copied(switch.info())) {
            *self.switch_mut(switch) = other.get(switch);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_enum_order_and_names_are_unique() {
        for (number, switch) in Switch::all().enumerate() {
            assert_eq!(switch as usize, number);
            assert_eq!(switch.info().item, Item::Switch(switch));
            assert_eq!(Show::default().get(switch), switch.info().is_on);
        }
        for info in SHOW {
            assert_eq!(info.item.info().map(|row| row.label), Some(info.label));
            let same = |other: &&ShowInfo| {
                other.label == info.label || (other.word == info.word && info.word.is_some())
            };
            assert_eq!(SHOW.iter().filter(same).count(), 1, "{}", info.label);
            assert!(info.help.ends_with('.'));
        }
    }

    #[test]
    fn every_coloring_has_a_unique_number() {
        let numbers = SHOW.iter().filter_map(|info| match info.drawn_with {
            DrawnWith::Coloring(number) => number,
            _ => None,
        });
        let mut numbers: Vec<_> = numbers.chain([0, HEAT, COLORS]).collect();
        let num = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), num);
        assert!(Coloring::Paint.is_painted() && Coloring::BoneColors.is_painted());
        assert!(!Coloring::Uv.is_painted() && Coloring::Uv.number(None) == 8);
    }

    #[test]
    fn a_list_shows_exactly_its_items() {
        let shown = Show::parse("wireframe, bones-on-top").unwrap();
        assert_eq!(
            shown,
            Show { wireframe: true, bones: true, bones_on_top: true, ..Show::NOTHING }
        );
        assert_eq!(shown.words(), "wireframe,bones,bones-on-top");
        assert_eq!(Show::parse(""), Ok(Show::NOTHING));
    }

    #[test]
    fn an_unknown_name_is_refused_with_the_known_ones() {
        let message = Show::parse("surface,wires").unwrap_err();
        assert!(message.contains("`wires`") && message.contains("wireframe"));
    }

    #[test]
    fn every_name_shows_something_different() {
        let words = || SHOW.iter().filter_map(|info| info.word);
        for word in words() {
            let only = Show::parse(word).unwrap();
            let same = words().filter(|other| Show::parse(other) == Ok(only));
            assert_eq!(same.count(), 1, "{word}");
            assert_ne!(only, Show::NOTHING, "{word}");
        }
    }

    #[test]
    fn bone_names_enable_bones_and_on_top_requires_bones() {
        let mut show = Show::default();
        assert!(!show.drawn().bones_on_top);
        show.toggle(Switch::BoneNames);
        assert!(show.bones && show.drawn().bones_on_top);
        show.toggle(Switch::BoneNames);
        assert!(show.bones && !show.bone_names);
    }

    #[test]
    fn paint_is_not_a_setting_and_bone_marks_are_program_wide() {
        let mut show = Show::default();
        show.toggle_coloring(Coloring::Paint);
        assert_eq!(show.as_setting(), Show::default());
        show.toggle_coloring(Coloring::Uv);
        show.toggle(Switch::MotionPath);
        show.toggle(Switch::Flat);
        assert_eq!(show.as_setting(), show);
        let shared = Show::default().shared_with(&show);
        assert!(shared.motion_path && !shared.flat && shared.coloring.is_none());
    }

    #[test]
    fn measured_items_are_not_saved_or_undone_and_end_with_the_model() {
        let mut show = Show::default();
        show.toggle(Switch::TrueBounds);
        show.toggle(Switch::Hulls);
        assert!(show.as_setting().hulls && !show.as_setting().true_bounds);
        assert!(!show.of_another_model().true_bounds);
        let undone = Show::default().undone_in(&show);
        assert!(undone.true_bounds && !undone.hulls);
        assert!(show.shared_with(&Show::default()).true_bounds);
    }

    #[test]
    fn rows_of_a_group_are_adjacent() {
        let mut groups: Vec<ShowGroup> = SHOW.iter().map(|info| info.group).collect();
        groups.dedup();
        for group in &groups {
            assert_eq!(groups.iter().filter(|other| *other == group).count(), 1, "{group:?}");
        }
    }
}
