//! Animated images of any format: GIF, APNG and WebP.

use super::apng::ApngWriter;
use super::gif::GifWriter;
use super::headless::{Image, ImageError};
use super::webp::WebpWriter;

/// A format of animated images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// 256 colours per image, and pixels that are transparent or not.
    Gif,
    /// Without loss.
    Apng,
    /// Without loss, too.
    WebP,
}

/// Writes images that loop forever.
pub struct Film<'a>(Writer<'a>);

enum Writer<'a> {
    Gif(GifWriter<'a>),
    Apng(ApngWriter<'a>),
    WebP(WebpWriter<'a>),
}

impl<'a> Film<'a> {
    /// Starts a film of `num_images` images in `out`.
    ///
    /// # Errors
    /// If the encoder fails.
    pub fn new(
        format: FilmFormat,
        out: &'a mut Vec<u8>,
        num_images: u32,
        images_per_sec: f64,
    ) -> Result<Self, ImageError> {
        Ok(Self(match format {
            FilmFormat::Gif => Writer::Gif(GifWriter::new(out, images_per_sec)?),
            FilmFormat::Apng => Writer::Apng(ApngWriter::new(out, num_images, images_per_sec)),
            FilmFormat::WebP => Writer::WebP(WebpWriter::new(out, images_per_sec)),
        }))
    }

    /// Adds an image, which must have the same size as the previous ones.
    ///
    /// # Errors
    /// If the bytes don't match the size, or the format doesn't support it.
    pub fn add(&mut self, image: Image) -> Result<(), ImageError> {
        match &mut self.0 {
            Writer::Gif(film) => film.add(image),
            Writer::Apng(film) => film.add(&image),
            Writer::WebP(film) => film.add(&image),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If there are fewer images than announced.
    pub fn finish(self) -> Result<(), ImageError> {
        match self.0 {
            // Dropping it writes the end.
            Writer::Gif(_) => Ok(()),
            Writer::Apng(film) => film.finish(),
            Writer::WebP(film) => {
                film.finish();
                Ok(())
            }
        }
    }
}
