//! The sampled meshes of the model and of the reference.

use crate::diagnose::evidence::mean;
use crate::diagnose::reference::{MeshMatch, Reference};
use crate::diagnose::specimen::{MeshSample, Specimen};
use crate::model::{Mesh, Model};

pub(super) fn each(
    case: &Specimen,
    model: &Model,
    of: impl Fn(&Specimen, &Model, &MeshSample, &Reference, &MeshMatch) -> Option<f64>,
) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let pairs = case.samples.iter().zip(&reference.meshes);
    pairs
        .map(|(part, found)| {
            let value = found.as_ref().and_then(|found| of(case, model, part, reference, found));
            value.unwrap_or(f64::NAN)
        })
        .collect()
}

/// A sampled mesh and the matching mesh of the reference.
pub(super) fn both<'a>(
    model: &'a Model,
    part: &MeshSample,
    reference: &'a Reference,
    found: &MeshMatch,
) -> Option<[&'a Mesh; 2]> {
    Some([&model.meshes[part.mesh], &reference.model.meshes[found.mesh]])
}

/// The mean distance over the sampled vertices that have values in both meshes.
pub(super) fn mean_of<T: Copy>(
    part: &MeshSample,
    found: &MeshMatch,
    own: &[T],
    other: &[T],
    distance: impl Fn(T, T) -> f64,
) -> Option<f64> {
    let pairs = part.vertices.iter().zip(&found.vertices);
    let values =
        pairs.filter_map(|(a, b)| Some((*own.get(*a as usize)?, *other.get(*b as usize)?)));
    mean(values.map(|(a, b)| distance(a, b)))
}
