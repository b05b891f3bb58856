//! The materials of a scene.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::binder::{Binder, BoundMaterial, MaterialDraw, MaterialViews, Peak};
use super::checker;
use super::images::{Textures, upload_images};
use super::paint::Paint;
use super::requirements::{Requirement, images, requirements};
use super::upload::srgb_texture;
use super::uv_set::report_uv_sets;
use crate::bind::Layouts;
use crate::{Gpu, SceneError, Show};
use rigscope_core::model::{MaterialId, MaterialLook, Model, Report, SurfaceMaterials};
use rigscope_core::pose::{
    PoseSpec, moves_textures, peak_look, posed_look, posed_texture, tracks_of,
};

/// The materials of one model.
#[derive(Debug, Default)]
pub(crate) struct Materials {
    shown: HashMap<MaterialId, MaterialDraw>,
    binds: Vec<BoundMaterial>,
    checker: Option<BoundMaterial>,
    num_textures: usize,
}

impl Materials {
    /// Decodes and uploads the textures that the subsets of `model` need, with the materials of `worn`.
    /// Reports findings for images that can't be shown.
    pub(crate) fn upload(
        gpu: &Gpu,
        layouts: &Layouts,
        model: &Model,
        worn: SurfaceMaterials<'_>,
        report: &Report,
    ) -> Result<Self, SceneError> {
        let requirements = requirements(model, worn);
        let mut made = Self::default();
        if requirements.values().any(is_textured) {
            report_uv_sets(model, report);
            let textures = upload_images(gpu, worn.images, &images(&requirements), report)?;
            made.num_textures = textures.values().flatten().count();
            let mut binder = Binder::new(gpu, layouts, textures);
            for (&id, requirement) in &requirements {
                if let Requirement::Textured(textured) = requirement {
                    let shown = binder.shown(textured, peak(model, id, textured.look).as_ref())?;
                    made.shown.insert(id, shown);
                }
            }
            made.binds = binder.binds;
        }
        made.add_colors(model, &requirements);
        Ok(made)
    }

    /// The materials of `model` without textures. Subsets with other materials are plain.
    pub(crate) fn plain(model: &Model) -> Self {
        let mut made = Self::default();
        made.add_colors(model, &requirements(model, SurfaceMaterials::of(model, None)));
        made
    }

    /// Whether subsets of `model` need textures or the textured shader.
    pub(crate) fn are_textured(model: &Model) -> bool {
        requirements(model, SurfaceMaterials::of(model, None)).values().any(is_textured)
    }

    /// Replaces these materials by `made`, of the same model.
    pub(crate) fn replace(&mut self, made: Self) {
        let checker = self.checker.take();
        *self = Self { checker, ..made };
    }

    fn add_colors(&mut self, model: &Model, requirements: &BTreeMap<MaterialId, Requirement<'_>>) {
        for (&id, requirement) in requirements {
            if let Requirement::Color(look) = requirement {
                let peak = peak(model, id, Some(*look));
                let draw = MaterialDraw {
                    paint: Paint::Plain,
                    color: Some(plain_color(look)),
                    lit: None,
                    look: *look,
                    moves_textures: false,
                    at_rest: peak.map(|_| *look),
                };
                self.shown.insert(id, draw);
            }
        }
    }

    /// Position of `material` in the drawing order of blended subsets, lowest first; `None` if its file
    /// doesn't specify one.
    pub(crate) fn draw_order(&self, material: Option<MaterialId>) -> Option<u32> {
        self.shown.get(&material?)?.look.draw?.order
    }

