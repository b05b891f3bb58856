//! Pictures that the `image` crate decodes.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageReader, Limits};

use super::{ImageKind, MAX_IMAGE_BYTES, Refusal};

/// A picture as the `image` crate decodes it.
pub(super) fn dynamic(bytes: &[u8], kind: ImageKind) -> Result<DynamicImage, Refusal> {
    let decoded = DynamicImage::from_decoder(decoder(bytes, kind)?);
    decoded.map_err(|error| refusal(&error))
}

/// The `image` crate's decoder for a picture.
pub(super) fn decoder(bytes: &[u8], kind: ImageKind) -> Result<impl ImageDecoder + '_, Refusal> {
    // The decoders are safe Rust. `header_within` checks the sides before pixels are decoded.
    let format = kind.info().codec.ok_or_else(|| Refusal::unreadable("is no picture"))?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    // What is decoded, and as much again for the decoder's own tables.
    limits.max_alloc = Some(MAX_IMAGE_BYTES * 2);
    reader.limits(limits);
    reader.into_decoder().map_err(|error| refusal(&error))
}

fn refusal(error: &ImageError) -> Refusal {
    let why = format!("cannot be decoded: {error}");
    match error {
        ImageError::Limits(_) => Refusal::TooLarge(why),
        _ => Refusal::Unreadable(why),
    }
}
