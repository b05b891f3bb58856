//! `bisect`: the revision that introduced a finding or moved a model.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use serde::Serialize;

use super::version::{Distance, History, Version, moved};
use crate::OptionArgs;
use crate::exit::{Exit, at_path};
use crate::lines::Lines;
use crate::output::Output;
use crate::text::{counted, plain};
use rigscope_core::diagnose::{CAUSES, Context, diagnose};
use rigscope_core::model::{Report, numbers};
use rigscope_core::validate::finding_of_code;
use rigscope_io::OpenOptions;
use rigscope_io::files::catch_panic;
use rigscope_io::history::Revision;

/// `bisect`.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("criterion").required(true)))]
pub struct BisectArgs {
    /// A file in a Git repository
    pub file: PathBuf,
    /// Find the revision that introduced this finding, or this cause
    #[arg(long, value_name = "CODE", group = "criterion", value_parser = known_code)]
    pub finding: Option<String>,
    /// Find the revision since which a vertex is farther from the good revision than this percentage of the model's
    /// size in any clip, such as 1 or 1%
    #[arg(long, value_name = "PERCENT", group = "criterion", value_parser = share_of_percent)]
    pub moved: Option<f64>,
    /// A revision that is good; by default, the first one with the file
    #[arg(long, value_name = "REV")]
    pub good: Option<String>,
    /// A revision that is bad; by default, the last one that changed the file
    #[arg(long, value_name = "REV")]
    pub bad: Option<String>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// How files are read.
    #[command(flatten, next_help_heading = "Input options")]
    pub input: OptionArgs<OpenOptions>,
}

fn known_code(text: &str) -> Result<String, String> {
    let cause = || CAUSES.iter().map(|cause| cause.name).find(|name| *name == text);
    let known = finding_of_code(text).map(|kind| kind.code()).or_else(cause);
    known
        .map(str::to_owned)
        .ok_or_else(|| "there is no such finding or cause; `rigscope rules` lists all".to_owned())
}

/// `1` or `1%` as a share.
fn share_of_percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    let share = number.parse::<f64>().map(|percent| percent / 100.0);
    share
        .ok()
        .filter(|share| share.is_finite() && *share >= 0.0)
        .ok_or_else(|| "a percentage of the model's size, such as 1 or 1%".to_owned())
}

/// `bisect --json`.
#[derive(Debug, Serialize)]
struct Json<'a> {
    schema: &'static str,
    revision: &'a str,
    date: &'a str,
    author: &'a str,
    subject: &'a str,
    file: &'a str,
    /// The finding or the distance, for people.
    evidence: &'a str,
    /// Number of revisions that were read.
    read: usize,
    of: usize,
}

pub(crate) fn run(args: &BisectArgs, output: &Output) -> anyhow::Result<Exit> {
    let mut search = Search::new(args)?;
    let (mut good, mut bad) = (search.good, search.bad);
    if !search.is_bad(bad, output)? {
        let revision = search.text(bad);
        anyhow::bail!("there is nothing to find in {revision}: {}", search.criterion());
    }
    if search.is_bad(good, output)? {
        let revision = search.text(good);
        anyhow::bail!(
            "the good revision is already bad: {revision}; pass an older one with --good"
        );
    }
    while good + 1 < bad {
        // Files that can't be read are neither; the nearest other revision is tried instead.
        let middle = good + (bad - good) / 2;
        let mut between: Vec<usize> = (good + 1..bad).collect();
        between.sort_by_key(|at| at.abs_diff(middle));
        let mut found = None;
        for at in between {
            if search.version(at).is_some() {
                found = Some((at, search.is_bad(at, output)?));
                break;
            }
        }
        match found {
            Some((at, true)) => bad = at,
            Some((at, false)) => good = at,
            None => break,
        }
    }
    output.clear_progress();
    let (revision, num_read, num) = (search.revision(bad), search.num_read, search.len());
    let evidence = search.known.get(&bad).and_then(Option::as_ref);
    let evidence = evidence.map_or("", |evidence| &evidence.text);
    if args.json {
        output.print_json(&Json {
            schema: "rigscope.bisect/1",
            revision: &revision.id,
            date: &revision.date,
            author: &revision.author,
            subject: &revision.subject,
            file: &revision.path,
            evidence,
            read: num_read,
            of: num,
        })?;
    } else {
        let text = search.text(bad);
        let evidence = plain(evidence);
        let found = format!("found by reading {num_read} of {num} revisions");
        let mut lines = Lines::default();
        lines.extend([text, format!("  {evidence}"), format!("  {found}")]);
        if bad - good > 1 {
            let num = bad - good - 1;
            lines.push(format!("  {num} revisions before it can't be read and may be the cause"));
        }
        output.print_lines(&lines)?;
    }
    Ok(Exit::Done)
}

/// The state of a revision, and why.
#[derive(Clone, Debug, Default)]
struct Evidence {
    is_bad: bool,
    /// The finding or the distance, for people.
    text: String,
}

/// Revisions from the oldest to the newest, which are read when needed.
struct Search<'a> {
    args: &'a BisectArgs,
    history: History,
    /// Newest first.
    revisions: Vec<Revision>,
    good: usize,
    bad: usize,
    reference: Option<Version>,
    known: HashMap<usize, Option<Evidence>>,
    num_read: usize,
}

