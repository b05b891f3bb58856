//! All findings of one file, before the options of `validate` filter them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::config::FileConfig;
use super::result_cache::ResultCache;
use super::timings;
use rigscope_core::diagnose::{Context, diagnose, may_have_cause};
use rigscope_core::model::{Finding, FindingKind, Model, Place, Report};
use rigscope_core::project::ProjectFile;
use rigscope_core::runtime::{Runtime, validate_for};
use rigscope_core::validate::{finding_of_code, validate};
use rigscope_io::baseline::{Basis, Entry};
use rigscope_io::files::{FileSource, catch_panic, hash_of_content};
use rigscope_io::formats::{FORMATS, ReadError};
use rigscope_io::open::{OpenError, Opener, format_id};

#[derive(Default)]
pub(super) struct FileFindings {
    /// Id of the format; `None` if the format is unknown.
    pub(super) format: Option<&'static str>,
    /// Findings of the reader, most severe first.
    pub(super) of_reader: Vec<Finding>,
    /// Findings of the rules, most severe first.
    pub(super) of_rules: Vec<Finding>,
    /// Causes that explain some of these findings.
    pub(super) causes: Vec<NamedCause>,
    /// The entry of a baseline, if requested.
    pub(super) entry: Option<Entry>,
    /// Whether a reader or rule panicked; such results are not cached.
    has_panicked: bool,
}

/// A cause that `diagnose` names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NamedCause {
    pub(super) name: String,
    pub(super) statement: String,
    /// Codes of the file's findings that it explains.
    pub(super) explains: Vec<String>,
}

impl NamedCause {
    /// The cause that explains a finding.
    pub(super) fn of<'a>(causes: &'a [Self], finding: &Finding) -> Option<&'a Self> {
        let code = finding.kind.code();
        causes.iter().find(|cause| cause.explains.iter().any(|own| own == code))
    }

    /// For the end of a finding's message.
    pub(super) fn suffix(&self) -> String {
        format!("; cause: {} [{}]", self.statement, self.name)
    }
}

/// How a file is checked.
#[derive(Clone, Copy)]
pub(super) struct CheckRequest<'a> {
    pub(super) config: &'a FileConfig,
    /// Checks the model as this runtime plays it.
    pub(super) played_as: Option<&'static Runtime>,
    /// Also makes the entry of a baseline.
    pub(super) with_entry: bool,
}

impl CheckRequest<'_> {
    /// The kind of result in a cache.
    pub(super) fn kind(self) -> String {
        let Self { config, played_as, with_entry } = self;
        let options = &config.options;
        let mut kind =
            if options.runs_rules() { "validate" } else { "validate readers" }.to_owned();
        if with_entry {
            kind += " with entry";
        }
        kind += &config.rules_key();
        for runtime in &options.runtimes {
            kind += &format!(" for {} {}", runtime.id, runtime.version);
        }
        if let Some(runtime) = played_as {
            kind += &format!(" as {} {}", runtime.id, runtime.version);
        }
        kind
    }
}

/// Checks the file at `path` with the rules and for the runtimes that the options select.
pub(super) fn check_file(
    path: &Path,
    cache: &ResultCache<'_>,
    request: CheckRequest<'_>,
) -> FileFindings {
    let CheckRequest { config, with_entry, .. } = request;
    let _work = timings::begin("reading");
    let of_reader = timings::report();
    let make = |opener: &Opener, file: &FileSource| {
        let mut findings = check(opener, file, &of_reader, request);
        if with_entry {
            findings.complete_entry(file);
        }
        findings
    };
    let write =
        |findings: &FileFindings| (!findings.has_panicked).then(|| findings.to_text()).flatten();
    let kind = request.kind();
    let findings = cache.get_or_make(path, &kind, &of_reader, make, FileFindings::from_text, write);
    let mut findings =
        findings.unwrap_or_else(|error| FileFindings::unreadable(Place::File, error.to_string()));
    config.apply(&mut findings.of_reader);
    config.apply(&mut findings.of_rules);
    findings
}

