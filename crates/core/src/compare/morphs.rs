//! Compares morph targets: names, and offsets of matched vertices.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::Vec3;

use super::DifferenceKind as Kind;
use super::collector::{DifferenceCollector, Measured, first_names};
use super::side::{ComparedSide, Sides, distance};
use super::vertices::PosedMatching;
use crate::model::{Mesh, MeshId, MorphTarget, MorphTargetAt, match_morph_targets};

type Target<'a> = (MorphTargetAt, &'a MorphTarget);

/// Compares the morph targets of all meshes.
pub(super) fn compare(
    sides: &Sides<'_>,
    common: &PosedMatching,
    found: &mut DifferenceCollector<'_>,
) {
    let [meshes_a, meshes_b] = [&sides.a, &sides.b].map(|side| &*side.model.meshes);
    let (targets_a, targets_b) = (targets(meshes_a), targets(meshes_b));
    let a_of_b = match_morph_targets(meshes_b, meshes_a);
    let pairs = || {
        let all = targets_b.iter().filter_map(|(at, target)| {
            let of_a = a_of_b.get(at)?;
            Some(((*of_a, *targets_a.get(of_a)?), (*at, *target)))
        });
        all.collect::<Vec<(Target<'_>, Target<'_>)>>()
    };
    // A format without names loses them, although the offsets can be compared.
    let alike = pairs().into_iter().filter(|((_, a), (_, b))| a.name == b.name);
    let (in_both_a, in_both_b): (HashSet<_>, HashSet<_>) =
        alike.map(|((a, _), (b, _))| (a, b)).unzip();
    let only = |targets: &BTreeMap<MorphTargetAt, &MorphTarget>,
                in_both: &HashSet<MorphTargetAt>| {
        let only = targets.iter().filter(|(at, _)| !in_both.contains(at));
        only.map(|(_, target)| target.name.clone()).collect::<Vec<_>>()
    };
    let removed = only(&targets_a, &in_both_a);
    found.structure(Kind::MorphsRemoved, removed.len(), || {
        let names = removed.iter().map(String::as_str);
        format!("morph targets only in A: {}", first_names(names))
    });
    let added = only(&targets_b, &in_both_b);
    found.structure(Kind::MorphsAdded, added.len(), || {
        let names = added.iter().map(String::as_str);
        format!("morph targets only in B: {}", first_names(names))
    });
    let mut measured = Measured::within(found.options.tolerance * common.extent);
    let mut worst = "";
    for (of_a, of_b) in pairs() {
        if measured.add(apart(sides, of_a, of_b, common)) {
            worst = &of_b.1.name;
        }
    }
    found.measured(Kind::MorphOffsets, measured, || {
        format!("the offsets of morph target {worst:?} differ")
    });
}

fn targets(meshes: &[Mesh]) -> BTreeMap<MorphTargetAt, &MorphTarget> {
    let all = meshes.iter().enumerate().flat_map(|(mesh, own)| {
        let targets = own.morph_targets.iter().enumerate();
        targets.map(move |(at, target)| ((MeshId::from_index(mesh), at), target))
    });
    all.collect()
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
    ((mesh, _), target): Target<'_>,
    shape: usize,
) -> HashMap<usize, Vec3> {
    let Some(shape) = target.shapes.get(shape) else { return HashMap::new() };
    let moved = shape.vertices.iter().zip(&shape.position_offsets);
    moved
        .map(|(vertex, &offset)| {
            let offset = side.space.offset(offset);
            (side.number(mesh.index(), vertex.0), offset)
        })
        .collect()
}
