//! The error of runtimes that blend stored matrices between two keys.
//!
//! A sum of two rotations isn't a rotation: halfway between keys at `angle`, it shrinks by
//! `cos(angle / 2)`. In the middle of each interval, the vertices of linearly blended matrices are
//! compared with those of bones whose translation and scale are blended linearly and whose rotation
//! is blended spherically. Baked skinning matrices are decomposed about the centre of the vertices
//! that they move; about the mesh's origin, a plain rotation of a hand would appear as a large
//! translation.
//!
//! The shrinking is proportional to the square of the angle, and so of the interval, which gives
//! the interval at which it would be invisible.

use glam::{Affine3A, Vec3};
use rayon::prelude::*;

use super::bone_centers::BoneCenters;
use super::{WHAT, is_bind_pair};
use crate::model::{
    Blending, BoneId, Cancelled, ClipId, FindingKind, IdVec, KeySpace, LocalTransform, MeshId,
    Model, Motion, Place, Report, SampledMotion, Skin, Trs, as_u32, findings, numbers,
};
use crate::pose::{MeshPose, Pose, skin_vertex};
use crate::validate::worst::{DefaultPose, Worst, spread};

findings! {
    pub(super) FINDINGS:
    BlendError, "blend-error", Info, Animation,
        "between keys, interpolated matrices move vertices away from the path that rotations would follow",
        "limbs shrink slightly between keys, by less than 2 % of the model's size; none at keys",
        "no action needed if only the keys are shown; if not, export keys at shorter intervals (`rigscope convert SOURCE -o OUT.bsm2 --rate 60`)",
        "at 0.22 s of clip \"run\", vertex 15 is off by 1.6 % of the model's size; with keys every 10 ms instead of 40 ms, it would be less than 0.1 %";
    CoarseKeys, "coarse-keys", Warning, Animation,
        "between keys, interpolated matrices move vertices visibly away from the path that rotations would follow",
        "limbs thin out or pulsate between keys, by more than 2 % of the model's size",
        "export keys at shorter intervals, such as `rigscope convert SOURCE -o OUT.bsm2 --rate 60` from the original curves",
        "at 0.22 s of clip \"run\", vertex 15 is off by 3.6 % of the model's size; with keys every 6.67 ms instead of 40 ms, it would be less than 0.1 %";
}

/// Errors below this fraction of the size aren't visible: one pixel if the model fills the
/// screen.
const UNSEEN: f32 = 1e-3;
/// Above this fraction of the size, limbs visibly thin out between keys. A foot in a fast but
/// well-made walk with 30 keys per second has half of it.
const COARSE: f32 = 2e-2;
/// The most vertices to examine, evenly spread over all meshes. The error is proportional to the
/// distance from the bone, so neighbours have similar errors.
const MAX_VERTICES: usize = 2048;
/// The most intervals per clip to examine, evenly spread. With [`MAX_VERTICES`], a clip of any
/// length takes about a second.
const MAX_INTERVALS: usize = 64;
/// A matrix with a smaller volume has no usable rotation: the bone is hidden.
const MIN_VOLUME: f32 = 1e-12;

/// The worst vertex of an interval.
#[derive(Clone, Copy, Debug)]
struct WorstVertex {
    clip: ClipId,
    key: usize,
    mesh: MeshId,
    vertex: usize,
}

/// Reports [`FindingKind::BlendError`] or [`FindingKind::CoarseKeys`] for sampled keys and linear skins.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let vertices = vertices(model);
    let extent = DefaultPose::of(model).extent;
    if vertices.is_empty() || extent <= 0.0 {
        return Ok(());
    }
    let centers = centers(model);
    let (mut seen, mut coarse) = (Worst::default(), Worst::default());
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.8)?;
        let Motion::Sampled(motion) = &clip.motion else { continue };
        if is_bind_pair(&clip.motion) || motion.interval_ns == 0 {
            continue;
        }
        let intervals: Vec<usize> =
            spread(motion.keys.num_keys().saturating_sub(1), MAX_INTERVALS).collect();
        let errors: Vec<_> = intervals
            .par_iter()
            .filter_map(|&key| {
                let (error, mesh, vertex) = error(model, motion, key, &centers, &vertices)?;
                let off = WorstVertex {
                    clip: ClipId::from_index(index),
                    key,
                    mesh: MeshId::from_index(mesh),
                    vertex,
                };
                Some((error / extent, off))
            })
            .collect();
        for (error, off) in errors {
            let list = if error > COARSE { &mut coarse } else { &mut seen };
            if error > UNSEEN {
                list.add(error, off);
            }
        }
    }
    let (kind, found) = match coarse.worst {
        Some(_) => (FindingKind::CoarseKeys, coarse),
        None => (FindingKind::BlendError, seen),
    };
    if let Some((error, off)) = found.worst {
        let place = Place::Vertex { mesh: as_u32(off.mesh.index()), vertex: as_u32(off.vertex) };
        report.add_many(kind, place, found.count, || text(model, error, off));
    }
    Ok(())
}

