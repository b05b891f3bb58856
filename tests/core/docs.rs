//! README's tables are made from the code and must equal it.

use std::fmt::Write as _;
use std::path::Path;

use rigscope::formats::{FORMATS, FormatKind};

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    std::fs::read_to_string(path).unwrap().replace("\r\n", "\n")
}

/// The part of README between `<!-- name -->` and `<!-- /name -->`.
fn section(name: &str) -> String {
    let text = readme();
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
    assert_eq!(section("formats"), table, "README's table of formats");
}