impl<'a> Search<'a> {
    fn new(args: &'a BisectArgs) -> anyhow::Result<Self> {
        let history = History::of(&args.file, &args.input.0)?;
        if history.files_of_folder().is_some() {
            return Err(at_path("this is a folder; bisect follows one file", &args.file));
        }
        let revisions = history.revisions()?;
        let num = revisions.len();
        let index = |revision: &Option<String>, default: usize| -> anyhow::Result<usize> {
            let Some(name) = revision else { return Ok(default) };
            let commit = history.repository.commit(name).map_err(anyhow::Error::new)?;
            // The last change of the file in that revision.
            let ancestors = history.repository.ancestors(&commit).map_err(anyhow::Error::new)?;
            let mut own = revisions.iter();
            let at = own.position(|own| ancestors.contains(&own.id));
            at.map(|at| num - 1 - at).ok_or_else(|| anyhow::anyhow!("{name} doesn't have the file"))
        };
        let (good, bad) = (index(&args.good, 0)?, index(&args.bad, num - 1)?);
        if good >= bad {
            let num = counted(num as u64, "revision");
            anyhow::bail!("the good revision must be older than the bad one; the file has {num}");
        }
        let mut search = Self {
            args,
            history,
            revisions,
            good,
            bad,
            reference: None,
            known: HashMap::new(),
            num_read: 0,
        };
        if args.moved.is_some() {
            let reference = search.history.read(search.revision(good));
            search.reference = Some(reference.map_err(|error| {
                anyhow::anyhow!(
                    "the good revision can't be read: {error}; pass another with --good"
                )
            })?);
        }
        Ok(search)
    }

    fn len(&self) -> usize {
        self.revisions.len()
    }

    fn revision(&self, at: usize) -> &Revision {
        &self.revisions[self.len() - 1 - at]
    }

    fn text(&self, at: usize) -> String {
        let Revision { date, author, subject, .. } = self.revision(at);
        let revision = self.revision(at).short();
        plain(&format!("{revision} {date} {author}: {subject}"))
    }

    fn criterion(&self) -> String {
        match (&self.args.finding, self.args.moved) {
            (Some(code), _) if finding_of_code(code).is_none() => format!("it has no cause {code}"),
            (Some(code), _) => format!("it has no finding {code}"),
            (None, Some(share)) => {
                format!("no vertex has moved by more than {}", numbers::percent(share))
            }
            (None, None) => String::new(),
        }
    }

    /// Whether a revision is bad; `None` if it can't be read.
    fn version(&mut self, at: usize) -> Option<bool> {
        if !self.known.contains_key(&at) {
            self.num_read += 1;
            let version = self.history.read(self.revision(at)).ok();
            let evidence = version.map(|version| self.evidence(&version));
            self.known.insert(at, evidence);
        }
        self.known.get(&at)?.as_ref().map(|evidence| evidence.is_bad)
    }

    fn evidence(&self, version: &Version) -> Evidence {
        if let Some(code) = &self.args.finding {
            if finding_of_code(code).is_none() {
                return evidence_of_cause(version, code);
            }
            let mut findings = version.findings.iter();
            let finding = findings.find(|finding| finding.kind.code() == code);
            let text = finding.map_or_else(String::new, |finding| finding.message.clone());
            return Evidence { is_bad: finding.is_some(), text };
        }
        let (Some(reference), Some(share)) = (&self.reference, self.args.moved) else {
            return Evidence::default();
        };
        let Distance { of_size, place } = moved(reference, version);
        let place = if place.is_empty() { place } else { format!(": {place}") };
        let text =
            format!("vertices moved by {} of the size{place}", numbers::up_to_percent(of_size));
        Evidence { is_bad: of_size > share, text }
    }

    fn is_bad(&mut self, at: usize, output: &Output) -> anyhow::Result<bool> {
        output.progress(|| format!("reading {}", self.text(at)));
        match self.version(at) {
            Some(is_bad) => Ok(is_bad),
            None => anyhow::bail!("{} can't be read; pass another revision", self.text(at)),
        }
    }
}

/// Whether a cause is named for a revision.
fn evidence_of_cause(version: &Version, name: &str) -> Evidence {
    let model = &version.document.model;
    let diagnosed =
        catch_panic("diagnosing", || diagnose(model, Context::default(), &Report::new()));
    let Ok(Ok(diagnosis)) = diagnosed else { return Evidence::default() };
    let found = diagnosis.causes.iter().find(|cause| cause.info.name == name);
    let text = found.map_or_else(String::new, |cause| cause.statement());
    Evidence { is_bad: found.is_some(), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages_with_or_without_a_sign() {
        assert_eq!(share_of_percent("1%"), Ok(0.01));
        assert_eq!(share_of_percent("1 %"), Ok(0.01));
        assert_eq!(share_of_percent("5"), Ok(0.05));
        assert_eq!(share_of_percent("0.5"), Ok(0.005));
        assert!(share_of_percent("-1%").is_err() && share_of_percent("x").is_err());
        assert!(known_code("zero-normal").is_ok() && known_code("mesh-axes").is_ok());
        assert!(known_code("nope").is_err());
    }
}
