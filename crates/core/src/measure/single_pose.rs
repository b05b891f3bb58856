//! Compares both sides in one pose.

use super::pairs::AllPairs;
use super::posed::Vertices;
use super::sums::Sum;
use super::{Job, PairValues};
use crate::pose::Pose;

/// Distances of all pairs in one pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SinglePose {
    /// The largest distance; `None` without pairs.
    pub max: Option<f64>,
    /// The size of the source, display units.
    pub extent: f64,
    /// Per pair, as in [`super::Deviation::per_pair`].
    pub per_pair: Vec<PairValues>,
}

/// Compares all pairs of `job`, with the source and each part in a given pose.
#[must_use]
pub fn measure_pose(job: &Job<'_>, source: &Pose, made: &[Pose]) -> SinglePose {
    let pairs = AllPairs::of(job);
    let source = job.source.positions(source, Vertices::All);
    let parts = job.parts.iter().zip(made);
    let made: Vec<_> = parts.map(|(part, pose)| part.made.positions(pose, Vertices::All)).collect();
    let lists = pairs.parts.iter();
    let mut per_pair: Vec<PairValues> = lists.map(|p| vec![f32::NAN; p.num_listed]).collect();
    let sum = Sum::of(&pairs.parts, &source, &made, job.size(), |part, at, apart| {
        let listed = pairs.parts.get(part).and_then(|p| p.listed.get(at));
        let list = per_pair.get_mut(part);
        if let (Some(&listed), Some(list)) = (listed, list)
            && let Some(slot) = list.get_mut(listed as usize)
        {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "distances are of single precision"
            )]
            let apart = apart as f32;
            *slot = apart;
        }
    });
    SinglePose { max: sum.at.map(|_| sum.max), extent: sum.extent, per_pair }
}
