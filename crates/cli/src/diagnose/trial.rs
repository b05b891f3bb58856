//! Tries the fixes of causes in memory, before they are offered.

use std::path::Path;

use crate::timings;
use rigscope_core::diagnose::{Cause, Context, Diagnosis};
use rigscope_io::files::ClaimedPaths;
use rigscope_io::fix::{Choice, FixKind, FixOptions, default_target, fix};
use rigscope_io::open::{Document, Opener, conversion_files};

/// The causes that `fix` can't undo, with the reason.
pub(super) struct Refusals(Vec<(&'static str, String)>);

impl Refusals {
    pub(super) fn reason(&self, cause: &Cause) -> Option<&str> {
        if cause.is_estimate {
            return Some("the file doesn't contain the right values; only a new export has them");
        }
        let own = self.0.iter().find(|(name, _)| *name == cause.info.name);
        own.map(|(_, reason)| reason.as_str())
    }
}

/// Undoes the causes of a diagnosis with this context, and reads the results: those without rivals together, the others
/// one by one.
pub(super) fn refusals(
    path: &Path,
    opener: &Opener,
    document: &Document,
    context: Context<'_>,
    diagnosis: &Diagnosis,
) -> Refusals {
    let mut groups: Vec<Vec<&'static str>> = vec![Vec::new()];
    for cause in diagnosis.causes.iter().filter(|own| !own.is_estimate) {
        if cause.rivals.is_empty() {
            groups[0].push(cause.info.name);
        } else {
            let all = std::iter::once(cause).chain(&cause.rivals);
            groups.extend(all.map(|own| vec![own.info.name]));
        }
    }
    groups.retain(|group| !group.is_empty());
    if groups.is_empty() {
        return Refusals(Vec::new());
    }
    let report = timings::report();
    let file = match opener.file(path, &report) {
        Ok(file) => file,
        Err(error) => {
            let reason = error.to_string();
            let all = groups.into_iter().flatten().map(|name| (name, reason.clone()));
            return Refusals(all.collect());
        }
    };
    let target = default_target(path);
    let mut out = Vec::new();
    for group in groups {
        let choice = Choice::causes(group.iter().map(|name| (*name).to_owned()));
        let options = FixOptions { choice, context, diagnosis: Some(diagnosis) };
        let claims = ClaimedPaths::default();
        let files = || conversion_files(document, &target, true, claims.clone());
        match fix(&file, document, &options, &files, &report) {
            Ok(result) => {
                let refused = result.refused.into_iter().filter(|own| own.kind == FixKind::Cause);
                out.extend(refused.filter_map(|own| {
                    let name = group.iter().find(|name| **name == own.name)?;
                    Some((*name, own.reason))
                }));
            }
            Err(error) => out.extend(group.iter().map(|name| (*name, error.to_string()))),
        }
    }
    Refusals(out)
}
