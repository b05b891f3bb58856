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

use super::exit::at_path;
use super::option_args::unknown_name;
use rigscope_core::model::Place;
use rigscope_core::options::{OptionInfo, OptionKind, OptionValue, Request};
use rigscope_core::validate::ValidateOptions;
use rigscope_io::files::read_settings;
use rigscope_io::formats::text::line_and_column;

const NAME: &str = "rigscope.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    validate: HashMap<Spanned<String>, Vec<Spanned<String>>>,
}

/// A syntax or value error in a file.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    place: Place,
    message: String,
}

/// Reads the file at `path`.
fn read(path: &Path) -> anyhow::Result<ValidateOptions> {
    let text = read_settings(path).map_err(|error| at_path(error, path))?;
    parse(&text).map_err(|fault| at_path(format!("{}: {}", fault.place, fault.message), path))
}

fn parse(text: &str) -> Result<ValidateOptions, Fault> {
    let fault = |start: usize, message: String| Fault {
        place: line_and_column(text.as_bytes(), start),
        message,
    };
    let file: File = toml::from_str(text).map_err(|error| {
        // An error that spans several lines is reported at the first.
        fault(error.span().map_or(0, |span| span.start), error.message().to_owned())
    })?;
    let mut options = ValidateOptions::default();
    for (setting, names) in &file.validate {
        let Some(option) = ValidateOptions::option(setting.get_ref()) else {
            let known = ValidateOptions::OPTIONS.iter().map(|option| option.name).collect();
            let listed_by = "the settings are rules, allow and deny";
            let message = unknown_name(setting.get_ref(), "setting", listed_by, known);
            return Err(fault(setting.span().start, message));
        };
        for name in names {
            check_name(option, name.get_ref()).map_err(|m| fault(name.span().start, m))?;
        }
        let values = names.iter().map(|name| name.get_ref().clone()).collect();
        option
            .set(&mut options, OptionValue::Texts(values))
            .map_err(|expected| fault(setting.span().start, format!("not {expected}")))?;
    }
    Ok(options)
}

fn check_name(option: &OptionInfo<ValidateOptions>, name: &str) -> Result<(), String> {
    match option.kind {
        OptionKind::Names { noun, listed_by, names, .. } if !names().contains(&name) => {
            Err(unknown_name(name, noun, listed_by, names()))
        }
        _ => Ok(()),
    }
}

/// The settings for many files; each `rigscope.toml` is read once.
#[derive(Debug)]
pub(super) struct Configs {
    /// For all files.
    named: Option<Arc<ValidateOptions>>,
    by_folder: HashMap<PathBuf, Arc<ValidateOptions>>,
}

impl Configs {
    /// The settings in the file `named`, otherwise in the nearest `rigscope.toml`.
    pub(super) fn new(named: Option<&Path>) -> anyhow::Result<Self> {
        let named = named.map(read).transpose()?.map(Arc::new);
        Ok(Self { named, by_folder: HashMap::new() })
    }

    /// The settings for the file at `path`; the defaults if there is no `rigscope.toml`.
    pub(super) fn of(&mut self, path: &Path) -> anyhow::Result<Arc<ValidateOptions>> {
        if let Some(named) = &self.named {
            return Ok(Arc::clone(named));
        }
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
    use rigscope_core::model::FindingKind;
    use rigscope_core::validate::Denied;

    #[test]
    fn all_lists_are_read() {
        let text = "[validate]\nrules = [\"mesh\", \"readers\"]\nallow = ['zero-normal']\n\
                    deny = [\"warnings\", \"no-clips\"]\n";
        let options = parse(text).unwrap();
        assert_eq!(options.rules.len(), 2);
        assert_eq!(options.allow, [FindingKind::ZeroNormal]);
        assert_eq!(options.deny, [Denied::Warnings, Denied::Code(FindingKind::NoClips)]);
        assert_eq!(parse(""), Ok(ValidateOptions::default()));
    }

    #[test]
    fn errors_have_line_and_column() {
        for (text, place, part) in [
            ("[validate]\nallow = [\"zero-normals\"]", (2, 10), "did you mean `zero-normal`"),
            ("[validate]\ndeny = [\n  \"no-clips\",\n  \"x\",\n]", (4, 3), "`x`"),
            ("[validate]\n\nalow = []", (3, 1), "did you mean `allow`"),
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
        let mut configs = Configs::new(None).unwrap();
        let num = |configs: &mut Configs, name: &str| configs.of(&at(name)).unwrap().allow.len();
        assert_eq!(num(&mut configs, "x.bsm2"), 1);
        assert_eq!(num(&mut configs, "a/x.bsm2"), 1);
        assert_eq!(num(&mut configs, "a/b/x.bsm2"), 0);
        assert_eq!(num(&mut configs, "a/b/c/x.bsm2"), 0);
    }
}
