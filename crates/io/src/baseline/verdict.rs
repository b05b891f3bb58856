//! What changed in files since their baseline.

use std::collections::{BTreeMap, HashMap};

use super::{Counts, Entry, Lock};
use crate::formats::FORMATS;
use rigscope_core::model::{counted, numbers};
use rigscope_core::signature::{Changes, ClipChange, ShapeShift, Tolerance};

/// The state of a file compared with its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// It has the same shape and motion.
    Unchanged,
    /// Its shape, motion, skeleton or parts changed.
    Changed,
    /// It isn't in the baseline.
    New,
    /// It is only in the baseline.
    Missing,
    /// It has the content of a file that no longer exists.
    Renamed,
}

impl FileState {
    /// As in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "moved",
            Self::New => "new",
            Self::Missing => "missing",
            Self::Renamed => "renamed",
        }
    }
}

/// A difference of shape or motion.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeChange {
    /// In a sentence, without a subject.
    pub message: String,
    /// The largest known distance, in units of the model's size; `None` if it isn't known.
    pub of_size: Option<f64>,
    /// The clip and the moment in which it was measured.
    pub clip: Option<String>,
    pub time_secs: Option<f64>,
    /// A point of the old surface that moved, display space.
    pub place: Option<[f64; 3]>,
    /// Whether it is a distance, which a comparison of both files measures exactly.
    pub is_distance: bool,
}

/// A finding that one side has more of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFinding {
    pub code: String,
    /// Number of places in the baseline and now.
    pub before: u64,
    pub after: u64,
}

/// The result for one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Path relative to the baseline.
    pub file: String,
    pub state: FileState,
    /// The old path of a renamed file.
    pub renamed_from: Option<String>,
    /// The farthest first.
    pub moved: Vec<ShapeChange>,
    pub new_findings: Vec<ChangedFinding>,
    pub fixed_findings: Vec<ChangedFinding>,
}

/// Compares the entries of `now` with `lock`, of which only files for which `is_covered` count. Sorted by path.
#[must_use]
pub fn verdicts(
    lock: &Lock,
    now: &BTreeMap<String, Entry>,
    is_covered: impl Fn(&str) -> bool,
) -> Vec<Verdict> {
    let gone = lock.files.iter().filter(|(file, _)| is_covered(file) && !now.contains_key(*file));
    let mut gone: BTreeMap<&str, &Entry> = gone.map(|(file, entry)| (&**file, entry)).collect();
    let mut by_hash: HashMap<&str, Vec<&str>> = HashMap::new();
    for (file, entry) in gone.iter().rev() {
        by_hash.entry(&entry.hash).or_default().push(file);
    }
    let mut verdicts = Vec::new();
    for (file, entry) in now {
        let known = lock.files.get(file);
        let from = known.is_none().then(|| by_hash.get_mut(&*entry.hash)?.pop()).flatten();
        let before = known.or_else(|| gone.remove(from?));
        verdicts.push(verdict(file, before, entry, from));
    }
    verdicts.extend(gone.keys().map(|file| Verdict {
        file: (*file).to_owned(),
        state: FileState::Missing,
        renamed_from: None,
        moved: Vec::new(),
        new_findings: Vec::new(),
        fixed_findings: Vec::new(),
    }));
    verdicts.sort_by(|a, b| a.file.cmp(&b.file));
    verdicts
}

fn verdict(file: &str, before: Option<&Entry>, after: &Entry, from: Option<&str>) -> Verdict {
    let none = BTreeMap::new();
    let (old, new) = (before.map_or(&none, |entry| &entry.findings), &after.findings);
    let changes = |list: &BTreeMap<String, u64>, other: &BTreeMap<String, u64>| {
        let more = |(code, num): (&String, &u64)| {
            let others = other.get(code).copied().unwrap_or_default();
            (*num > others).then(|| (code.clone(), *num, others))
        };
        list.iter().filter_map(more).collect::<Vec<_>>()
    };
    let new_findings = changes(new, old).into_iter();
    // Nothing is known about the findings of a file that can't be read.
    let was_readable = before.is_some_and(|before| before.signature.is_some());
    let is_readable = after.signature.is_some() || !was_readable;
    let fixed_findings = changes(old, new).into_iter().filter(|_| is_readable);
    let moved = before.map_or_else(Vec::new, |before| moved(before, after));
    Verdict {
        file: file.to_owned(),
        state: match before {
            None => FileState::New,
            Some(_) if !moved.is_empty() => FileState::Changed,
            Some(_) if from.is_some() => FileState::Renamed,
            Some(_) => FileState::Unchanged,
        },
        renamed_from: from.map(str::to_owned),
        moved,
        new_findings: (new_findings)
            .map(|(code, after, before)| ChangedFinding { code, before, after })
            .collect(),
        fixed_findings: (fixed_findings)
            .map(|(code, before, after)| ChangedFinding { code, before, after })
            .collect(),
    }
}

