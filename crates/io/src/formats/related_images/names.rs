//! Names for image files that are unique and valid on every system.

use std::collections::BTreeSet;

use super::NamedImage;
use crate::formats::file_names::safe_name;
use crate::formats::textures::is_image;
use crate::formats::{ImagePlaces, PathState, last_part, stem};
use rigscope_core::model::{Image, ImageId, Model, TextureRef};

/// Maximum length of a name without extension, limited by OBJ, MTL and BSM, and by file systems.
pub(super) const MAX_STEM_BYTES: usize = 100;
/// Number of names tried while others are taken.
const MAX_TRIES: u32 = 10_000;
/// The preferred name of an image, without extension.
pub(super) fn preferred_stem(
    model: &Model,
    texture: &TextureRef,
    id: ImageId,
    image: &Image,
    file_stem: &str,
) -> String {
    let named = if image.is_embedded { model.texture_name(texture) } else { &image.name };
    let wanted = last_part(named);
    let own = if is_image(wanted) { stem(wanted) } else { wanted };
    // Copied files keep their name if text formats can store it.
    let own = if image.is_embedded { plain(own) } else { readable(own) };
    // Readers number images without a name, and several models may share a folder.
    if own.is_empty() || own == format!("image_{}", id.index()) {
        plain(&format!("{file_stem}_image_{}", id.index()))
    } else {
        own
    }
}

/// The first name that is used neither by another image of the file nor by a file in the folder.
pub(super) fn unused_name(
    own: &str,
    end: &str,
    bytes: Vec<u8>,
    places: &ImagePlaces,
    taken: &mut BTreeSet<String>,
) -> NamedImage {
    let mut number = 1;
    loop {
        let stem = match number {
            1 => own.to_owned(),
            _ => format!("{own}_{number}"),
        };
        let path = safe_name(&format!("{stem}.{end}"));
        // Some file systems ignore case, and some formats ignore extensions.
        let is_free = !taken.contains(&stem.to_lowercase());
        let is_last = number >= MAX_TRIES;
        if is_free || is_last {
            let state = places.path_state(&path, &bytes);
            if state != PathState::Taken || is_last {
                taken.insert(stem.to_lowercase());
                return NamedImage { path, bytes, exists: state == PathState::Same };
            }
        }
        number += 1;
    }
}

/// `name` as part of a file name that never needs quotes.
fn plain(name: &str) -> String {
    sanitized(name, |c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// `name` as part of a file name, with the characters that text formats allow.
fn readable(name: &str) -> String {
    let is_fine = |c: char| c.is_alphanumeric() || "-_. ()[]+,&@!=~".contains(c);
    let kept = sanitized(name, is_fine);
    // Text formats would take it for an option.
    match kept.strip_prefix('-') {
        Some(rest) => format!("_{rest}"),
        None => kept,
    }
}

fn sanitized(name: &str, is_kept: impl Fn(char) -> bool) -> String {
    let name: String = (name.trim().chars()).map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name = name.trim_start_matches('.');
    let end = name.floor_char_boundary(MAX_STEM_BYTES);
    name.get(..end).unwrap_or_default().trim().to_owned()
}
