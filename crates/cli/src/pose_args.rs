//! Which pose: what `pose` and `render` share.

use clap::{Args, ValueEnum};

use super::values;
use rigscope_core::pose::{Normals, Sampling};

/// Which pose.
#[derive(Clone, Debug, Default, Args)]
pub struct PoseArgs {
    /// Which pose: that of the clip, or one outside any clip
    #[arg(long, value_enum, default_value_t)]
    pub pose: PoseArg,
    /// The clip, by name or number; the first one where none is named
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// The time on the file's own clock, in seconds; clamped to the clip
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// The key as stored, counted from 0; clamped to the last one. Clips of curves count frames: at
    /// the interval of their keys where all have one, else as their file states, else 30 a second
    #[arg(long, value_name = "NUMBER", conflicts_with = "time")]
    pub key: Option<u32>,
    /// How to read between keys
    #[arg(long, value_enum, default_value_t)]
    pub sampling: SamplingArg,
    /// Which normals and tangents
    #[arg(long, value_enum, default_value_t)]
    pub normals: NormalsArg,
}

/// Which pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PoseArg {
    /// The clip at --time or --key; without either, the pose that the format shows first
    #[default]
    Clip,
    /// The pose that the bones have outside any clip
    Rest,
    /// The pose that the meshes were bound in: every vertex as the file stores it
    Bind,
}

/// How to read between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SamplingArg {
    /// As players of the format: stored matrices and vertex caches hold the earlier key, matrices
    /// of IQM frames are blended, curves are read at the time itself
    #[default]
    Player,
    /// The earlier key holds; of curves, the earlier frame, as --key counts them
    Step,
    /// The matrices of both keys are blended; curves are read at the time itself
    Linear,
    /// Translation, rotation and scale of both keys are blended; curves are read at the time itself
    Decomposed,
}

impl From<SamplingArg> for Sampling {
    fn from(sampling: SamplingArg) -> Self {
        match sampling {
            SamplingArg::Player => Self::Player,
            SamplingArg::Step => Self::Step,
            SamplingArg::Linear => Self::Linear,
            SamplingArg::Decomposed => Self::Decomposed,
        }
    }
}

/// Which normals and tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NormalsArg {
    /// Those that the format's own runtime makes: what its engine will show
    #[default]
    Runtime,
    /// Those that stand upright on the moved surface
    Exact,
}

impl From<NormalsArg> for Normals {
    fn from(normals: NormalsArg) -> Self {
        match normals {
            NormalsArg::Runtime => Self::Runtime,
            NormalsArg::Exact => Self::Exact,
        }
    }
}
