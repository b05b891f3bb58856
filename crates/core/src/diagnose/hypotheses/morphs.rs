//! Faults of morph targets.

use super::FACTORS;
use crate::diagnose::cause::causes;
use crate::diagnose::evidence::{Evidence, from_reference, morphs, single};
use crate::diagnose::posed::Posed;
use crate::diagnose::specimen::Specimen;
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{MeshId, Model, VertexId, counted};

causes! {
    MORPHS_ABSOLUTE: "morphs-absolute",
        "the morph targets store absolute positions instead of offsets",
        "subtract the positions of the base mesh from those of each morph target",
        &[];
    MORPHS_UNIT: "morphs-unit", is_guess: true,
        "the morph targets are in a different unit from the mesh",
        "scale the offsets of morph targets by the same factor as the vertices",
        &[];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: MORPHS_ABSOLUTE,
        evidence: &[&morphs::MORPH_SIZE, &from_reference::MORPHS],
        trials: |case, _, items| {
            let (targets, detail) = chosen(case, items);
            // A target that equals the mesh or a multiple of it may be intended, to scale the mesh.
            let is_meant = targets.iter().all(|at| is_scaling(&case.model, *at));
            if is_meant {
                return Vec::new();
            }
            vec![Trial::new(detail, move |model| subtract_base(model, &targets))]
        },
    },
    Hypothesis {
        cause: MORPHS_UNIT,
        evidence: &[&morphs::MORPH_REACH, &from_reference::MORPHS],
        trials: scaled,
    },
    Hypothesis {
        cause: MORPHS_UNIT,
        evidence: &[&morphs::MORPH_SIZE],
        trials: |case, evidence, items| {
            // Only offsets that no modeller intends: several times the size of the mesh.
            let values = (morphs::MORPH_SIZE.measure)(case, &Posed::new(&case.model));
            let huge: Vec<usize> =
                items.iter().copied().filter(|item| values[*item] > HUGE).collect();
            if huge.len() < items.len() { Vec::new() } else { scaled(case, evidence, &huge) }
        },
    },
];

/// Targets with a larger mean offset, as a fraction of the mesh's size, aren't intended.
const HUGE: f64 = 2.0;

/// The targets of some items, as indices of mesh and target, and a detail that names them.
fn chosen(case: &Specimen, items: &[usize]) -> (Vec<[usize; 2]>, String) {
    let all: Vec<_> = morphs::targets(&case.model).collect();
    let own: Vec<_> = items.iter().filter_map(|item| all.get(*item)).collect();
    let detail = match &own[..] {
        _ if own.len() == all.len() && all.len() > 1 => String::new(),
        [(_, _, target)] => format!("in morph target {:?}", target.name),
        [(_, _, target), rest @ ..] => {
            format!(
                "in morph target {:?} and {}",
                target.name,
                counted(rest.len() as u64, "other target")
            )
        }
        [] => String::new(),
    };
    (own.into_iter().map(|(at, ..)| *at).collect(), detail)
}

fn scaled(case: &Specimen, _: &'static Evidence, items: &[usize]) -> Vec<Trial> {
    let (targets, detail) = chosen(case, items);
    let of_factor = |(undo, factor): (f32, &str)| {
        let targets = targets.clone();
        let parts = [format!("scaled by {factor}"), detail.clone()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Trial::new(parts.join(", "), move |model| {
            for &[mesh, target] in &targets {
                let target = model
                    .meshes
                    .get_mut(MeshId::from_index(mesh))
                    .and_then(|mesh| mesh.morph_targets.get_mut(target));
                for shape in target.into_iter().flat_map(|target| &mut target.shapes) {
                    shape.position_offsets.iter_mut().for_each(|offset| *offset *= undo);
                }
            }
        })
    };
    FACTORS.into_iter().map(of_factor).collect()
}

fn subtract_base(model: &mut Model, targets: &[[usize; 2]]) {
    for &[mesh, number] in targets {
        let mesh = &mut model.meshes[MeshId::from_index(mesh)];
        let Some(streams) = mesh.streams() else { continue };
        let positions = streams.positions.clone();
        let normals = streams.normals.clone();
        let Some(target) = mesh.morph_targets.get_mut(number) else { continue };
        for shape in &mut target.shapes {
            let at = |vertex: &VertexId| positions.get(vertex.index()).copied().unwrap_or_default();
            for (vertex, offset) in shape.vertices.iter().zip(&mut shape.position_offsets) {
                *offset -= at(vertex);
            }
            // If most normal offsets have unit length, they are absolute normals.
            let normal =
                |vertex: &VertexId| normals.get(vertex.index()).copied().unwrap_or_default();
            let is_absolute =
                shape.normal_offsets.iter().filter(|n| (n.length() - 1.0).abs() < 0.1).count() * 2
                    > shape.normal_offsets.len();
            if is_absolute {
                for (vertex, offset) in shape.vertices.iter().zip(&mut shape.normal_offsets) {
                    *offset -= normal(vertex);
                }
            }
        }
    }
}

/// Whether the offsets of a target are a multiple of the mesh's positions.
fn is_scaling(model: &Model, [mesh, number]: [usize; 2]) -> bool {
    let own = model.meshes.get(MeshId::from_index(mesh));
    let Some((own, target)) =
        own.and_then(|mesh| Some((mesh.streams()?, mesh.morph_targets.get(number)?)))
    else {
        return true;
    };
    let Some(shape) = target.shapes.last() else { return true };
    let pairs = || {
        let positions =
            shape.vertices.iter().filter_map(|vertex| own.positions.get(vertex.index()));
        positions.zip(&shape.position_offsets)
    };
    let (mut dot, mut squared) = (0.0, 0.0);
    for (position, offset) in pairs() {
        dot += f64::from(position.dot(*offset));
        squared += f64::from(position.length_squared());
    }
    let factor = single(dot / squared.max(f64::MIN_POSITIVE));
    pairs().all(|(position, offset)| {
        (*position * factor).distance(*offset) <= 1e-4 * position.length()
    })
}
