//! The steps of a conversion.

use std::collections::BTreeSet;

use super::check::check;
use super::errors::Errors;
use super::{Check, ConvertOptions, TextureMode, file_names};
use crate::bake;
use crate::formats::losses::{Counts, Loss, observed, predicted_of_part};
use crate::formats::{Format, OutputFile, ReadError, WriteError, WriteOptions, write};
use crate::model::{
    Cancelled, MaterialId, Mesh, Model, Note, NoteKind, Origins, Place, Report, shown,
};

/// Why a model was not converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// There is no such clip.
    #[error("no clip {asked:?}; there are {known}")]
    NoClip {
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// There would be too many keys.
    #[error(transparent)]
    Bake(#[from] bake::BakeError),
    /// The factor makes numbers too large.
    #[error("positions made larger by {factor} exceed single precision")]
    TooLarge {
        /// How much larger was asked for.
        factor: f32,
    },
    /// The format cannot hold it.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// What was written cannot be read: a fault of this program.
    #[error("internal error: {file} cannot be read back: {source}")]
    ReadBack {
        /// The file's name.
        file: String,
        /// Why.
        source: ReadError,
    },
    /// Somebody asked to stop.
    #[error("cancelled")]
    Cancelled,
}

impl ConvertError {
    /// Whether only sampling took more than it may: with more room, or alone, it may do.
    #[must_use]
    pub fn is_over_limit(&self) -> bool {
        let source = match self {
            Self::Bake(source) | Self::Write(WriteError::Bake { source, .. }) => source,
            _ => return false,
        };
        matches!(source, bake::BakeError::OverLimit { .. })
    }
}

impl From<Cancelled> for ConvertError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// A model as asked for, ready for a writer.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// What is written.
    pub(super) model: Model,
    /// The source with only its clips chosen, its size changed and v counted from the other side: what
    /// errors are measured against.
    pub(super) basis: Model,
    /// Where the model comes from in that.
    pub(super) origins: Origins,
}

/// What a conversion made.
#[derive(Clone, Debug)]
pub struct Converted {
    /// The files, the main one first, each with its name.
    pub files: Vec<(String, OutputFile)>,
    /// What the format's table says is lost.
    pub predicted: Vec<Loss>,
    /// What was found lost when the files were read back; empty where that was not asked for.
    pub observed: Vec<Loss>,
    /// How far numbers moved; `None` where that was not asked for.
    pub errors: Option<Errors>,
    /// What the writer told.
    pub notes: Vec<Note>,
}

impl Converted {
    /// Losses that were found and are worse than foreseen.
    #[must_use]
    pub fn unforeseen(&self) -> Vec<Loss> {
        let is_foreseen = |loss: &Loss| {
            let mut known = self.predicted.iter();
            known.any(|known| known.aspect == loss.aspect && known.after <= loss.after)
        };
        let found = self.observed.iter();
        found.filter(|loss| !is_foreseen(loss)).copied().collect()
    }
}

/// Applies what `options` asks for.
///
/// # Errors
/// When there is no such clip, numbers become too large, or there would be too many keys.
fn prepare(model: &Model, options: &ConvertOptions) -> Result<Prepared, ConvertError> {
    let mut basis = model.clone();
    if let Some(asked) = &options.clip {
        let clip = model
            .find_clip(asked)
            .ok_or_else(|| no_clip(model, asked))?;
        basis = bake::with_clip(&basis, clip);
    }
    if let Some(factor) = options.scale {
        basis = bake::scaled(&basis, factor);
        if !has_finite_positions(&basis) {
            return Err(ConvertError::TooLarge { factor });
        }
    }
    if options.flip_v {
        basis = bake::with_flipped_v(&basis);
    }
    bake::check_sampling(&basis, options.rate, false, options.write.sampling)?;
    let mut out = basis.clone();
    let mut origins = Origins::same(&basis);
    let wants_plain = options.rate.is_some()
        || options.merge
        || options.weld
        || options.limit_influences.is_some();
    if wants_plain {
        out = bake::plain(&out, options.rate);
    }
    if options.merge {
        let (merged, own) = bake::merged(&out)?;
        origins = follow(own, origins, &out, &merged);
        out = merged;
    }
    if options.weld {
        let (welded, own) = bake::welded(&out);
        origins = follow(own, origins, &out, &welded);
        out = welded;
    }
    if let Some(limit) = options.limit_influences {
        out = bake::with_influences(&out, limit).0;
    }
    Ok(Prepared {
        model: out,
        basis,
        origins,
    })
}

/// Where `made` comes from, which was made of `between` as `own` tells.
fn follow(own: Origins, before: Origins, between: &Model, made: &Model) -> Origins {
    let num =
        |model: &Model| -> Vec<usize> { model.meshes.iter().map(Mesh::num_vertices).collect() };
    own.after(&num(made), &before, &num(between))
}

