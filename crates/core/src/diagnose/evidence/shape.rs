//! Edges that poses stretch or compress.

use super::{Evidence, median, single};
use crate::diagnose::specimen::{MeshSample, Specimen, skin_of};
use crate::model::{Model, numbers};
use crate::pose::{sample, skin_some_positions};

pub(super) const ALL: &[&Evidence] = &[&STRETCH];

/// Share of edges that are much longer or shorter than in the bind pose, over the rest pose and moments of some
/// clips. A scale of the whole mesh doesn't count.
pub(crate) const STRETCH: Evidence = Evidence {
    name: "stretched-edges",
    meaning: "the share of edges that poses stretch to more than twice or compress to less than half their length",
    unit: "fraction",
    noise: 0.02,
    weight: 1.0,
    suspicious: 0.08,
    measure,
    text: |value| numbers::percent(value),
};

/// Bending joints stretch few edges by more than this factor, or compress them by more than its inverse.
const MAX_RATIO: f32 = 2.0;

fn measure(case: &Specimen, model: &Model) -> Vec<f64> {
    if !case.has_bones {
        return Vec::new();
    }
    let poses: Vec<_> = case.poses.iter().map(|spec| sample(model, spec)).collect();
    let of_mesh = |part: &MeshSample| {
        let Some(mesh) = model.meshes.get(part.mesh).filter(|mesh| skin_of(mesh).is_some()) else {
            return f64::NAN;
        };
        let Some(own) = mesh.streams() else { return f64::NAN };
        let ends: Vec<u32> = part.edges.iter().flatten().copied().collect();
        let at = |vertex: u32| own.positions.get(vertex as usize).copied().unwrap_or_default();
        let (mut num_bad, mut num) = (0u32, 0u32);
        for pose in &poses {
            let mut pose = pose.of_mesh(part.mesh, mesh);
            pose.morph_weights.clear();
            let posed = skin_some_positions(mesh, &pose, &ends);
            let (pairs, _) = posed.as_chunks::<2>();
            let ratio = |(edge, ends): (&[u32; 2], &[glam::Vec3; 2])| {
                ends[0].distance(ends[1]) / at(edge[0]).distance(at(edge[1])).max(f32::MIN_POSITIVE)
            };
            let ratios: Vec<f32> = part.edges.iter().zip(pairs).map(ratio).collect();
            let whole = median(ratios.iter().copied().map(f64::from).collect()).unwrap_or(1.0);
            let whole = single(whole.max(1e-12));
            let is_kept = |ratio: &f32| (MAX_RATIO.recip()..=MAX_RATIO).contains(&(ratio / whole));
            num_bad += crate::diagnose::specimen::index(
                ratios.iter().filter(|ratio| !is_kept(ratio)).count(),
            );
            num += crate::diagnose::specimen::index(ratios.len());
        }
        if num == 0 { f64::NAN } else { f64::from(num_bad) / f64::from(num) }
    };
    case.samples.iter().map(of_mesh).collect()
}