    /// The paint of a subset with `material`, and its colour if that replaces the subset's. Colourings take
    /// precedence.
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
            // The colour is in the material's uniform.
            Some(lit) if matches!(shown.paint, Paint::Plain) => (lit, Some([1.0; 3])),
            Some(lit) => (lit, shown.color),
            None => (shown.paint, shown.color),
        }
    }

    /// Sets the parameters that clips of `motion` animate to their values in the pose `spec`.
    pub(crate) fn pose(&mut self, gpu: &Gpu, motion: &Model, spec: &PoseSpec) {
        for (&id, shown) in &mut self.shown {
            let Some(at_rest) = &shown.at_rest else { continue };
            let look = posed_look(motion, id, at_rest, spec);
            if look == shown.look && !shown.moves_textures {
                continue;
            }
            shown.look = look;
            if matches!(shown.paint, Paint::Plain) {
                shown.color = Some(plain_color(&look));
            }
            for paint in [Some(shown.paint), shown.lit].into_iter().flatten() {
                if let Paint::Opaque(at) | Paint::Blended(at) = paint
                    && let Some(bound) = self.binds.get_mut(at)
                {
                    bound.pose(gpu, &look, |role, at_rest| {
                        posed_texture(motion, id, role, at_rest, spec)
                    });
                }
            }
        }
    }

    /// Binds the materials without textures, which is needed once they are lit by an environment.
    pub(crate) fn make_lit(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        motion: &Model,
    ) -> Result<(), SceneError> {
        if self.shown.values().all(|shown| shown.lit.is_some()) {
            return Ok(());
        }
        let mut binder = Binder::new(gpu, layouts, Textures::new());
        binder.binds = std::mem::take(&mut self.binds);
        let plain = self.shown.iter_mut().filter(|(_, shown)| shown.lit.is_none());
        let made = plain.map(|(&id, shown)| {
            shown.lit = Some(binder.lit(&shown.look, peak(motion, id, shown.at_rest).as_ref())?);
            Ok(())
        });
        let made = made.collect();
        self.binds = binder.binds;
        made
    }

    /// The bind group of `paint`.
    pub(crate) fn bind(&self, paint: Paint) -> Option<&BoundMaterial> {
        match paint {
            Paint::Plain | Paint::DepthOnly => None,
            Paint::Opaque(at) | Paint::Blended(at) => self.binds.get(at),
            Paint::Checker => self.checker.as_ref(),
        }
    }

    /// The distinct flags of all bound materials.
    pub(crate) fn flags(&self) -> Vec<u32> {
        let flags: BTreeSet<u32> = self.binds.iter().map(|bound| bound.flags).collect();
        flags.into_iter().collect()
    }

    /// Sets the checker, which all models share.
    pub(crate) fn set_checker(&mut self, checker: &BoundMaterial) {
        self.checker.get_or_insert_with(|| checker.clone());
    }

    /// Creates the checker; `None` if the GPU has no room for it.
    pub(crate) fn make_checker(gpu: &Gpu, layouts: &Layouts) -> Option<BoundMaterial> {
        let mut binder = Binder::new(gpu, layouts, Textures::new());
        let view = srgb_texture(gpu, "checker", checker::uv());
        let views = MaterialViews { base: Some((view, None)), ..MaterialViews::default() };
        binder.bind(&MaterialLook::default(), None, &views).ok()?;
        binder.binds.pop()
    }

    pub(crate) fn num_textures(&self) -> usize {
        self.num_textures
    }
}

fn peak(model: &Model, id: MaterialId, look: Option<MaterialLook>) -> Option<Peak> {
    tracks_of(model, id).next()?;
    Some(Peak {
        look: peak_look(model, id, &look.unwrap_or_default()),
        moves_textures: moves_textures(model, id),
    })
}

/// The colour under plain light of a material without textures.
fn plain_color(look: &MaterialLook) -> [f32; 3] {
    look.base_color.truncate().to_array()
}

/// Whether materials are lit by an environment, or a component of that lighting is shown.
pub(crate) fn is_lit(show: &Show) -> bool {
    match show.coloring {
        Some(coloring) => coloring.is_of_material(),
        None => show.light.is_from_environment() && show.textures && !show.checker,
    }
}

fn is_textured(requirement: &Requirement<'_>) -> bool {
    matches!(requirement, Requirement::Textured(_))
}
