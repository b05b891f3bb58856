//! Decoded images. Decoding takes long, so each image is decoded only once per diagnosis.

use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec2;

use crate::images::{Texels, decode, header_within};
use crate::model::{ByteView, Image};

/// The longest side of an image that is decoded.
const MAX_SIDE: u32 = 2048;
/// The most decoded images to keep.
const MAX_KEPT: usize = 8;

/// The first level of an image.
pub(super) struct Picture {
    pub(super) size: [u32; 2],
    /// In the colour space of the file.
    pub(super) texels: Vec<[u8; 4]>,
    /// Whether the file declares numbers encoded as sRGB.
    pub(super) has_encoded_numbers: bool,
}

impl Picture {
    fn of(image: &Image) -> Option<Self> {
        let header = header_within(&image.bytes, &image.name, MAX_SIDE).ok()?;
        let decoded = decode(&image.bytes, header).ok()?;
        let first = decoded.levels.into_iter().flatten().next()?;
        let Texels::Rgba8(bytes) = first.texels else { return None };
        let (texels, _) = bytes.as_chunks::<4>();
        let is_whole = texels.len() == first.width as usize * first.height as usize;
        (is_whole && !texels.is_empty()).then(|| Self {
            size: [first.width, first.height],
            texels: texels.to_vec(),
            has_encoded_numbers: header.has_encoded_numbers(),
        })
    }

    /// The mean colour of the nine texels around a point of the repeating image, with channels from 0 to 1.
    pub(super) fn color_at(&self, uv: Vec2) -> [f64; 3] {
        let [width, height] = self.size.map(i64::from);
        let texel = |share: f32, num: i64| {
            let at = f64::from(share).rem_euclid(1.0) * num as f64;
            #[expect(clippy::cast_possible_truncation, reason = "within the image")]
            let whole = if at.is_finite() { at as i64 } else { 0 };
            whole
        };
        let (x, y) = (texel(uv.x, width), texel(uv.y, height));
        let mut sum = [0.0; 3];
        for step in 0..9 {
            let (x, y) =
                ((x + step % 3 - 1).rem_euclid(width), (y + step / 3 - 1).rem_euclid(height));
            let texel = usize::try_from(y * width + x).ok().and_then(|at| self.texels.get(at));
            let Some(texel) = texel else { continue };
            for (sum, channel) in sum.iter_mut().zip(texel) {
                *sum += f64::from(*channel) / (9.0 * 255.0);
            }
        }
        sum
    }
}

/// The images of a model and of its changed versions.
#[derive(Default)]
pub(super) struct Pictures(Mutex<Vec<(ByteView, Option<Arc<Picture>>)>>);

impl Pictures {
    /// The decoded image; `None` if it is too large, damaged or not 8 bits per channel.
    pub(super) fn get(&self, image: &Image) -> Option<Arc<Picture>> {
        // The cached view keeps the bytes alive, so that equal addresses mean equal bytes.
        let is_same = |view: &ByteView| {
            std::ptr::eq(view.as_ptr(), image.bytes.as_ptr()) && view.len() == image.bytes.len()
        };
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, picture)) = kept.iter().find(|(view, _)| is_same(view)) {
            return picture.clone();
        }
        // Decoding in parallel may run other evidence on this thread, which would wait for the lock forever.
        drop(kept);
        let picture = Picture::of(image).map(Arc::new);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        kept.push((image.bytes.clone(), picture.clone()));
        picture
    }
}
