//! Switching what is shown: the view, the setting that goes with it, and what there must be for it.

use crate::state::{AppState, Effect};
use crate::visual::{Item, Needs};

impl AppState {
    /// Whether `item` is on.
    pub(in crate::state) fn shows(&self, item: Item) -> bool {
        match item {
            Item::Switch(switch) => self.tab.view.overlays.get(switch),
            Item::Coloring(coloring) => self.tab.view.overlays.coloring == Some(coloring),
        }
    }

    /// Switches `item` on or off, here and for documents opened later.
    pub(in crate::state) fn toggle_show(&mut self, item: Item) -> Vec<Effect> {
        match item {
            Item::Switch(switch) => self.tab.view.overlays.toggle(switch),
            Item::Coloring(coloring) => self.tab.view.overlays.toggle_coloring(coloring),
        }
        self.keep_overlays()
    }

    /// Makes what is shown the setting.
    pub(in crate::state) fn keep_overlays(&mut self) -> Vec<Effect> {
        self.settings.overlays = self.tab.view.overlays.as_setting();
        vec![Effect::SaveSettings]
    }

    /// Whether there is what `item` needs to show anything.
    pub(in crate::state) fn offers(&self, item: Item) -> bool {
        let model = self.tab.document.as_ref().map(|document| &document.model);
        match item.info().map_or(Needs::Nothing, |info| info.needs) {
            Needs::Nothing => true,
            Needs::Model => model.is_some(),
            Needs::Skeleton => model.is_some_and(|model| !model.skeleton.is_empty()),
            Needs::BoneBoxes => self.has_bone_boxes(),
            Needs::RestPose => self.tab.view.bones.has_rest(),
            Needs::BindPose => self.tab.view.bones.has_bind(),
            // What is on can be switched off.
            Needs::SelectedBone => self.tab.selection.bone().is_some() || self.shows(item),
        }
    }
}
