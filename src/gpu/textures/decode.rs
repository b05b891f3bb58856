//! Encoded images to pixels, within limits.
//!
//! Whatever comes of hostile bytes is a [`Refusal`] that becomes a note.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use crate::model::{Image, NoteKind};

/// Longest side of a texture, whatever the device allows.
pub(super) const MAX_SIDE: u32 = 16384;
/// Most bytes that one image may take when decoded.
pub(super) const MAX_IMAGE_BYTES: u64 = 256 << 20;

/// Why an image is not shown, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Its bytes are not those of an image.
    Unreadable(String),
    /// It would take too much.
    TooLarge(String),
}

impl Refusal {
    pub(super) fn note(self) -> (NoteKind, String) {
        match self {
            Self::Unreadable(text) => (NoteKind::UnreadableTexture, text),
            Self::TooLarge(text) => (NoteKind::TextureTooLarge, text),
        }
    }
}

/// What an image says about itself ahead of its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    format: ImageFormat,
    /// That decoding takes.
    pub(super) num_bytes: u64,
    pub(super) num_texels: u64,
}

/// Straight RGBA, 4 bytes a pixel, row after row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pixels {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) rgba8: Vec<u8>,
}

/// Reads the header of `image` and holds it against the limits; `max_side` is the device's.
pub(super) fn header(image: &Image, max_side: u32) -> Result<Header, Refusal> {
    let format = format_of(image)
        .ok_or_else(|| Refusal::Unreadable(format!("{:?} is no known image", image.name)))?;
    let decoder = decoder(image, format)?;
    let (width, height) = decoder.dimensions();
    let max_side = max_side.min(MAX_SIDE);
    if width > max_side || height > max_side {
        return Err(Refusal::TooLarge(format!(
            "{:?} has {width}x{height} pixels; sides of up to {max_side} can be shown",
            image.name
        )));
    }
    if width == 0 || height == 0 {
        return Err(Refusal::Unreadable(format!("{:?} has no pixels", image.name)));
    }
    let num_texels = u64::from(width) * u64::from(height);
    let num_bytes = decoder.total_bytes().max(num_texels * 4);
    if num_bytes > MAX_IMAGE_BYTES {
        return Err(Refusal::TooLarge(format!(
            "{:?} takes {num_bytes} bytes of the {MAX_IMAGE_BYTES} that one image may",
            image.name
        )));
    }
    Ok(Header { format, num_bytes, num_texels })
}

/// Decodes `image`, whose header was accepted.
pub(super) fn pixels(image: &Image, header: Header) -> Result<Pixels, Refusal> {
    let decoder = decoder(image, header.format)?;
    let decoded = DynamicImage::from_decoder(decoder).map_err(|e| refusal(image, &e))?;
    let decoded = decoded.into_rgba8();
    Ok(Pixels { width: decoded.width(), height: decoded.height(), rgba8: decoded.into_raw() })
}

/// The format by content; by name where the content has no mark, as TGA has none.
fn format_of(image: &Image) -> Option<ImageFormat> {
    let by_content = image::guess_format(&image.bytes).ok();
    by_content.or_else(|| ImageFormat::from_path(&image.name).ok())
}

fn decoder(image: &Image, format: ImageFormat) -> Result<impl ImageDecoder + '_, Refusal> {
    let bytes: &[u8] = &image.bytes;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    // What is decoded, and as much again for the decoder's own tables.
    limits.max_alloc = Some(MAX_IMAGE_BYTES * 2);
    reader.limits(limits);
    reader.into_decoder().map_err(|e| refusal(image, &e))
}

fn refusal(image: &Image, error: &ImageError) -> Refusal {
    let text = format!("{:?}: {error}", image.name);
    match error {
        ImageError::Limits(_) => Refusal::TooLarge(text),
        _ => Refusal::Unreadable(text),
    }
}
