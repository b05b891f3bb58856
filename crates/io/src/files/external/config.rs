//! `config.toml` of the settings folder.
//!
//! ```toml
//! [readers.my_engine]
//! command = ["python", "read_hero.py", "{file}"]
//! extensions = ["hero"]
//! magic = "HERO"          # optional: the first bytes of a file, as Latin-1
//! timeout_secs = 60       # optional
//! memory_mib = 4096       # optional
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::program::{ConfigFault, FILE_WORD, ReaderProgram};
use crate::formats::text::line_and_column;
use rigscope_core::model::Place;

const DEFAULT_TIMEOUT_SECS: f64 = 60.0;
const MAX_TIMEOUT_SECS: f64 = 86_400.0;
const DEFAULT_MEMORY_MIB: u64 = 4096;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ConfigText {
    readers: BTreeMap<String, Spanned<ReaderText>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReaderText {
    command: Vec<String>,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    magic: String,
    #[serde(default)]
    timeout_secs: Option<f64>,
    #[serde(default)]
    memory_mib: Option<u64>,
}

/// The programs in a settings file.
///
/// # Errors
/// The first fault.
pub fn parse(text: &str) -> Result<Vec<ReaderProgram>, ConfigFault> {
    let fault = |start: usize, message: String| ConfigFault {
        place: line_and_column(text.as_bytes(), start),
        message,
    };
    let config: ConfigText = toml::from_str(text).map_err(|error| {
        fault(error.span().map_or(0, |span| span.start), error.message().to_owned())
    })?;
    let programs = config.readers.into_iter().map(|(name, reader)| {
        let start = reader.span().start;
        program(name, reader.into_inner()).map_err(|message| fault(start, message))
    });
    programs.collect()
}

fn program(name: String, text: ReaderText) -> Result<ReaderProgram, String> {
    let at = |what: &str| format!("readers.{name}: {what}");
    if text.command.first().is_none_or(String::is_empty) {
        return Err(at("command must begin with a program"));
    }
    if !text.command.iter().skip(1).any(|word| word.contains(FILE_WORD)) {
        return Err(at("an argument of command must contain {file}, which stands for the file"));
    }
    let extensions: Vec<String> = (text.extensions.iter())
        .map(|extension| extension.trim_start_matches('.').to_lowercase())
        .filter(|extension| !extension.is_empty())
        .collect();
    if extensions.is_empty() && text.magic.is_empty() {
        return Err(at("extensions or magic must say which files the program reads"));
    }
    let magic = text.magic.chars().map(|letter| u8::try_from(u32::from(letter)));
    let magic = magic.collect::<Result<_, _>>();
    let secs = text.timeout_secs.unwrap_or(DEFAULT_TIMEOUT_SECS);
    if !(secs > 0.0 && secs <= MAX_TIMEOUT_SECS) {
        return Err(at("timeout_secs must be above 0 and at most 86,400"));
    }
    let memory_mib = text.memory_mib.unwrap_or(DEFAULT_MEMORY_MIB);
    if memory_mib == 0 {
        return Err(at("memory_mib must be above 0"));
    }
    Ok(ReaderProgram {
        magic: magic
            .map_err(|_| at("magic may only contain the letters U+0000 to U+00FF, one per byte"))?,
        name,
        command: text.command,
        extensions,
        timeout: Duration::from_secs_f64(secs),
        max_memory_bytes: memory_mib.saturating_mul(1 << 20),
    })
}

/// The settings `text` with a program added or replaced; the rest of the text stays as it is.
///
/// # Errors
/// The first fault of the old or the new text.
pub fn with_reader(
    text: &str,
    name: &str,
    command: &[String],
    extensions: &[String],
) -> Result<String, ConfigFault> {
    let list = |words: &[String]| words.iter().map(String::as_str).collect::<Array>();
    edited(text, |readers| {
        let mut table = Table::new();
        table.insert("command", value(list(command)));
        table.insert("extensions", value(list(extensions)));
        readers.insert(name, Item::Table(table));
    })
}

/// The settings `text` without a program.
///
/// # Errors
/// The first fault of the text.
pub fn without_reader(text: &str, name: &str) -> Result<String, ConfigFault> {
    edited(text, |readers| {
        readers.remove(name);
    })
}

fn edited(text: &str, edit: impl FnOnce(&mut Table)) -> Result<String, ConfigFault> {
    // Only a text without faults has tables.
    parse(text)?;
    let whole = |message: String| ConfigFault { place: Place::File, message };
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| whole(error.message().to_owned()))?;
    let readers = document.entry("readers").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let readers = readers.as_table_mut();
    edit(readers.ok_or_else(|| whole("readers must be a table with a section per reader".into()))?);
    let text = document.to_string();
    parse(&text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERO: &str = "[readers.hero]\ncommand = [\"python\", \"read.py\", \"{file}\"]\n";

    #[test]
    fn a_program_needs_a_command_and_a_kind_of_file() {
        let text =
            format!("{HERO}extensions = [\".Hero\"]\nmagic = \"H\\u00ff\"\ntimeout_secs = 2.5\n");
        let programs = parse(&text).unwrap();
        let [program] = &programs[..] else { panic!("{programs:?}") };
        assert_eq!((&*program.name, &*program.extensions), ("hero", &["hero".to_owned()][..]));
        assert_eq!(
            (&*program.magic, program.timeout),
            (&b"H\xff"[..], Duration::from_millis(2500))
        );
        assert_eq!(program.max_memory_bytes, 4 << 30);
        assert_eq!(parse(""), Ok(Vec::new()));
    }

    #[test]
    fn faults_have_a_place_and_name_the_reader() {
        for (text, line, part) in [
            (HERO.to_owned(), 1, "readers.hero: extensions or magic"),
            (format!("{HERO}extensions = [\"x\"]\ntimeout = 3\n"), 4, "timeout"),
            (HERO.replace("{file}", "file"), 1, "must contain {file}"),
            (
                "[readers.a]\ncommand = []\nextensions = [\"x\"]".to_owned(),
                1,
                "begin with a program",
            ),
            (format!("{HERO}magic = \"\u{3b1}\""), 1, "one per byte"),
            (
                format!("{HERO}extensions = [\"x\"]\nmemory_mib = 0"),
                1,
                "memory_mib must be above 0",
            ),
            (format!("{HERO}extensions = [\"x\"]\ntimeout_secs = nan"), 1, "timeout_secs must be"),
            ("[reader.a]\n".to_owned(), 1, "reader"),
        ] {
            let fault = parse(&text).unwrap_err();
            assert!(
                matches!(fault.place, Place::Line { line: own, .. } if own == line),
                "{fault:?}"
            );
            assert!(fault.message.contains(part), "{fault:?}");
        }
    }

    #[test]
    fn editing_keeps_comments_and_other_readers() {
        let text = format!("# mine\n{HERO}extensions = [\"x\"] # why\n");
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let more =
            with_reader(&text, "bvh", &words(&["bvh2json", "{file}"]), &words(&["bvh"])).unwrap();
        assert!(more.starts_with(&text), "{more}");
        assert_eq!(parse(&more).unwrap().len(), 2);
        assert_eq!(without_reader(&more, "bvh").unwrap().trim_end(), text.trim_end());
        let first =
            with_reader("", "bvh", &words(&["bvh2json", "{file}"]), &words(&["bvh"])).unwrap();
        assert!(first.trim_start().starts_with("[readers.bvh]\n"), "{first}");
        assert!(with_reader("", "bvh", &words(&["bvh2json"]), &words(&["bvh"])).is_err());
    }
}
