//! Materials and images that replace those of a model.

use super::{Image, Material, Model};
use crate::model::{IdVec, ImageId, MaterialId};

/// Materials and images that replace a model's own: as many materials, and its own images first.
#[derive(Clone, Debug, Default)]
pub struct MaterialOverride {
    /// Indexed like [`Model::materials`].
    pub materials: IdVec<MaterialId, Material>,
    /// [`Model::images`], followed by further images.
    pub images: IdVec<ImageId, Image>,
}

/// The materials and images that a model is drawn with.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceMaterials<'a> {
    /// One per material of the model.
    pub materials: &'a IdVec<MaterialId, Material>,
    /// The images that the textures refer to.
    pub images: &'a IdVec<ImageId, Image>,
}

impl<'a> SurfaceMaterials<'a> {
    /// Those of `dress`, or else of `model`.
    pub fn of(model: &'a Model, dress: Option<&'a MaterialOverride>) -> Self {
        match dress {
            Some(dress) => Self { materials: &dress.materials, images: &dress.images },
            None => Self { materials: &model.materials, images: &model.images },
        }
    }
}
