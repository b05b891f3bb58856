//! Losses of a conversion: predicted from a format's table, or observed by reading the output back.

use super::losses::{Aspect, Counts, Measure};
use super::{Format, WriteOptions};
use rigscope_core::model::{Model, numbers, singular_or_plural};

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
        if !self.is_complete() {
            write!(f, "{} reduced from {} to {}", info.what, self.before, self.after)?;
            return effect(f, info.lost_some);
        }
        f.write_str(&self.subject())?;
        if info.lost_all.is_empty() { f.write_str(" left out") } else { effect(f, info.lost_all) }
    }
}

fn effect(f: &mut std::fmt::Formatter<'_>, effect: &str) -> std::fmt::Result {
    if effect.is_empty() { Ok(()) } else { write!(f, ": {effect}") }
}

impl Loss {
    /// Whether the file stores nothing of the aspect.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.after == 0 || self.aspect.info().measure == Measure::Present
    }

    /// Whether the data is stored in another way, and isn't missing.
    #[must_use]
    pub fn is_change(&self) -> bool {
        matches!(
            self.aspect,
            Aspect::TextureTransforms
                | Aspect::BoneLocal
                | Aspect::Curves
                | Aspect::UnevenKeys
                | Aspect::Interpolations
                | Aspect::StartTimes
        )
    }

    /// The aspect, with its number if that matters: `normals`, `2 clips`.
    pub(super) fn subject(&self) -> String {
        let info = self.aspect.info();
        match info.measure {
            Measure::Present => info.what.to_owned(),
            Measure::Counted => {
                let noun = singular_or_plural(self.before, info.one, info.what);
                format!("{} {noun}", numbers::grouped(self.before))
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
        let text = |aspect, before, after| Loss { aspect, before, after }.to_string();
        assert_eq!(
            text(Aspect::Influences, 3, 2),
            "influences per vertex reduced from 3 to 2: the largest are kept and rescaled"
        );
        assert_eq!(text(Aspect::Textures, 2, 1), "textures per material reduced from 2 to 1");
        assert_eq!(text(Aspect::Hulls, 3, 0), "3 convex hulls left out");
        assert_eq!(text(Aspect::Clips, 1, 0), "1 clip left out");
        assert_eq!(text(Aspect::Normals, 1, 0), "normals left out");
        assert_eq!(text(Aspect::Rest, 1, 0), "rest transforms: replaced by the first key");
    }
}
