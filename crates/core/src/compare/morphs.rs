//! Compares morph targets: names, and offsets of matched vertices.

use std::collections::HashMap;

use glam::Vec3;

use super::DifferenceKind as Kind;
use super::clips::matched_names;
use super::collector::{DifferenceCollector, Measured, first_names};
use super::side::{ComparedSide, Sides, distance};
use super::vertices::PosedMatching;
use crate::model::MorphTarget;

/// A target and the index of its mesh.
type Target<'a> = (usize, &'a MorphTarget);

/// Compares the morph targets of all meshes.
pub(super) fn compare(
    sides: &Sides<'_>,
    common: &PosedMatching,
    found: &mut DifferenceCollector<'_>,
) {
    let (targets_a, targets_b) = (targets(&sides.a), targets(&sides.b));
    let names: Vec<_> = targets_a.iter().map(|(_, target)| &target.name[..]).collect();
    let names_b = targets_b.iter().map(|(_, target)| &target.name[..]);
    let a_of_b = matched_names(&names, names_b, |_, _| false);
    let mut is_in_b = vec![false; targets_a.len()];
    for at in a_of_b.iter().flatten() {
        is_in_b[*at] = true;
    }
    let removed = || names.iter().zip(&is_in_b).filter(|(_, is_in)| !**is_in);
    found.structure(Kind::MorphsRemoved, removed().count(), || {
        let names = removed().map(|(name, _)| *name);
        format!("morph targets only in A: {}", first_names(names))
    });
    let added = || targets_b.iter().zip(&a_of_b).filter(|(_, of_a)| of_a.is_none());
    found.structure(Kind::MorphsAdded, added().count(), || {
        let names = added().map(|((_, target), _)| &target.name[..]);
        format!("morph targets only in B: {}", first_names(names))
    });
    let mut measured = Measured::within(found.options.tolerance * common.extent);
    let mut worst = "";
    for (target, of_a) in targets_b.iter().zip(&a_of_b) {
        let Some(of_a) = of_a.map(|at| targets_a[at]) else { continue };
        if measured.add(apart(sides, of_a, *target, common)) {
            worst = &target.1.name;
        }
    }
    found.measured(Kind::MorphOffsets, measured, || {
        format!("the offsets of morph target {worst:?} differ")
    });
}

fn targets<'a>(side: &ComparedSide<'a>) -> Vec<Target<'a>> {
    let meshes = side.model.meshes.iter().enumerate();
    meshes
        .flat_map(|(index, mesh)| mesh.morph_targets.iter().map(move |target| (index, target)))
        .collect()
}

/// The largest distance between offsets of matched vertices in any morph target.
fn apart(
    Sides { a, b, .. }: &Sides<'_>,
    of_a: Target<'_>,
    of_b: Target<'_>,
    common: &PosedMatching,
) -> f64 {
    let num_shapes = of_a.1.shapes.len().max(of_b.1.shapes.len());
    let mut largest = 0.0f64;
    for shape in 0..num_shapes {
        let (in_a, in_b) = (offsets(a, of_a, shape), offsets(b, of_b, shape));
        // Meshes are distinguished by their vertices, which `common` matches.
        for (vertex, matched) in common.matching.a_of_b.iter().enumerate() {
            let Some(matched) = matched else { continue };
            let (m, n) = (in_a.get(&(*matched as usize)), in_b.get(&vertex));
            if m.is_some() || n.is_some() {
                let offset = |offset: Option<&Vec3>| offset.copied().unwrap_or_default();
                largest = largest.max(distance(offset(m), offset(n)));
            }
        }
    }
    largest
}

/// The offsets of a morph target by vertex number, display units.
fn offsets(
    side: &ComparedSide<'_>,
    (mesh, target): Target<'_>,
    shape: usize,
) -> HashMap<usize, Vec3> {
    let Some(shape) = target.shapes.get(shape) else { return HashMap::new() };
    let moved = shape.vertices.iter().zip(&shape.position_offsets);
    moved
        .map(|(vertex, &offset)| {
            let offset = side.display_from_file.transform_vector3(offset);
            (side.number(mesh, vertex.0), offset)
        })
        .collect()
}
