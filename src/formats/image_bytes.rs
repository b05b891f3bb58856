//! Encoded images: what they are, and the same as PNG for formats that take no other.
//!
//! Not for: drawing; `gpu` decodes for itself, within what the device can show.

use std::borrow::Cow;
use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::textures::is_image;
use crate::model::Image;

/// Longest side that is decoded.
const MAX_SIDE: u32 = 16384;
/// Most bytes that one image may take when decoded.
const MAX_DECODED_BYTES: u64 = 256 << 20;

/// Which images a format takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// All that there are.
    Any,
    /// Only these extensions; others are written as PNG.
    Only(&'static [&'static str]),
}

impl Takes {
    /// Whether `image` can be written, as it is or as PNG. Looks at its header only.
    pub(super) fn takes(self, image: &Image) -> bool {
        self.takes_as_is(image) || decoder(image).is_ok()
    }

    fn takes_as_is(self, image: &Image) -> bool {
        match self {
            Self::Any => true,
            Self::Only(extensions) => extensions.contains(&&*extension(&image.bytes, &image.name)),
        }
    }

    /// Bytes of `image` that can be written.
    ///
    /// # Errors
    /// What is wrong with an image that has to be decoded and cannot be.
    pub(super) fn bytes(self, image: &Image) -> Result<Cow<'_, [u8]>, String> {
        match self.takes_as_is(image) {
            true => Ok(Cow::Borrowed(&image.bytes)),
            false => png(image).map(Cow::Owned),
        }
    }
}

/// The extension that an image's bytes have; where they do not tell, that of its name.
pub(super) fn extension(bytes: &[u8], name: &str) -> String {
    const MAGICS: [(&[u8], &str); 6] = [
        (b"\x89PNG\r\n\x1a\n", "png"),
        (b"\xff\xd8\xff", "jpg"),
        (b"BM", "bmp"),
        (b"DDS ", "dds"),
        (b"GIF8", "gif"),
        (b"\xabKTX ", "ktx2"),
    ];
    if let Some((_, extension)) = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return (*extension).to_owned();
    }
    if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        return "webp".to_owned();
    }
    match name.rsplit_once('.') {
        Some((_, own)) if is_image(name) => own.to_lowercase(),
        _ => "bin".to_owned(),
    }
}

fn decoder(image: &Image) -> Result<impl ImageDecoder + '_, String> {
    let bytes: &[u8] = &image.bytes;
    let by_content = image::guess_format(bytes).ok();
    // TGA has no mark.
    let format = by_content.or_else(|| ImageFormat::from_path(&image.name).ok());
    let format = format.ok_or_else(|| "is no known image".to_owned())?;
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    // What is decoded, and as much again for the decoder's own tables.
    limits.max_alloc = Some(MAX_DECODED_BYTES * 2);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    let is_large = decoder.total_bytes() > MAX_DECODED_BYTES || width.max(height) > MAX_SIDE;
    match width == 0 || height == 0 || is_large {
        true => Err(format!("has {width}x{height} pixels")),
        false => Ok(decoder),
    }
}

fn png(image: &Image) -> Result<Vec<u8>, String> {
    let decoded = DynamicImage::from_decoder(decoder(image)?).map_err(|error| error.to_string())?;
    let mut out = Cursor::new(Vec::new());
    let written = decoded.write_to(&mut out, ImageFormat::Png);
    written.map_err(|error| error.to_string())?;
    Ok(out.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ByteView;

    /// Two pixels, blue and red, of an uncompressed TGA of 24 bits.
    const TGA: &[u8] =
        &[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0x20, 255, 0, 0, 0, 0, 255];

    fn image(name: &str, bytes: &[u8]) -> Image {
        Image { name: name.into(), bytes: ByteView::whole(bytes.to_vec()), is_embedded: false }
    }

    #[test]
    fn what_a_format_does_not_take_becomes_a_png_of_the_same_pixels() {
        const PNG_ALONE: Takes = Takes::Only(&["png"]);
        let tga = image("paint.tga", TGA);
        assert_eq!(Takes::Any.bytes(&tga).unwrap(), TGA);
        let png = PNG_ALONE.bytes(&tga).unwrap().into_owned();
        let again = image("again", &png);
        assert_eq!(extension(&png, ""), "png");
        assert_eq!(PNG_ALONE.bytes(&again).unwrap(), png, "as it is");
        let decoded = image::load_from_memory(&png).unwrap().into_rgb8();
        assert_eq!(decoded.into_raw(), [0, 0, 255, 255, 0, 0]);
        for broken in [image("x.webp", b"RIFF....WEBP"), image("cut.tga", &TGA[..9])] {
            assert!(!PNG_ALONE.takes(&broken) && Takes::Any.takes(&broken));
            assert!(PNG_ALONE.bytes(&broken).is_err());
        }
        let mut huge = TGA.to_vec();
        huge[12..16].fill(0xff);
        assert!(!PNG_ALONE.takes(&image("huge.tga", &huge)));
    }
}
