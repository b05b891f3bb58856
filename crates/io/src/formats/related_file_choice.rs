//! Choosing one of several related files by how well each fits.
//!
//! The fit is computed elsewhere (`pose::fit_of_binds`). A file that can't be compared ranks last: it is only
//! chosen if no other file fits and there is no other candidate that could be meant.
//! Not for: files that are referred to by name, which are always used.

use std::cmp::Reverse;

use rigscope_core::model::{FindingKind, Place, RelatedFileRole, RelatedFileUse, Report};

/// A file that fits worse belongs to another model.
pub(super) const LEAST_FIT: f32 = 0.6;
/// A file that fits worse may belong to another model, which is reported.
const GOOD_FIT: f32 = 0.9;
/// Fits that differ by at most this much count as equal; then the names decide.
pub(super) const SAME_FIT: f32 = 0.02;

/// A candidate.
#[derive(Clone, Debug, Default)]
pub(super) struct RatedRelatedFile {
    /// File name or path.
    pub(super) file: String,
    /// Whether the user supplied it.
    pub(super) is_given: bool,
    /// How well it fits, 0 to 1; `None` if nothing can be compared.
    pub(super) fit: Option<f32>,
    /// Length of the prefix that its name shares with the related files.
    pub(super) prefix: usize,
    /// Why it can't be used at all.
    pub(super) refusal: Option<String>,
}

/// The index of the file to use, if any. Files supplied by the user take precedence over files found in a
/// folder.
///
/// If the user supplied a single file, it is used however well it fits. Of several, the best fit is used, and
/// of equally good fits the one with the most similar name.
pub(super) fn best(rated: &[RatedRelatedFile]) -> Option<usize> {
    let of = |is_given: bool| {
        let usable = rated.iter().enumerate();
        usable
            .filter(|(_, one)| one.refusal.is_none() && one.is_given == is_given)
            .collect::<Vec<_>>()
    };
    let given = of(true);
    if let [(only, _)] = given.as_slice() {
        return Some(*only);
    }
    best_of(&given).or_else(|| best_of(&of(false)))
}

fn best_of(usable: &[(usize, &RatedRelatedFile)]) -> Option<usize> {
    let fits = usable.iter().filter_map(|(_, one)| one.fit);
    let most = fits.fold(0.0, f32::max);
    if most >= LEAST_FIT {
        let nearly =
            usable.iter().filter(|(_, one)| one.fit.is_some_and(|fit| fit >= most - SAME_FIT));
        let first = nearly.min_by_key(|(at, one)| (Reverse(one.prefix), *at));
        return first.map(|(at, _)| *at);
    }
    let unknown = usable.iter().filter(|(_, one)| one.fit.is_none());
    let mut unknown: Vec<_> = unknown.collect();
    unknown.sort_by_key(|(at, one)| (Reverse(one.prefix), *at));
    match unknown.as_slice() {
        [(at, _)] => Some(*at),
        [(at, first), (_, second), ..] if first.prefix > second.prefix => Some(*at),
        _ => None,
    }
}

/// Reports all candidates, and a finding if the chosen one fits poorly. `what` names the thing to fit.
pub(super) fn report_all(
    rated: &[RatedRelatedFile],
    taken: Option<usize>,
    role: RelatedFileRole,
    what: &str,
    report: &Report,
) {
    for (at, one) in rated.iter().enumerate() {
        let is_used = taken == Some(at);
        report.related_file(RelatedFileUse {
            file: one.file.clone(),
            role,
            is_used,
            is_missing: false,
            is_found: !one.is_given,
            fit: one.fit,
            why: if is_used {
                why_taken(one, rated, what)
            } else {
                why_left(one, taken.and_then(|at| rated.get(at)), what)
            },
            bones: None,
        });
    }
    if let Some(one) = taken.and_then(|at| rated.get(at)) {
        report_fit(&one.file, one.fit, what, report);
    }
}

/// Reports a finding if the chosen file fits poorly.
pub(super) fn report_fit(file: &str, fit: Option<f32>, what: &str, report: &Report) {
    let is_poor = fit.is_some_and(|fit| fit < GOOD_FIT);
    report.add_many(FindingKind::PoorFit, Place::File, u64::from(is_poor), || {
        let percent = fit.unwrap_or_default() * 100.0;
        format!("{file} fits only {percent:.0} % of {what}")
    });
}

