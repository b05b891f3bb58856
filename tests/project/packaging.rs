//! The parts of packages about formats are generated from the registry and must match it.

use std::fmt::Write as _;
use std::path::Path;

use rigscope_io::formats::{FORMATS, MimeType};

fn mime_types() -> Vec<(&'static str, &'static MimeType)> {
    let infos = FORMATS.iter().map(|format| &format.info);
    infos.flat_map(|info| info.mime_types.iter().map(move |mime| (info.name, mime))).collect()
}

/// Holds a file against `wanted`, or writes it with `RIGSCOPE_WRITE_DOCS`.
fn holds(file: &str, wanted: impl FnOnce(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    let wanted = wanted(&found);
    if crate::support::is_set("RIGSCOPE_WRITE_DOCS") {
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    assert_eq!(found, wanted, "{file}: RIGSCOPE_WRITE_DOCS=1 updates it");
}

/// Bytes as shared-mime-info writes them.
fn escaped(bytes: &[u8]) -> String {
    let each = |byte: &u8| match byte {
        b'"' | b'&' | b'<' | b'>' | b'\\' => format!("\\x{byte:02x}"),
        0x20..=0x7e => char::from(*byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    bytes.iter().map(each).collect()
}

#[test]
fn the_mime_database_has_every_type_that_desktops_do_not_know() {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">\n",
    );
    for (name, mime) in mime_types().into_iter().filter(|(_, mime)| !mime.is_known) {
        writeln!(xml, "  <mime-type type=\"{}\">", mime.name).unwrap();
        writeln!(xml, "    <comment>{name}</comment>").unwrap();
        if !mime.magic.is_empty() {
            writeln!(xml, "    <magic priority=\"60\">").unwrap();
            for (offset, bytes) in mime.magic {
                let value = escaped(bytes);
                writeln!(
                    xml,
                    "      <match type=\"string\" offset=\"{offset}\" value=\"{value}\"/>"
                )
                .unwrap();
            }
            writeln!(xml, "    </magic>").unwrap();
        }
        writeln!(xml, "    <glob pattern=\"*.{}\"/>\n  </mime-type>", mime.extension).unwrap();
    }
    xml += "</mime-info>\n";
    holds("packaging/rigscope-mime.xml", |_| xml);
}

#[test]
fn window_and_thumbnailer_are_registered_for_all_types() {
    let types: String = mime_types().iter().map(|(_, mime)| format!("{};", mime.name)).collect();
    for file in ["packaging/rigscope.desktop", "packaging/rigscope.thumbnailer"] {
        holds(file, |found| {
            let line = |line: &str| {
                if line.starts_with("MimeType=") {
                    format!("MimeType={types}\n")
                } else {
                    format!("{line}\n")
                }
            };
            assert_eq!(found.matches("MimeType=").count(), 1, "{file}");
            found.lines().map(line).collect()
        });
    }
}

/// Holds the part of a file between `start` and `end` against `wanted`.
fn holds_part(file: &str, start: &str, end: &str, wanted: &str) {
    holds(file, |found| {
        let (before, rest) = found.split_once(start).unwrap();
        let (_, after) = rest.split_once(end).unwrap();
        [before, start, wanted, end, after].concat()
    });
}

#[test]
fn the_windows_installer_registers_the_extensions_of_all_types() {
    let extension = |mime: &MimeType| format!("    !insertmacro ${{ACTION}} {}\n", mime.extension);
    let extensions: String = mime_types().iter().map(|(_, mime)| extension(mime)).collect();
    let start = "!macro ForEachExtension ACTION\n";
    holds_part("packaging/rigscope.nsi", start, "!macroend\n", &extensions);
}

#[test]
fn packages_are_found_by_the_names_of_all_formats() {
    // A format with several types, such as glTF, has one name.
    let ids: Vec<&str> = FORMATS
        .iter()
        .map(|format| &format.info)
        .filter(|info| !info.mime_types.is_empty())
        .map(|info| info.id)
        .collect();
    let quoted = |words: &[&str]| -> Vec<String> {
        words.iter().map(|word| format!("\"{word}\"")).collect()
    };
    let python = quoted(&[&["mesh", "skinning"], &*ids].concat()).join(", ");
    holds_part("python/pyproject.toml", "\nkeywords = [", "]\n", &python);
    let page = ["3d", "animation", "skinning", "viewer", "web-component", "webgpu"];
    let mut page = quoted(&[&page, &*ids].concat());
    page.sort();
    let page = format!("\n    {}\n  ", page.join(",\n    "));
    holds_part("web/package/package.json", "\"keywords\": [", "]", &page);
}

#[test]
fn written_files_have_the_magic_of_their_type() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2");
    let document = rigscope::open(sample).unwrap();
    let options = rigscope::ConvertOptions {
        check: rigscope::Check::None,
        ..rigscope::ConvertOptions::default()
    };
    let mut num_seen = 0;
    for (_, mime) in mime_types() {
        // Skins of the game are called so.
        let to = format!("xskin-a.{}", mime.extension);
        let Ok(made) = rigscope::convert(&document, &to, &options) else { continue };
        let (_, bytes) = made.files().last().unwrap();
        let has = |(offset, magic): &(u32, &[u8])| {
            bytes.get(*offset as usize..).is_some_and(|rest| rest.starts_with(magic))
        };
        assert!(mime.magic.is_empty() || mime.magic.iter().any(has), "{}", mime.name);
        num_seen += usize::from(!mime.magic.is_empty());
    }
    assert!(num_seen >= 5, "{num_seen}");
}

#[test]
fn mime_type_extensions_belong_to_their_format() {
    for format in FORMATS {
        let info = &format.info;
        for mime in info.mime_types {
            assert!(info.extensions.contains(&mime.extension), "{}", mime.name);
            assert_eq!(mime_types().iter().filter(|(_, other)| other.name == mime.name).count(), 1);
        }
    }
}
