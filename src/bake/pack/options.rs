//! How to pack, and why it may fail.

use crate::bake::SamplingLimit;

/// What becomes of texture coordinates outside 0 to 1, which packed vertices cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UvTiles {
    /// Sheets and triangles move by whole tiles, and triangles are cut where tiles meet. Exact for
    /// textures that repeat.
    #[default]
    Move,
    /// They are clamped, vertex by vertex.
    Clamp,
}

/// How to pack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakeOptions {
    /// Store parents, names and inverse binds, and keys local to the parent; all ancestors of bones
    /// that move vertices are kept.
    pub hierarchy: bool,
    /// Keep bones that move nothing: all of them with [`Self::hierarchy`], else those below bones
    /// that move vertices.
    pub last_bones: bool,
    /// Keys a second; `None` for the keys' own rate, or the frames a second of curves.
    pub rate: Option<f64>,
    /// The packed model is larger than display space by this, which is above 0.
    pub scale: f32,
    /// What becomes of texture coordinates outside 0 to 1.
    pub uv_tiles: UvTiles,
    /// Store v up.
    pub v_up: bool,
    /// Choose and name clips as the tool `fbx_bsm2` does: takes named `(internal)` are skipped, and
    /// where nothing moves there is one clip `static` of one key.
    pub as_tool: bool,
    /// Fail where the model has to be split.
    pub never_split: bool,
    /// What sampling may take.
    pub sampling: SamplingLimit,
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self {
            hierarchy: false,
            last_bones: false,
            rate: None,
            scale: 1.0,
            uv_tiles: UvTiles::Move,
            v_up: false,
            as_tool: false,
            never_split: false,
            sampling: SamplingLimit::default(),
        }
    }
}

/// Why a model cannot be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// More of something than the packed layout can name.
    #[error("{count} {what} exceed the limit of {limit}")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many fit.
        limit: usize,
    },
    /// A clip that claims to last for very much longer than its few keys can mean.
    #[error(
        "clip {clip:?} lasts {duration_secs} s and has {num_stored} keys, of which {num_keys} would \
         be sampled: ask for fewer a second"
    )]
    TooLong {
        /// Its name.
        clip: String,
        /// How long it says it is.
        duration_secs: f64,
        /// Keys of all its channels.
        num_stored: u64,
        /// How many would be made of them.
        num_keys: u64,
    },
    /// Sampling would take more memory than it may.
    #[error(
        "sampling all clips takes about {needed_mib} MiB of the {limit_mib} MiB allowed: ask for \
         fewer keys a second, or for one clip"
    )]
    OverLimit {
        /// What it would take.
        needed_mib: u64,
        /// What it may.
        limit_mib: u64,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl From<crate::model::Cancelled> for BakeError {
    fn from(_: crate::model::Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Vertices that a 16-bit index can name.
pub(super) const MAX_VERTICES: usize = 1 << 16;
/// Bones that a byte can name.
pub(super) const MAX_BONES: usize = 256;
