//! Pairs the bones of two models, retargets the clips of one to the other, and measures the result.

use super::clips::{ClipTransfer, retarget_clips};
use super::quality::{ClipQuality, retarget_quality};
use super::retarget::RetargetOptions;
use crate::model::{BoneId, ClipId, Model, Report};
use crate::rig::{BonePairs, pair_bones};

/// The clips of one model on the skeleton of another.
#[derive(Clone, Debug)]
pub struct RetargetedClips {
    /// The pairs, from the clips to the model.
    pub pairs: BonePairs,
    /// Names of bones without a pair: of the clips, and of the model.
    pub unpaired: [Vec<String>; 2],
    /// How positions were scaled and rest poses aligned.
    pub transfer: ClipTransfer,
    /// For each added clip.
    pub quality: Vec<ClipQuality>,
}

/// Adds all clips of `animation` to `model`, and measures them. `given` are fixed pairs, and bones without a
/// counterpart. Clips without a name get the name `from`.
///
/// # Errors
/// As [`retarget_clips`].
pub fn retarget_and_measure(
    model: &mut Model,
    animation: &Model,
    given: &[(BoneId, Option<BoneId>)],
    options: RetargetOptions,
    from: &str,
    report: &Report,
) -> Result<RetargetedClips, String> {
    let pairs = pair_bones(animation, model, given);
    let unpaired = pairs.unpaired_names([animation, model]);
    let matched = pairs.to_of_from(animation.skeleton.len());
    let first = model.clips.len();
    let transfer = retarget_clips(model, animation, matched.clone(), options, from, report)?;
    let added = (first..model.clips.len()).enumerate();
    // Clips that can't be transferred are left out, so that the others are found by name.
    let quality = added.filter_map(|(at, own)| {
        let own = ClipId::from_index(own);
        let wanted = &model.clips.get(own)?.name;
        let by_name = animation.clips.iter().position(|clip| clip.name == *wanted);
        let of_source = ClipId::from_index(by_name.unwrap_or(at));
        retarget_quality(animation, of_source, model, own, &matched)
    });
    Ok(RetargetedClips { quality: quality.collect(), pairs, unpaired, transfer })
}
