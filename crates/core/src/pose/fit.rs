//! How well the bones of one file fit those of another, measured by offsets from the parent, which don't
//! depend on the pose.
//!
//! For: choosing among skeletons and animations in the same folder, and warnings about a poor choice. Not
//! for: names, which readers compare themselves; choosing, which is `formats::choice`.
//!
//! A fit is between 0 and 1: the mean over all bones of how closely their offsets agree, so that a single
//! outlier (hips that were bound on the ground) doesn't spoil it. If there is nothing to compare, the fit is
//! `None`, which isn't a good fit.

use glam::{Mat4, Vec3};

use crate::model::{BoneId, BoneTrack, IdVec, InverseBindSkin, Skeleton};

/// Offsets below this fraction of the longest are rounding errors and aren't compared.
const SHORTEST: f32 = 1e-4;

/// How closely the offsets in each pair agree; `None` if all have no length.
#[must_use]
pub fn fit_of_offsets(pairs: &[(Vec3, Vec3)]) -> Option<f32> {
    let longer = |&(a, b): &(Vec3, Vec3)| a.length().max(b.length());
    let longest = pairs.iter().map(longer).fold(0.0, f32::max);
    let (mut sum, mut num) = (0.0, 0u32);
    for pair in pairs {
        let length = longer(pair);
        let is_finite = pair.0.is_finite() && pair.1.is_finite();
        if is_finite && length <= longest * SHORTEST {
            continue;
        }
        num += 1;
        if is_finite && length.is_finite() {
            sum += 1.0 - (pair.0.distance(pair.1) / length).min(1.0);
        }
    }
    (num > 0).then(|| sum / num as f32)
}

/// How well the bind poses of some skins fit a skeleton. For each bound bone, compares its position relative
/// to the nearest bound ancestor in the bind pose, which doesn't depend on where the mesh is placed, with the
/// same in the skeleton's rest pose.
///
/// # Errors
/// A bone that a skin uses and the skeleton lacks.
pub fn fit_of_binds<'a>(
    skins: impl IntoIterator<Item = &'a InverseBindSkin>,
    skeleton: &Skeleton,
) -> Result<Option<f32>, BoneId> {
    let rest_offsets = rest_offsets(skeleton);
    let mut pairs = Vec::new();
    for skin in skins {
        let mut bound = IdVec::filled(None, skeleton.bones());
        for (&bone, inverse) in skin.bones.iter().zip(&skin.bone_from_mesh) {
            let slot = bound.get_mut(bone).ok_or(bone)?;
            *slot = Some(*inverse);
        }
        add_pairs(&bound, skeleton, &rest_offsets, &mut pairs);
    }
    Ok(fit_of_offsets(&pairs))
}

/// The rest position of each bone relative to its parent.
fn rest_offsets(skeleton: &Skeleton) -> IdVec<BoneId, Vec3> {
    let bones = skeleton.bones().iter();
    bones.map(|bone| bone.rest_local.to_affine().translation.into()).collect()
}

/// The path from a bone up to its nearest bound ancestor.
#[derive(Clone, Copy, Default)]
struct BoundPath {
    above: Option<Mat4>,
    /// Sum of the lengths of all links, and the longest of them.
    sum: f32,
    longest: f32,
}

/// For every bound bone with a bound ancestor: its position relative to that ancestor, as bound and at rest.
fn add_pairs(
    bound: &IdVec<BoneId, Option<Mat4>>,
    skeleton: &Skeleton,
    rest_offsets: &IdVec<BoneId, Vec3>,
    pairs: &mut Vec<(Vec3, Vec3)>,
) {
    let mut ways = IdVec::filled(BoundPath::default(), skeleton.bones());
    for &bone in skeleton.parents_first() {
        let Some(parent) = skeleton.bones()[bone].parent else { continue };
        let link = rest_offsets[bone];
        let above_is_bound = bound[parent];
        let before = match above_is_bound {
            Some(_) => BoundPath::default(),
            None => ways[parent],
        };
        let way = BoundPath {
            above: above_is_bound.or(before.above),
            sum: before.sum + link.length(),
            longest: before.longest.max(link.length()),
        };
        ways[bone] = way;
        let (Some(above_from_mesh), Some(bone_from_mesh)) = (way.above, bound[bone]) else {
            continue;
        };
        let offset = (above_from_mesh * bone_from_mesh.inverse()).w_axis.truncate();
        if above_is_bound.is_some() {
            pairs.push((offset, link));
            continue;
        }
        // Unbound bones in between may rotate, so only the range of possible distances between the ends is
        // known.
        let stored = offset.length();
        let nearest = (2.0 * way.longest - way.sum).max(0.0);
        let wanted = stored.max(nearest).min(way.sum.max(nearest));
        pairs.push((Vec3::X * stored, Vec3::X * wanted));
    }
}

