//! Rules about effects: consistency of the config with meshes and images. The reader reports missing files.

use crate::model::{
    Cancelled, EffectFacts, EffectImage, FindingKind, ImageLayout, Model, Place, Report,
};

/// A rule of this group.
type EffectRule = fn(&EffectFacts, &Model, &Report);

rules! {
    ALL: EffectRule = check;
    unlisted_image,
    unused_material,
    sizes,
    channels,
    color_space,
    cubes,
    memory
}

/// The progress text of this group.
const WHAT: &str = "checking the effect";

/// Runs the rules of this group.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let Some(effect) = model.effect.as_deref() else { return Ok(()) };
    report.progress(WHAT, 0.0)?;
    ALL.functions.iter().for_each(|rule| rule(effect, model, report));
    Ok(())
}

/// The images that could be read, with their storage.
fn read(effect: &EffectFacts) -> impl Iterator<Item = (&EffectImage, ImageLayout)> {
    effect.images.iter().filter_map(|image| Some((image, image.layout?)))
}

/// Reports all of `found` as one finding: each text names its image, and the first one's material is the
/// place.
fn report_finding(found: Vec<(&EffectImage, String)>, kind: FindingKind, report: &Report) {
    let Some((first, _)) = found.first() else { return };
    let place = Place::Material(first.material.0);
    report.add_many(kind, place, found.len() as u64, || {
        let texts = found.iter().map(|(image, what)| format!("{} {what}", image.path));
        texts.collect::<Vec<_>>().join("; ")
    });
}
