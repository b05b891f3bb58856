//! What a reader keeps of its files in [`Model::preserved`], so that text and bytes turn into one
//! another without loss: the model has no place for properties, flags and names of textures.
//!
//! | format | what | bytes |
//! |---|---|---|
//! | bmf | skin | one BMF a mesh, in order |
//! | bcf | character | a BCF of all that the character file holds |
//! | bcf | skeleton | a BCF of the one skeleton that is used |
//! | bcf | animation | one CFP a clip, in order |
//! | cmx | head | the lines up to the version |
//! | skn | line end | how lines end |
//!
//! Files of bytes are kept as they are, with what follows their last value.
//!
//! Invariant: it says what the model says, as long as the model is as it was read: passes of `bake`
//! clear it. Meshes and clips that were put to the model afterwards come behind those read.

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

/// All of a file's bytes.
pub(super) fn whole(bytes: &Arc<Vec<u8>>) -> Option<ByteView> {
    ByteView::new(Arc::clone(bytes), 0..bytes.len())
}

/// The bytes of a skin: those of its file where that is a BMF.
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

/// Keeps the skin of the next mesh.
pub(super) fn keep_skin(model: &mut Model, bytes: ByteView) {
    keep(model, BMF_ID, SKIN, bytes);
}

/// Keeps the values of the next clip.
pub(super) fn keep_animation(model: &mut Model, bytes: &Arc<Vec<u8>>) {
    if let Some(bytes) = whole(bytes) {
        keep(model, BCF_ID, ANIMATION, bytes);
    }
}

/// Keeps a character file.
pub(super) fn keep_character(model: &mut Model, bytes: ByteView) {
    keep(model, BCF_ID, CHARACTER, bytes);
}

/// Keeps the skeleton that is used.
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

/// Keeps what a text has besides its fields: of a SKN how lines end, of a CMX all up to the
/// version.
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

/// What was kept of a model, as it is written again.
#[derive(Default)]
pub(super) struct Originals {
    /// Of the first meshes.
    pub(super) skins: Vec<ByteView>,
    /// Of the first clips.
    pub(super) animations: Vec<ByteView>,
    /// As bytes and as what they say.
    pub(super) character: Option<(ByteView, CharacterFile)>,
    pub(super) skeleton: Option<SkeletonRecord>,
    /// The lines of a CMX up to its version.
    pub(super) head: Option<String>,
    /// How the lines of a SKN end.
    pub(super) line_end: Option<&'static str>,
}

impl Originals {
    /// What was kept of `model`; nothing where its axes were changed by hand.
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
        // Bones of another file may have come to the skeleton.
        let num_bones = model.skeleton.len();
        kept.skeleton = kept.skeleton.filter(|record| record.bones.len() == num_bones);
        kept
    }
}

/// A skin that was kept.
pub(super) fn skin(bytes: &ByteView) -> Option<Skin> {
    parse::bmf(bytes, &ReadOptions::default(), &Report::new()).ok()
}
