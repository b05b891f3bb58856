//! Applies the options of a conversion to a model before it reaches a writer.

use super::{ConvertError, ConvertOptions};
use crate::formats::Format;
use rigscope_core::model::{Mesh, Model, Origins, display_text};
use rigscope_core::reshape;

/// A model with the options applied, ready for a writer.
#[derive(Clone, Debug)]
pub(super) struct Prepared {
    /// The model to write.
    pub(super) model: Model,
    /// The source without bones added for other formats, with only clip, scale and flipped v applied: the reference for
    /// deviations.
    pub(super) basis: Model,
    /// Origins of the model in `basis`.
    pub(super) origins: Origins,
}

/// Removes bones that were added for other formats, and applies `options`.
///
/// # Errors
/// If there is no such clip, numbers become too large, or there would be too many keys.
pub(super) fn prepare(
    model: &Model,
    format: &Format,
    options: &ConvertOptions,
) -> Result<Prepared, ConvertError> {
    let mut basis = if stays_in_format(model, format, options) {
        model.clone()
    } else {
        reshape::without_additions(model).into_owned()
    };
    if let Some(asked) = &options.clip {
        let clip = model.find_clip(asked).ok_or_else(|| no_clip(model, asked))?;
        basis = reshape::with_clip(&basis, clip);
    }
    if let Some(factor) = options.scale {
        #[expect(clippy::cast_possible_truncation, reason = "a factor of single precision")]
        let factor = factor as f32;
        basis = reshape::scaled(&basis, factor);
        if !has_finite_positions(&basis) {
            return Err(ConvertError::TooLarge { factor });
        }
    }
    if options.flip_v {
        basis = reshape::with_flipped_v(&basis);
    }
    reshape::check_sampling(&basis, options.rate, false, options.write.sampling)?;
    let mut out = basis.clone();
    let mut origins = Origins::same(&basis);
    let wants_plain = options.rate.is_some()
        || options.merge
        || options.weld
        || options.limit_influences.is_some();
    if options.step_keys {
        out = reshape::with_step_keys(&out, options.rate);
    } else if wants_plain {
        out = reshape::plain(&out, options.rate);
    }
    if options.merge {
        let (merged, own) = reshape::merged(&out)?;
        origins = follow(own, origins, &out, &merged);
        out = merged;
    }
    if options.weld {
        let (welded, own) = reshape::welded(&out);
        origins = follow(own, origins, &out, &welded);
        out = welded;
    }
    if let Some(limit) = options.limit_influences {
        out = reshape::with_influences(&out, limit).0;
    }
    // None of these steps changes the list of bones.
    let origins = origins.with_bones_of(&basis);
    Ok(Prepared { model: out, basis, origins })
}

/// Whether the model was read from this format and isn't changed, so that the bones added for the format stay.
fn stays_in_format(model: &Model, format: &Format, options: &ConvertOptions) -> bool {
    let is_own = model.preserved.iter().any(|kept| kept.format == format.info.id);
    let is_changed = options.clip.is_some()
        || options.rate.is_some()
        || options.step_keys
        || options.scale.is_some()
        || options.merge
        || options.weld
        || options.limit_influences.is_some()
        || options.flip_v;
    is_own && !is_changed
}

/// Origins of `made`, which has the origins `own` in `between`.
fn follow(own: Origins, before: Origins, between: &Model, made: &Model) -> Origins {
    let num =
        |model: &Model| -> Vec<usize> { model.meshes.iter().map(Mesh::num_vertices).collect() };
    own.after(&num(made), &before, &num(between))
}

/// Whether all positions and rest transforms are finite.
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
    let mut names: Vec<String> =
        clips.map(|clip| format!("{:?}", display_text::name(&clip.name))).collect();
    if model.clips.len() > MAX_LISTED {
        names.push(format!("{} more", model.clips.len() - MAX_LISTED));
    }
    ConvertError::NoClip {
        asked: asked.to_owned(),
        known: if names.is_empty() { "none".to_owned() } else { names.join(", ") },
    }
}
