//! Embedded images.

use std::collections::HashMap;

use ufbx::{Scene, Texture};

use super::context::Context;
use crate::formats::{ReadError, last_part};
use rigscope_core::model::{ByteView, Image, ImageId};

/// Images by the library's file index.
#[derive(Default)]
pub(super) struct EmbeddedImages {
    pub(super) list: Vec<Image>,
    known: HashMap<u32, Option<ImageId>>,
}

impl EmbeddedImages {
    /// The image of a texture, if its file is embedded.
    pub(super) fn of(
        &mut self,
        texture: &Texture,
        scene: &Scene,
        context: &mut Context<'_>,
    ) -> Result<Option<ImageId>, ReadError> {
        if !texture.has_file {
            return Ok(None);
        }
        if let Some(&known) = self.known.get(&texture.file_index) {
            return Ok(known);
        }
        let file = scene.texture_files.get(texture.file_index as usize);
        let content = file.map_or(&*texture.content, |file| &*file.content);
        let image = if content.is_empty() {
            None
        } else {
            context.take::<u8>(content.len(), "embedded images")?;
            self.list.push(Image {
                name: last_part(path(texture)).to_owned(),
                bytes: ByteView::whole(content.to_vec()),
                is_embedded: true,
            });
            Some(ImageId::from_index(self.list.len() - 1))
        };
        self.known.insert(texture.file_index, image);
        Ok(image)
    }
}

/// The path of a texture's file as stored: the relative one, otherwise that on the exporter's
/// machine.
pub(super) fn path(texture: &Texture) -> &str {
    let mut paths =
        [&texture.relative_filename, &texture.filename, &texture.absolute_filename].into_iter();
    paths.find(|path| !path.is_empty()).map_or("", |path| path)
}
