//! Text output of `info`: one line per material.

use super::table::{Align, Table};
use super::text::name;
use rigscope_core::images::header;
use rigscope_core::model::{AlphaMode, Material, Model, TextureRef};

/// A heading and the first `max_rows` materials; empty if all materials have only a name.
pub(super) fn lines(model: &Model, max_rows: usize) -> Vec<String> {
    let says_more = |material: &Material| material.look.is_some() || !material.textures.is_empty();
    if !model.materials.iter().any(says_more) {
        return Vec::new();
    }
    let left = Align::Left;
    let mut table = Table::new([Align::Right, left, left, left, left]);
    table.row(["", "name", "alpha", "sides", "textures"].map(String::from));
    for (number, material) in model.materials.iter().take(max_rows).enumerate() {
        let look = material.look.as_deref();
        let alpha = match look.map(|look| look.alpha) {
            None => "",
            Some(AlphaMode::Opaque) => "opaque",
            Some(AlphaMode::Mask(_)) => "mask",
            Some(AlphaMode::Blend) => "blend",
        };
        let sides = match look.map(|look| look.is_two_sided) {
            None => "",
            Some(true) => "both",
            Some(false) => "front",
        };
        let textures: Vec<String> = material.textures.iter().map(|t| texture(model, t)).collect();
        table.row([
            number.to_string(),
            name(&material.name),
            alpha.to_owned(),
            sides.to_owned(),
            textures.join("; "),
        ]);
    }
    table.lines()
}

/// The role of a texture, and the size of its image if it can be read.
fn texture(model: &Model, texture: &TextureRef) -> String {
    let role = texture.role.info().label;
    let image = texture.image.map(|id| model.image(id));
    match image.map(|image| header(&image.bytes, &image.name)) {
        Some(Ok(header)) => format!("{role} {}x{}", header.width, header.height),
        Some(Err(_)) => format!("{role} (can't be read)"),
        None => format!("{role} (missing)"),
    }
}
