//! The text of a `rigscope.toml`, checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use toml::{Spanned, Value};

use crate::option_args::{unknown_name, unknown_rule};
use crate::walk_args::{WalkSettings, check_pattern};
use rigscope_core::model::{Model, Place, Report};
use rigscope_core::options::{OptionInfo, OptionKind, OptionValue, Request};
use rigscope_core::policy::{ValidateOptions, rule_names};
use rigscope_core::project::{BUDGETS, Budget, BudgetInfo, BudgetItem, NamePatterns, NamedPart};
use rigscope_core::project::{ProjectRules, SkeletonRule};
use rigscope_io::OpenOptions;
use rigscope_io::convert::loss_codes;
use rigscope_io::files::Inputs;
use rigscope_io::formats::leads_outside;
use rigscope_io::formats::text::line_and_column;

/// Patterns of paths: `*` doesn't match `/`, `**` does.
const OF_PATHS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};
/// Distance of bones from the reference that is allowed unless the file states it.
const DEFAULT_TOLERANCE: f64 = 0.001;
const SECTIONS: &str =
    "the sections are files, validate, convert, budget, names, skeleton, runtimes and ignore";

/// A syntax or value error in a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) place: Place,
    pub(super) message: String,
}

/// The settings of a file.
#[derive(Debug, Default)]
pub(super) struct ConfigFile {
    pub(super) walk: WalkSettings,
    pub(super) allowed_losses: Vec<&'static str>,
    pub(super) validate: ValidateOptions,
    /// Limits and the files that they are for, in the order of the file; later ones replace earlier ones.
    budgets: Vec<(Option<Pattern>, Budget)>,
    names: NamePatterns,
    /// The path of the reference, below the folder of the file, and the tolerance.
    skeleton: Option<(PathBuf, f64)>,
    pub(super) ignored: Vec<Ignored>,
}

/// A finding or cause that a project ignores.
#[derive(Clone, Debug)]
pub(crate) struct Ignored {
    /// The code of the finding, or the name of the cause.
    pub(crate) name: &'static str,
    /// Paths relative to the file; empty for all.
    files: Vec<Pattern>,
    /// The last day on which it is ignored, `2027-01-31`.
    pub(crate) until: Option<String>,
}

impl Ignored {
    /// Whether it applies to a file, by its path relative to the `rigscope.toml`.
    pub(crate) fn applies_to(&self, path: &str) -> bool {
        let mut files = self.files.iter();
        self.files.is_empty() || files.any(|pattern| pattern.matches_with(path, OF_PATHS))
    }
}

impl ConfigFile {
    /// The rules for a file, by its path relative to the `rigscope.toml`. Reads the reference skeleton from `folder`.
    pub(super) fn rules(&self, path: &str, reference: Option<&Arc<Model>>) -> ProjectRules {
        let mut budget = Budget::default();
        for (pattern, own) in &self.budgets {
            if pattern.as_ref().is_none_or(|pattern| pattern.matches_with(path, OF_PATHS)) {
                budget.limits.extend(&own.limits);
            }
        }
        let tolerance =
            self.skeleton.as_ref().map_or(DEFAULT_TOLERANCE, |(_, tolerance)| *tolerance);
        ProjectRules {
            budget,
            names: self.names.clone(),
            skeleton: reference.map(|model| SkeletonRule { model: Arc::clone(model), tolerance }),
        }
    }

