//! What is shown of a model: switches and colourings, each a row of one table.
//!
//! For: command line, window, settings, undo and `gpu`, which all read this table.
//! Not for: drawing (passes of `gpu`), and what a switch sets going (`state`).

mod table;

pub use table::{Coloring, ON_HARDWARE, SHOW, Show, ShowGroup, Switch};
pub(super) use table::{DEGENERATE_COLOR, FLIPPED_COLOR};

use table::NUM_SWITCHES;

use super::VertexPaint;

/// Numbers that the shaders know paint by.
const HEAT: u32 = 2;
const COLORS: u32 = 3;

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ShowInfo {
    /// What it switches on.
    pub item: Item,
    /// Where it stands in its menu.
    pub group: ShowGroup,
    /// Its keys: modifiers and the key, as in `Ctrl+Shift+O`.
    pub keys: &'static [&'static str],
    /// As `--show` spells it; none for what only the window has.
    pub word: Option<&'static str>,
    /// As in menus.
    pub label: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Whether it is on at first.
    pub is_on: bool,
    /// What is undone and kept with it.
    pub scope: Scope,
    /// Who draws it.
    pub drawn_with: DrawnWith,
    /// Without what there is nothing to show.
    pub needs: Needs,
    /// What single colours mean, linear RGB.
    pub legend: &'static [([f32; 3], &'static str)],
}

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// On or off.
    Switch(Switch),
    /// One of several.
    Coloring(Coloring),
}

/// For how much of the program a row is switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// For the document shown: a change can be undone, and those opened later begin like it.
    Document,
    /// For all documents, and a setting: no step of any document's undo.
    Program,
    /// For the model shown until another is read, since it must be measured first: no step of undo
    /// and no setting.
    Model,
}

/// Who draws what a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnWith {
    /// A pass of `gpu`, by the name of its shader.
    Pass(&'static str),
    /// The surface's passes, by a flag.
    Shading,
    /// The surface's passes, by this number; none: by the kind of the paint given along.
    Coloring(Option<u32>),
    /// Lines beside the model.
    Marks,
    /// Text over the view of the window.
    Text,
}

/// What a row needs to show anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Can be set up before there is a model.
    Nothing,
    /// Any model.
    Model,
    /// Bones.
    Skeleton,
    /// Boxes that a file has for its bones.
    BoneBoxes,
    /// A pose outside all clips that differs from the one shown first.
    RestPose,
    /// Collision hulls.
    Hulls,
    /// An occluder.
    Occluder,
    /// A box and a sphere in the file.
    StoredBounds,
    /// Bones that the skin's inverse bind matrices place.
    BindPose,
    /// A selected bone.
    SelectedBone,
}

impl Item {
    /// The number of its row in the table; past its end for [`Coloring::Paint`].
    pub const fn row(self) -> usize {
        match self {
            Self::Switch(switch) => switch as usize,
            Self::Coloring(coloring) => NUM_SWITCHES + coloring as usize,
        }
    }

