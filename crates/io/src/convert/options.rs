//! What a conversion is asked to change.

use crate::formats::WriteOptions;

/// What is changed on the way, whatever the target.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// Only this clip, by name or number.
    pub clip: Option<String>,
    /// Keys a second; all clips are sampled so.
    pub rate: Option<f64>,
    /// How much larger.
    pub scale: Option<f32>,
    /// All meshes as one.
    pub merge: bool,
    /// Equal vertices as one.
    pub weld: bool,
    /// So many influences on a vertex at most.
    pub limit_influences: Option<usize>,
    /// v up where it was down, for engines that read it so.
    pub flip_v: bool,
    /// What becomes of images that materials show.
    pub textures: TextureMode,
    /// What the writer is asked.
    pub write: WriteOptions,
    /// How closely what was written is looked at.
    pub check: Check,
}

/// What becomes of images that materials show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureMode {
    /// They are written with the file, those left out that lie where it can name them.
    #[default]
    Copy,
    /// They stay where they are, and are named there; those inside the source are written.
    Reference,
    /// They are left out, and nothing names them.
    None,
}

/// What is done with what was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// It is read back, losses are counted, and it is compared with its source over all clips.
    #[default]
    Full,
    /// It is read back, and losses are counted.
    Losses,
    /// Nothing.
    None,
}
