//! Animated WebP files without loss.
//!
//! Source: "WebP Container Specification", Google, and RFC 9649: chunks VP8X, ANIM, ANMF and VP8L.

use image::ExtendedColorType;
use image::codecs::webp::WebPEncoder;

use super::headless::{Image, ImageError};

/// `RIFF`, its size, and `WEBP`.
const HEAD_BYTES: usize = 12;
/// A name and a size.
const CHUNK_HEAD_BYTES: usize = 8;
const ANIMATION: u8 = 1 << 1;
const ALPHA: u8 = 1 << 4;
/// A frame replaces the pixels below it.
const NO_BLENDING: u8 = 1 << 1;
/// Delays have 24 bits.
const MAX_DELAY_MS: f64 = 16_777_215.0;

/// Writes an animated WebP that loops forever.
pub(super) struct WebpWriter<'a> {
    out: &'a mut Vec<u8>,
    images_per_sec: f64,
    num_images: u32,
}

impl<'a> WebpWriter<'a> {
    /// Starts a file in `out`.
    pub(super) fn new(out: &'a mut Vec<u8>, images_per_sec: f64) -> Self {
        Self { out, images_per_sec, num_images: 0 }
    }

    /// Adds an image, which must have the same size as the previous ones.
    ///
    /// # Errors
    /// If a side is longer than 16 384 pixels or the bytes don't match the size.
    pub(super) fn add(&mut self, image: &Image) -> Result<(), ImageError> {
        let (width, height, bytes) = (image.width, image.height, image.rgba8.len());
        if u64::from(width) * u64::from(height) * 4 != bytes as u64 {
            return Err(ImageError::Bytes { width, height, bytes });
        }
        let mut still = Vec::new();
        let encoder = WebPEncoder::new_lossless(&mut still);
        encoder.encode(&image.rgba8, width, height, ExtendedColorType::Rgba8)?;
        let size = [u24(width.saturating_sub(1)), u24(height.saturating_sub(1))].concat();
        if self.num_images == 0 {
            self.out.extend(b"RIFF\0\0\0\0WEBP");
            let flags = [ANIMATION | ALPHA, 0, 0, 0];
            self.chunk(b"VP8X", &[&flags[..], &size].concat());
            // A transparent background, and no limit of the loops.
            self.chunk(b"ANIM", &[0; 6]);
        }
        // Rounding errors of delays carry over to the next image.
        let delay = u24(self.end_ms(self.num_images + 1) - self.end_ms(self.num_images));
        self.num_images += 1;
        let place = [0; 6];
        let frame = [&place[..], &size, &delay, &[NO_BLENDING], pixels(&still)].concat();
        self.chunk(b"ANMF", &frame);
        Ok(())
    }

    /// Completes the file.
    pub(super) fn finish(self) {
        let size = u32::try_from(self.out.len().saturating_sub(CHUNK_HEAD_BYTES));
        let size = size.unwrap_or(u32::MAX).to_le_bytes();
        if let Some(place) = self.out.get_mut(4..8) {
            place.copy_from_slice(&size);
        }
    }

    fn chunk(&mut self, name: &[u8; 4], content: &[u8]) {
        self.out.extend(name);
        self.out.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes());
        self.out.extend(content);
        // Chunks begin at even offsets.
        self.out.resize(self.out.len().next_multiple_of(2), 0);
    }

    /// End of the first `number` images, in milliseconds.
    fn end_ms(&self, number: u32) -> u32 {
        let end = f64::from(number) * (1000.0 / self.images_per_sec).min(MAX_DELAY_MS);
        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
        #[expect(clippy::cast_sign_loss, reason = "not negative")]
        let end = end.round() as u32;
        end
    }
}

/// The chunk with the pixels of a file with a single image.
fn pixels(still: &[u8]) -> &[u8] {
    let mut rest = still.get(HEAD_BYTES..).unwrap_or_default();
    while let Some((head, content)) = rest.split_first_chunk::<CHUNK_HEAD_BYTES>() {
        let [name @ .., a, b, c, d] = *head;
        let length = u32::from_le_bytes([a, b, c, d]) as usize;
        let padded = length.next_multiple_of(2).min(content.len());
        if name == *b"VP8L" {
            return rest.get(..CHUNK_HEAD_BYTES + padded).unwrap_or_default();
        }
        rest = content.get(padded..).unwrap_or_default();
    }
    &[]
}

fn u24(number: u32) -> Vec<u8> {
    let [a, b, c, _] = number.to_le_bytes();
    vec![a, b, c]
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder;
    use image::codecs::webp::WebPDecoder;

    use super::*;

    #[test]
    fn images_and_delays_round_trip() {
        let mut out = Vec::new();
        let mut film = WebpWriter::new(&mut out, 30.0);
        let colors = [[255, 0, 0, 255], [0, 0, 255, 200], [9, 9, 9, 20]];
        for color in colors {
            let image = Image { width: 3, height: 1, rgba8: [color; 3].concat() };
            film.add(&image).unwrap();
        }
        film.finish();
        assert_eq!(u32::from_le_bytes(out[4..8].try_into().unwrap()) as usize, out.len() - 8);
        let decoder = WebPDecoder::new(std::io::Cursor::new(&out)).unwrap();
        assert!(decoder.has_animation());
        let frames = decoder.into_frames().collect_frames().unwrap();
        let seen: Vec<_> = frames.iter().map(|frame| frame.buffer().get_pixel(2, 0).0).collect();
        assert_eq!(seen, colors);
        let times: u32 = frames.iter().map(|frame| frame.delay().numer_denom_ms().0).sum();
        assert_eq!(times, 100, "three images at 30 per second");
    }

    #[test]
    fn a_wrong_number_of_bytes_is_refused() {
        let mut out = Vec::new();
        let wrong = Image { width: 2, height: 2, rgba8: vec![0; 15] };
        assert!(WebpWriter::new(&mut out, 10.0).add(&wrong).is_err());
    }
}