    /// Its row in the table; none for [`Coloring::Paint`].
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
    /// Its row in the table; none for [`Coloring::Paint`].
    pub fn info(self) -> Option<&'static ShowInfo> {
        Item::Coloring(self).info()
    }

    /// Whether colours or values of vertices are given along for it.
    pub fn is_painted(self) -> bool {
        let painted = DrawnWith::Coloring(None);
        self.info().is_none_or(|info| info.drawn_with == painted)
    }

    /// Whether it shows a part of what materials are, or of how they are lit.
    pub fn is_of_material(self) -> bool {
        self.info().is_some_and(|info| info.group == ShowGroup::Material)
    }

    /// Number that the shaders know it by, with what is given along; 0 is none.
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
    /// Switches `switch` on or off.
    pub fn toggle(&mut self, switch: Switch) {
        *self.switch_mut(switch) ^= true;
        // Names without bones would name nothing.
        self.bones |= switch == Switch::BoneNames && self.bone_names;
    }

    /// Switches what [`ON_HARDWARE`] names on or off.
    pub fn set_for_hardware(&mut self, is_on: bool) {
        for switch in ON_HARDWARE {
            *self.switch_mut(*switch) = is_on;
        }
    }

    /// Colours by `coloring`, or by looks again.
    pub fn toggle_coloring(&mut self, coloring: Coloring) {
        self.coloring = (self.coloring != Some(coloring)).then_some(coloring);
    }

    /// Exactly what a comma-separated list names; an empty list shows nothing.
    ///
    /// `bones-on-top` shows the bones too; of several colourings the last one counts.
    ///
    /// # Errors
    /// A sentence with the words there are, when one is not among them.
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
                        "nothing is called `{word}`; there are {}",
                        known.join(", ")
                    ));
                }
            }
        }
        show.bones |= show.bones_on_top;
        Ok(show)
    }

    /// The list that [`Show::parse`] reads as this, but for marks beside the model.
    pub fn words(&self) -> String {
        let show = self.drawn();
        let is_on = |info: &&ShowInfo| match info.item {
            Item::Switch(switch) => show.get(switch) && info.drawn_with != DrawnWith::Marks,
            Item::Coloring(coloring) => show.coloring == Some(coloring),
        };
        let words = SHOW.iter().filter(is_on).filter_map(|info| info.word);
        words.collect::<Vec<_>>().join(",")
    }

    /// What follows from these switches: no bones, none on top.
    #[must_use]
    pub fn drawn(self) -> Self {
        Self { bones_on_top: self.bones && self.bones_on_top, ..self }
    }

    /// As the settings keep it: paint is of one document.
    #[must_use]
    pub fn as_setting(self) -> Self {
        let has_row = |coloring: &Coloring| coloring.info().is_some();
        Self { coloring: self.coloring.filter(has_row), ..self.of_another_model() }
    }

    /// The same for a model of which nothing has been measured.
    #[must_use]
    pub fn of_another_model(self) -> Self {
        self.taking(&Self::NOTHING, |info| info.scope == Scope::Model)
    }

    /// The same, with what is switched for the whole program as in `other`.
    #[must_use]
    pub fn shared_with(self, other: &Self) -> Self {
        self.taking(other, |info| info.scope == Scope::Program)
    }

    /// The same, with what no step of undo holds as in `other`.
    #[must_use]
    pub fn undone_in(self, other: &Self) -> Self {
        self.taking(other, |info| info.scope != Scope::Document)
    }

    /// The same without what `groups` hold.
    #[must_use]
    pub fn without(self, groups: &[ShowGroup]) -> Self {
        self.taking(&Self::NOTHING, |info| groups.contains(&info.group))
    }

    /// The same, with the switches that `is_taken` names as in `other`.
    fn taking(mut self, other: &Self, is_taken: impl Fn(&ShowInfo) -> bool) -> Self {
        for switch in Switch::all().filter(|switch| is_taken(switch.info())) {
            *self.switch_mut(switch) = other.get(switch);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_switches_and_have_words_of_their_own() {
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
    fn every_coloring_has_a_number_of_its_own() {
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
    fn a_list_shows_what_it_names_and_nothing_else() {
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
    fn every_word_shows_something_of_its_own() {
        let words = || SHOW.iter().filter_map(|info| info.word);
        for word in words() {
            let only = Show::parse(word).unwrap();
            let same = words().filter(|other| Show::parse(other) == Ok(only));
            assert_eq!(same.count(), 1, "{word}");
            assert_ne!(only, Show::NOTHING, "{word}");
        }
    }

    #[test]
    fn names_bring_their_bones_and_nothing_is_on_top_without_bones() {
        let mut show = Show::default();
        assert!(!show.drawn().bones_on_top);
        show.toggle(Switch::BoneNames);
        assert!(show.bones && show.drawn().bones_on_top);
        show.toggle(Switch::BoneNames);
        assert!(show.bones && !show.bone_names);
    }

    #[test]
    fn paint_is_no_setting_and_bone_marks_are_those_of_all_documents() {
        let mut show = Show::default();
        show.toggle_coloring(Coloring::Paint);
        assert_eq!(show.as_setting(), Show::default());
        show.toggle_coloring(Coloring::Uv);
        show.toggle(Switch::Trail);
        show.toggle(Switch::Flat);
        assert_eq!(show.as_setting(), show);
        let shared = Show::default().shared_with(&show);
        assert!(shared.trail && !shared.flat && shared.coloring.is_none());
    }

    #[test]
    fn what_must_be_measured_is_neither_a_setting_nor_undone_and_ends_with_the_model() {
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
    fn rows_of_a_group_stand_together() {
        let mut groups: Vec<ShowGroup> = SHOW.iter().map(|info| info.group).collect();
        groups.dedup();
        for group in &groups {
            assert_eq!(groups.iter().filter(|other| *other == group).count(), 1, "{group:?}");
        }
    }
}
