//! Encodes file structures as text or binary: the inverse of `parse`.

use super::binary_field_writer::BinaryFieldWriter;
use super::character_file::CharacterFile;
use super::skin_file::Skin;
use super::text_field_writer::TextFieldWriter;
use super::{character_fields, skin_file};
use crate::formats::text::mark_len;
use rigscope_core::model::{Cancelled, FindingKind, Place, Report};

/// Line ends of real text files.
pub(super) const USUAL_LINE_END: &str = "\r\n";
/// The lines before the first count of a CMX file.
const USUAL_HEAD: &str = "// Character File\r\nversion 300\r\n";

pub(super) fn bmf(skin: &mut Skin, report: &Report) -> Result<Vec<u8>, Cancelled> {
    let mut fields = BinaryFieldWriter::new(report);
    skin_file::walk_head(&mut fields, skin)?;
    skin_file::walk_body(&mut fields, skin)?;
    Ok(fields.into_bytes())
}

/// A SKN with lines that end in `line_end`.
pub(super) fn skn(skin: &mut Skin, line_end: &str, report: &Report) -> Result<Vec<u8>, Cancelled> {
    let mut lines = TextFieldWriter::new(String::new(), line_end, report);
    // A name at the beginning of the file that looks like a byte order mark would change the encoding.
    if mark_len(&super::names::to_bytes(skin.name.trim_start())) > 0 {
        skin.name = format!("_{}", skin.name);
        lines.num_changed += 1;
    }
    skin_file::walk_head(&mut lines, skin)?;
    skin_file::walk_body(&mut lines, skin)?;
    Ok(finished(lines, report))
}

pub(super) fn bcf(file: &mut CharacterFile, report: &Report) -> Result<Vec<u8>, Cancelled> {
    let mut fields = BinaryFieldWriter::new(report);
    character_fields::walk(&mut fields, file)?;
    Ok(fields.into_bytes())
}

/// A CMX after `head`, the lines up to the version, or the usual ones; uses the line ends of the head.
pub(super) fn cmx(
    file: &mut CharacterFile,
    head: Option<&str>,
    report: &Report,
) -> Result<Vec<u8>, Cancelled> {
    let head = head.unwrap_or(USUAL_HEAD);
    let line_end = line_end(head);
    let mut lines = TextFieldWriter::new(head.to_owned(), line_end, report);
    character_fields::walk(&mut lines, file)?;
    Ok(finished(lines, report))
}

/// The line end of a text.
pub(super) fn line_end(text: &str) -> &'static str {
    if text.contains('\n') && !text.contains(USUAL_LINE_END) { "\n" } else { USUAL_LINE_END }
}

fn finished(lines: TextFieldWriter<'_>, report: &Report) -> Vec<u8> {
    report.add_many(FindingKind::ChangedName, Place::File, lines.num_changed, || {
        "a name has surrounding white space or a line break, which can't be stored".to_owned()
    });
    lines.into_bytes()
}
