//! Textures of thumbnails, kept in egui's memory while they are shown.

use std::collections::HashMap;
use std::sync::Arc;

use egui::epaint::TextureManager;
use egui::mutex::RwLock;
use egui::{ColorImage, Context, Id, TextureHandle, TextureId, TextureOptions};

use rigscope_state::Thumbnail;

#[derive(Clone, Default)]
struct ThumbnailTextures {
    /// The textures' manager; a new one after the GPU was lost.
    manager: Option<Arc<RwLock<TextureManager>>>,
    of: HashMap<String, (Arc<Thumbnail>, TextureHandle)>,
}

/// The texture of the thumbnail `name` of `place`.
pub(super) fn texture(
    ctx: &Context,
    place: &'static str,
    name: &str,
    thumbnail: &Arc<Thumbnail>,
) -> TextureId {
    texture_made(ctx, place, name, thumbnail, |thumbnail| {
        ColorImage::from_rgba_unmultiplied(thumbnail.size_px, &thumbnail.rgba8)
    })
}

/// Like [`texture`], with an image made from the thumbnail by `make`.
pub(super) fn texture_made(
    ctx: &Context,
    place: &'static str,
    name: &str,
    thumbnail: &Arc<Thumbnail>,
    make: impl FnOnce(&Thumbnail) -> ColorImage,
) -> TextureId {
    let id = Id::unique(place);
    let manager = ctx.tex_manager();
    let mut textures: ThumbnailTextures = ctx.data(|data| data.get_temp(id)).unwrap_or_default();
    if textures.manager.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &manager)) {
        textures = ThumbnailTextures { manager: Some(manager), of: HashMap::new() };
    }
    let known = textures.of.get(name).filter(|(known, _)| Arc::ptr_eq(known, thumbnail));
    if let Some((_, texture)) = known {
        return texture.id();
    }
    let texture = ctx.load_texture(name, make(thumbnail), TextureOptions::LINEAR);
    let texture_id = texture.id();
    textures.of.insert(name.to_owned(), (Arc::clone(thumbnail), texture));
    ctx.data_mut(|data| data.insert_temp(id, textures));
    texture_id
}

/// Frees the textures of `place` that aren't in `kept`.
pub(super) fn keep_only(ctx: &Context, place: &'static str, kept: &[&Arc<Thumbnail>]) {
    let id = Id::unique(place);
    let Some(mut textures) = ctx.data(|data| data.get_temp::<ThumbnailTextures>(id)) else {
        return;
    };
    let num = textures.of.len();
    textures.of.retain(|_, (known, _)| kept.iter().any(|kept| Arc::ptr_eq(kept, known)));
    if textures.of.len() < num {
        ctx.data_mut(|data| data.insert_temp(id, textures));
    }
}

/// Frees all textures of `place`.
pub(super) fn forget(ctx: &Context, place: &'static str) {
    ctx.data_mut(|data| data.remove_temp::<ThumbnailTextures>(Id::unique(place)));
}
