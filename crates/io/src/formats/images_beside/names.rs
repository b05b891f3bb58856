//! Names for image files, which no other file has and every system can.

use std::collections::BTreeSet;

use super::Named;
use crate::formats::file_names::safe_name;
use crate::formats::textures::is_image;
use crate::formats::{ImagePlaces, Spot, last_part, stem};
use rigscope_core::model::{Image, ImageId, Model, TextureRef};

/// Names are no longer than this, extension left out: what OBJ, MTL and BSM hold, and file systems.
pub(super) const MAX_STEM_BYTES: usize = 100;
/// How many names are tried where others are taken.
const MAX_TRIES: u32 = 10_000;
/// The name, without extension, that an image is to have.
pub(super) fn own_stem(
    model: &Model,
    texture: &TextureRef,
    id: ImageId,
    image: &Image,
    file_stem: &str,
) -> String {
    let named = match image.is_embedded {
        true => model.texture_name(texture),
        false => &image.name,
    };
    let wanted = last_part(named);
    let own = match is_image(wanted) {
        true => stem(wanted),
        false => wanted,
    };
    let own = match image.is_embedded {
        true => plain(own),
        // A file that is copied keeps its name where all can read that.
        false => readable(own),
    };
    // Readers number images that have no name; several models lie in one folder.
    match own.is_empty() || own == format!("image_{}", id.index()) {
        true => plain(&format!("{file_stem}_image_{}", id.index())),
        false => own,
    }
}

/// The first name that no other image of the file has, and no other file in its folder.
pub(super) fn free(
    own: &str,
    end: &str,
    bytes: Vec<u8>,
    places: &ImagePlaces,
    taken: &mut BTreeSet<String>,
) -> Named {
    let mut number = 1;
    loop {
        let stem = match number {
            1 => own.to_owned(),
            _ => format!("{own}_{number}"),
        };
        let path = safe_name(&format!("{stem}.{end}"));
        // Some file systems do not tell cases apart, and some formats no extensions.
        let is_free = !taken.contains(&stem.to_lowercase());
        let is_last = number >= MAX_TRIES;
        if is_free || is_last {
            let spot = places.spot(&path, &bytes);
            if spot != Spot::Taken || is_last {
                taken.insert(stem.to_lowercase());
                return Named { path, bytes, is_there: spot == Spot::Same };
            }
        }
        number += 1;
    }
}

/// `name` as a part of a file's name that needs no quotes anywhere.
fn plain(name: &str) -> String {
    kept(name, |c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// `name` as part of a file's name, with what text formats can have in names.
fn readable(name: &str) -> String {
    let is_fine = |c: char| c.is_alphanumeric() || "-_. ()[]+,&@!=~".contains(c);
    let kept = kept(name, is_fine);
    // Taken for an option by text formats.
    match kept.strip_prefix('-') {
        Some(rest) => format!("_{rest}"),
        None => kept,
    }
}

fn kept(name: &str, is_kept: impl Fn(char) -> bool) -> String {
    let name: String = (name.trim().chars()).map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name = name.trim_start_matches('.');
    let end = name.floor_char_boundary(MAX_STEM_BYTES);
    name.get(..end).unwrap_or_default().trim().to_owned()
}
