//! Parts of the model that differ from the reference and can be taken over from it, whether or not a cause is known.
//!
//! | file | pieces |
//! |---|---|
//! | `skeleton` | rest pose, inverse bind matrices, keys |
//! | `vertices` | vertex attributes and weights |
//! | `shapes` | triangles, morph targets |

mod shapes;
mod skeleton;
#[cfg(test)]
mod tests;
mod vertices;

use super::flat::{flat, num_items};
use super::reference::{MeshMatch, Reference};
use super::result::Cause;
use super::specimen::Specimen;
use super::values::{Values, mean_at};
use crate::compare::{Comparison, DiffOptions, Difference, DifferenceKind as Kind, compare};
use crate::measure::FarthestVertex;
use crate::model::{Cancelled, Mesh, MeshId, Model, Report, counted};

/// A part of models.
pub struct Piece {
    /// Stable kebab-case name.
    pub name: &'static str,
    /// The values, as a noun phrase in the plural.
    pub meaning: &'static str,
    /// What [`PieceDifference::num`] counts, in the singular.
    item: &'static str,
    differing: fn(&Pairing<'_>, &Model) -> Differing,
    take: fn(&Pairing<'_>, &mut Model),
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All pieces.
pub const PIECES: &[&Piece] = &flat::<_, { num_items(BY_FILE) }>(BY_FILE);

const BY_FILE: &[&[&Piece]] = &[skeleton::ALL, vertices::ALL, shapes::ALL];

/// A piece in which the model differs from the reference.
#[derive(Debug)]
pub struct PieceDifference {
    pub piece: &'static Piece,
    /// Number of differing bones, matrices, bones of clips, vertices, triangles or morph targets.
    pub num: usize,
    /// The largest difference and its place, such as `34° at 0.5 s of clip 0 "swing", bone 2 "arm"`.
    pub worst: String,
}

impl PieceDifference {
    /// The change that takes it over, as an imperative.
    pub fn action(&self) -> String {
        format!("take the {} over from the reference: {}", self.piece.meaning, self.amount())
    }

    fn amount(&self) -> String {
        let verb = if self.num == 1 { "differs" } else { "differ" };
        format!("{} {verb}, most {}", counted(self.num as u64, self.piece.item), self.worst)
    }

    /// The differing items and the largest difference: `keys: 2 bones differ, most 34° of …`.
    pub fn text(&self) -> String {
        format!("{}: {}", self.piece.meaning, self.amount())
    }
}

/// The items that differ.
#[derive(Default)]
struct Differing {
    num: usize,
    /// How far beyond the tolerance the largest difference is, and its text.
    worst: Option<(f64, String)>,
}

impl Differing {
    /// Counts an item if its difference exceeds the tolerance.
    fn add(&mut self, difference: f64, tolerance: f64, text: impl FnOnce() -> String) {
        let ratio = difference / tolerance;
        // The difference from an infinite or missing value counts.
        if ratio <= 1.0 {
            return;
        }
        self.num += 1;
        if self.worst.as_ref().is_none_or(|(most, _)| ratio > *most) {
            self.worst = Some((ratio, text()));
        }
    }
}

/// The model and its reference.
struct Pairing<'a> {
    case: &'a Specimen,
    reference: &'a Reference,
}

impl<'a> Pairing<'a> {
    /// The sampled meshes with a match.
    fn meshes(&self) -> impl Iterator<Item = (MeshId, &'a Mesh, &'a MeshMatch)> {
        let pairs = self.case.samples.iter().zip(&self.reference.meshes);
        pairs.filter_map(|(part, found)| {
            let found = found.as_ref()?;
            Some((part.mesh, &self.reference.model.meshes[found.mesh], found))
        })
    }
}

/// The model after undoing the causes differs visibly from the reference.
#[derive(Debug)]
pub struct ReferenceDifference {
    /// The farthest vertex, or the first visible difference if no vertex moved, as a clause without a full stop.
    pub text: String,
    /// As `diff` compares the reference with the model.
    pub comparison: Comparison,
    /// The pieces that differ, and make the model no less like the reference if they are taken over.
    pub pieces: Vec<PieceDifference>,
}

/// The farthest vertex, or the first visible difference if no vertex moved.
fn largest(comparison: &Comparison, reference: &Model) -> String {
    let Comparison { farthest, extent, .. } = comparison;
    let is_far = |own: &&FarthestVertex| own.distance > extent * VISIBLE_OF_SIZE;
    if let Some(own) = farthest.as_ref().filter(is_far) {
        let (distance, place) = (own.distance_text(reference), own.place_text(reference));
        return format!("vertices are up to {distance} away: {place}");
    }
    let mut visible = comparison.differences.iter().filter(|own| is_visible(own, *extent));
    visible.next().map(|own| own.what.clone()).unwrap_or_default()
}

/// Smaller differences aren't visible, or are losses of quantized values: of positions as a fraction of the size, of
/// directions in degrees, and of UVs, colours and times.
const VISIBLE_OF_SIZE: f64 = 1e-3;
const VISIBLE_DEG: f64 = 5.0;
const VISIBLE_UV: f64 = 2e-3;
const VISIBLE_COLOR: f64 = 0.02;
const VISIBLE_SECS: f64 = 0.02;

/// The visible differences that the causes leave; `None` without a reference or without such a difference.
pub(super) fn differences(
    case: &Specimen,
    causes: &[Cause],
    report: &Report,
) -> Result<Option<ReferenceDifference>, Cancelled> {
    let Some(reference) = &case.reference else { return Ok(None) };
    let mut model = case.model.clone();
    for cause in causes {
        (cause.undo)(&mut model);
    }
    report.progress("comparing", 0.9)?;
    let comparison = compare(&reference.model, &model, &DiffOptions::default(), &report.quiet())?;
    if !comparison.differences.iter().any(|own| is_visible(own, comparison.extent)) {
        return Ok(None);
    }
    let pairing = Pairing { case, reference };
    let before = deviation(case, &model);
    let found = PIECES.iter().filter_map(|piece| {
        let Differing { num, worst } = (piece.differing)(&pairing, &model);
        let (_, worst) = worst?;
        let mut changed = model.clone();
        (piece.take)(&pairing, &mut changed);
        (deviation(case, &changed) <= before).then_some(PieceDifference { piece, num, worst })
    });
    let text = largest(&comparison, &reference.model);
    Ok(Some(ReferenceDifference { text, pieces: found.collect(), comparison }))
}

/// Whether a difference can be seen in the drawing.
fn is_visible(difference: &Difference, extent: f64) -> bool {
    let least = match difference.kind {
        Kind::Positions | Kind::Skinned | Kind::MorphOffsets => extent * VISIBLE_OF_SIZE,
        Kind::Normals | Kind::Tangents => VISIBLE_DEG,
        Kind::Uvs => VISIBLE_UV,
        Kind::Colors => VISIBLE_COLOR,
        Kind::ClipDuration => VISIBLE_SECS,
        Kind::TrianglesAdded | Kind::TrianglesRemoved | Kind::TrianglesFlipped => 0.0,
        Kind::Unmatched | Kind::ClipsRemoved | Kind::MorphsRemoved | Kind::Attributes => 0.0,
        _ => return false,
    };
    difference.exceeds && difference.amount.is_none_or(|amount| amount > least)
}

/// The total surprise of the deviations from the reference.
fn deviation(case: &Specimen, model: &Model) -> f64 {
    let values = Values::of(case, model);
    let own = values.with_evidence().filter(|(evidence, _)| evidence.is_from_reference());
    own.filter_map(|(evidence, values)| {
        let all: Vec<usize> = (0..values.len()).collect();
        mean_at(values, &all).map(|value| evidence.surprise(value))
    })
    .sum()
}

/// Takes a piece over from the reference; does nothing without one.
pub(super) fn take(case: &Specimen, piece: &Piece, model: &mut Model) {
    if let Some(reference) = &case.reference {
        (piece.take)(&Pairing { case, reference }, model);
    }
}

/// Whether a piece of a model with the parts of the examined one differs from the reference.
pub(super) fn differs(case: &Specimen, piece: &Piece, model: &Model) -> bool {
    case.reference
        .as_ref()
        .is_some_and(|reference| (piece.differing)(&Pairing { case, reference }, model).num > 0)
}