    /// The reference skeleton, from a file below `folder`.
    pub(super) fn reference(
        &self,
        folder: &Path,
        inputs: &Inputs,
    ) -> anyhow::Result<Option<Arc<Model>>> {
        let Some((path, _)) = &self.skeleton else { return Ok(None) };
        // Only built-in formats: settings next to untrusted files start no program.
        let opener = crate::input::opener_without_programs(&OpenOptions::default())?;
        let path = folder.join(path);
        let opened = opener.open(&path, &Report::new());
        inputs.add_all(opener.inputs());
        let document = opened.map_err(|error| crate::exit::at_path(error, &path))?;
        Ok(Some(Arc::new(document.model)))
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Text {
    files: BTreeMap<Spanned<String>, Spanned<Value>>,
    convert: BTreeMap<Spanned<String>, Spanned<Value>>,
    validate: BTreeMap<Spanned<String>, Spanned<Value>>,
    budget: BTreeMap<Spanned<String>, Spanned<Value>>,
    names: BTreeMap<Spanned<String>, Spanned<Value>>,
    skeleton: BTreeMap<Spanned<String>, Spanned<Value>>,
    runtimes: BTreeMap<Spanned<String>, Spanned<Value>>,
    ignore: Vec<BTreeMap<Spanned<String>, Spanned<Value>>>,
}

/// Parses the text of a file.
pub(super) fn parse(text: &str) -> Result<ConfigFile, Fault> {
    let parser = Parser { text };
    let fault = |error: toml::de::Error| {
        // An error that spans several lines is reported at the first.
        parser.fault(error.span().map_or(0, |span| span.start), error.message())
    };
    let sections: BTreeMap<Spanned<String>, Value> = toml::from_str(text).map_err(fault)?;
    let known =
        ["files", "convert", "validate", "budget", "names", "skeleton", "runtimes", "ignore"];
    let parsed: Text = toml::from_str(text).map_err(fault)?;
    if let Some(section) = sections.keys().find(|name| !known.contains(&name.get_ref().as_str())) {
        let known = known.into();
        let message = unknown_name(section.get_ref(), "section", SECTIONS, known);
        return Err(parser.fault(section.span().start, message));
    }
    let mut config = ConfigFile::default();
    for (setting, value) in &parsed.convert {
        if setting.get_ref() != "allow" {
            let message =
                unknown_name(setting.get_ref(), "setting", "the setting is allow", vec!["allow"]);
            return Err(parser.fault(setting.span().start, message));
        }
        for code in parser.texts(value)? {
            let known = loss_codes().find(|known| **known == code);
            config.allowed_losses.push(known.ok_or_else(|| {
                let listed_by = "`rigscope convert --help` lists all";
                let message = unknown_name(&code, "loss", listed_by, loss_codes().collect());
                parser.fault(value.span().start, message)
            })?);
        }
    }
    for (setting, value) in &parsed.files {
        parser.files(setting, value, &mut config.walk)?;
    }
    for (setting, value) in &parsed.validate {
        parser.validate(setting, value, &mut config.validate)?;
    }
    for (name, value) in &parsed.runtimes {
        if name.get_ref() != "play" {
            let message =
                unknown_name(name.get_ref(), "setting", "the setting is play", vec!["play"]);
            return Err(parser.fault(name.span().start, message));
        }
        let setting = Spanned::new(name.span(), "runtimes".to_owned());
        parser.validate(&setting, value, &mut config.validate)?;
    }
    config.budgets = parser.budgets(&parsed.budget)?;
    for (part, value) in &parsed.names {
        let known = NamedPart::ALL.map(NamedPart::name);
        let Some(own) = NamedPart::ALL.into_iter().find(|own| own.name() == part.get_ref()) else {
            let listed_by = "patterns are for bones, materials, clips and files";
            let message = unknown_name(part.get_ref(), "kind of name", listed_by, known.into());
            return Err(parser.fault(part.span().start, message));
        };
        *config.names.of(own) = parser.patterns(value)?;
    }
    config.skeleton = parser.skeleton(&parsed.skeleton)?;
    for entry in &parsed.ignore {
        config.ignored.push(parser.ignored(entry)?);
    }
    Ok(config)
}

struct Parser<'a> {
    text: &'a str,
}

impl Parser<'_> {
    fn fault(&self, start: usize, message: impl Into<String>) -> Fault {
        let place = line_and_column(self.text.as_bytes(), start);
        Fault { place, message: message.into() }
    }

    fn files(
        &self,
        setting: &Spanned<String>,
        value: &Spanned<Value>,
        walk: &mut WalkSettings,
    ) -> Result<(), Fault> {
        let patterns = || {
            let patterns = self.texts(value)?;
            let check = |pattern: &String| check_pattern(pattern);
            let checked = patterns.iter().try_for_each(check);
            checked.map_err(|message| self.fault(value.span().start, message))?;
            Ok(patterns)
        };
        match (setting.get_ref().as_str(), value.get_ref()) {
            ("include", _) => walk.include = patterns()?,
            ("exclude", _) => walk.exclude = patterns()?,
            ("no-ignore", Value::Boolean(no_ignore)) => walk.no_ignore = *no_ignore,
            ("no-ignore", _) => {
                return Err(self.fault(value.span().start, "no-ignore must be true or false"));
            }
            (name, _) => {
                let known = vec!["include", "exclude", "no-ignore"];
                let listed_by = "the settings are include, exclude and no-ignore";
                let message = unknown_name(name, "setting", listed_by, known);
                return Err(self.fault(setting.span().start, message));
            }
        }
        Ok(())
    }

