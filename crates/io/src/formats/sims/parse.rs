//! Parses the bytes of a file, as text or binary, and reports findings.

use std::borrow::Cow;

use super::binary_fields::BinaryFields;
use super::character_file::CharacterFile;
use super::fields::Fields;
use super::skin_file::Skin;
use super::text_fields::TextFields;
use super::walk::Reading;
use super::{BCF_ID, BMF_ID, CMX_ID, SKN_ID, character_fields, skin_file};
use crate::formats::text::{plain, windows_1252_text};
use crate::formats::{Limits, ReadError, ReadOptions};
use rigscope_core::model::{FindingKind, Place, Report, counted, singular_or_plural};

/// Number of bytes used to distinguish text from binary.
const SNIFFED_BYTES: usize = 256;
/// Maximum first count of a file with skeletons; a larger number means something else.
const MAX_SKELETONS: i32 = 64;

pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    windows_1252_text(bytes)
}

pub(super) fn skn(bytes: &[u8], options: &ReadOptions, report: &Report) -> Result<Skin, ReadError> {
    let text = text(bytes);
    let mut fields = TextFields::new(SKN_ID, &text, &options.limits).within(bytes);
    skin(&mut fields, bytes, report)
}

pub(super) fn bmf(bytes: &[u8], options: &ReadOptions, report: &Report) -> Result<Skin, ReadError> {
    let mut fields = BinaryFields::new(BMF_ID, bytes, &options.limits);
    skin(&mut fields, bytes, report)
}

fn skin<F: Fields>(fields: &mut F, bytes: &[u8], report: &Report) -> Result<Skin, ReadError> {
    let mut skin = Skin::default();
    let walk = &mut Reading::new(fields, report);
    skin_file::walk_head(walk, &mut skin)?;
    skin_file::walk_body(walk, &mut skin)?;
    walk.report_trailing(bytes.len());
    report_trailing(fields, report);
    Ok(skin)
}

pub(super) fn cmx(
    bytes: &[u8],
    options: &ReadOptions,
    report: &Report,
) -> Result<CharacterFile, ReadError> {
    let text = text(bytes);
    let mut fields = TextFields::new(CMX_ID, &text, &options.limits).within(bytes);
    if let Some(version) = character_fields::read_text_head(&mut fields)? {
        report.add(
            FindingKind::UnknownVersion,
            fields.place(),
            format!("the version is {version:?} instead of 300"),
        );
    }
    let mut file = CharacterFile::default();
    let walk = &mut Reading::new(&mut fields, report);
    character_fields::walk(walk, &mut file)?;
    walk.report_trailing(bytes.len());
    report_trailing(&fields, report);
    Ok(file)
}

pub(super) fn bcf(
    bytes: &[u8],
    options: &ReadOptions,
    report: &Report,
) -> Result<CharacterFile, ReadError> {
    let mut fields = BinaryFields::new(BCF_ID, bytes, &options.limits);
    let mut file = CharacterFile::default();
    let walk = &mut Reading::new(&mut fields, report);
    character_fields::walk(walk, &mut file)?;
    walk.report_trailing(bytes.len());
    report_trailing(&fields, report);
    Ok(file)
}

/// A CMX or BCF, depending on the bytes.
pub(super) fn character(
    bytes: &[u8],
    options: &ReadOptions,
    report: &Report,
) -> Result<CharacterFile, ReadError> {
    if is_text(bytes) { cmx(bytes, options, report) } else { bcf(bytes, options, report) }
}

/// Length of a CMX up to the end of its version line; `None` if these bytes can't be reused unchanged.
pub(super) fn head_len(bytes: &[u8]) -> Option<usize> {
    let own = plain(bytes);
    let is_narrow = own.len() == bytes.len() || own.is_ascii();
    if matches!(own, Cow::Owned(_)) || !is_narrow {
        return None;
    }
    let text = text(bytes);
    let mut fields = TextFields::new(CMX_ID, &text, &Limits::default());
    character_fields::read_text_head(&mut fields).ok()?;
    let Place::Line { line: next, .. } = fields.place() else { return None };
    let lines = own.split_inclusive(|&byte| byte == b'\n');
    let head = lines.take(next.saturating_sub(1) as usize).map(<[u8]>::len);
    Some(bytes.len() - own.len() + head.sum::<usize>())
}

fn report_trailing<F: Fields>(fields: &F, report: &Report) {
    let num = fields.num_trailing();
    if num > 0 {
        let follow = singular_or_plural(num, "follows", "follow");
        let what = format!("{} {follow} the last value", counted(num, "byte"));
        report.add(FindingKind::TrailingBytes, fields.place(), what);
    }
}

/// Whether a character file is a CMX: it begins with a comment or the version.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let head = text(bytes.get(..SNIFFED_BYTES).unwrap_or(bytes));
    let head = head.trim_start();
    head.starts_with("//") || head.to_ascii_lowercase().starts_with("version")
}

/// Whether the first count of a character file indicates a skeleton.
pub(super) fn may_have_skeleton(bytes: &[u8]) -> bool {
    if !is_text(bytes) {
        let count = bytes.first_chunk::<4>().map(|b| i32::from_le_bytes(*b));
        return count.is_some_and(|count| (1..=MAX_SKELETONS).contains(&count));
    }
    let text = text(bytes);
    let mut fields = TextFields::new(CMX_ID, &text, &Limits::default());
    let count = character_fields::read_text_head(&mut fields)
        .and_then(|_| fields.int("number of skeletons"));
    count.is_ok_and(|count| (1..=MAX_SKELETONS).contains(&count))
}
