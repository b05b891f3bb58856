//! The weights of expressions that give the morph weights of a clip.
//!
//! A morph target identifies an expression if no other expression moves it. The weight of the expression follows from the
//! target's, and has its keys.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Avatar, Clip, ExpressionGroup, MeshId, MorphTrack, Track};
use crate::pose::read_track;

/// Weights that differ by less are equal.
const TOLERANCE: f32 = 1e-3;
/// The most times at which weights are compared.
const MAX_TIMES: usize = 256;

type Target = (MeshId, usize);

/// The tracks of expressions, and the animated morph targets that they don't explain.
pub(super) struct ExpressionKeys {
    /// The number of the expression, and its weights.
    pub(super) tracks: Vec<(usize, Track<f32>)>,
    pub(super) unexplained: BTreeSet<Target>,
}

impl ExpressionKeys {
    pub(super) fn of(avatar: Option<&Avatar>, clip: &Clip) -> Self {
        let own: BTreeMap<Target, &MorphTrack> =
            clip.morph_tracks.iter().map(|track| ((track.mesh, track.target), track)).collect();
        let expressions = avatar.map_or(&[][..], |avatar| &avatar.expressions);
        let mut num_uses: BTreeMap<Target, usize> = BTreeMap::new();
        let written = || {
            let all = expressions.iter().enumerate();
            // Look-at moves the others.
            all.filter(|(_, own)| own.group() != Some(ExpressionGroup::LookAt))
        };
        for weight in written().flat_map(|(_, own)| &own.weights) {
            *num_uses.entry((weight.mesh, weight.target)).or_default() += 1;
        }
        let mut tracks = Vec::new();
        let mut taken = BTreeSet::new();
        for (number, expression) in written() {
            let known = expression.weights.iter().find_map(|weight| {
                let target = (weight.mesh, weight.target);
                let is_only = num_uses.get(&target) == Some(&1) && weight.weight.is_normal();
                Some((own.get(&target).filter(|_| is_only)?, weight.weight))
            });
            // Animations refer to expressions by their names.
            if let Some((track, full)) = known
                && taken.insert(expression.key())
            {
                tracks.push((number, track.weights.clone().map(|weight| weight / full)));
            }
        }
        let mut movers: BTreeMap<Target, Vec<(&Track<f32>, f32)>> = BTreeMap::new();
        for (number, weights) in &tracks {
            for own in expressions.get(*number).iter().flat_map(|own| &own.weights) {
                let movers = movers.entry((own.mesh, own.target)).or_default();
                movers.push((weights, own.weight));
            }
        }
        let is_explained = |target: &Target, track: &MorphTrack| {
            let times = &track.weights.times_secs;
            let step = times.len().div_ceil(MAX_TIMES).max(1);
            times.iter().step_by(step).all(|time| {
                let movers = movers.get(target).into_iter().flatten();
                let sum: f32 = movers
                    .filter_map(|(weights, full)| Some(full * read_track(weights, *time)?))
                    .sum();
                read_track(&track.weights, *time).is_none_or(|own| (own - sum).abs() <= TOLERANCE)
            })
        };
        let unexplained = own.iter().filter(|(target, track)| !is_explained(target, track));
        let unexplained = unexplained.map(|(target, _)| *target).collect();
        Self { unexplained, tracks }
    }
}