/// The differences of shape and motion.
fn moved(before: &Entry, after: &Entry) -> Vec<ShapeChange> {
    let text = |message: String| ShapeChange {
        message,
        of_size: None,
        clip: None,
        time_secs: None,
        place: None,
        is_distance: false,
    };
    let (old, new) = match (before.signature(), after.signature()) {
        (Some(old), Some(new)) => (old, new),
        (None, None) => return Vec::new(),
        (None, Some(_)) => return vec![text("it can be read again".to_owned())],
        (Some(_), None) => return vec![text("it can't be read any more".to_owned())],
    };
    let is_same_format = before.format == after.format;
    let tolerance = if is_same_format {
        Tolerance::SameFormat
    } else {
        Tolerance::OtherFormat { precision: precision(&before.format) + precision(&after.format) }
    };
    let changes = old.changes(&new, tolerance);
    let mut list: Vec<ShapeChange> =
        counts(&before.counts, &after.counts, is_same_format).into_iter().map(text).collect();
    list.extend(shape(&changes));
    // Clips of a mesh that differs move as far as the mesh.
    let of_mesh = changes.bind.map(|moved| 2.0 * moved.at_least);
    let is_own = |change: &ClipChange| match change {
        ClipChange::Moved(moved) => of_mesh.is_none_or(|most| moved.at_least > most),
        _ => true,
    };
    let clips = changes.clips.iter().filter(|(_, change)| is_own(change));
    list.extend(clips.map(|(name, change)| clip(name, change)));
    list.sort_by(|a, b| b.of_size.unwrap_or(0.0).total_cmp(&a.of_size.unwrap_or(0.0)));
    list
}

/// The largest rounding error of a position in a format, in units of the model's size.
fn precision(format: &str) -> f64 {
    let mut formats = FORMATS.iter().filter(|known| known.info.id == format);
    formats.next().map_or(0.0, |format| f64::from(format.info.precision.position))
}

/// Counts that don't depend on the order or on splits of vertices.
fn counts(before: &Counts, after: &Counts, is_same_format: bool) -> Vec<String> {
    let mut list = vec![
        ("triangle", before.triangles, after.triangles),
        ("clip", before.clips, after.clips),
        ("morph target", before.morph_targets, after.morph_targets),
    ];
    if is_same_format {
        list.push(("bone", before.bones, after.bones));
    }
    let differing = list.into_iter().filter(|(_, before, after)| before != after);
    differing
        .map(|(noun, before, after)| {
            format!("{} instead of {}", counted(after, noun), numbers::grouped(before))
        })
        .collect()
}

fn shape(changes: &Changes) -> Vec<ShapeChange> {
    let mut list = Vec::new();
    let mut add = |message: String, moved: Option<&ShapeShift>| {
        list.push(ShapeChange {
            message,
            of_size: moved.map(|moved| moved.at_least).filter(|distance| *distance > 0.0),
            clip: None,
            time_secs: None,
            place: moved.and_then(|moved| moved.place),
            is_distance: moved.is_some_and(|moved| !moved.is_of_bones),
        });
    };
    if let Some(ratio) = changes.scaled_by {
        add(format!("scaled by {}", numbers::significant(ratio, 6)), None);
    }
    if changes.has_other_bones {
        add("bones were renamed or have other parents".to_owned(), None);
    }
    if changes.has_other_weights {
        add("weights of vertices differ".to_owned(), None);
    }
    if let Some(moved) = &changes.bind {
        add(format!("the mesh differs: {}", distance(moved)), Some(moved));
    }
    if let Some(moved) = &changes.rest {
        add(format!("the rest pose differs: {}", distance(moved)), Some(moved));
    }
    list
}

