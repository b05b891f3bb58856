//! What came of one model.

use std::path::PathBuf;

use rigscope_core::bake::Packing;
use rigscope_core::measure::Measured;
use rigscope_core::model::{Model, Motion, Note, NoteKind};

/// A model that was packed, compared and maybe written.
pub(super) struct Converted {
    pub(super) input: PathBuf,
    /// Empty where `--strict` kept it from being written.
    pub(super) outputs: Vec<PathBuf>,
    /// As read, with the clips that were asked for.
    pub(super) model: Model,
    pub(super) packing: Packing,
    pub(super) measured: Measured,
    pub(super) notes: Vec<Note>,
    pub(super) hierarchy: bool,
    /// Keys a second.
    pub(super) rate: f64,
}

impl Converted {
    /// Frames a second of clip `number` of the source, where its keys or its file say.
    pub(super) fn source_rate(&self, number: usize) -> Option<f64> {
        let clip = self.model.clips.get(number)?;
        let is_motion = match &clip.motion {
            Motion::Sampled(motion) => !motion.is_bind_pair,
            Motion::VertexCache(_) => false,
            Motion::Tracks(_) | Motion::Curves(_) => true,
        };
        clip.frames_per_sec().filter(|_| is_motion)
    }

    /// Meshes whose triangles were turned: those on mirrored nodes when they were packed, those that
    /// a skin mirrors when they were read.
    pub(super) fn num_turned_meshes(&self) -> usize {
        let skins = self.notes.iter();
        let skins = skins.filter(|note| note.kind == NoteKind::MirroredSkin);
        let num_skins: u64 = skins.map(|note| note.count).sum();
        let num_skins = usize::try_from(num_skins).unwrap_or(usize::MAX);
        num_skins.saturating_add(self.packing.changed.num_turned_meshes)
    }
}
