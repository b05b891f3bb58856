//! Changing display options: the view, the setting to save, and the prerequisites of each option.

use crate::{AppState, Effect, WeightsMode};
use rigscope_core::model::Model;
use rigscope_core::visual::{Coloring, Item, Needs, ON_HARDWARE, Switch};

/// The weights mode of a colouring, if it has one.
fn weights_of(coloring: Coloring) -> Option<WeightsMode> {
    match coloring {
        Coloring::BoneWeights => Some(WeightsMode::Bone),
        Coloring::BoneColors => Some(WeightsMode::BoneColors),
        _ => None,
    }
}

impl AppState {
    pub(crate) fn shows(&self, item: Item) -> bool {
        match item {
            Item::Switch(switch) => self.tab.view.overlays.get(switch),
            Item::Coloring(coloring) => match weights_of(coloring) {
                Some(mode) => self.shows_weights(mode),
                None => self.tab.view.overlays.coloring == Some(coloring),
            },
        }
    }

    /// Switches `item` on or off and saves the setting.
    pub(crate) fn toggle_show(&mut self, item: Item) -> Vec<Effect> {
        match item {
            Item::Switch(switch) => {
                self.tab.view.overlays.toggle(switch);
                self.settings.chose_for_hardware |= ON_HARDWARE.contains(&switch);
            }
            Item::Coloring(coloring) => match weights_of(coloring) {
                Some(mode) => {
                    self.toggle_weights(mode);
                    return Vec::new();
                }
                None => self.tab.view.overlays.toggle_coloring(coloring),
            },
        }
        if item == Item::Switch(Switch::Hulls) && self.shows(item) {
            self.tab.view.collision.hidden_hulls.clear();
        }
        self.save_overlays()
    }

    /// Applies the defaults for hardware or software rendering, unless the user has chosen
    /// otherwise.
    pub fn set_render_defaults(&mut self, is_software: bool) {
        if !self.settings.chose_for_hardware {
            self.settings.overlays.set_for_hardware(!is_software);
            self.tab.view.overlays.set_for_hardware(!is_software);
        }
    }

    /// Saves the current display options as settings.
    pub(crate) fn save_overlays(&mut self) -> Vec<Effect> {
        self.settings.overlays = self.tab.view.overlays.as_setting();
        vec![Effect::SaveSettings]
    }

    /// Whether the prerequisites of `item` are met.
    pub(crate) fn offers(&self, item: Item) -> bool {
        let model = self.tab.document.as_ref().map(|document| &document.model);
        let has = |test: fn(&Model) -> bool| model.is_some_and(|model| test(model));
        match item.info().map_or(Needs::Nothing, |info| info.needs) {
            Needs::Nothing => true,
            Needs::Model => model.is_some(),
            Needs::Skeleton => has(|model| !model.skeleton.is_empty()),
            Needs::Hulls => has(|model| !model.hulls.is_empty()),
            Needs::Occluder => has(|model| model.occluder.is_some()),
            Needs::StoredBounds => has(|model| model.stored_bounds.is_some()),
            Needs::BoneBoxes => self.has_bone_boxes(),
            Needs::Springs => has(|model| {
                let avatar = model.avatar.as_ref();
                avatar.is_some_and(|avatar| {
                    !avatar.springs.is_empty() || !avatar.colliders.is_empty()
                })
            }),
            Needs::RestPose => self.tab.view.bones.has_rest(),
            Needs::BindPose => self.tab.view.bones.has_bind(),
            // An active item can be switched off.
            Needs::SelectedBone => self.tab.selection.bone().is_some() || self.shows(item),
        }
    }
}
