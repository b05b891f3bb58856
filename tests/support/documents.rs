//! Documents with tables that are made from the code.

use super::{is_set, root};

/// Holds the part of a document between `<!-- name -->` and `<!-- /name -->` against `wanted`; with
/// `RIGSCOPE_WRITE_DOCS` set it is written there instead.
pub fn holds(document: &str, name: &str, wanted: &str) {
    let path = root().join(document);
    let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (before, rest) = text.split_once(&format!("<!-- {name} -->\n")).unwrap();
    let (found, after) = rest.split_once(&format!("<!-- /{name} -->")).unwrap();
    if is_set("RIGSCOPE_WRITE_DOCS") {
        let text = format!("{before}<!-- {name} -->\n{wanted}<!-- /{name} -->{after}");
        std::fs::write(&path, text).unwrap();
        return;
    }
    assert_eq!(found, wanted, "{document}: RIGSCOPE_WRITE_DOCS=1 updates it");
}
