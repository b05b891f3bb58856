//! How to pack.

use crate::bake::sampling::SamplingLimit;

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

/// Vertices that a 16-bit index can name.
pub(super) const MAX_VERTICES: usize = 1 << 16;
/// Bones that a byte can name.
pub(super) const MAX_BONES: usize = 256;
