//! Tables in documents are made from the code and must equal it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use rigscope_core::diagnose::CAUSES;
use rigscope_core::model::{FindingGroup, FindingKind};
use rigscope_core::runtime::{RUNTIMES, Runtime};
use rigscope_core::validate::findings;
use rigscope_io::fix::{all_fixes, fix_of};
use rigscope_io::formats::{FORMATS, FormatKind};
use rigscope_state::key_table_markdown;

use crate::support::documents::holds;

#[test]
fn the_format_table_matches_the_registry() {
    let mut table =
        String::from("| id | format | files | reads | writes |\n|---|---|---|---|---|\n");
    for format in FORMATS {
        let info = &format.info;
        let extensions: Vec<_> = info.extensions.iter().map(|e| format!("`.{e}`")).collect();
        let kind = match info.kind {
            FormatKind::Binary => "binary",
            FormatKind::Text => "text",
        };
        let mark = |yes: bool| if yes { "yes" } else { "no" };
        writeln!(
            table,
            "| `{}` | {} ({kind}) | {} | {} | {} |",
            info.id,
            info.name,
            extensions.join(" "),
            mark(info.can_read),
            mark(info.can_write)
        )
        .unwrap();
    }
    holds("README.md", "formats", &table);
}

#[test]
fn the_shortcut_table_matches_the_commands() {
    holds("docs/keys.md", "keys", &key_table_markdown());
}

#[test]
fn the_pages_of_rules_match_the_findings() {
    for group in FindingGroup::ALL {
        let mut text = String::new();
        for row in findings().map(FindingKind::info).filter(|row| row.group == group) {
            writeln!(text, "\n## {}\n", row.code).unwrap();
            writeln!(text, "{} ({}).\n", sentence(row.meaning), row.severity.as_str()).unwrap();
            writeln!(text, "- **Effect:** {}", row.consequence).unwrap();
            writeln!(text, "- **Fix:** {}", row.fix).unwrap();
            if let Some(fix) = fix_of(row.code) {
                let only = fix.format.map_or_else(String::new, |name| format!(" ({name} files)"));
                let command = format!("rigscope fix FILE -o OUT --rule {}", row.code);
                writeln!(text, "- **Command:** `{command}`{only}").unwrap();
            }
            writeln!(text, "- **Example:** `{}`", row.example).unwrap();
        }
        holds(&format!("docs/rules/{}.md", group.as_str()), "rules", &text);
    }
}

#[test]
fn the_page_of_causes_matches_the_causes() {
    let mut table = String::from("| cause | fault | fix | |\n|---|---|---|---|\n");
    for cause in CAUSES {
        let named = if cause.is_guess() { "guess, undone only if named" } else { "" };
        let row = [cause.statement, cause.fix, named].join(" | ");
        writeln!(table, "| `{}` | {row} |", cause.name).unwrap();
    }
    holds("docs/causes.md", "causes", &table);
}

#[test]
fn the_page_of_fixes_matches_the_fixes() {
    let mut table = String::from("| finding | fix | |\n|---|---|---|\n");
    for fix in all_fixes() {
        let codes: Vec<String> = fix.codes.iter().map(|code| format!("`{code}`")).collect();
        let named = if fix.is_guess { "guess, only if named" } else { "only if named" };
        let named = fix.on_request.then_some(named);
        let limits: Vec<&str> = fix.format.into_iter().chain(named).collect();
        let row = [codes.join(", "), sentence(fix.action), limits.join(", ")];
        writeln!(table, "| {} |", row.join(" | ")).unwrap();
    }
    holds("docs/fixes.md", "fixes", &table);
}

#[test]
fn the_page_of_runtimes_matches_their_exceptions() {
    let mut table = String::from("| runtime | version | exceptions |\n|---|---|---|\n");
    for runtime in RUNTIMES {
        let exceptions = runtime.verified.exceptions();
        if exceptions.is_empty() {
            continue;
        }
        let finding = if runtime.verified.is_verified() { "" } else { " (not verified)" };
        let name = format!("{}{finding}", runtime.name);
        writeln!(table, "| {name} | {} | {} |", runtime.version, exceptions.join("; ")).unwrap();
    }
    holds("docs/runtimes.md", "exceptions", &table);
}

#[test]
fn the_page_of_runtimes_matches_their_rules() {
    let mut table =
        String::from("| runtime | formats | compared with the specification |\n|---|---|---|\n");
    for runtime in RUNTIMES {
        let facts = match runtime.rules.facts() {
            facts if facts.is_empty() => "the same".to_owned(),
            facts => facts.join("; "),
        };
        writeln!(table, "| {} | {} | {facts} |", runtime.name, runtime.formats.join(", ")).unwrap();
    }
    holds("docs/runtimes.md", "rules", &table);
}

