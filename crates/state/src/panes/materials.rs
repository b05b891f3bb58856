//! The pane of materials: which one is shown, by whom it is used, what is known of its images.
//!
//! Not for: what a material says: that is the model's.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    Action, AppState, Derived, DerivedIn, Effect, ImageFacts, ModelKey, Pane, Selection, TaskSlot,
    image_facts,
};
use rigscope_core::model::{Cancelled, ImageId, MaterialId, Report};

/// Decoding images for the pane.
pub const MATERIALS_TASK: TaskSlot = TaskSlot("small pictures of textures");

/// What is seen of textures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownChannel {
    /// Colour, without alpha.
    #[default]
    Rgb,
    /// One channel as grey: 0 red to 3 alpha.
    Single(u8),
}

impl ShownChannel {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Rgb, Self::Single(0), Self::Single(1), Self::Single(2), Self::Single(3)];

    /// As it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rgb => "RGB",
            Self::Single(0) => "R",
            Self::Single(1) => "G",
            Self::Single(2) => "B",
            Self::Single(_) => "A",
        }
    }
}

/// What the pane shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialsView {
    /// What is worked out of the model, once the pane is shown.
    pub facts: Derived<ModelKey, MaterialFacts>,
    /// What is seen of textures.
    pub channel: ShownChannel,
    /// The image that is shown large.
    pub enlarged: Option<ImageId>,
    /// The material asked for last.
    asked: usize,
}

/// What is worked out of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaterialFacts {
    /// Of each image.
    pub images: Vec<ImageFacts>,
    /// The subsets of each material that is used, by their numbers over all meshes.
    subsets: BTreeMap<usize, Vec<usize>>,
}

impl MaterialFacts {
    /// The subsets that have a material.
    pub fn subsets_of(&self, material: usize) -> &[usize] {
        self.subsets.get(&material).map_or(&[], Vec::as_slice)
    }
}

/// What can be done with the pane.
#[derive(Clone, Debug)]
pub enum MaterialsAction {
    /// Facts are worked out.
    Known(Arc<MaterialFacts>),
    /// Shows a material and selects the first subset that has it.
    Show(usize),
    /// Shows textures otherwise.
    Channel(ShownChannel),
    /// Shows an image large, or none.
    Enlarge(Option<ImageId>),
}

impl AppState {
    /// The material that the pane shows: that of the selected subset, else the one asked for.
    pub fn shown_material(&self) -> Option<usize> {
        let document = self.tab.document.as_ref()?;
        let subset = self.tab.selection.subset().and_then(|at| document.subsets.get(at));
        let selected = subset.and_then(|row| row.subset.material).map(MaterialId::index);
        let shown = selected.unwrap_or(self.tab.view.materials.asked);
        (shown < document.model.materials.len()).then_some(shown)
    }

    pub(crate) fn apply_materials(&mut self, action: MaterialsAction) -> Vec<Effect> {
        let view = &mut self.tab.view.materials;
        match action {
            MaterialsAction::Known(facts) => view.facts.set(facts),
            MaterialsAction::Channel(channel) => view.channel = channel,
            MaterialsAction::Enlarge(image) => view.enlarged = image,
            MaterialsAction::Show(material) => {
                view.asked = material;
                view.enlarged = None;
                let facts = view.facts.get();
                let first = facts.and_then(|facts| facts.subsets_of(material).first().copied());
                let selection = first.map_or(Selection::None, Selection::Subset);
                self.select(selection);
            }
        }
        Vec::new()
    }

    /// Has images decoded while the pane is open, once a model.
    pub(crate) fn follow_materials(&mut self) -> Vec<Effect> {
        let place: DerivedIn<_, _> = |view| &mut view.materials.facts;
        let is_shown = self.settings.panes.shows(Pane::Materials);
        self.derive(MATERIALS_TASK, place, self.model_key(), is_shown, |state, key| {
            let document = state.tab.document.iter();
            let rows = document.flat_map(|document| document.subsets.iter().enumerate());
            let mut subsets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (number, row) in rows {
                if let Some(material) = row.subset.material {
                    subsets.entry(material.index()).or_default().push(number);
                }
            }
            move |report: &Report| -> Result<Action, Cancelled> {
                let images = image_facts(key.model(), report)?;
                let facts = Arc::new(MaterialFacts { images, subsets: subsets.clone() });
                Ok(Action::Materials(MaterialsAction::Known(facts)))
            }
        })
    }
}