    fn validate(
        &self,
        setting: &Spanned<String>,
        value: &Spanned<Value>,
        options: &mut ValidateOptions,
    ) -> Result<(), Fault> {
        let Some(option) = ValidateOptions::option(setting.get_ref()) else {
            let known = ValidateOptions::OPTIONS.iter().map(|option| option.name).collect();
            let listed_by = "the settings are rules, allow, deny and runtimes";
            let message = unknown_name(setting.get_ref(), "setting", listed_by, known);
            return Err(self.fault(setting.span().start, message));
        };
        let names = self.texts(value)?;
        for name in &names {
            check_name(option, name).map_err(|message| {
                // The parser has no positions of list entries.
                let inside = self.text.get(value.span()).and_then(|text| text.find(name.as_str()));
                let start = value.span().start + inside.map_or(0, |at| at.saturating_sub(1));
                self.fault(start, message)
            })?;
        }
        option
            .set(options, OptionValue::Texts(names))
            .map_err(|expected| self.fault(setting.span().start, format!("not {expected}")))
    }

    fn texts(&self, value: &Spanned<Value>) -> Result<Vec<String>, Fault> {
        let wrong = |found: &Value| {
            let message = format!("expected a list of texts, found {}", found.type_str());
            self.fault(value.span().start, message)
        };
        let Value::Array(list) = value.get_ref() else { return Err(wrong(value.get_ref())) };
        let text = |entry: &Value| entry.as_str().map(str::to_owned).ok_or_else(|| wrong(entry));
        list.iter().map(text).collect()
    }

    fn patterns(&self, value: &Spanned<Value>) -> Result<Vec<Pattern>, Fault> {
        let texts = self.texts(value)?;
        texts.iter().map(|text| self.pattern(text, value.span().start)).collect()
    }

    fn pattern(&self, text: &str, start: usize) -> Result<Pattern, Fault> {
        Pattern::new(text).map_err(|error| {
            let message =
                format!("{text:?} isn't a pattern: {} at character {}", error.msg, error.pos + 1);
            self.fault(start, message)
        })
    }

    fn budgets(
        &self,
        section: &BTreeMap<Spanned<String>, Spanned<Value>>,
    ) -> Result<Vec<(Option<Pattern>, Budget)>, Fault> {
        let mut general = Budget::default();
        let mut of_files = Vec::new();
        for (name, value) in section {
            let start = name.span().start;
            if let Value::Table(limits) = value.get_ref() {
                let mut budget = Budget::default();
                for (item, limit) in limits {
                    let item = self.item(item, start)?;
                    budget.limits.insert(item.item, self.limit(item, limit, value.span().start)?);
                }
                of_files.push((start, self.pattern(name.get_ref(), start)?, budget));
                continue;
            }
            let item = self.item(name.get_ref(), start)?;
            general
                .limits
                .insert(item.item, self.limit(item, value.get_ref(), value.span().start)?);
        }
        // In the order of the file: maps are sorted by name.
        of_files.sort_by_key(|(start, ..)| *start);
        let of_files = of_files.into_iter().map(|(_, pattern, budget)| (Some(pattern), budget));
        Ok(std::iter::once((None, general)).chain(of_files).collect())
    }

