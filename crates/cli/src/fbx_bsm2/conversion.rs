//! The result of converting one model.

use std::path::PathBuf;

use rigscope_core::measure::Deviation;
use rigscope_core::model::{ClipId, Finding, FindingKind, Model, Motion};
use rigscope_core::pack::Packing;
use rigscope_io::convert::{LostPrecision, added, dropped, loss_sentences};
use rigscope_io::formats::loss_list::Loss;

/// A model that was packed, compared, and written unless `--strict` prevented it.
pub(super) struct Conversion {
    pub(super) input: PathBuf,
    /// Empty if `--strict` prevented writing.
    pub(super) outputs: Vec<PathBuf>,
    /// The source, with the selected clips.
    pub(super) model: Model,
    pub(super) packing: Packing,
    pub(super) measured: Deviation,
    pub(super) losses: Losses,
    pub(super) hierarchy: bool,
    /// Keys per second.
    pub(super) rate: f64,
}

/// The losses of a conversion, as `rigscope convert` lists them.
pub(super) struct Losses {
    pub(super) predicted: Vec<Loss>,
    pub(super) of_reader: Vec<Finding>,
    pub(super) of_writer: Vec<Finding>,
    pub(super) deviations: Vec<LostPrecision>,
}

impl Losses {
    pub(super) fn is_any(&self) -> bool {
        !self.predicted.is_empty() || !self.dropped().is_empty() || !self.deviations.is_empty()
    }

    pub(super) fn dropped(&self) -> Vec<&Finding> {
        dropped(&self.of_reader, &self.of_writer)
    }

    pub(super) fn sentences(&self) -> Vec<String> {
        let mut sentences = loss_sentences(&self.predicted, &self.of_reader, &self.of_writer);
        sentences.extend(self.deviations.iter().map(ToString::to_string));
        sentences
    }

    /// The bones that were added.
    pub(super) fn added(&self) -> Vec<&str> {
        added(&self.of_writer).map(|finding| finding.message.as_str()).collect()
    }
}

impl Conversion {
    /// Frames per second of clip `number` of the source, from its keys or its file; `None` if unknown.
    pub(super) fn source_rate(&self, number: usize) -> Option<f64> {
        let clip = self.model.clips.get(ClipId::from_index(number))?;
        let is_motion = match &clip.motion {
            Motion::Sampled(motion) => !motion.is_bind_pair,
            Motion::VertexAnimation(_) => false,
            Motion::Tracks(_) | Motion::Curves(_) => true,
        };
        clip.frames_per_sec().filter(|_| is_motion)
    }

    /// Meshes with flipped triangles: on mirrored nodes, flipped when packing, or mirrored by their skin, flipped when
    /// reading.
    pub(super) fn num_flipped_meshes(&self) -> usize {
        let skins = self.losses.of_reader.iter();
        let skins = skins.filter(|finding| finding.kind == FindingKind::MirroredSkin);
        let num_skins: u64 = skins.map(|finding| finding.count).sum();
        let num_skins = usize::try_from(num_skins).unwrap_or(usize::MAX);
        num_skins.saturating_add(self.packing.changed.num_reversed_meshes)
    }
}
