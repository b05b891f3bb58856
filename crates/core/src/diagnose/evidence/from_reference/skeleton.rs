//! The rest pose, and inverse bind matrices.

use glam::{Affine3A, Vec3};

use super::pairs::both;
use crate::diagnose::evidence::mean;
use crate::diagnose::reference::{MeshMatch, Reference};
use crate::diagnose::specimen::{MeshSample, Specimen, size_of, skin_of};
use crate::model::{Aabb, BoneId, InverseBindSkin, Model};
use crate::pose::{Moment, PoseSpec, sample};

pub(super) fn bones(case: &Specimen, model: &Model) -> Option<f64> {
    let reference = case.reference.as_ref()?;
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let [own, other] = [model, &reference.model].map(|model| sample(model, &rest).model_from_bone);
    let size = Aabb::from_points(other.iter().map(|bone| bone.translation.into())).extent();
    let arm = size * 0.05;
    let distances = reference.bones.iter_enumerated().filter_map(|(bone, of)| {
        let (a, b) = (own.get(bone)?, other.get((*of)?)?);
        let axes = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let points = axes.map(|axis| {
            // The scale of a bone shows in the positions of its children.
            let at = |m: &Affine3A| {
                Vec3::from(m.translation) + (m.matrix3 * axis).normalize_or_zero() * arm
            };
            f64::from(at(a).distance(at(b)))
        });
        Some(points.iter().sum::<f64>() / 4.0)
    });
    mean(distances).filter(|_| size > 0.0).map(|mean| mean / f64::from(size))
}

/// The inverse bind matrix of a bone in a skin.
fn bind_of(skin: &InverseBindSkin, bone: BoneId) -> Option<glam::Mat4> {
    let slot = skin.bones.iter().position(|own| *own == bone)?;
    skin.bone_from_mesh.get(slot).copied()
}

pub(super) fn binds(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    let (skin, other_skin) = (skin_of(own)?, skin_of(other)?);
    let positions = &other.streams()?.positions;
    let size = f64::from(size_of(positions));
    let bounds = Aabb::from_points(positions.iter().copied());
    let used = crate::model::stats::used_slots(own, skin);
    let slots = skin.bones.iter().zip(&skin.bone_from_mesh).zip(used).filter(|(_, used)| *used);
    let distances = slots.filter_map(|((bone, matrix), _)| {
        let of = (*reference.bones.get(*bone)?)?;
        let other = bind_of(other_skin, of)?;
        let scale = f64::from(other.determinant().abs().cbrt()).max(f64::MIN_POSITIVE);
        let apart = bounds.corners().map(|corner| {
            let [a, b] = [matrix, &other].map(|matrix| *matrix * corner.extend(1.0));
            f64::from(a.distance(b))
        });
        Some(apart.iter().sum::<f64>() / 8.0 / scale)
    });
    mean(distances).filter(|_| size > 0.0).map(|mean| mean / size)
}
