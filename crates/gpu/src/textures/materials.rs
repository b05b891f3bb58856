//! Materials as passes bind them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::binder::{Binder, BoundMaterial, MaterialDraw, MaterialViews};
use super::checker;
use super::images::{Textures, upload_images};
use super::paint::Paint;
use super::requirements::{Requirement, images, requirements};
use super::upload::picture;
use super::uv_set::note_uv_sets;
use crate::bind::Layouts;
use crate::{Gpu, SceneError, Show};
use rigscope_core::model::{MaterialId, MaterialLook, Model, Report, Worn};

/// The materials of one model.
#[derive(Debug, Default)]
pub(crate) struct Materials {
    shown: HashMap<MaterialId, MaterialDraw>,
    binds: Vec<BoundMaterial>,
    checker: Option<BoundMaterial>,
    num_textures: usize,
}

impl Materials {
    /// Decodes and uploads what the subsets of `model` need of what it wears. Images that cannot be shown are noted.
    pub(crate) fn upload(
        gpu: &Gpu,
        layouts: &Layouts,
        model: &Model,
        worn: Worn<'_>,
        report: &Report,
    ) -> Result<Self, SceneError> {
        let requirements = requirements(model, worn);
        let mut made = Self::default();
        if requirements.values().any(is_textured) {
            note_uv_sets(model, report);
            let textures = upload_images(gpu, worn.images, &images(&requirements), report)?;
            made.num_textures = textures.values().flatten().count();
            let mut binder = Binder::new(gpu, layouts, textures);
            for (&id, requirement) in &requirements {
                if let Requirement::Textured(textured) = requirement {
                    let shown = binder.shown(textured)?;
                    made.shown.insert(id, shown);
                }
            }
            made.binds = binder.binds;
        }
        made.add_colors(&requirements);
        Ok(made)
    }

    /// Those of `model` that need no textures; subsets with others are plain.
    pub(crate) fn plain(model: &Model) -> Self {
        let mut made = Self::default();
        made.add_colors(&requirements(model, Worn::of(model, None)));
        made
    }

    /// Whether subsets of `model` need textures, or the shader that knows them.
    pub(crate) fn are_textured(model: &Model) -> bool {
        requirements(model, Worn::of(model, None)).values().any(is_textured)
    }

    /// Gives its place to `made`, of the same model.
    pub(crate) fn replace(&mut self, made: Self) {
        let checker = self.checker.take();
        *self = Self { checker, ..made };
    }

    fn add_colors(&mut self, requirements: &BTreeMap<MaterialId, Requirement<'_>>) {
        for (&id, requirement) in requirements {
            if let Requirement::Color(look) = requirement {
                let color = Some(look.base_color.truncate().to_array());
                let draw = MaterialDraw { paint: Paint::Plain, color, lit: None, look: *look };
                self.shown.insert(id, draw);
            }
        }
    }

    /// When a subset with `material` is drawn among those that are blended, the lowest first; `None` where
    /// its file does not say.
    pub(crate) fn draw_order(&self, material: Option<MaterialId>) -> Option<u32> {
        self.shown.get(&material?)?.look.draw?.order
    }

    /// How a subset with `material` is painted, and its colour where that is not its own. Colourings
    /// go before all.
    pub(crate) fn of(
        &self,
        material: Option<MaterialId>,
        show: &Show,
    ) -> (Paint, Option<[f32; 3]>) {
        let shows_materials = match show.coloring {
            Some(coloring) if !coloring.is_of_material() => return (Paint::Plain, None),
            Some(_) => true,
            None if show.checker => return (Paint::Checker, Some([1.0; 3])),
            None => show.textures,
        };
        let shown = material.filter(|_| shows_materials);
        let Some(shown) = shown.and_then(|id| self.shown.get(&id)) else {
            return (Paint::Plain, None);
        };
        match shown.lit.filter(|_| is_lit(show)) {
            // The colour is in what is bound.
            Some(lit) if matches!(shown.paint, Paint::Plain) => (lit, Some([1.0; 3])),
            Some(lit) => (lit, shown.color),
            None => (shown.paint, shown.color),
        }
    }

    /// Binds the materials without textures when they are first lit by an environment.
    pub(crate) fn make_lit(&mut self, gpu: &Gpu, layouts: &Layouts) -> Result<(), SceneError> {
        if self.shown.values().all(|shown| shown.lit.is_some()) {
            return Ok(());
        }
        let mut binder = Binder::new(gpu, layouts, Textures::new());
        binder.binds = std::mem::take(&mut self.binds);
        let plain = self.shown.values_mut().filter(|shown| shown.lit.is_none());
        let made = plain.map(|shown| {
            shown.lit = Some(binder.lit(&shown.look)?);
            Ok(())
        });
        let made = made.collect();
        self.binds = binder.binds;
        made
    }

    /// What `paint` binds.
    pub(crate) fn bind(&self, paint: Paint) -> Option<&BoundMaterial> {
        match paint {
            Paint::Plain | Paint::DepthOnly => None,
            Paint::Opaque(at) | Paint::Blended(at) => self.binds.get(at),
            Paint::Checker => self.checker.as_ref(),
        }
    }

    /// Flags of those that are bound, each once.
    pub(crate) fn flags(&self) -> Vec<u32> {
        let flags: BTreeSet<u32> = self.binds.iter().map(|bound| bound.flags).collect();
        flags.into_iter().collect()
    }

    /// Takes the checker, which is the same for all models.
    pub(crate) fn set_checker(&mut self, checker: &BoundMaterial) {
        self.checker.get_or_insert_with(|| checker.clone());
    }

    /// Makes the checker; none where the GPU has no room for it.
    pub(crate) fn make_checker(gpu: &Gpu, layouts: &Layouts) -> Option<BoundMaterial> {
        let mut binder = Binder::new(gpu, layouts, Textures::new());
        let view = picture(gpu, "checker", checker::uv());
        let views = MaterialViews { base: Some((view, None)), ..MaterialViews::default() };
        binder.bind(&MaterialLook::default(), &views).ok()?;
        binder.binds.pop()
    }

    /// Number of textures that were made from images.
    pub(crate) fn num_textures(&self) -> usize {
        self.num_textures
    }
}

/// Whether `show` lights materials by an environment, or shows a part of that.
pub(crate) fn is_lit(show: &Show) -> bool {
    match show.coloring {
        Some(coloring) => coloring.is_of_material(),
        None => show.light.is_from_environment() && show.textures && !show.checker,
    }
}

fn is_textured(requirement: &Requirement<'_>) -> bool {
    matches!(requirement, Requirement::Textured(_))
}
