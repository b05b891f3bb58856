//! README's table of keys is made from the table of commands and must equal it.

use std::path::Path;

use rigscope::ui::shortcuts::key_table_markdown;

#[test]
fn the_table_of_keys_equals_the_table_of_commands() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let (_, rest) = text.split_once("<!-- keys -->\n").unwrap();
    let (found, _) = rest.split_once("<!-- /keys -->").unwrap();
    // The whole table, so that it can be copied from here into README.
    assert_eq!(found, key_table_markdown(), "{}", key_table_markdown());
}