/// `make engines` writes the table of outcomes; the numbers in the rows of runtimes must be its result.
#[test]
fn verified_files_are_those_of_the_table_of_engines() {
    let page = include_str!("../../docs/runtimes.md");
    // Files in which the engine does as predicted, and all files.
    let mut measured: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for section in ["engines", "engine-formats"] {
        let (_, rest) = page.split_once(&format!("<!-- {section} -->\n")).unwrap();
        let (table, _) = rest.split_once(&format!("<!-- /{section} -->")).unwrap();
        for line in table.lines().skip(2) {
            let row: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            // Files, then those in which the engine agrees, deviates as predicted, and refuses the file as predicted.
            let numbers: Vec<u32> =
                row[1..5].iter().map(|number| number.parse().unwrap()).collect();
            let sum = measured.entry(row[0]).or_default();
            *sum = (sum.0 + numbers[1..].iter().sum::<u32>(), sum.1 + numbers[0]);
        }
    }
    for (id, sum) in measured {
        let stated = Runtime::of_id(id).unwrap().verified.measured().unwrap();
        assert_eq!((stated.num_exact, stated.num_files), sum, "{id}");
    }
}

#[test]
fn pages_state_the_version_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    let (minor, _) = version.rsplit_once('.').unwrap();
    let pages = [
        ("docs/stability.md", format!("The current version is {minor}.")),
        ("docs/install.md", format!("rigscope {version}\n")),
        ("README.md", format!("version = \"{minor}\"")),
    ];
    for (page, text) in pages {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(
            std::fs::read_to_string(root.join(page)).unwrap().contains(&text),
            "{page}: {text}"
        );
    }
}

/// The phrase with a capital first letter.
fn sentence(phrase: &str) -> String {
    let mut chars = phrase.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The documents in the root and in the manual.
fn documents() -> Vec<(std::path::PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["", "docs", "docs/formats", "docs/rules"].map(|folder| root.join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|e| e == "md"));
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn links_in_documents_point_to_existing_files() {
    let mut num_links = 0;
    for (path, text) in documents() {
        for (_, rest) in text.match_indices("](").map(|(at, _)| text.split_at(at + 2)) {
            let target = rest.split([')', '#']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            num_links += 1;
            let file = path.parent().unwrap().join(target);
            assert!(file.is_file(), "{}: {target}", path.display());
        }
    }
    assert!(num_links > 30, "links were found");
}

/// Paths that documents name in backticks, below the root or `src/`: those with a folder and no
/// place for a name.
fn paths_named(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.filter(|span| {
        let is_of_path = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
        let ends = [".rs", ".wgsl", ".md", ".mjs", ".sh", "/"];
        span.contains('/') && span.chars().all(is_of_path) && ends.iter().any(|e| span.ends_with(e))
    })
}

#[test]
fn files_named_in_the_architecture_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut num_paths = 0;
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        for path in paths_named(&text) {
            num_paths += 1;
            let folders = [
                "",
                "src",
                "crates/core/src",
                "crates/gpu/src",
                "crates/io/src",
                "crates/window/src",
            ];
            let is_there = folders.iter().any(|folder| root.join(folder).join(path).exists());
            assert!(is_there, "{document}: {path}");
        }
    }
    assert!(num_paths > 30, "paths were found");
}

#[test]
fn readme_is_short() {
    let num_lines = include_str!("../../README.md").lines().count();
    assert!(num_lines <= 120, "{num_lines} lines: details belong in docs/");
}

/// Whether a text consists of 40 hexadecimal digits.
fn is_commit(text: &str) -> bool {
    text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[test]
fn ci_actions_are_pinned_to_commits() {
    let text = include_str!("../../.github/workflows/ci.yml");
    let used: Vec<_> =
        (text.lines()).filter_map(|line| line.trim().strip_prefix("- uses: ")).collect();
    assert!(used.len() > 3);
    for action in used {
        let name = action.split(" #").next().unwrap_or_default();
        let commit = name.rsplit('@').next().unwrap_or_default();
        assert!(is_commit(commit), "{action}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn c_code_is_built_with_stack_protection() {
    let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    // The function called by the stack protector when a stack frame was overwritten.
    let wanted = b"__stack_chk_fail";
    assert!(own.windows(wanted.len()).any(|window| window == wanted));
}
