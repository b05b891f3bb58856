//! The files that fuzzing starts from.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rigscope_io::formats::FORMATS;

/// Bytes of all seeds together, which every clone of the repository contains.
const MAX_SEED_BYTES: usize = 300 << 10;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(folder);
    std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// Whether libFuzzer reads a line of a dictionary: a quoted text of printable ASCII, in which `\"`, `\\` and
/// `\xAB` stand for other bytes.
fn is_entry(line: &str) -> bool {
    let Some(mut rest) = line.strip_prefix('"').and_then(|line| line.strip_suffix('"')) else {
        return false;
    };
    let mut num_bytes = 0;
    while let Some(first) = rest.chars().next() {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let len = match first {
            '"' => return false,
            '\\' if rest.starts_with(r"\\") || rest.starts_with(r#"\""#) => 2,
            '\\' if rest.starts_with(r"\x") && rest.get(2..4).is_some_and(is_hex) => 4,
            '\\' => return false,
            ' '..='~' => 1,
            _ => return false,
        };
        rest = &rest[len..];
        num_bytes += 1;
    }
    (1..=64).contains(&num_bytes)
}

#[test]
fn every_format_has_a_valid_libfuzzer_dictionary() {
    let ids = FORMATS.iter().map(|format| format.info.id);
    let wanted: BTreeSet<String> = ids.chain(["images"]).map(|id| format!("{id}.dict")).collect();
    let mut found = BTreeSet::new();
    for path in files("dictionaries") {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let entries: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert!((10..=60).contains(&entries.len()), "{name}: {} entries", entries.len());
        for entry in &entries {
            assert!(is_entry(entry), "{name}: {entry}");
        }
        let different: BTreeSet<_> = entries.iter().collect();
        assert_eq!(different.len(), entries.len(), "{name}: an entry comes twice");
        found.insert(name);
    }
    assert_eq!(found, wanted);
    for wrong in ["", "a", "\"\"", "\"a\"b\"", r#""\x1""#, r#""\n""#, "\"\u{e9}\"", "\"a\\\""] {
        assert!(!is_entry(wrong), "{wrong}");
    }
}

#[test]
fn seeds_are_small_and_cover_every_format() {
    let mut num_bytes = 0;
    let mut formats = BTreeSet::new();
    for path in files("seeds/every") {
        let input = std::fs::read(path).unwrap();
        num_bytes += input.len();
        formats.extend(input.first().map(|number| usize::from(*number) % FORMATS.len()));
    }
    assert!(num_bytes <= MAX_SEED_BYTES, "{num_bytes}");
    let missing: Vec<&str> = (FORMATS.iter().enumerate())
        .filter(|(number, _)| !formats.contains(number))
        .map(|(_, format)| format.info.id)
        .collect();
    assert!(missing.is_empty(), "no seed of {missing:?}: make fuzz-seeds");
}
