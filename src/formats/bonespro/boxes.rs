//! Boxes that stand for bones: nothing moves by them, but people know their rigs by them.
//!
//! Ambiguous: where a box lies is not documented; it is taken to begin at the bone's origin and to
//! reach along its x axis.

use glam::{DVec3, Vec3};

use super::ID;
use super::write::part;
use crate::formats::Limits;
use crate::model::{Model, Report};

/// Whether `model` was read with a structure file, which has boxes.
#[must_use]
pub fn has_boxes(model: &Model) -> bool {
    let mut kept = model.preserved.iter();
    kept.any(|kept| kept.format == ID && kept.what == part::STRUCTURE)
}

/// The size of each bone's box at the moment of attaching, file units; nothing where the structure
/// file is missing or of other bones.
#[must_use]
pub fn bone_boxes(model: &Model) -> Vec<Vec3> {
    let mut kept = model.preserved.iter();
    let structure = kept.find(|kept| kept.format == ID && kept.what == part::STRUCTURE);
    let Some(structure) = structure else {
        return Vec::new();
    };
    let text = crate::formats::text::decode(&structure.bytes);
    let text = super::grammar::without_comments(&text);
    match super::structure::read(&text, &Limits::default(), &Report::new()) {
        Ok(read) if read.bones.len() == model.skeleton.len() => {
            let sizes = read.bones.iter().map(|bone| DVec3::from(bone.size));
            sizes.map(|size| size.as_vec3()).collect()
        }
        _ => Vec::new(),
    }
}