fn check(
    opener: &Opener,
    file: &FileSource,
    of_reader: &Report,
    request: CheckRequest<'_>,
) -> FileFindings {
    let CheckRequest { config, played_as, with_entry } = request;
    let options = &config.options;
    let mut entry = None;
    let of_rules = timings::report();
    // Readers and rules should never panic; if one does, the other files are still checked.
    let opened = catch_panic("checking", || {
        let mut document = opener.read(file, of_reader)?;
        if let Some(runtime) = played_as {
            if let Err(why) = runtime.check_opens(format_id(&document), &document.model) {
                of_rules.add(FindingKind::RuntimeCannotOpen, Place::File, why);
                return Ok((format_id(&document), Vec::new()));
            }
            document.model = runtime.play(&document.model).model;
        }
        // These reports are never cancelled.
        let format = format_id(&document);
        let _ = validate_for(&document.model, format, &options.runtimes, &of_rules);
        let name = &*file.source.name;
        let num_bytes = document.num_bytes;
        let of_project = ProjectFile { model: &document.model, name, num_bytes };
        config.rules.check(of_project, &of_rules);
        if options.runs_rules() {
            timings::at("applying rules");
            let _ = validate(&document.model, &of_rules);
        }
        let findings = document.findings(&of_rules);
        if with_entry {
            timings::at("computing signatures");
            entry = Entry::of(&document, String::new(), &findings, &timings::report()).ok();
        }
        if !options.runs_rules() {
            return Ok((format, Vec::new()));
        }
        Ok((format_id(&document), causes(&document.model, &findings)))
    });
    let mut findings = match opened {
        Ok(Ok((format, causes))) => {
            FileFindings { format: Some(format), causes, ..FileFindings::default() }
        }
        Ok(Err(error)) => {
            let (format, place) = match &error {
                OpenError::Read(error) => (format_of(error), error.place()),
                OpenError::File(_) => (None, None),
            };
            let unreadable =
                FileFindings::unreadable(place.unwrap_or(Place::File), error.to_string());
            FileFindings { format, ..unreadable }
        }
        Err(fault) => FileFindings {
            has_panicked: true,
            ..FileFindings::unreadable(Place::File, fault.to_string())
        },
    };
    findings.of_reader.extend(of_reader.findings());
    findings.of_rules = of_rules.findings();
    findings.entry = entry;
    findings
}

/// The causes of some findings. Searches only if a warning or error could have a known cause.
fn causes(model: &Model, findings: &[Finding]) -> Vec<NamedCause> {
    if !may_have_cause(findings) {
        return Vec::new();
    }
    timings::at("diagnosing");
    let Ok(diagnosis) = diagnose(model, Context::default(), &timings::report()) else {
        return Vec::new();
    };
    let named = diagnosis.causes.iter().map(|cause| {
        let explained = findings.iter().filter(|finding| cause.info.explains(finding.kind));
        let mut explains: Vec<String> =
            explained.map(|finding| finding.kind.code().to_owned()).collect();
        explains.dedup();
        NamedCause { name: cause.info.name.to_owned(), statement: cause.statement(), explains }
    });
    named.filter(|cause| !cause.explains.is_empty()).collect()
}

fn format_of(error: &ReadError) -> Option<&'static str> {
    match error {
        ReadError::Malformed(failure)
        | ReadError::Unsupported(failure)
        | ReadError::Limit(failure) => Some(failure.format),
        ReadError::UnknownFormat { .. }
        | ReadError::Empty
        | ReadError::Io(_)
        | ReadError::Cancelled => None,
    }
}

/// The findings of a file in the cache.
#[derive(Serialize, Deserialize)]
struct CachedFindings {
    format: Option<String>,
    of_reader: Vec<Row>,
    of_rules: Vec<Row>,
    causes: Vec<NamedCause>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<Entry>,
}

/// Code, place, message, count.
type Row = (String, String, String, u64);