/// How well the first keys of an animation fit a skeleton with the same number of bones: bones rotate, and
/// rarely move relative to their parents. Roots move freely and aren't compared.
#[must_use]
pub fn fit_of_tracks(tracks: &[BoneTrack], skeleton: &Skeleton) -> Option<f32> {
    let pairs = tracks.iter().filter_map(|track| {
        let bone = skeleton.bones().get(track.bone)?;
        bone.parent?;
        let first = *track.translation.as_ref()?.values.first()?;
        Some((first, bone.rest_local.to_affine().translation.into()))
    });
    fit_of_offsets(&pairs.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Quat};

    use super::*;
    use crate::model::testing::*;

    /// A chain whose bones have these distances along y.
    fn chain(lengths: &[f32]) -> Skeleton {
        let mut chain = ModelBuilder::new();
        for (parent, length) in std::iter::once(None).chain((0..).map(Some)).zip(lengths) {
            chain = chain.bones(&[("", parent, Vec3::Y * *length)]);
        }
        chain.build().skeleton
    }

    /// Some bones of a chain, bound in a pose and at a place other than the rest pose.
    fn skin(lengths: &[f32], bones: &[usize]) -> InverseBindSkin {
        let mut model_from_bone = Affine3A::from_scale(Vec3::splat(3.0));
        let mut all = Vec::new();
        for (at, length) in lengths.iter().enumerate() {
            let rotation = Quat::from_rotation_z(0.4 * at as f32 + 0.3);
            model_from_bone *= Affine3A::from_rotation_translation(rotation, Vec3::Y * *length);
            all.push(Mat4::from(model_from_bone).inverse());
        }
        InverseBindSkin {
            bones: bones.iter().map(|&bone| BoneId::from_index(bone)).collect(),
            bone_from_mesh: bones.iter().map(|&bone| all[bone]).collect(),
            ..InverseBindSkin::default()
        }
    }

    const LENGTHS: [f32; 5] = [0.0, 1.0, 2.0, 0.5, 1.5];

    #[test]
    fn skeleton_fit_depends_on_bone_lengths_and_not_on_pose() {
        let skin = skin(&LENGTHS, &[0, 1, 2, 3, 4]);
        let fit = |lengths: &[f32]| fit_of_binds([&skin], &chain(lengths)).unwrap().unwrap();
        assert!(fit(&LENGTHS) > 0.999);
        assert!(fit(&[0.0, 3.0, 0.3, 2.0, 0.2]) < 0.4);
        assert_eq!(fit(&[0.0; 5]), 0.0, "no length at all");
        let odd = fit(&[9.0, 1.0, 2.0, 0.5, 4.0]);
        assert!((0.75..0.95).contains(&odd), "one of four lies elsewhere: {odd}");
        assert_eq!(fit_of_binds([&skin], &chain(&[1.0; 4])), Err(BoneId(4)));
    }

    #[test]
    fn unbound_bones_only_limit_the_distance() {
        let fit = |bones: &[usize], lengths: &[f32]| {
            fit_of_binds([&skin(&LENGTHS, bones)], &chain(lengths)).unwrap()
        };
        assert!(fit(&[0, 2, 4], &LENGTHS).unwrap() > 0.999);
        assert!(fit(&[0, 2, 4], &[0.0, 0.1, 0.1, 0.1, 0.1]).unwrap() < 0.2);
        assert_eq!(fit(&[3], &LENGTHS), None, "one bone says nothing");
        assert_eq!(fit(&[], &LENGTHS), None);
    }

    #[test]
    fn non_finite_offsets_do_not_match() {
        let pairs = [(Vec3::NAN, Vec3::X), (Vec3::X, Vec3::X)];
        assert_eq!(fit_of_offsets(&pairs), Some(0.5));
        assert_eq!(fit_of_offsets(&[(Vec3::ZERO, Vec3::ZERO)]), None);
    }
}
