//! One web page that contains the viewer and a model, which browsers open from disk.
//!
//! Not for: the viewer itself, which `make web` builds into a folder.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::files::{FileError, Pipes, path_text, read_file};
use rigscope_core::model::output_text::{self, OutputTarget, text_for};

/// Limit for each file of the viewer.
const MAX_VIEWER_BYTES: u64 = 256 << 20;
const PAGE: &str = "index.html";
const SCRIPT: &str = "rigscope.js";
const MODULE: &str = "rigscope_bg.wasm";
/// Tag in the page that is replaced by the inlined script.
const SCRIPT_TAG: &str = r#"<script type="module" src="rigscope.js"></script>"#;

/// A file in the page.
#[derive(Debug, Serialize)]
pub struct SharedFile {
    /// Path relative to the folder of the model.
    name: String,
    /// Base64 of gzip.
    data: String,
    /// `url` for the file to open, `with` for a related file that the user named; `None` for other related files.
    word: Option<&'static str>,
}

impl SharedFile {
    /// The file to open.
    ///
    /// # Errors
    /// If compression fails.
    pub fn main(name: String, bytes: &[u8]) -> std::io::Result<Self> {
        Ok(Self { name, data: gzip_base64(bytes)?, word: Some("url") })
    }

    /// A related file; `is_named` if the user named it.
    ///
    /// # Errors
    /// If compression fails.
    pub fn related(name: String, bytes: &[u8], is_named: bool) -> std::io::Result<Self> {
        Ok(Self { name, data: gzip_base64(bytes)?, word: is_named.then_some("with") })
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The data that the page stores in `rigscopeShared`.
#[derive(Serialize)]
struct Shared<'a> {
    wasm: String,
    files: &'a [SharedFile],
    words: &'a [(String, String)],
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error("{}: {source}", path_text(.path))]
    Unreadable { path: PathBuf, source: FileError },
    #[error("the viewer belongs to another version of Rigscope; build it again with make web")]
    OtherVersion,
    #[error("the page can't be made: {0}")]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// Whether the folder contains a viewer.
#[must_use]
pub fn has_viewer(folder: &Path) -> bool {
    viewer_files(folder).iter().all(|path| path.is_file())
}

/// The files of the viewer in a folder.
#[must_use]
pub fn viewer_files(folder: &Path) -> [PathBuf; 3] {
    [PAGE, SCRIPT, MODULE].map(|name| folder.join(name))
}

/// The page of the viewer in the folder `viewer`, with `files` and the URL parameters `words` inlined. `findings` are
/// shown below the view, also without WebGPU.
///
/// # Errors
/// [`ShareError`].
pub fn shared_page(
    viewer: &Path,
    files: &[SharedFile],
    words: &[(String, String)],
    findings: Option<&str>,
) -> Result<String, ShareError> {
    let other = |error| ShareError::Other(error);
    let read = |name: &str| {
        let path = viewer.join(name);
        read_file(&path, MAX_VIEWER_BYTES, Pipes::Refused, |_| Ok(()))
            .map_err(|source| ShareError::Unreadable { path, source })
    };
    let text = |name: &str| String::from_utf8(read(name)?).map_err(|error| other(error.into()));
    let wasm = gzip_base64(&read(MODULE)?).map_err(|error| other(error.into()))?;
    let mut scripts = String::new();
    if let Some(findings) = findings {
        // Below the canvas; covers it only when expanded.
        let style = "canvas{height:calc(100% - 32px)!important}details{position:fixed;left:0;right:0;bottom:0;\
                     max-height:40%;overflow:auto;background:#2a2d32;padding:0 1em}summary{line-height:32px}";
        let lines: Vec<_> =
            findings.lines().map(|line| text_for(OutputTarget::Markup, line)).collect();
        let findings = lines.join("\n");
        write!(
            scripts,
            "<style>{style}</style>\n<details><summary>Findings</summary><pre>{findings}</pre></details>\n"
        )
        .map_err(|error| other(error.into()))?;
    }
    // Base64 can't contain `</script>`, but file names can.
    let shared = serde_json::to_string(&Shared { wasm, files, words });
    let shared = shared.map_err(|error| other(error.into()))?;
    let json = output_text::json(&shared).replace('<', "\\u003c");
    let script = text(SCRIPT)?.replace("</script", "<\\/script");
    write!(
        scripts,
        "<script>globalThis.rigscopeShared = {json};</script>\n<script type=\"module\">\n{script}\n</script>"
    )
    .map_err(|error| other(error.into()))?;
    let page = text(PAGE)?;
    let (before, after) = page.split_once(SCRIPT_TAG).ok_or(ShareError::OtherVersion)?;
    Ok(format!("{before}{scripts}{after}"))
}

fn gzip_base64(bytes: &[u8]) -> std::io::Result<String> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(bytes)?;
    Ok(BASE64_STANDARD.encode(gzip.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::display_text;

    #[test]
    fn names_and_findings_cannot_end_the_script_or_add_elements() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!has_viewer(folder.path()));
        let page = format!("<body>{SCRIPT_TAG}</body>");
        for (name, text) in [(PAGE, &*page), (SCRIPT, "let a = '</script>';"), (MODULE, "wasm")] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        assert!(has_viewer(folder.path()));
        let file = SharedFile::main("</script><b>.glb".into(), b"glTF").unwrap();
        let page = shared_page(folder.path(), &[file], &[], Some("<i>")).unwrap();
        assert_eq!(page.matches("</script>").count(), 2);
        let name = "exe\u{202e}\u{2028}gnp.glb".to_owned();
        let file = SharedFile::main(name, b"glTF").unwrap();
        let nasty = shared_page(folder.path(), &[file], &[], Some("a\u{1b}b\u{202e}")).unwrap();
        assert!(!nasty.chars().any(|c| c != '\n' && display_text::is_invisible(c)), "{nasty}");
        assert!(page.contains("&lt;i&gt;") && !page.contains("<b>"));
        std::fs::write(folder.path().join(PAGE), "<body></body>").unwrap();
        let error = shared_page(folder.path(), &[], &[], None).unwrap_err();
        assert!(matches!(error, ShareError::OtherVersion));
    }
}
