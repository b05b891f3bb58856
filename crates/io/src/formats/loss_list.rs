//! Losses of a conversion: predicted from a format's table, or observed by reading the output back.

use super::losses::{Aspect, Counts, Measure};
use super::{Format, WriteOptions};
use rigscope_core::model::Model;

/// An aspect of a model that a file stores less of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    pub aspect: Aspect,
    /// Count in the model.
    pub before: u64,
    /// Count in the file.
    pub after: u64,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let info = self.aspect.info();
        match info.measure {
            Measure::Present => write!(f, "{}: {}", info.what, info.lost),
            Measure::Counted if self.after == 0 => {
                write!(f, "{}, {} in all: {}", info.what, self.before, info.lost_all)
            }
            Measure::Counted => {
                let (before, after) = (self.before, self.after);
                write!(f, "{after} of {before} {}: {}", info.what, info.lost)
            }
        }
    }
}

/// The aspects of `model`, with the given counts, that `format` can't store.
#[must_use]
pub fn predicted(
    model: &Model,
    counts: &Counts,
    format: &Format,
    options: &WriteOptions,
) -> Vec<Loss> {
    predicted_of_part(model, counts, counts, format, options)
}

/// Predicted losses if only a part of the source is written: `all` are the counts of the source, `kept` those
/// of the part.
#[must_use]
pub fn predicted_of_part(
    model: &Model,
    all: &Counts,
    kept: &Counts,
    format: &Format,
    options: &WriteOptions,
) -> Vec<Loss> {
    let is_verbatim = format.writer.is_some_and(|writer| (writer.is_verbatim)(model, options));
    let loss = |aspect| {
        let (before, left) = (all.of(aspect), kept.of(aspect));
        let after = if is_verbatim && is_of_the_file(aspect) {
            left
        } else {
            format.stored(aspect).num(model, options, left)
        };
        (after < before).then_some(Loss { aspect, before, after })
    };
    Aspect::all().filter_map(loss).collect()
}

/// Whether the aspect is read only from the file itself. Images are searched for, and an effect names meshes
/// and replaces their materials.
fn is_of_the_file(aspect: Aspect) -> bool {
    let of_others = [
        Aspect::Images,
        Aspect::MeshNames,
        Aspect::Textures,
        Aspect::TextureTransforms,
        Aspect::Looks,
    ];
    !of_others.contains(&aspect)
}

/// The aspects that `after`, read back from the output, has less of than `before`.
#[must_use]
pub fn observed(before: &Counts, after: &Counts) -> Vec<Loss> {
    // Without a hierarchy, bones have baked matrices that already include the scales and shears of their
    // parents.
    let is_finished = after.of(Aspect::UsedBones) > 0
        && after.of(Aspect::Parents) == 0
        && before.of(Aspect::Parents) > 0;
    let loss = |aspect| {
        if is_finished && matches!(aspect, Aspect::Scales | Aspect::Shears) {
            return None;
        }
        let (before, after) = (before.of(aspect), after.of(aspect));
        (after < before).then_some(Loss { aspect, before, after })
    };
    Aspect::all().filter_map(loss).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complete_and_partial_losses_have_different_messages() {
        let text = |aspect, before, after| {
            let loss = Loss { aspect, before, after };
            loss.to_string()
        };
        assert_eq!(
            text(Aspect::Textures, 2, 1),
            "1 of 2 textures per material: those beyond the limit are left out"
        );
        assert_eq!(
            text(Aspect::Textures, 1, 0),
            "textures per material, 1 in all: they are left out"
        );
        assert_eq!(text(Aspect::Hulls, 3, 0), "convex hulls, 3 in all: they are left out");
        assert_eq!(text(Aspect::Normals, 1, 0), "normals: they are left out");
    }
}
