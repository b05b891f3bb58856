//! Detects the formats from the beginning of a file. Only FAR has a signature: the others are parsed as far
//! as the window goes, and claimed if every field is plausible.

use std::borrow::Cow;

use super::binary_fields::BinaryFields;
use super::character_file::CharacterFile;
use super::fields::Fields;
use super::skin_file::Skin;
use super::text_fields::TextFields;
use super::walk::Reading;
use super::{BCF_ID, BMF_ID, CMX_ID, SKN_ID, character_fields, far, parse, skin_file};
use crate::formats::{Confidence, ProbeInput, ReadError, TextHead};
use rigscope_core::model::Report;

/// A file that begins like the format and then violates it.
const BROKEN: Confidence = Confidence::Weak(60);
/// A file of the format with trailing bytes.
const TRAILED: Confidence = Confidence::Weak(40);

fn beyond(input: &ProbeInput<'_>) -> u64 {
    input.len - (input.head.len() as u64).min(input.len)
}

/// FAR: its signature.
pub(super) fn far(input: &ProbeInput<'_>) -> Confidence {
    if input.head.starts_with(far::MAGIC) { Confidence::Strong } else { Confidence::No }
}

/// BMF: names, a list of bones, and valid indices.
pub(super) fn bmf(input: &ProbeInput<'_>) -> Confidence {
    skin(&mut BinaryFields::probing(BMF_ID, input.head, beyond(input)))
}

/// SKN: the same as text.
pub(super) fn skn(input: &ProbeInput<'_>) -> Confidence {
    let Some(head) = whole_lines(input) else { return Confidence::No };
    let text = parse::text(&head.bytes);
    skin(&mut TextFields::probing(SKN_ID, &text, head.beyond))
}

fn skin<F: Fields>(fields: &mut F) -> Confidence {
    let (mut skin, report) = (Skin::default(), Report::new().quiet());
    let head = skin_file::walk_head(&mut Reading::new(fields, &report), &mut skin);
    if head.is_err() || skin.bones.is_empty() {
        return Confidence::No;
    }
    match skin_file::walk_body(&mut Reading::new(fields, &report), &mut skin) {
        Ok(_) if fields.num_trailing() == 0 => Confidence::Strong,
        Ok(_) => TRAILED,
        Err(_) if fields.ran_out() => Confidence::Strong,
        Err(_) => Confidence::No,
    }
}

/// BCF: plausible counts and names.
pub(super) fn bcf(input: &ProbeInput<'_>) -> Confidence {
    let mut fields = BinaryFields::probing(BCF_ID, input.head, beyond(input));
    match character(&mut fields) {
        Ok(file) => {
            let num = file.skeletons.len() + file.suits.len() + file.skills.len();
            match (num, fields.num_trailing()) {
                (0, _) => Confidence::No,
                (_, 0) => Confidence::Strong,
                _ => TRAILED,
            }
        }
        Err(_) if fields.ran_out() => Confidence::Strong,
        Err(_) => Confidence::No,
    }
}

/// CMX: a line with the version, followed by a number.
pub(super) fn cmx(input: &ProbeInput<'_>) -> Confidence {
    let Some(TextHead { bytes, beyond }) = whole_lines(input) else { return Confidence::No };
    if !parse::is_text(&bytes) {
        return Confidence::No;
    }
    let text = parse::text(&bytes);
    let begin = || {
        let mut fields = TextFields::probing(CMX_ID, &text, beyond);
        character_fields::read_text_head(&mut fields).map(|_| fields)
    };
    let Ok(mut fields) = begin() else { return Confidence::No };
    let has_count = begin().is_ok_and(|mut fields| fields.int("number of skeletons").is_ok());
    match character(&mut fields) {
        Ok(_) => Confidence::Strong,
        Err(_) if fields.ran_out() => Confidence::Strong,
        Err(_) if has_count => BROKEN,
        Err(_) => Confidence::No,
    }
}

fn character<F: Fields>(fields: &mut F) -> Result<CharacterFile, ReadError> {
    let mut file = CharacterFile::default();
    character_fields::walk(&mut Reading::new(fields, &Report::new().quiet()), &mut file)?;
    Ok(file)
}

/// The complete lines in the window and the number of bytes after them; `None` if it isn't text.
fn whole_lines<'a>(input: &ProbeInput<'a>) -> Option<TextHead<'a>> {
    let mut head = input.text();
    if head.beyond > 0 {
        let end = head.bytes.iter().rposition(|&b| b == b'\n')? + 1;
        head.beyond += (head.bytes.len() - end) as u64;
        match &mut head.bytes {
            Cow::Borrowed(bytes) => *bytes = bytes.get(..end)?,
            Cow::Owned(bytes) => bytes.truncate(end),
        }
    }
    (!head.bytes.contains(&0)).then_some(head)
}
