//! The Materials pane: the current material, its subsets, and image details.
//!
//! Not for: the properties of materials, which are in the model.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{
    Action, AppState, Derived, DerivedIn, ImageFacts, ModelKey, Pane, Request, Selection, TaskSlot,
    image_facts,
};
use rigscope_core::model::{Cancelled, ImageId, MaterialId, Report};

/// Decodes images for the pane.
pub const MATERIALS_TASK: TaskSlot = TaskSlot("creating texture thumbnails");

/// The channels of textures to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownChannel {
    /// Colour, without alpha.
    #[default]
    Rgb,
    /// One channel as grey, from 0 (red) to 3 (alpha).
    Single(u8),
}

impl ShownChannel {
    pub const ALL: [Self; 5] =
        [Self::Rgb, Self::Single(0), Self::Single(1), Self::Single(2), Self::Single(3)];

    /// The name shown to users.
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

/// The state of the pane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialsView {
    /// Data derived from the model.
    pub facts: Derived<ModelKey, MaterialFacts>,
    pub channel: ShownChannel,
    /// The image shown enlarged.
    pub enlarged: Option<ImageId>,
    /// The material last chosen in the pane.
    chosen: usize,
}

/// Data derived from a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaterialFacts {
    /// Details of each image.
    pub images: Vec<ImageFacts>,
    /// The subsets of each material in use, by index over all meshes.
    subsets: BTreeMap<usize, Vec<usize>>,
}

impl MaterialFacts {
    /// The subsets that use a material.
    pub fn subsets_of(&self, material: usize) -> &[usize] {
        self.subsets.get(&material).map_or(&[], Vec::as_slice)
    }
}

/// An action in the pane.
#[derive(Clone, Debug)]
pub enum MaterialsAction {
    /// The data has been computed.
    Ready(Arc<MaterialFacts>),
    /// Shows a material and selects the first subset that uses it.
    Show(usize),
    /// Sets the channels to show.
    Channel(ShownChannel),
    /// Shows an image enlarged; `None` closes it.
    Enlarge(Option<ImageId>),
}

impl AppState {
    /// The material of the selected subset, else the one chosen in the pane.
    pub fn shown_material(&self) -> Option<usize> {
        let document = self.tab.document.as_ref()?;
        let subset = self.tab.selection.subset().and_then(|at| document.subsets.get(at));
        let selected = subset.and_then(|row| row.subset.material).map(MaterialId::index);
        let shown = selected.unwrap_or(self.tab.view.materials.chosen);
        (shown < document.model.materials.len()).then_some(shown)
    }

    pub(crate) fn apply_materials(&mut self, action: MaterialsAction) -> Vec<Request> {
        let view = &mut self.tab.view.materials;
        match action {
            MaterialsAction::Ready(facts) => view.facts.set(facts),
            MaterialsAction::Channel(channel) => view.channel = channel,
            MaterialsAction::Enlarge(image) => view.enlarged = image,
            MaterialsAction::Show(material) => {
                view.chosen = material;
                view.enlarged = None;
                let facts = view.facts.get();
                let first = facts.and_then(|facts| facts.subsets_of(material).first().copied());
                let selection = first.map_or(Selection::None, Selection::Subset);
                self.select(selection);
            }
        }
        Vec::new()
    }

    /// Decodes the images of a model once, while the pane is open.
    pub(crate) fn follow_materials(&mut self) -> Vec<Request> {
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
                Ok(Action::Materials(MaterialsAction::Ready(facts)))
            }
        })
    }
}
