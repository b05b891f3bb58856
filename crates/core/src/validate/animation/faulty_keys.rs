//! Lists all keys that a rule objects to; findings only name the worst.
//!
//! Not for: findings. The thresholds are defined in the rules.

use super::bone_reaches::BoneReaches;
use super::channels::{Channel, channels};
use super::{overshoot, spikes};
use crate::model::{ClipId, CurveAt, KeyAt, Model};
use crate::validate::worst::DefaultPose;

/// The keys that the rule `key-spike` objects to.
pub(crate) fn spiked_keys(model: &Model) -> Vec<KeyAt> {
    all(model, spikes::spiked)
}

/// The first key of each span that the rule `tangent-overshoot` objects to.
pub(crate) fn overshooting_spans(model: &Model) -> Vec<KeyAt> {
    all(model, overshoot::overshooting)
}

fn all(model: &Model, find: fn(&Channel<'_>, &BoneReaches) -> Vec<usize>) -> Vec<KeyAt> {
    let reaches = BoneReaches::of(model, &DefaultPose::of(model));
    let mut list = Vec::new();
    for (index, clip) in model.clips.iter().enumerate() {
        for channel in channels(index, clip) {
            let CurveAt { bone, morph, property } = channel.at();
            let keys = find(&channel, &reaches);
            list.extend(keys.into_iter().map(|key| KeyAt {
                clip: ClipId::from_index(index),
                bone,
                morph,
                property,
                key,
            }));
        }
    }
    list
}
