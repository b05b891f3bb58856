//! Animated GIFs.
//!
//! Not for: rendering the images (`headless`).

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use super::headless::{Image, ImageError};

/// Quality of each image's palette of 256 colours, 1 (slow) to 30: a compromise that the encoder's authors
/// recommend.
const SPEED: i32 = 10;
/// Many players slow down GIFs that are faster.
const MAX_IMAGES_PER_SEC: f64 = 50.0;
/// A slower one would be a slide show, and delays have 16 bits.
const MIN_IMAGES_PER_SEC: f64 = 0.1;
/// Pixels below this alpha become fully transparent, since GIF has no partial transparency.
const MIN_ALPHA: u8 = 128;

/// Writes a GIF that loops forever. The file is complete once the writer has been dropped.
pub(super) struct GifWriter<'a> {
    encoder: GifEncoder<&'a mut Vec<u8>>,
    images_per_sec: f64,
    num_images: u32,
}

impl std::fmt::Debug for GifWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GifWriter({} images)", self.num_images)
    }
}

impl<'a> GifWriter<'a> {
    /// Starts a GIF in `out`.
    ///
    /// # Errors
    /// If the encoder fails.
    pub(super) fn new(out: &'a mut Vec<u8>, images_per_sec: f64) -> Result<Self, ImageError> {
        let mut encoder = GifEncoder::new_with_speed(out, SPEED);
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self {
            encoder,
            images_per_sec: images_per_sec.clamp(MIN_IMAGES_PER_SEC, MAX_IMAGES_PER_SEC),
            num_images: 0,
        })
    }

    /// Adds an image, which must have the same size as the previous ones.
    ///
    /// # Errors
    /// If a side is longer than 65 535 pixels or the bytes don't match the size.
    pub(super) fn add(&mut self, image: Image) -> Result<(), ImageError> {
        let (width, height, bytes) = (image.width, image.height, image.rgba8.len());
        let mut pixels = image.rgba8;
        for [.., alpha] in pixels.as_chunks_mut::<4>().0 {
            *alpha = if *alpha < MIN_ALPHA { 0 } else { u8::MAX };
        }
        let buffer = RgbaImage::from_raw(width, height, pixels).ok_or(ImageError::Bytes {
            width,
            height,
            bytes,
        })?;
        // Delays are in hundredths of a second; rounding errors carry over to the next image.
        let delay_ms = (self.end_of(self.num_images + 1) - self.end_of(self.num_images)) * 10;
        self.num_images += 1;
        let delay = Delay::from_numer_denom_ms(delay_ms, 1);
        self.encoder.encode_frame(Frame::from_parts(buffer, 0, 0, delay))?;
        Ok(())
    }

    /// End of the first `number` images, in hundredths of a second.
    fn end_of(&self, number: u32) -> u32 {
        let hundredths = (f64::from(number) * 100.0 / self.images_per_sec).round();
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let hundredths = hundredths as u32;
        hundredths
    }
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder;
    use image::codecs::gif::GifDecoder;

    use super::*;

    fn image(rgba: [u8; 4]) -> Image {
        Image { width: 2, height: 1, rgba8: [rgba, rgba].concat() }
    }

    #[test]
    fn images_and_delays_round_trip() {
        let mut gif = Vec::new();
        let mut film = GifWriter::new(&mut gif, 30.0).unwrap();
        let colors = [[255, 0, 0, 255], [0, 0, 255, 200], [9, 9, 9, 20]];
        for color in colors {
            film.add(image(color)).unwrap();
        }
        drop(film);
        let decoder = GifDecoder::new(std::io::Cursor::new(&gif)).unwrap();
        let frames = decoder.into_frames().collect_frames().unwrap();
        let seen: Vec<_> = frames.iter().map(|f| f.buffer().get_pixel(0, 0).0).collect();
        assert_eq!(seen[..2], [[255, 0, 0, 255], [0, 0, 255, 255]]);
        assert_eq!(seen[2][3], 0);
        let times: u32 = frames.iter().map(|f| f.delay().numer_denom_ms().0).sum();
        assert_eq!(times, 100, "three images at 30 per second");
    }

    #[test]
    fn a_wrong_number_of_bytes_is_refused() {
        let mut gif = Vec::new();
        let mut film = GifWriter::new(&mut gif, 10.0).unwrap();
        let mut wrong = image([0; 4]);
        wrong.rgba8.pop();
        assert!(film.add(wrong).is_err());
    }
}
