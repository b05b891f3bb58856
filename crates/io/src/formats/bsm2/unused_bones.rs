//! Bones that move nothing and are written nevertheless.
#![expect(clippy::indexing_slicing, reason = "ids of a checked model index its own tables")]

use super::layout::MAX_NAMED_BONES;
use crate::formats::WriteOptions;
use rigscope_core::model::{Bone, BoneId, IdVec, Model};
use rigscope_core::pack::used_when_packed;

/// Their number in a written file: as many as fit if they are requested or no bone moves
/// anything, otherwise, with a hierarchy, the ancestors of bones that do.
pub(super) fn num_unused_bones(model: &Model, options: &WriteOptions) -> u64 {
    let bones = model.skeleton.bones();
    let is_used = used_when_packed(model);
    let mut is_kept = is_used.clone();
    let num_used = is_used.iter().filter(|used| **used).count();
    if num_used == 0 || options.hierarchy && options.last_bones {
        let unused = bones.iter().zip(&is_used).filter(|(_, used)| !**used);
        let num = unused.filter(|(bone, _)| !bone.is_helper()).count() as u64;
        return num.min(u64::from(MAX_NAMED_BONES).saturating_sub(num_used as u64));
    }
    if options.last_bones {
        return num_below(model, &is_used);
    }
    if !options.hierarchy {
        return 0;
    }
    let parent = |bone: &Bone| bone.parent;
    for (bone, _) in bones.iter().zip(is_used.iter()).filter(|(_, used)| **used) {
        let mut above = parent(bone);
        while let Some(id) = above {
            match is_kept.get_mut(id.index()) {
                // Its ancestors are kept already, or will be in another iteration.
                Some(true) | None => break,
                Some(kept) => *kept = true,
            }
            above = parent(&bones[id]);
        }
    }
    let kept = bones.iter().zip(is_kept.iter().zip(&is_used));
    let unused = kept.filter(|(bone, (kept, used))| **kept && !**used && !bone.is_helper());
    unused.count() as u64
}

/// Bones below those that move vertices, as far as there is room.
fn num_below(model: &Model, is_used: &[bool]) -> u64 {
    let bones = model.skeleton.bones();
    let mut is_kept: IdVec<BoneId, bool> = is_used.iter().copied().collect();
    let mut num = 0;
    for &id in model.skeleton.parents_first() {
        let is_below = bones[id].parent.is_some_and(|parent| is_kept[parent]);
        num += u64::from(is_below && !is_kept[id] && !bones[id].is_helper());
        is_kept[id] |= is_below;
    }
    let num_used = is_used.iter().filter(|used| **used).count() as u64;
    num.min(u64::from(MAX_NAMED_BONES).saturating_sub(num_used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::bsm2::BSM2;
    use crate::formats::loss_list::{Loss, predicted};
    use crate::formats::losses::{Aspect, Counts};
    use crate::formats::{ReadOptions, Source, open, write};
    use rigscope_core::model::MeshId;
    use rigscope_testing::*;

    /// A chain of five bones of which only the third moves vertices, and another bone; the weight of the
    /// fifth is too small to be stored.
    fn chain() -> Model {
        let list: &[(u32, f32)] = &[(0, 0.9999), (1, 0.0001)];
        ModelBuilder::new()
            .chain(&["root", "spine", "head", "jaw", "tip"])
            .bones(&[("arm", Some(1), glam::Vec3::ZERO)])
            .triangle()
            .subsets(&[])
            .skin(skin(&[2, 4].map(|bone| (bone, glam::Mat4::IDENTITY)), [list; 3]))
            .build()
    }

    /// Predicted and actual number of stored bones that move nothing.
    fn foreseen_and_stored(model: &Model, options: &WriteOptions) -> (u64, u64) {
        let before = Counts::of_model(model);
        let losses = predicted(model, &before, &BSM2, options);
        let is_it = |loss: &&Loss| loss.aspect == Aspect::UnusedBones;
        let foreseen = losses.iter().find(is_it).map(|loss| loss.after);
        let files = write(model, &BSM2, options, &Report::new()).unwrap();
        let source = Source::new("a.bsm2", files[0].bytes.clone());
        let opened = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
        let after = Counts::of_model(&opened.model).of(Aspect::UnusedBones);
        let before = before.of(Aspect::UnusedBones);
        (foreseen.unwrap_or(before), after)
    }

    #[test]
    fn ancestors_of_weighted_bones_are_predicted_to_remain() {
        let mut options = WriteOptions { hierarchy: true, ..WriteOptions::default() };
        // `root` and `spine`.
        assert_eq!(foreseen_and_stored(&chain(), &options), (2, 2));
        options.last_bones = true;
        let (foreseen, stored) = foreseen_and_stored(&chain(), &options);
        // `tip` moved vertices before.
        assert_eq!((foreseen, stored), (4, 5));
        assert_eq!(foreseen_and_stored(&chain(), &WriteOptions::default()), (0, 0));
        // `jaw` and `tip`.
        options.hierarchy = false;
        assert_eq!(foreseen_and_stored(&chain(), &options), (2, 2));
    }

    #[test]
    fn without_a_skin_as_many_bones_are_stored_as_fit() {
        let mut model = chain();
        model.meshes[MeshId(0)].skin = Skin::None;
        let bare = foreseen_and_stored(&model, &WriteOptions::default());
        assert_eq!(bare.0, bare.1);
        let options = WriteOptions { hierarchy: true, ..WriteOptions::default() };
        assert_eq!(foreseen_and_stored(&model, &options), (6, 6));
    }
}
