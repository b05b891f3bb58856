//! Pose options, shared by `pose` and `render`.

use clap::{Args, ValueEnum};

use super::{BlendArgs, values};
use rigscope_core::pose::{Normals, Sampling};
use rigscope_core::runtime::Runtime;

/// Pose options.
#[derive(Clone, Debug, Default, Args)]
pub struct PoseArgs {
    /// The kind of pose: from a clip, or independent of clips
    #[arg(long, value_enum, default_value_t)]
    pub pose: PoseArg,
    /// The clip, by name or number; by default the first
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// The time in seconds, on the time axis of the file; clamped to the clip
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// The stored key, counted from 0; clamped to the last one. For clips with curves, the frame: at
    /// the interval of the keys if it is uniform, else at the rate in the file, else at 30 per second
    #[arg(long, value_name = "NUMBER", value_parser = values::key, conflicts_with = "time")]
    pub key: Option<u32>,
    /// Sampling between keys
    #[arg(long, value_enum, default_value_t)]
    pub sampling: SamplingArg,
    /// Computation of normals and tangents
    #[arg(long, value_enum, default_value_t)]
    pub normals: NormalsArg,
    /// Play the file as this runtime does; `rigscope runtimes` lists all
    #[arg(long = "as", value_name = "RUNTIME", value_parser = values::runtime_of)]
    pub runtime: Option<&'static Runtime>,
    /// A second clip.
    #[command(flatten)]
    pub blend: BlendArgs,
}

/// Kinds of poses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PoseArg {
    /// The clip at --time or --key; without either, the pose that the format shows first
    #[default]
    Clip,
    /// The rest pose of the bones, independent of clips
    Rest,
    /// The bind pose: every vertex as stored in the file
    Bind,
}

/// Sampling between keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SamplingArg {
    /// As in runtimes of the format: stored matrices and vertex animation hold the earlier key,
    /// matrices of IQM frames are blended, curves are evaluated at the exact time
    #[default]
    #[value(name = "player")]
    Runtime,
    /// Hold the earlier key; for curves, the earlier frame as counted by --key
    Step,
    /// Blend the matrices of both keys; curves are evaluated at the exact time
    Linear,
    /// Blend translation, rotation and scale of both keys; curves are evaluated at the exact time
    Decomposed,
}

impl From<SamplingArg> for Sampling {
    fn from(sampling: SamplingArg) -> Self {
        match sampling {
            SamplingArg::Runtime => Self::Runtime,
            SamplingArg::Step => Self::Step,
            SamplingArg::Linear => Self::Linear,
            SamplingArg::Decomposed => Self::Decomposed,
        }
    }
}

/// Computation of normals and tangents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum NormalsArg {
    /// As computed by the runtime of the format
    #[default]
    Runtime,
    /// Perpendicular to the deformed surface
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
