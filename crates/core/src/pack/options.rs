//! Options for packing.

use crate::reshape::SamplingLimit;

/// How to handle texture coordinates outside 0 to 1, which packed vertices can't hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UvTiles {
    /// Moves sheets and triangles by whole tiles, and cuts triangles at tile borders. Exact for
    /// repeating textures.
    #[default]
    Move,
    /// Clamps each vertex.
    Clamp,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackOptions {
    /// Store parents, names and inverse binds, and keys local to the parent. Keeps all ancestors of
    /// bones that move vertices.
    pub hierarchy: bool,
    /// Keep bones that don't move any vertex: all of them with [`Self::hierarchy`], otherwise those
    /// below bones that move vertices.
    pub last_bones: bool,
    /// Keys per second; `None` for the rate of the stored keys, or the frame rate of curves.
    pub rate: Option<f64>,
    /// Scale of the packed model relative to display space, above 0.
    pub scale: f32,
    pub uv_tiles: UvTiles,
    /// Store v up.
    pub v_up: bool,
    /// Select and name clips like the tool `fbx_bsm2`: skips takes named `(internal)`, and stores a
    /// single clip `static` with one key if nothing moves.
    pub as_tool: bool,
    /// Fail if the model has to be split.
    pub never_split: bool,
    /// The memory limit for sampling.
    pub sampling: SamplingLimit,
}

impl Default for PackOptions {
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

/// The number of vertices that a 16-bit index can address.
pub(super) const MAX_VERTICES: usize = 1 << 16;
/// The number of bones that a byte can address.
pub(super) const MAX_BONES: usize = 256;
