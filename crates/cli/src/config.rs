//! `rigscope.toml`: the settings of `validate` for a project, stored with its files.
//!
//! ```toml
//! [validate]
//! rules = ["all"]                  # as --rules
//! allow = ["degenerate-triangle"]  # as --allow
//! deny = ["warnings"]              # as --deny
//! ```
//!
//! The nearest one applies, in the folder of a file or above it. Settings further up are not merged.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use super::codes::{self, Deny, RuleArg};
use super::exit::at_path;
use rigscope_core::model::{FindingKind, Place};
use rigscope_io::files::read_settings;
use rigscope_io::formats::text::line_and_column;

const NAME: &str = "rigscope.toml";

/// The settings in one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Config {
    /// Findings to check for; `None` if not set.
    pub(super) rules: Option<Vec<RuleArg>>,
    /// Ignored findings.
    pub(super) allow: Vec<FindingKind>,
    /// Findings other than errors that make `validate` fail.
    pub(super) deny: Vec<Deny>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    validate: Section,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Section {
    rules: Option<Vec<Spanned<String>>>,
    allow: Vec<Spanned<String>>,
    deny: Vec<Spanned<String>>,
}

/// A syntax or value error in a file.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    place: Place,
    message: String,
}

/// Reads the file at `path`.
pub(super) fn read(path: &Path) -> anyhow::Result<Config> {
    let text = read_settings(path).map_err(|error| at_path(error, path))?;
    parse(&text).map_err(|fault| at_path(format!("{}: {}", fault.place, fault.message), path))
}

fn parse(text: &str) -> Result<Config, Fault> {
    let fault = |start: usize, message: &str| Fault {
        place: line_and_column(text.as_bytes(), start),
        message: message.to_owned(),
    };
    let file: File = toml::from_str(text).map_err(|error| {
        // An error that spans several lines is reported at the first.
        fault(error.span().map_or(0, |span| span.start), error.message())
    })?;
    let section = file.validate;
    Ok(Config {
        rules: match &section.rules {
            Some(list) => Some(each(list, codes::rule, fault)?),
            None => None,
        },
        allow: each(&section.allow, codes::code, fault)?,
        deny: each(&section.deny, codes::deny, fault)?,
    })
}

fn each<T>(
    list: &[Spanned<String>],
    read: fn(&str) -> Result<T, String>,
    fault: impl Fn(usize, &str) -> Fault,
) -> Result<Vec<T>, Fault> {
    let one = |text: &Spanned<String>| {
        read(text.get_ref()).map_err(|message| fault(text.span().start, &message))
    };
    list.iter().map(one).collect()
}

/// Finds the settings for many files, and reads each `rigscope.toml` once.
#[derive(Debug, Default)]
pub(super) struct Configs {
    by_folder: HashMap<PathBuf, Arc<Config>>,
}

impl Configs {
    /// The settings for the file at `path`; the defaults if there is no `rigscope.toml`.
    pub(super) fn of(&mut self, path: &Path) -> anyhow::Result<Arc<Config>> {
        let Ok(absolute) = std::path::absolute(path) else { return Ok(Arc::default()) };
        let mut passed = Vec::new();
        let mut config = Arc::default();
        for folder in absolute.ancestors().skip(1) {
            if let Some(known) = self.by_folder.get(folder) {
                config = Arc::clone(known);
                break;
            }
            passed.push(folder.to_owned());
            let file = folder.join(NAME);
            match std::fs::metadata(&file) {
                Ok(metadata) if metadata.is_file() => {
                    config = Arc::new(read(&file)?);
                    break;
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => break,
                _ => {}
            }
        }
        for folder in passed {
            self.by_folder.insert(folder, Arc::clone(&config));
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_lists_are_read() {
        let text = "[validate]\nrules = [\"mesh\", \"readers\"]\nallow = ['zero-normal']\n\
                    deny = [\"warnings\", \"no-clips\"]\n";
        let config = parse(text).unwrap();
        assert_eq!(config.rules.map(|list| list.len()), Some(2));
        assert_eq!(config.allow, [FindingKind::ZeroNormal]);
        assert_eq!(config.deny, [Deny::Warnings, Deny::Code(FindingKind::NoClips)]);
        assert_eq!(parse(""), Ok(Config::default()));
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, place, part) in [
            ("[validate]\nallow = [\"zero-normals\"]", (2, 10), "did you mean `zero-normal`"),
            ("[validate]\ndeny = [\n  \"no-clips\",\n  \"x\",\n]", (4, 3), "`x`"),
            ("[validate]\n\nalow = []", (3, 1), "alow"),
            ("[validate]\nallow = 3", (2, 9), "integer"),
            ("[validate]\nallow = [", (2, 10), ""),
        ] {
            let fault = parse(text).unwrap_err();
            let (line, column) = (place.0, Some(place.1));
            assert_eq!(fault.place, Place::Line { line, column }, "{fault:?}");
            assert!(fault.message.contains(part), "{fault:?}");
        }
    }

    #[test]
    fn the_nearest_file_applies() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("a/b/c")).unwrap();
        std::fs::write(at("rigscope.toml"), "[validate]\nallow = ['no-clips']").unwrap();
        std::fs::write(at("a/b/rigscope.toml"), "").unwrap();
        let mut configs = Configs::default();
        let num = |configs: &mut Configs, name: &str| configs.of(&at(name)).unwrap().allow.len();
        assert_eq!(num(&mut configs, "x.bsm2"), 1);
        assert_eq!(num(&mut configs, "a/x.bsm2"), 1);
        assert_eq!(num(&mut configs, "a/b/x.bsm2"), 0);
        assert_eq!(num(&mut configs, "a/b/c/x.bsm2"), 0);
    }
}
