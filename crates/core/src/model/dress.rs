//! What surfaces wear in place of what their file says.

use super::{Image, Material, Model};

/// Materials and images in place of a model's own: as many materials, and its own images first.
#[derive(Clone, Debug, Default)]
pub struct Dress {
    /// As [`Model::materials`].
    pub materials: Vec<Material>,
    /// As [`Model::images`], then others.
    pub images: Vec<Image>,
}

/// The materials and images that a model is shown with.
#[derive(Clone, Copy, Debug)]
pub struct Worn<'a> {
    /// One for each of the model.
    pub materials: &'a [Material],
    /// Those that they are read from.
    pub images: &'a [Image],
}

impl<'a> Worn<'a> {
    /// `dress`, or what `model` has of its own.
    pub fn of(model: &'a Model, dress: Option<&'a Dress>) -> Self {
        match dress {
            Some(dress) => Self { materials: &dress.materials, images: &dress.images },
            None => Self { materials: &model.materials, images: &model.images },
        }
    }
}