fn text(model: &Model, error: f32, off: WorstVertex) -> String {
    let Some((clip, motion)) =
        model.clips.get(off.clip).and_then(|clip| Some((clip, clip.as_sampled()?)))
    else {
        return String::new();
    };
    let interval_secs = motion.interval_secs();
    let time_secs = motion.key_secs(off.key) + 0.5 * interval_secs;
    // The error is proportional to the square of the interval.
    let wanted_secs = interval_secs * f64::from(UNSEEN / error).sqrt();
    format!(
        "at {} of clip {:?}, vertex {} is off by {} of the model's size; with keys every {} ms instead of \
         {} ms, it would be less than {}",
        numbers::seconds(time_secs),
        clip.name,
        off.vertex,
        numbers::percent(error),
        numbers::significant(1e3 * wanted_secs, 3),
        numbers::significant(1e3 * interval_secs, 3),
        numbers::percent(UNSEEN),
    )
}

/// Mesh and number of the examined vertices.
fn vertices(model: &Model) -> Vec<(usize, usize)> {
    let is_linear = |skin: &Skin| match skin {
        Skin::None => false,
        Skin::InverseBind(skin) => skin.blending == Blending::Linear,
        Skin::BoneLocal(_) => true,
    };
    let meshes = model.meshes.iter().enumerate();
    let all: Vec<_> = meshes
        .filter(|(_, mesh)| is_linear(&mesh.skin))
        .flat_map(|(index, mesh)| (0..mesh.num_vertices()).map(move |vertex| (index, vertex)))
        .collect();
    let taken = spread(all.len(), MAX_VERTICES);
    taken.filter_map(|at| all.get(at).copied()).collect()
}

/// The centre of the vertices that each bone moves, mesh space; the origin for bones that don't
/// move any.
fn centers(model: &Model) -> IdVec<BoneId, Vec3> {
    let mut centers = IdVec::filled(Vec3::ZERO, model.skeleton.bones());
    for probe in BoneCenters::of(model).list.iter().rev() {
        centers[probe.bone] = probe.point;
    }
    centers
}

/// The largest distance between both blends in the middle of the interval after `key`, file units,
/// with mesh and vertex.
fn error(
    model: &Model,
    motion: &SampledMotion,
    key: usize,
    centers: &IdVec<BoneId, Vec3>,
    vertices: &[(usize, usize)],
) -> Option<(f32, usize, usize)> {
    let (mut linear, mut apart) = (IdVec::new(), IdVec::new());
    for (bone, &center) in centers.iter().enumerate() {
        let first = motion.keys.matrix(key, bone)?;
        let second = motion.keys.matrix(key + 1, bone)?;
        let sum = Affine3A {
            matrix3: (first.matrix3 + second.matrix3) * 0.5,
            translation: (first.translation + second.translation) * 0.5,
        };
        linear.push(sum);
        let pivot = match motion.space {
            KeySpace::Local => Vec3::ZERO,
            KeySpace::Skin => center,
        };
        apart.push(halfway(&first, &second, pivot).unwrap_or(sum));
    }
    let of_meshes = |matrices: IdVec<BoneId, Affine3A>| -> Vec<MeshPose> {
        let pose = posed(model, motion.space, matrices);
        let meshes = model.meshes.iter().enumerate();
        meshes.map(|(index, mesh)| pose.of_mesh(MeshId::from_index(index), mesh)).collect()
    };
    let (linear, apart) = (of_meshes(linear), of_meshes(apart));
    let mut worst = Worst::default();
    for &(mesh, vertex) in vertices {
        let (Some(of), Some(a), Some(b)) =
            (model.meshes.get(MeshId::from_index(mesh)), linear.get(mesh), apart.get(mesh))
        else {
            continue;
        };
        if let (Some(a), Some(b)) = (skin_vertex(of, vertex, a), skin_vertex(of, vertex, b)) {
            worst.add(a.distance(b), (mesh, vertex));
        }
    }
    worst.worst.map(|(error, (mesh, vertex))| (error, mesh, vertex))
}

