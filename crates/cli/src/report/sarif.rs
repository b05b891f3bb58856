//! SARIF, a format for findings that code hosts and editors read.
//!
//! Source: "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", OASIS, 2020.
//! Not for: details without a place in SARIF; see `--json`.

use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;

use super::file_report::{BaselineState, FileReport, ReportedFinding};
use rigscope_core::model::{FindingInfo, FindingKind, Place, Severity};
use rigscope_core::validate::findings;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";
/// Characters of paths that aren't percent-encoded: those of RFC 3986, section 3.3, without those that are special
/// in shells. Everything else is encoded.
const OF_PATHS: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

#[derive(Debug, Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<ResultEntry>,
}

#[derive(Debug, Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Debug, Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text<&'static str>,
    full_description: Text<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    help: Help,
    default_configuration: Configuration,
}

#[derive(Debug, Serialize)]
struct Text<T> {
    text: T,
}

#[derive(Debug, Serialize)]
struct Help {
    text: &'static str,
    markdown: String,
}

#[derive(Debug, Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultEntry {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text<String>,
    occurrence_count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    locations: [Location; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    logical_locations: [LogicalLocation; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", untagged)]
enum Region {
    #[serde(rename_all = "camelCase")]
    Bytes { byte_offset: u64 },
    #[serde(rename_all = "camelCase")]
    Lines {
        start_line: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        start_column: Option<u32>,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// The log of one run, which lists all findings of files that exist. `is_whole`: all paths on the command line exist.
pub(super) fn log(files: &[FileReport], is_whole: bool) -> Log {
    let files = files.iter().filter(|file| !file.is_missing);
    let of_file = |file: &FileReport| {
        let results = file.findings.iter().map(|own| result_entry(&file.path, own));
        results.collect::<Vec<_>>()
    };
    let run = Run {
        tool: Tool {
            driver: Driver {
                name: "rigscope",
                version: env!("CARGO_PKG_VERSION"),
                rules: findings().map(FindingKind::info).map(rule).collect(),
            },
        },
        invocations: [Invocation { execution_successful: is_whole }],
        column_kind: "unicodeCodePoints",
        results: files.flat_map(of_file).collect(),
    };
    Log { schema: SCHEMA, version: "2.1.0", runs: [run] }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}

fn rule(row: &FindingInfo) -> Rule {
    Rule {
        id: row.code,
        short_description: Text { text: row.meaning },
        full_description: Text { text: row.consequence },
        // The specification requires an absolute address.
        help_uri: Some(env!("CARGO_PKG_HOMEPAGE"))
            .filter(|home| !home.is_empty())
            .map(|home| format!("{home}/docs/rules/{}.md#{}", row.group.as_str(), row.code)),
        help: Help {
            text: row.fix,
            markdown: format!("**Effect:** {}\n\n**Fix:** {}", row.consequence, row.fix),
        },
        default_configuration: Configuration { level: level(row.severity) },
    }
}

fn result_entry(path: &Path, reported: &ReportedFinding) -> ResultEntry {
    let finding = &reported.finding;
    let region = match finding.place {
        Place::Offset(byte_offset) => Some(Region::Bytes { byte_offset }),
        Place::Line { line, column } if line > 0 => {
            Some(Region::Lines { start_line: line, start_column: column })
        }
        _ => None,
    };
    ResultEntry {
        rule_id: finding.kind.code(),
        rule_index: findings().take_while(|kind| *kind != finding.kind).count(),
        level: level(finding.severity()),
        message: Text { text: reported.message() },
        // A count of 0 would not be a finding.
        occurrence_count: finding.count.max(1),
        baseline_state: reported.baseline.map(BaselineState::as_str),
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(path) },
                region,
            },
            logical_locations: [LogicalLocation {
                fully_qualified_name: finding.place.to_string(),
            }],
        }],
    }
}

/// A path as URI: relative paths stay relative, absolute ones get the scheme `file`.
fn uri(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let bytes = bytes.strip_prefix(b"./").unwrap_or(bytes);
    let slashed = |byte: &u8| if cfg!(windows) && *byte == b'\\' { b'/' } else { *byte };
    let bytes: Vec<u8> = bytes.iter().map(slashed).collect();
    let encoded = percent_encode(&bytes, OF_PATHS);
    match (path.is_absolute(), bytes.starts_with(b"/")) {
        (true, true) => format!("file://{encoded}"),
        (true, false) => format!("file:///{encoded}"),
        (false, _) => encoded.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri(Path::new("./in/a b#1.bsm2")), "in/a%20b%231.bsm2");
        #[cfg(unix)]
        assert_eq!(uri(Path::new("/x/ä.bsm2")), "file:///x/%C3%A4.bsm2");
    }
}
