//! Tables of README and docs are made from the code and must equal it.

use std::fmt::Write as _;
use std::path::Path;

use rigscope::formats::{FORMATS, FormatKind};
use rigscope::model::NOTES;

/// The part of a document between `<!-- name -->` and `<!-- /name -->`.
fn section(document: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(document);
    let text = std::fs::read_to_string(path).unwrap();
    let text = text.replace("\r\n", "\n");
    let (_, rest) = text.split_once(&format!("<!-- {name} -->\n")).unwrap();
    let (table, _) = rest.split_once(&format!("<!-- /{name} -->")).unwrap();
    table.to_owned()
}

#[test]
fn the_table_of_formats_equals_the_registry() {
    let mut table =
        String::from("| id | format | files | reads | writes |\n|---|---|---|---|---|\n");
    for format in FORMATS {
        let info = format.info();
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
    assert_eq!(
        section("README.md", "formats"),
        table,
        "README's table of formats"
    );
}

#[test]
fn the_table_of_rules_equals_the_table_of_findings() {
    let mut table =
        String::from("| code | severity | group | means | mend |\n|---|---|---|---|---|\n");
    for row in NOTES {
        let (severity, group) = (row.severity.as_str(), row.group.as_str());
        writeln!(
            table,
            "| `{}` | {severity} | {group} | {} | {} |",
            row.code, row.meaning, row.mend
        )
        .unwrap();
    }
    let found = section("docs/rules.md", "rules");
    assert!(found == table, "docs/rules.md should hold:\n{table}");
}
