//! Images that the `image` crate decodes.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, Limits};

use super::{ImageKind, MAX_IMAGE_BYTES, Refusal};

/// Decodes an image with the `image` crate.
pub(super) fn dynamic(bytes: &[u8], kind: ImageKind) -> Result<DynamicImage, Refusal> {
    let decoded = DynamicImage::from_decoder(decoder(bytes, kind)?);
    decoded.map_err(|error| refusal(&error))
}

/// The `image` crate's decoder for an image.
pub(super) fn decoder(bytes: &[u8], kind: ImageKind) -> Result<impl ImageDecoder + '_, Refusal> {
    // The decoders are safe Rust. `header_within` checks the size before pixels are decoded.
    let format = kind.info().codec.ok_or_else(|| Refusal::unreadable("isn't a raster image"))?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    // The decoded image, and the same amount for the decoder's own tables.
    limits.max_alloc = Some(MAX_IMAGE_BYTES * 2);
    reader.limits(limits);
    reader.into_decoder().map_err(|error| refusal(&error))
}

fn refusal(error: &ImageError) -> Refusal {
    let why = format!("can't be decoded: {error}");
    match error {
        ImageError::Limits(_) => Refusal::TooLarge(why),
        _ => Refusal::Unreadable(why),
    }
}
