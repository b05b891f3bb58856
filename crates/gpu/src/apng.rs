//! Animated PNGs.
//!
//! Source: "Portable Network Graphics (PNG) Specification (Third Edition)", W3C, section 11.3.6.

use png::{BitDepth, ColorType, Compression, Encoder, Writer};

use super::headless::{Image, ImageError};

/// Longer delays have more than 16 bits as thousandths.
const MAX_THOUSANDTHS: f64 = 65.0;

/// Writes an APNG that loops forever.
pub(super) struct ApngWriter<'a> {
    /// Until the first image, which has the size.
    out: Option<&'a mut Vec<u8>>,
    writer: Option<Writer<&'a mut Vec<u8>>>,
    num_images: u32,
    images_per_sec: f64,
}

impl<'a> ApngWriter<'a> {
    /// Starts an APNG of `num_images` images in `out`.
    pub(super) fn new(out: &'a mut Vec<u8>, num_images: u32, images_per_sec: f64) -> Self {
        Self { out: Some(out), writer: None, num_images, images_per_sec }
    }

    /// Adds an image, which must have the same size as the previous ones.
    ///
    /// # Errors
    /// If the bytes don't match the size, or there are more images than announced.
    pub(super) fn add(&mut self, image: &Image) -> Result<(), ImageError> {
        if let Some(out) = self.out.take() {
            let mut encoder = Encoder::new(out, image.width, image.height);
            encoder.set_color(ColorType::Rgba);
            encoder.set_depth(BitDepth::Eight);
            encoder.set_compression(Compression::Balanced);
            encoder.set_filter(png::Filter::Adaptive);
            encoder.validate_sequence(true);
            if self.num_images > 1 {
                let (numerator, denominator) = delay(self.images_per_sec);
                encoder.set_animated(self.num_images, 0).map_err(failed)?;
                encoder.set_frame_delay(numerator, denominator).map_err(failed)?;
            }
            self.writer = Some(encoder.write_header().map_err(failed)?);
        }
        let (width, height, bytes) = (image.width, image.height, image.rgba8.len());
        let writer = self.writer.as_mut().ok_or(ImageError::Bytes { width, height, bytes })?;
        writer.write_image_data(&image.rgba8).map_err(failed)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If images are missing.
    pub(super) fn finish(self) -> Result<(), ImageError> {
        self.writer.map_or(Ok(()), |writer| writer.finish().map_err(failed))
    }
}

/// Seconds per image, as a fraction.
fn delay(images_per_sec: f64) -> (u16, u16) {
    let unit = if images_per_sec <= MAX_THOUSANDTHS { 1000.0 } else { 10.0 };
    let per_unit = (images_per_sec * unit).round().clamp(1.0, f64::from(u16::MAX));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    (unit as u16, per_unit as u16)
}

fn failed(error: png::EncodingError) -> ImageError {
    let hint = image::error::ImageFormatHint::Exact(image::ImageFormat::Png);
    ImageError::from(image::ImageError::Encoding(image::error::EncodingError::new(hint, error)))
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder;
    use image::codecs::png::PngDecoder;

    use super::*;

    #[test]
    fn images_and_delays_round_trip() {
        let mut out = Vec::new();
        let mut film = ApngWriter::new(&mut out, 3, 29.97);
        let colors = [[255, 0, 0, 255], [0, 0, 255, 200], [9, 9, 9, 20]];
        for color in colors {
            let image = Image { width: 2, height: 1, rgba8: [color, color].concat() };
            film.add(&image).unwrap();
        }
        film.finish().unwrap();
        let decoder = PngDecoder::new(std::io::Cursor::new(&out)).unwrap().apng().unwrap();
        let frames = decoder.into_frames().collect_frames().unwrap();
        let seen: Vec<_> = frames.iter().map(|frame| frame.buffer().get_pixel(1, 0).0).collect();
        assert_eq!(seen, colors);
        let (numerator, denominator) = frames[0].delay().numer_denom_ms();
        let delay_ms = f64::from(numerator) / f64::from(denominator);
        assert!((delay_ms - 1000.0 / 29.97).abs() < 0.01, "{delay_ms}");
    }

    #[test]
    fn too_many_and_too_few_images_are_errors() {
        let image = Image { width: 1, height: 1, rgba8: vec![0; 4] };
        let mut out = Vec::new();
        let mut film = ApngWriter::new(&mut out, 2, 10.0);
        film.add(&image).unwrap();
        assert!(film.finish().is_err());
        let mut out = Vec::new();
        let mut film = ApngWriter::new(&mut out, 1, 10.0);
        film.add(&image).unwrap();
        assert!(film.add(&image).is_err());
    }

    #[test]
    fn delays_have_16_bits() {
        assert_eq!(delay(30.0), (1000, 30_000));
        assert_eq!(delay(120.0), (10, 1200));
        assert_eq!(delay(1e-9), (1000, 1));
        assert_eq!(delay(1e9), (10, u16::MAX));
    }
}