/// What is lost of `model`, which has the counts `before`, when it is written with nothing else asked
/// for than `options` says of textures and of the writer.
#[must_use]
pub fn foreseen(
    model: &Model,
    before: &Counts,
    format: &dyn Format,
    options: &ConvertOptions,
) -> Vec<Loss> {
    let mut left = None;
    if options.textures == TextureMode::None {
        let mut without = model.clone();
        leave_out_textures(&mut without);
        left = Some(without);
    }
    let kept = left.as_ref().map(Counts::of_model);
    let (model, kept) = (
        left.as_ref().unwrap_or(model),
        kept.as_ref().unwrap_or(before),
    );
    predicted_of_part(model, before, kept, format, &options.write)
}

/// Leaves out all textures and images; whether there were any.
fn leave_out_textures(model: &mut Model) -> bool {
    let has_textures = model.materials.iter().any(|m| !m.textures.is_empty());
    for material in &mut model.materials {
        material.textures.clear();
    }
    let has_images = !model.images.is_empty();
    model.images.clear();
    has_textures || has_images
}

/// Tells which images of materials that triangles have could not be read, and so are not written.
fn note_missing(model: &Model, report: &Report) {
    let subsets = model.meshes.iter().flat_map(|mesh| &mesh.subsets);
    let used: BTreeSet<usize> = subsets
        .filter_map(|subset| subset.material.map(MaterialId::index))
        .collect();
    let materials = used.iter().filter_map(|&at| model.materials.get(at));
    let textures = materials.flat_map(|material| &material.textures);
    let missing = textures.filter(|texture| texture.image.is_none() && !texture.path.is_empty());
    let missing: BTreeSet<&str> = missing.map(|texture| texture.path.as_str()).collect();
    let num = missing.len() as u64;
    report.note_many(NoteKind::MissingTexture, Place::File, num, || {
        let missing: Vec<&str> = missing.into_iter().collect();
        format!("not read, and so not written: {}", missing.join(", "))
    });
}

/// Whether all positions and rest transforms are numbers.
fn has_finite_positions(model: &Model) -> bool {
    let is_finite = |mesh: &Mesh| {
        let mut positions = (0..mesh.num_vertices()).filter_map(|vertex| mesh.position(vertex));
        positions.all(|position| position.is_finite())
    };
    let mut bones = model.skeleton.bones().iter();
    model.meshes.iter().all(is_finite) && bones.all(|b| b.rest_local.to_affine().is_finite())
}

fn no_clip(model: &Model, asked: &str) -> ConvertError {
    /// More are not listed.
    const MAX_LISTED: usize = 40;
    let clips = model.clips.iter().take(MAX_LISTED);
    let mut names: Vec<String> = clips
        .map(|clip| format!("{:?}", shown::name(&clip.name)))
        .collect();
    if model.clips.len() > MAX_LISTED {
        names.push(format!("{} more", model.clips.len() - MAX_LISTED));
    }
    ConvertError::NoClip {
        asked: asked.to_owned(),
        known: match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        },
    }
}

/// Writes `model` as files of `format` named after `options.write.stem`, with `extension`.
///
/// # Errors
/// When it cannot be written.
pub fn convert(
    model: &Model,
    format: &dyn Format,
    extension: &str,
    options: &ConvertOptions,
    report: &Report,
) -> Result<Converted, ConvertError> {
    report.progress("preparing", 0.0)?;
    let mut prepared = prepare(model, options)?;
    let write_options = WriteOptions {
        rate: options.rate,
        ..options.write.clone()
    };
    let before = Counts::of_model(&prepared.model);
    let kept =
        match options.textures == TextureMode::None && leave_out_textures(&mut prepared.model) {
            true => Counts::of_model(&prepared.model),
            false => before.clone(),
        };
    note_missing(&prepared.model, report);
    let predicted = predicted_of_part(&prepared.model, &before, &kept, format, &write_options);
    report.progress("writing", 0.2)?;
    let written = write(&prepared.model, format, &write_options, report)?;
    let stem = &write_options.stem;
    let places: Vec<_> = written.iter().map(|file| &file.place).collect();
    let names = file_names(&places, stem, extension);
    let files: Vec<(String, OutputFile)> = names.into_iter().zip(written).collect();
    let mut converted = Converted {
        files,
        predicted,
        observed: Vec::new(),
        errors: None,
        notes: report.notes(),
    };
    let can_be_read = converted.files.iter().any(|(_, file)| !file.is_companion);
    if options.check != Check::None && can_be_read {
        report.progress("checking", 0.5)?;
        let quiet = report.quiet();
        let (after, errors) = check(&prepared, &converted.files, format, options, &quiet)?;
        converted.observed = observed(&before, &after);
        converted.errors = errors;
    }
    report.progress("done", 1.0)?;
    Ok(converted)
}
