//! The table of keys is made from the table of commands and must equal it.

use std::path::Path;

use rigscope::ui::shortcuts::key_table_markdown;

#[test]
fn the_table_of_keys_equals_the_table_of_commands() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keys.md");
    let text = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\r\n", "\n");
    let (before, rest) = text.split_once("<!-- keys -->\n").unwrap();
    let (found, after) = rest.split_once("<!-- /keys -->").unwrap();
    let wanted = key_table_markdown();
    if crate::support::is_set("RIGSCOPE_WRITE_DOCS") {
        let text = format!("{before}<!-- keys -->\n{wanted}<!-- /keys -->{after}");
        std::fs::write(&path, text).unwrap();
        return;
    }
    assert!(found == wanted, "RIGSCOPE_WRITE_DOCS=1 writes it anew");
}
