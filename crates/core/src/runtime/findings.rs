//! Differences between runtimes and the specification, as findings.

use super::{Runtime, deviations};
use crate::model::{Cancelled, FindingKind, Model, Place, Report, numbers};

/// Reports the parts that some runtimes ignore or play differently, for `validate --for`.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop; findings until then are reported.
pub fn validate_for(
    model: &Model,
    format: &str,
    runtimes: &[&'static Runtime],
    report: &Report,
) -> Result<(), Cancelled> {
    for (at, runtime) in runtimes.iter().enumerate() {
        report.progress("playing", at as f32 / runtimes.len() as f32)?;
        let (name, version) = (runtime.name, runtime.version);
        let refusal = runtime.refusal(model);
        if !runtime.opens(format) || refusal.is_some() {
            let message = match refusal.filter(|_| runtime.opens(format)) {
                Some(why) => format!("{name} {version} can't open the file: {why}"),
                None => format!("{name} {version} can't open {format} files"),
            };
            report.note(FindingKind::RuntimeCannotOpen, Place::File, message);
            continue;
        }
        let played = runtime.play(model);
        if played.effects.is_empty() {
            continue;
        }
        let worst = deviations(model, &played.model, &report.quiet())?.worst;
        let apart = worst.map_or_else(
            || "no vertex deviates".to_owned(),
            |worst| {
                format!("vertices deviate by up to {} of the size", numbers::percent(worst.share))
            },
        );
        for effect in played.effects {
            report.note_many(FindingKind::RuntimeDiffers, effect.place, effect.count, || {
                format!("{name} {version}: {}; {apart}", effect.text)
            });
        }
    }
    Ok(())
}