    fn item(&self, name: &str, start: usize) -> Result<&'static BudgetInfo, Fault> {
        BUDGETS.iter().find(|row| row.name == name).ok_or_else(|| {
            let known: Vec<&str> = BUDGETS.iter().map(|row| row.name).collect();
            let listed_by = format!("budgets are {}", known.join(", "));
            self.fault(start, unknown_name(name, "budget", &listed_by, known))
        })
    }

    fn limit(&self, item: &BudgetInfo, value: &Value, start: usize) -> Result<f64, Fault> {
        let is_size = matches!(item.item, BudgetItem::TextureMemory | BudgetItem::FileSize);
        let number = match value {
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            Value::String(text) if is_size => bytes_of(text),
            _ => None,
        };
        number.filter(|number| number.is_finite() && *number >= 0.0).ok_or_else(|| {
            let expected =
                if is_size { "a size such as \"64 MB\"" } else { "a number that isn't negative" };
            self.fault(start, format!("{} must be {expected}", item.name))
        })
    }

    fn skeleton(
        &self,
        section: &BTreeMap<Spanned<String>, Spanned<Value>>,
    ) -> Result<Option<(PathBuf, f64)>, Fault> {
        let (mut file, mut tolerance) = (None, DEFAULT_TOLERANCE);
        for (name, value) in section {
            let start = value.span().start;
            match (name.get_ref().as_str(), value.get_ref()) {
                ("file", Value::String(path)) => {
                    // The settings may be next to untrusted files.
                    if leads_outside(path) {
                        let message =
                            "the file must be in the folder of this rigscope.toml or below";
                        return Err(self.fault(start, message));
                    }
                    file = Some(PathBuf::from(path));
                }
                ("tolerance", Value::Float(number)) if (0.0..=1.0).contains(number) => {
                    tolerance = *number;
                }
                ("tolerance", Value::Integer(number @ (0 | 1))) => tolerance = *number as f64,
                ("file", _) => return Err(self.fault(start, "file must be a path")),
                ("tolerance", _) => {
                    let message = "tolerance must be a share of the skeleton's size, from 0 to 1";
                    return Err(self.fault(start, message));
                }
                (name, _) => {
                    let listed_by = "the settings are file and tolerance";
                    let message =
                        unknown_name(name, "setting", listed_by, vec!["file", "tolerance"]);
                    let start = section.keys().find(|key| key.get_ref() == name);
                    return Err(self.fault(start.map_or(0, |key| key.span().start), message));
                }
            }
        }
        match (file, section.keys().next()) {
            (Some(file), _) => Ok(Some((file, tolerance))),
            (None, None) => Ok(None),
            (None, Some(first)) => Err(self.fault(first.span().start, "[skeleton] needs a file")),
        }
    }

    fn ignored(&self, entry: &BTreeMap<Spanned<String>, Spanned<Value>>) -> Result<Ignored, Fault> {
        let start = entry.keys().map(|key| key.span().start).min().unwrap_or_default();
        let (mut rule, mut files, mut reason, mut until) = (None, Vec::new(), None, None);
        for (name, value) in entry {
            let at = value.span().start;
            match (name.get_ref().as_str(), value.get_ref()) {
                ("rule", Value::String(code)) => {
                    let known = rule_names().find(|name| *name == code.as_str());
                    rule = Some(known.ok_or_else(|| self.fault(at, unknown_rule(code)))?);
                }
                ("files", _) => files = self.patterns(value)?,
                ("reason", Value::String(text)) => {
                    reason = Some(text).filter(|t| !t.trim().is_empty())
                }
                ("until", Value::String(day)) if is_day(day) => until = Some(day.clone()),
                ("until", Value::Datetime(day)) if day.date.is_some() && day.time.is_none() => {
                    until = Some(day.to_string());
                }
                ("rule" | "reason", _) => {
                    return Err(self.fault(at, format!("{} must be a text", name.get_ref())));
                }
                ("until", _) => {
                    return Err(self.fault(at, "until must be a day, such as 2027-01-31"));
                }
                (other, _) => {
                    let known = vec!["rule", "files", "reason", "until"];
                    let listed_by = "the settings are rule, files, reason and until";
                    let message = unknown_name(other, "setting", listed_by, known);
                    return Err(self.fault(name.span().start, message));
                }
            }
        }
        let name = rule.ok_or_else(|| self.fault(start, "[[ignore]] needs a rule"))?;
        if reason.is_none() {
            return Err(self.fault(start, "[[ignore]] needs a reason"));
        }
        Ok(Ignored { name, files, until })
    }
}

fn check_name(option: &OptionInfo<ValidateOptions>, name: &str) -> Result<(), String> {
    match option.kind {
        OptionKind::Names { noun, listed_by, names, .. } if !names().contains(&name) => {
            Err(unknown_name(name, noun, listed_by, names()))
        }
        _ => Ok(()),
    }
}

/// `64 MB` in bytes; units are powers of 1000.
fn bytes_of(text: &str) -> Option<f64> {
    const UNITS: [(&str, f64); 4] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];
    let text = text.trim();
    let split = |(unit, size): &(&str, f64)| Some((text.strip_suffix(unit)?.trim_end(), *size));
    let (number, size) = UNITS.iter().find_map(split).unwrap_or((text, 1.0));
    number.parse::<f64>().ok().map(|number| number * size)
}

/// Whether a text is a day, `2027-01-31`; such texts sort by time.
fn is_day(text: &str) -> bool {
    chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok() && text.len() == 10
}