impl FileFindings {
    /// A single finding: the file cannot be read.
    pub(super) fn unreadable(place: Place, message: String) -> Self {
        let finding = Finding::new(FindingKind::Unreadable, place, message, 1);
        Self { of_reader: vec![finding], ..Self::default() }
    }

    /// Sets the hash of the content and the reads of related files, and makes an entry for a file that can't be read.
    fn complete_entry(&mut self, file: &FileSource) {
        let Ok(hash) = entry_hash(file) else { return };
        match &mut self.entry {
            Some(entry) => {
                entry.hash = hash;
                entry.basis = (!self.has_panicked).then(|| Basis::of(file, String::new()));
            }
            None => {
                let findings = [&self.of_reader[..], &self.of_rules].concat();
                self.entry = Some(Entry::unreadable(hash, file.source.content.len(), &findings));
            }
        }
    }

    fn to_text(&self) -> Option<String> {
        let row = |finding: &Finding| {
            let (code, place) = (finding.kind.code().to_owned(), finding.place.to_string());
            (code, place, finding.message.clone(), finding.count)
        };
        let text = CachedFindings {
            format: self.format.map(str::to_owned),
            of_reader: self.of_reader.iter().map(row).collect(),
            of_rules: self.of_rules.iter().map(row).collect(),
            causes: self.causes.clone(),
            entry: self.entry.clone(),
        };
        serde_json::to_string(&text).ok()
    }

    fn from_text(text: &str) -> Option<Self> {
        let text: CachedFindings = serde_json::from_str(text).ok()?;
        let finding = |(code, place, message, count): Row| {
            let (kind, place) = (finding_of_code(&code)?, place.parse().ok()?);
            Some(Finding::new(kind, place, message, count))
        };
        let findings = |rows: Vec<Row>| rows.into_iter().map(finding).collect::<Option<Vec<_>>>();
        let format = match text.format {
            None => None,
            Some(id) => {
                let mut infos = FORMATS.iter().map(|format| &format.info);
                Some(infos.find(|info| info.id == id)?.id)
            }
        };
        Some(Self {
            format,
            of_reader: findings(text.of_reader)?,
            of_rules: findings(text.of_rules)?,
            causes: text.causes,
            entry: text.entry,
            has_panicked: false,
        })
    }
}

/// The hash of a file's content in a baseline.
pub(super) fn entry_hash(file: &FileSource) -> std::io::Result<String> {
    let mut hash = hash_of_content(&file.source.content)?;
    // Half of the digits still tell all files apart, and keep lines short.
    hash.truncate(32);
    Ok(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_findings_survive_a_round_trip() {
        let finding = |kind, place, message: &str| Finding::new(kind, place, message.to_owned(), 3);
        let findings = FileFindings {
            format: Some("bsm2"),
            of_reader: vec![finding(
                FindingKind::ZeroNormal,
                Place::Vertex { mesh: 0, vertex: 4 },
                "a \"b\"\n",
            )],
            of_rules: vec![finding(FindingKind::FlatHull, Place::File, "")],
            causes: vec![NamedCause {
                name: "unit-scale".to_owned(),
                statement: "wrong".to_owned(),
                explains: vec!["flat-hull".to_owned()],
            }],
            entry: Some(Entry::unreadable("abc".to_owned(), 7, &[])),
            has_panicked: false,
        };
        let back = FileFindings::from_text(&findings.to_text().unwrap()).unwrap();
        assert_eq!(back.format, findings.format);
        assert_eq!(back.of_reader, findings.of_reader);
        assert_eq!(back.of_rules, findings.of_rules);
        assert_eq!(back.causes, findings.causes);
        assert_eq!(back.entry, findings.entry);
        assert!(FileFindings::from_text("{").is_none());
        let strange = findings.to_text().unwrap().replace("zero-normal", "zero-gravity");
        assert!(FileFindings::from_text(&strange).is_none(), "written by another version");
    }
}