/// Reports a finding if an animation fits poorly whose bones could only be matched by their order, for the
/// reason `why`.
pub(super) fn report_fit_by_order(file: &str, fit: Option<f32>, why: &str, report: &Report) {
    let is_poor = fit.is_some_and(|fit| fit < GOOD_FIT);
    report.add_many(FindingKind::PoorFit, Place::File, u64::from(is_poor), || {
        let percent = fit.unwrap_or_default() * 100.0;
        format!(
            "the bones of {file} are matched by their order, because {why}; {percent:.0} % of their \
             lengths agree with the model's bones"
        )
    });
}

fn why_taken(one: &RatedRelatedFile, rated: &[RatedRelatedFile], what: &str) -> String {
    let num = rated.iter().filter(|other| other.refusal.is_none()).count();
    let among = match num {
        0 | 1 => String::new(),
        num => format!(", of {num}"),
    };
    match (one.is_given, one.fit) {
        (true, _) => "given by the user".to_owned(),
        (false, Some(_)) => format!("fits {what} best{among}"),
        (false, None) if num > 1 => format!("nothing to compare with {what}; chosen by name"),
        (false, None) => format!("nothing to compare with {what}; the only one"),
    }
}

fn why_left(one: &RatedRelatedFile, taken: Option<&RatedRelatedFile>, what: &str) -> String {
    if let Some(refusal) = &one.refusal {
        return refusal.clone();
    }
    match (one.fit, taken) {
        (Some(fit), _) if fit < LEAST_FIT => format!("does not fit {what}"),
        (_, Some(taken)) if taken.is_given && !one.is_given => "another file was given".to_owned(),
        (Some(fit), Some(taken)) if taken.fit.is_some_and(|best| fit + SAME_FIT < best) => {
            "another one fits better".to_owned()
        }
        (Some(fit), Some(taken)) if taken.fit.is_some_and(|best| fit + SAME_FIT < best) => {
            "another one fits better".to_owned()
        }
        (Some(_), _) => "another one fits equally well".to_owned(),
        (None, _) => format!("nothing to compare with {what}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(all: &[(bool, Option<f32>, usize)]) -> Vec<RatedRelatedFile> {
        let one = |&(is_given, fit, prefix)| RatedRelatedFile {
            is_given,
            fit,
            prefix,
            ..RatedRelatedFile::default()
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn the_best_fit_wins_names_break_ties_and_poor_fits_are_rejected() {
        let one = |all: &[_]| best(&rated(all));
        assert_eq!(one(&[(false, Some(0.7), 9), (false, Some(0.99), 0)]), Some(1));
        assert_eq!(one(&[(false, Some(0.99), 0), (false, Some(0.98), 9)]), Some(1));
        assert_eq!(one(&[(false, Some(0.4), 9), (false, Some(0.1), 0)]), None);
        assert_eq!(one(&[(false, None, 9), (false, Some(0.7), 0)]), Some(1));
    }

    #[test]
    fn incomparable_files_are_chosen_only_if_unambiguous() {
        let one = |all: &[_]| best(&rated(all));
        assert_eq!(one(&[(false, None, 0)]), Some(0));
        assert_eq!(one(&[(false, None, 0), (false, Some(0.2), 9)]), Some(0));
        assert_eq!(one(&[(false, None, 0), (false, None, 0)]), None);
        assert_eq!(one(&[(false, None, 0), (false, None, 3)]), Some(1));
    }

    #[test]
    fn a_single_given_file_always_wins_and_several_compete_by_fit() {
        let one = |all: &[_]| best(&rated(all));
        assert_eq!(one(&[(true, Some(0.1), 0), (false, Some(1.0), 9)]), Some(0));
        assert_eq!(one(&[(true, Some(0.1), 0), (true, Some(0.9), 0)]), Some(1));
        let given = [(true, Some(0.1), 0), (true, Some(0.2), 0), (false, Some(0.9), 0)];
        assert_eq!(one(&given), Some(2));
    }
}