fn clip(name: &str, change: &ClipChange) -> ShapeChange {
    let name_text = format!("clip \"{name}\"");
    let (message, moved) = match change {
        ClipChange::Removed => (format!("{name_text} is missing"), None),
        ClipChange::Added => (format!("{name_text} is new"), None),
        ClipChange::Retimed { before, after } if before[1] == after[1] => {
            let [before, after] = [before[0], after[0]].map(numbers::seconds);
            (format!("{name_text} starts at {after} instead of {before}"), None)
        }
        ClipChange::Retimed { before, after } => {
            let [before, after] = [before[1], after[1]].map(numbers::seconds);
            (format!("{name_text} lasts {after} instead of {before}"), None)
        }
        ClipChange::Moved(moved) => {
            (format!("{name_text} differs: {}", distance(moved)), Some(moved))
        }
    };
    ShapeChange {
        message,
        of_size: moved.map(|moved| moved.at_least).filter(|distance| *distance > 0.0),
        clip: Some(name.to_owned()),
        time_secs: moved.and_then(|moved| moved.time_secs),
        place: moved.and_then(|moved| moved.place),
        is_distance: moved.is_some_and(|moved| !moved.is_of_bones),
    }
}

fn distance(moved: &ShapeShift) -> String {
    if moved.is_of_bones {
        return "bones moved that move no vertex".to_owned();
    }
    if moved.at_least == 0.0 {
        return "some vertices moved".to_owned();
    }
    let percent = numbers::percent(moved.at_least);
    let when =
        moved.time_secs.map_or_else(String::new, |secs| format!(" at {}", numbers::seconds(secs)));
    format!("moved by {percent} of the size or more{when}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(hash: &str, findings: &[(&str, u64)]) -> Entry {
        let findings = findings.iter().map(|(code, num)| ((*code).to_owned(), *num));
        Entry { hash: hash.into(), findings: findings.collect(), ..Entry::default() }
    }

    fn list(entries: &[(&str, Entry)]) -> BTreeMap<String, Entry> {
        entries.iter().map(|(file, entry)| ((*file).to_owned(), entry.clone())).collect()
    }

    #[test]
    fn files_are_followed_by_their_content() {
        let lock = Lock {
            files: list(&[
                ("a.glb", entry("1", &[])),
                ("b.glb", entry("2", &[])),
                ("c.glb", entry("3", &[])),
                ("elsewhere/d.glb", entry("4", &[])),
            ]),
        };
        let now = list(&[
            ("a.glb", entry("1", &[])),
            ("copy.glb", entry("1", &[])),
            ("moved/b.glb", entry("2", &[])),
        ]);
        let verdicts = verdicts(&lock, &now, |file| !file.starts_with("elsewhere/"));
        let found: Vec<_> = verdicts
            .iter()
            .map(|one| (&*one.file, one.state, one.renamed_from.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                ("a.glb", FileState::Unchanged, None),
                ("c.glb", FileState::Missing, None),
                ("copy.glb", FileState::New, None),
                ("moved/b.glb", FileState::Renamed, Some("b.glb")),
            ]
        );
    }

    #[test]
    fn findings_are_compared_by_number() {
        let before = entry("1", &[("no-clips", 1), ("zero-normal", 3), ("not-finite", 2)]);
        let after = entry("2", &[("zero-normal", 5), ("not-finite", 1)]);
        let lock = Lock { files: list(&[("a.glb", before)]) };
        let verdicts = verdicts(&lock, &list(&[("a.glb", after)]), |_| true);
        let text = |list: &[ChangedFinding]| {
            let texts = list.iter().map(|f| format!("{} {} {}", f.code, f.before, f.after));
            texts.collect::<Vec<_>>()
        };
        assert_eq!(text(&verdicts[0].new_findings), ["zero-normal 3 5"]);
        assert_eq!(text(&verdicts[0].fixed_findings), ["no-clips 1 0", "not-finite 2 1"]);
    }
}
