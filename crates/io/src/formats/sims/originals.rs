//! File contents preserved in [`Model::preserved`], so that text and binary forms can be converted without
//! loss: the model has no place for properties, flags and texture names.
//!
//! | format | key | bytes |
//! |---|---|---|
//! | bmf | skin | one BMF per mesh, in order |
//! | bcf | character | a BCF of the whole character file |
//! | bcf | skeleton | a BCF of the skeleton in use |
//! | bcf | animation | one CFP per clip, in order |
//! | cmx | head | the lines up to the version |
//! | skn | line end | the line end |
//!
//! Binary files are preserved unchanged, including trailing bytes.
//!
//! Invariant: the preserved bytes match the model as long as it's unchanged, because `reshape` clears
//! them. Meshes and clips that were added to the model later come after those that were read.

use std::sync::Arc;

use super::character_file::{CharacterFile, SkeletonRecord};
use super::skin_file::Skin;
use super::{AXES, BCF_ID, BMF_ID, CMX_ID, SKN_ID, encode, parse};
use crate::formats::ReadOptions;
use crate::formats::text::windows_1252;
use rigscope_core::model::{ByteView, Cancelled, Model, Preserved, Report};

const SKIN: &str = "skin";
const CHARACTER: &str = "character";
const SKELETON: &str = "skeleton";
const ANIMATION: &str = "animation";
const HEAD: &str = "head";
const LINE_END: &str = "line end";

fn keep(model: &mut Model, format: &'static str, what: &'static str, bytes: ByteView) {
    model.preserved.push(Preserved { format, what, bytes });
}

pub(super) fn whole(bytes: &Arc<Vec<u8>>) -> Option<ByteView> {
    ByteView::new(Arc::clone(bytes), 0..bytes.len())
}

/// The skin as a BMF: the file itself if it's one.
pub(super) fn skin_bytes(
    skin: &mut Skin,
    file: Option<&Arc<Vec<u8>>>,
    report: &Report,
) -> Result<ByteView, Cancelled> {
    match file.and_then(whole) {
        Some(bytes) => Ok(bytes),
        None => encode::bmf(skin, report).map(ByteView::whole),
    }
}

/// Preserves the skin of the next mesh.
pub(super) fn keep_skin(model: &mut Model, bytes: ByteView) {
    keep(model, BMF_ID, SKIN, bytes);
}

/// Preserves the values of the next clip.
pub(super) fn keep_animation(model: &mut Model, bytes: &Arc<Vec<u8>>) {
    if let Some(bytes) = whole(bytes) {
        keep(model, BCF_ID, ANIMATION, bytes);
    }
}

/// Preserves a character file.
pub(super) fn keep_character(model: &mut Model, bytes: ByteView) {
    keep(model, BCF_ID, CHARACTER, bytes);
}

/// Preserves the skeleton in use.
pub(super) fn keep_skeleton(
    model: &mut Model,
    record: &SkeletonRecord,
    report: &Report,
) -> Result<(), Cancelled> {
    let mut file = CharacterFile { skeletons: vec![record.clone()], ..CharacterFile::default() };
    let bytes = encode::bcf(&mut file, &report.quiet())?;
    keep(model, BCF_ID, SKELETON, ByteView::whole(bytes));
    Ok(())
}

/// Preserves details of a text beyond its fields: the line end of a SKN, the lines up to the version of a
/// CMX.
pub(super) fn keep_spelling(model: &mut Model, format: &'static str, bytes: &[u8]) {
    let text = parse::text(bytes);
    if format == SKN_ID {
        let end = encode::line_end(&text).as_bytes().to_vec();
        keep(model, SKN_ID, LINE_END, ByteView::whole(end));
    } else if let Some(len) = parse::head_len(bytes) {
        let head = bytes.get(..len).unwrap_or_default().to_vec();
        keep(model, CMX_ID, HEAD, ByteView::whole(head));
    }
}

/// The preserved contents of a model, for writing.
#[derive(Default)]
pub(super) struct Originals {
    /// Skins of the first meshes.
    pub(super) skins: Vec<ByteView>,
    /// Animations of the first clips.
    pub(super) animations: Vec<ByteView>,
    /// The bytes and the parsed file.
    pub(super) character: Option<(ByteView, CharacterFile)>,
    pub(super) skeleton: Option<SkeletonRecord>,
    /// The lines of a CMX up to its version.
    pub(super) head: Option<String>,
    /// The line end of a SKN.
    pub(super) line_end: Option<&'static str>,
}

impl Originals {
    /// The preserved contents of `model`; empty if its axes were overridden.
    pub(super) fn of(model: &Model) -> Self {
        if model.axes != AXES {
            return Self::default();
        }
        let all = |format: &str, what: &str| -> Vec<ByteView> {
            let kept = model.preserved.iter();
            let kept = kept.filter(|kept| kept.format == format && kept.what == what);
            kept.map(|kept| kept.bytes.clone()).collect()
        };
        let character = |what| {
            let bytes = model.preserved(BCF_ID, what)?;
            let read = parse::bcf(bytes, &ReadOptions::default(), &Report::new());
            read.ok().map(|file| (bytes.clone(), file))
        };
        let mut kept = Self {
            skins: all(BMF_ID, SKIN),
            animations: all(BCF_ID, ANIMATION),
            character: character(CHARACTER),
            skeleton: character(SKELETON).and_then(|(_, mut file)| file.skeletons.pop()),
            head: model.preserved(CMX_ID, HEAD).map(|bytes| windows_1252(bytes).into_owned()),
            line_end: model
                .preserved(SKN_ID, LINE_END)
                .map(|bytes| encode::line_end(&windows_1252(bytes))),
        };
        if kept.skins.len() > model.meshes.len() {
            kept.skins.clear();
        }
        if kept.animations.len() > model.clips.len() {
            kept.animations.clear();
            kept.character = None;
        }
        // Bones of another file may have been added to the skeleton.
        let num_bones = model.skeleton.len();
        kept.skeleton = kept.skeleton.filter(|record| record.bones.len() == num_bones);
        kept
    }
}

/// A preserved skin.
pub(super) fn skin(bytes: &ByteView) -> Option<Skin> {
    parse::bmf(bytes, &ReadOptions::default(), &Report::new()).ok()
}
