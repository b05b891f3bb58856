//! Differences between runtimes and the specification, as findings.

use super::{Runtime, announced, playback_deviation};
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
        let report_closed = |kind, what: String| {
            report.add(kind, Place::File, format!("{name} {version}{what}"));
        };
        if runtime.unpredicted.contains(&format) {
            let what = format!(": how it plays {format} files isn't known");
            report_closed(FindingKind::RuntimeDiffers, what);
            continue;
        }
        if !runtime.opens(format) {
            report_closed(FindingKind::RuntimeCannotOpen, format!(" can't open {format} files"));
            continue;
        }
        if let Some(why) = runtime.refusal(model) {
            report_closed(FindingKind::RuntimeCannotOpen, format!(" can't open the file: {why}"));
            continue;
        }
        let played = runtime.play(model);
        if played.differences.is_empty() {
            continue;
        }
        let worst = playback_deviation(model, &played.model, &report.quiet())?.total.worst;
        let differences = announced(played.differences, worst.as_ref());
        let apart = worst.map_or_else(
            || "no vertex deviates".to_owned(),
            |worst| {
                let share = numbers::up_to_percent(worst.of_extent().unwrap_or_default());
                format!("vertices deviate by {share} of the size")
            },
        );
        for effect in differences {
            report.add_many(FindingKind::RuntimeDiffers, effect.place, effect.count, || {
                format!("{name} {version}: {}; {apart}", effect.text)
            });
        }
    }
    Ok(())
}
