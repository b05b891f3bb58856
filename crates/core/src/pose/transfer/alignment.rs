//! Turns the rest pose of a model into the source's, by the directions of matched bones: an A-pose into a T-pose, for
//! example.

use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};

use super::rigs::Rigs;
use crate::model::{BoneId, IdVec, Skeleton};

/// Directions that differ by less are the same pose, made by hand.
const SAME_POSE_RAD: f32 = 0.05;

/// The turns from the rest pose of a model to the reference pose.
pub(super) struct Alignment {
    /// In model space, one per bone.
    pub(super) turns: IdVec<BoneId, Quat>,
    /// The bone whose direction differs most, and the angle in radians; `None` if the poses are the same.
    pub(super) largest: Option<(BoneId, f32)>,
}

impl Alignment {
    pub(super) fn of(rigs: Rigs<'_>, [there, here]: [&IdVec<BoneId, Affine3A>; 2]) -> Self {
        let Rigs { model, source_of, change, .. } = rigs;
        let children = matched_children(&model.skeleton, source_of);
        // Directions to the matched bones below: of the source, and own.
        let directions = |bone: BoneId| -> Vec<[Vec3; 2]> {
            let of_child = |child: &BoneId| {
                let [from, to] = [source_of[bone]?, source_of[*child]?];
                let source =
                    change.offset((there[to].translation - there[from].translation).into());
                let own = Vec3::from(here[*child].translation - here[bone].translation);
                let pair = [source, own].map(Vec3::normalize_or_zero);
                pair.iter().all(|own| *own != Vec3::ZERO).then_some(pair)
            };
            children[bone].iter().filter_map(of_child).collect()
        };
        let mut largest: Option<(BoneId, f32)> = None;
        for bone in source_of.ids() {
            for [source, own] in directions(bone) {
                let angle = source.angle_between(own);
                if largest.is_none_or(|(_, most)| angle > most) {
                    largest = Some((bone, angle));
                }
            }
        }
        let largest = largest.filter(|(_, angle)| *angle > SAME_POSE_RAD);
        let mut turns: IdVec<BoneId, Quat> = IdVec::filled(Quat::IDENTITY, model.skeleton.bones());
        if largest.is_some() {
            for &bone in model.skeleton.parents_first() {
                let parent = model.skeleton.bones()[bone].parent;
                let inherited = parent.map_or(Quat::IDENTITY, |parent| turns[parent]);
                turns[bone] = match &directions(bone)[..] {
                    [] => inherited,
                    // A single direction doesn't show the turn about it.
                    [[source, own]] => {
                        (Quat::from_rotation_arc(inherited * *own, *source) * inherited).normalize()
                    }
                    several => best_rotation(several, inherited),
                };
            }
        }
        Self { turns, largest }
    }
}

/// The nearest ancestor of each bone that follows a bone.
pub(super) fn matched_ancestors(
    skeleton: &Skeleton,
    source_of: &IdVec<BoneId, Option<BoneId>>,
) -> IdVec<BoneId, Option<BoneId>> {
    let mut nearest: IdVec<BoneId, Option<BoneId>> = IdVec::filled(None, skeleton.bones());
    for &bone in skeleton.parents_first() {
        if let Some(parent) = skeleton.bones()[bone].parent {
            nearest[bone] =
                if source_of[parent].is_some() { Some(parent) } else { nearest[parent] };
        }
    }
    nearest
}

/// The matched bones whose nearest matched ancestor is each bone.
pub(super) fn matched_children(
    skeleton: &Skeleton,
    source_of: &IdVec<BoneId, Option<BoneId>>,
) -> IdVec<BoneId, Vec<BoneId>> {
    let ancestors = matched_ancestors(skeleton, source_of);
    let mut children = IdVec::filled(Vec::new(), skeleton.bones());
    for (bone, _) in source_of.iter_enumerated().filter(|(_, source)| source.is_some()) {
        if let Some(parent) = ancestors[bone] {
            children[parent].push(bone);
        }
    }
    children
}

/// The rotation that brings the second direction of each pair nearest to the first: Davenport's solution of Wahba's
/// problem, by power iteration from `start`.
fn best_rotation(pairs: &[[Vec3; 2]], start: Quat) -> Quat {
    let mut k = Mat4::ZERO;
    for [to, from] in pairs {
        let cross = from.cross(*to);
        let dot = from.dot(*to);
        let outer = |a: f32, b: f32, c: f32, d: f32| a * b + c * d;
        let (f, t) = (*from, *to);
        k += Mat4::from_cols(
            Vec4::new(
                2.0 * f.x * t.x - dot,
                outer(f.x, t.y, f.y, t.x),
                outer(f.x, t.z, f.z, t.x),
                cross.x,
            ),
            Vec4::new(
                outer(f.x, t.y, f.y, t.x),
                2.0 * f.y * t.y - dot,
                outer(f.y, t.z, f.z, t.y),
                cross.y,
            ),
            Vec4::new(
                outer(f.x, t.z, f.z, t.x),
                outer(f.y, t.z, f.z, t.y),
                2.0 * f.z * t.z - dot,
                cross.z,
            ),
            Vec4::new(cross.x, cross.y, cross.z, dot),
        );
    }
    // Shifted, so that the largest eigenvalue is also the largest in magnitude.
    let shift = Mat4::from_diagonal(Vec4::splat(pairs.len() as f32 * 1.5));
    let k = k + shift;
    let mut own = Vec4::from(start);
    for _ in 0..200 {
        let next = (k * own).normalize_or_zero();
        if next == Vec4::ZERO {
            return start;
        }
        let is_done = next.distance_squared(own) < 1e-14;
        own = next;
        if is_done {
            break;
        }
    }
    Quat::from_vec4(own).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_rotation_of_rotated_directions_is_that_rotation() {
        let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.7, -0.4, 1.9);
        let own = [Vec3::X, Vec3::new(0.1, 1.0, 0.3).normalize_or_zero(), Vec3::NEG_Z];
        let pairs = own.map(|own| [rotation * own, own]);
        let found = best_rotation(&pairs, Quat::IDENTITY);
        assert!(found.angle_between(rotation) < 1e-3, "{found} {rotation}");
    }
}
