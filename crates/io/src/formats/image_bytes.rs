//! Encoded images for output, converted to PNG for formats that don't support the original encoding.
//!
//! Not for: recognizing and decoding images (`images`).

use std::borrow::Cow;

use rigscope_core::images::{MAX_SIDE, header_within, kind_of, png};
use rigscope_core::model::Image;

/// The image encodings that a format supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// All encodings.
    Any,
    /// Encodings with these extensions; others are converted to PNG.
    Only(&'static [&'static str]),
}

impl Takes {
    /// Whether `image` can be written, as it is or as PNG. Only its header is read.
    pub(super) fn takes(self, image: &Image) -> bool {
        self.takes_as_is(image) || header_within(&image.bytes, &image.name, MAX_SIDE).is_ok()
    }

    fn takes_as_is(self, image: &Image) -> bool {
        match self {
            Self::Any => true,
            Self::Only(extensions) => extensions.contains(&extension(&image.bytes, &image.name)),
        }
    }

    /// The extension for the result of [`Self::bytes`]; `name` is the name of the image.
    pub(super) fn extension(self, image: &Image, name: &str) -> &'static str {
        if self.takes_as_is(image) { extension(&image.bytes, name) } else { "png" }
    }

    /// The bytes to write for `image`.
    ///
    /// # Errors
    /// Why an image that has to be converted can't be decoded.
    pub(super) fn bytes(self, image: &Image) -> Result<Cow<'_, [u8]>, String> {
        if self.takes_as_is(image) {
            Ok(Cow::Borrowed(&image.bytes))
        } else {
            png(&image.bytes, &image.name).map(Cow::Owned).map_err(|e| e.to_string())
        }
    }
}

/// The extension for an image's bytes, or the one in its name if the bytes aren't recognized.
pub(super) fn extension(bytes: &[u8], name: &str) -> &'static str {
    let kind = kind_of(bytes, name);
    kind.and_then(|kind| kind.info().extensions.first().copied()).unwrap_or("bin")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::ByteView;

    /// Two pixels, blue and red, as an uncompressed 24-bit TGA.
    const TGA: &[u8] =
        &[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0x20, 255, 0, 0, 0, 0, 255];

    fn image(name: &str, bytes: &[u8]) -> Image {
        Image { name: name.into(), bytes: ByteView::whole(bytes.to_vec()), is_embedded: false }
    }

    #[test]
    fn unsupported_images_are_reencoded_as_png_with_the_same_pixels() {
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
