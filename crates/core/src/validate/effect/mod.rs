//! Rules about effects: the config against meshes and images. What is missing is noted by the reader.

mod channels;
mod color_space;
mod cubes;
mod listed;
mod memory;
mod sizes;
mod worn;

use crate::model::{
    Cancelled, EffectFacts, EffectImage, ImageLayout, Model, NoteKind, Place, Report,
};

/// What these rules note.
pub(super) const FINDINGS: &[&[NoteKind]] =
    findings![listed, worn, sizes, channels, color_space, cubes, memory];
/// What is said while the rules of this group run.
const WHAT: &str = "judging the effect";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let Some(effect) = model.effect.as_deref() else { return Ok(()) };
    report.progress(WHAT, 0.0)?;
    listed::check(effect, model, report);
    worn::check(effect, report);
    sizes::check(effect, report);
    channels::check(effect, report);
    color_space::check(effect, report);
    cubes::check(effect, report);
    memory::check(effect, report);
    Ok(())
}

/// The images that could be read, with how they are stored.
fn read(effect: &EffectFacts) -> impl Iterator<Item = (&EffectImage, ImageLayout)> {
    effect.images.iter().filter_map(|image| Some((image, image.layout?)))
}

/// Notes all of `found` as one: each text names its image, the first one's material is the place.
fn note(found: Vec<(&EffectImage, String)>, kind: NoteKind, report: &Report) {
    let Some((first, _)) = found.first() else { return };
    let place = Place::Material(first.material.0);
    report.note_many(kind, place, found.len() as u64, || {
        let texts = found.iter().map(|(image, what)| format!("{} {what}", image.path));
        texts.collect::<Vec<_>>().join("; ")
    });
}