/// The matrix halfway between two in rotation, scale and translation of `pivot`; `None` if one of
/// them has no rotation or only one mirrors.
fn halfway(first: &Affine3A, second: &Affine3A, pivot: Vec3) -> Option<Affine3A> {
    let (a, b) = (first.matrix3.determinant(), second.matrix3.determinant());
    if a.abs() < MIN_VOLUME || b.abs() < MIN_VOLUME || (a < 0.0) != (b < 0.0) {
        return None;
    }
    let about = Affine3A::from_translation(pivot);
    let parts = |matrix: &Affine3A| LocalTransform::Matrix(*matrix * about).to_trs();
    let (a, b) = (parts(first), parts(second));
    let toward = if a.rotation.dot(b.rotation) < 0.0 { -b.rotation } else { b.rotation };
    let halfway = Trs {
        translation: a.translation.midpoint(b.translation),
        rotation: a.rotation.slerp(toward, 0.5),
        scale: a.scale.midpoint(b.scale),
    };
    Some(halfway.to_affine() * Affine3A::from_translation(-pivot))
}

/// The pose with these key matrices.
fn posed(model: &Model, space: KeySpace, matrices: IdVec<BoneId, Affine3A>) -> Pose {
    let mut pose = Pose {
        parent_from_bone: IdVec::new(),
        model_from_bone: matrices.clone(),
        model_from_mesh: None,
        model_from_bound_mesh: None,
        morph_weights: Vec::new(),
        cached: None,
        normal_matrix: model.normal_matrix,
    };
    match space {
        KeySpace::Skin => pose.model_from_mesh = Some(matrices),
        KeySpace::Local => {
            for &bone in model.skeleton.parents_first() {
                if let Some(parent) = model.skeleton.bones()[bone].parent {
                    pose.model_from_bone[bone] = pose.model_from_bone[parent] * matrices[bone];
                }
            }
            pose.parent_from_bone = matrices;
        }
    }
    pose
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{bending, bent, is_silent, the, with_keys};

    #[test]
    fn large_rotation_between_keys_shrinks_the_bar_by_the_cosine() {
        let model = with_keys(&[bent(0.0, 0.0), bent(0.0, 1.0)]);
        let finding = the(&model, FindingKind::CoarseKeys);
        // The farthest vertex is at (0.2, 1) from the upper bone, which shrinks by 1 - cos 0.5; a
        // second corner of the bar is as far in z, which a rotation about z doesn't change.
        let extent = (0.4f32 * 0.4 + 0.4 * 0.4 + 4.0).sqrt();
        let error = Vec3::new(0.2, 1.0, 0.0).length() * (1.0 - 0.5f32.cos()) / extent;
        let expected = format!("is off by {} of the model's size", numbers::percent(error));
        assert!(finding.message.contains(&expected), "{expected}: {}", finding.message);
        assert_eq!(finding.count, 1);
    }

    #[test]
    fn suggested_interval_reduces_the_error_below_visibility() {
        let coarse = with_keys(&[bent(0.0, 0.0), bent(0.0, 0.3)]);
        let finding = the(&coarse, FindingKind::BlendError);
        let (_, rest) = finding.message.split_once("keys every ").unwrap();
        let wanted_ms: f32 = rest.split(' ').next().unwrap().parse().unwrap();
        let fine = with_keys(&[bent(0.0, 0.0), bent(0.0, 0.3 * (wanted_ms - 1.0) / 100.0)]);
        assert!(is_silent(&fine, FindingKind::BlendError));
        assert!(is_silent(&bending(), FindingKind::BlendError));
        assert!(is_silent(&bending(), FindingKind::CoarseKeys));
    }

    #[test]
    fn skinning_matrices_are_decomposed_around_their_vertices() {
        let far = Affine3A::from_translation(Vec3::X * 100.0);
        let rotated = far * Affine3A::from_rotation_z(1.0) * far.inverse();
        let between = halfway(&Affine3A::IDENTITY, &rotated, Vec3::X * 100.0).unwrap();
        let moved = between.transform_point3(Vec3::X * 100.0);
        assert!(moved.distance(Vec3::X * 100.0) < 1e-3, "{moved}");
        assert_eq!(halfway(&Affine3A::IDENTITY, &Affine3A::ZERO, Vec3::ZERO), None);
    }
}
