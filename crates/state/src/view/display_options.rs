//! Changing display options: the view, the setting to save, and the prerequisites of each option.

use crate::{AppState, ColorSource, Request, WeightsMode};
use rigscope_core::model::Model;
use rigscope_core::visual::{Coloring, Item, Needs, ON_HARDWARE, Shading, Switch};

const NEEDS_BONES: &str = "needs a file with bones";

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
            Item::Switch(switch) => self.shows_switch(switch),
            Item::Coloring(coloring) => match weights_of(coloring) {
                Some(mode) => self.shows_weights(mode),
                None => self.tab.view.overlays.coloring == Some(coloring),
            },
        }
    }

    /// Whether `switch` is on and no other option hides its effect.
    fn shows_switch(&self, switch: Switch) -> bool {
        let show = &self.tab.view.overlays;
        let is_source = |source| self.color_source().is_none_or(|shown| shown == source);
        show.get(switch)
            && match switch {
                Switch::Textures => is_source(ColorSource::Materials),
                Switch::Checker => is_source(ColorSource::Checker),
                Switch::SubsetColors => is_source(ColorSource::Subsets),
                Switch::BonesOnTop | Switch::BoneNames => show.bones,
                Switch::GroundShadow => show.surface,
                Switch::AmbientOcclusion => {
                    let has_materials = show.surface && show.textures && !show.checker;
                    has_materials && show.coloring.is_none() && show.light.is_from_environment()
                }
                _ => true,
            }
    }

    /// Switches `switch` on, and whatever else its effect needs.
    fn show_switch(&mut self, switch: Switch) {
        match switch {
            Switch::Textures => _ = self.color_from(ColorSource::Materials),
            Switch::Checker => _ = self.color_from(ColorSource::Checker),
            Switch::SubsetColors => _ = self.color_from(ColorSource::Subsets),
            Switch::BonesOnTop | Switch::BoneNames => self.tab.view.overlays.bones = true,
            Switch::GroundShadow => self.tab.view.overlays.surface = true,
            Switch::AmbientOcclusion => {
                self.color_from(ColorSource::Materials);
                let light = &mut self.tab.view.overlays.light;
                if !light.is_from_environment() {
                    light.shading = Shading::Physical;
                }
            }
            _ => {}
        }
        if !self.tab.view.overlays.get(switch) {
            self.tab.view.overlays.toggle(switch);
        }
    }

    /// Switches `item` on or off and saves the setting. An option that is on but hidden by another becomes
    /// visible instead.
    pub(crate) fn toggle_show(&mut self, item: Item) -> Vec<Request> {
        match item {
            Item::Switch(switch) => {
                if self.shows_switch(switch) {
                    self.tab.view.overlays.toggle(switch);
                } else {
                    self.show_switch(switch);
                }
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
    pub(crate) fn save_overlays(&mut self) -> Vec<Request> {
        self.settings.overlays = self.tab.view.overlays.as_setting();
        vec![Request::SaveSettings]
    }

    /// The unmet requirement of `item`, as a clause such as `needs a selected bone`.
    pub(crate) fn missing_for(&self, item: Item) -> Option<&'static str> {
        let model = self.tab.document.as_ref().map(|document| &document.model);
        let has = |test: fn(&Model) -> bool| model.is_some_and(|model| test(model));
        let (is_met, reason) = match item.info().map_or(Needs::Nothing, |info| info.needs) {
            Needs::Nothing => return self.missing_in_model(item),
            Needs::Model => (model.is_some(), "needs an open file"),
            Needs::Skeleton => (has(|model| !model.skeleton.is_empty()), NEEDS_BONES),
            Needs::Hulls => (has(|model| !model.hulls.is_empty()), "needs a file with hulls"),
            Needs::Occluder => {
                (has(|model| model.occluder.is_some()), "needs a file with an occlusion mesh")
            }
            Needs::StoredBounds => {
                (has(|model| model.stored_bounds.is_some()), "needs a file that stores bounds")
            }
            Needs::BoneBoxes => (self.has_bone_boxes(), "needs a file with bone boxes"),
            Needs::Springs => {
                let has_springs = has(|model| {
                    let avatar = model.avatar.as_ref();
                    avatar.is_some_and(|avatar| {
                        !avatar.springs.is_empty() || !avatar.colliders.is_empty()
                    })
                });
                (has_springs, "needs a file with spring bones")
            }
            Needs::RestPose => {
                (self.tab.view.bones.has_rest(), "needs a file with a separate rest pose")
            }
            Needs::BindPose => (self.tab.view.bones.has_bind(), "needs a file with a bind pose"),
            // An active item can be switched off.
            Needs::SelectedBone => {
                (self.tab.selection.bone().is_some() || self.shows(item), "needs a selected bone")
            }
        };
        (!is_met).then_some(reason)
    }

    /// The part without which the open model doesn't show `item`, which can be set before a model is open.
    fn missing_in_model(&self, item: Item) -> Option<&'static str> {
        let document = self.tab.document.as_ref()?;
        let (is_met, reason) = match item {
            Item::Switch(Switch::Textures) => (self.has_materials(), "needs a file with materials"),
            Item::Switch(Switch::Bones | Switch::BonesOnTop | Switch::BoneNames) => {
                (!document.model.skeleton.is_empty(), NEEDS_BONES)
            }
            _ => return None,
        };
        (!is_met).then_some(reason)
    }
}
