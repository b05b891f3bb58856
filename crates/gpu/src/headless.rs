//! Rendering without a window.

use std::sync::{Arc, Mutex, PoisonError};

use image::ImageEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use rayon::prelude::*;

use super::pending;
use super::readback::{self, MappedRegion, PendingRegion, ReadbackError, Rows};
use super::srgb::{SrgbEncoder, linear_from_srgb, srgb_from_linear};
use super::{Background, FrameInput, Gpu, Msaa, Renderer, Scene, Target, Timer};

/// An image in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// sRGB with straight alpha, 4 bytes per pixel, rows from the top.
    pub rgba8: Vec<u8>,
}

/// Why there is no image.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The size is zero or exceeds the device's limit.
    #[error(
        "an image of {width}x{height} pixels can't be drawn; this GPU allows 1 to {limit} pixels per side"
    )]
    Size {
        /// Requested width.
        width: u32,
        /// Requested height.
        height: u32,
        /// Longest side that the device supports.
        limit: u32,
    },
    /// The number of bytes doesn't match the size of the [`Image`].
    #[error("an image of {width}x{height} pixels can't have {bytes} bytes")]
    Bytes {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
        /// Number of bytes.
        bytes: usize,
    },
    /// Reading the image back failed.
    #[error(transparent)]
    Readback(#[from] ReadbackError),
    /// Encoding failed.
    #[error("the image couldn't be encoded: {0}")]
    Encode(#[from] image::ImageError),
}

/// Renders an image and waits for it.
///
/// # Errors
/// If the size isn't supported or the device doesn't answer.
pub fn render_image(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &mut Scene,
    size_px: [u32; 2],
    msaa: Msaa,
    input: &FrameInput<'_>,
) -> Result<Image, ImageError> {
    let mut canvas = Canvas::new(msaa);
    canvas.draw(gpu, renderer, scene, size_px, input, None)?.wait()?.image()
}

/// The target and the read-back buffers for a series of equally large images. Several images may be in
/// flight: the GPU copies each one before it draws the next into the same target.
#[derive(Debug)]
pub struct Canvas {
    msaa: Msaa,
    target: Option<Target>,
    free: FreeBuffers,
}

/// Read-back buffers that aren't in use. Allocating one per image can take longer than the copy, since
/// drivers pin its memory.
type FreeBuffers = Arc<Mutex<Vec<wgpu::Buffer>>>;

impl Canvas {
    /// A canvas for images with this multisampling. [`Msaa::X4`] renders at twice the size if the device
    /// supports that: this also smooths shading and thin lines, and takes half the time on software drivers,
    /// which compile every pass again for multisampling.
    pub fn new(msaa: Msaa) -> Self {
        Self { msaa, target: None, free: FreeBuffers::default() }
    }

    /// Starts rendering an image. `timer` measures its passes under this frame number.
    ///
    /// # Errors
    /// If the size isn't supported.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        scene: &mut Scene,
        size_px: [u32; 2],
        input: &FrameInput<'_>,
        timer: Option<(&mut Timer, u64)>,
    ) -> Result<Drawing, ImageError> {
        let (target, scale) = self.target(gpu, size_px)?;
        let input = FrameInput { pixels_per_point: input.pixels_per_point * scale, ..*input };
        match timer {
            Some((timer, frame)) => {
                renderer.render_timed(gpu, scene, &target, &input, Some(timer));
                timer.finish(gpu, frame);
            }
            None => drop(renderer.render_timed(gpu, scene, &target, &input, None)),
        }
        let staging = self.staging(gpu, target.size_px())?;
        Ok(Drawing {
            part: readback::request_image_into(gpu, target.texture(), staging),
            is_doubled: target.size_px() != size_px,
            size_px,
            background: input.background,
            free: Arc::clone(&self.free),
        })
    }

    /// The target, and its size relative to the image.
    fn target(&mut self, gpu: &Gpu, size_px: [u32; 2]) -> Result<(Target, f32), ImageError> {
        let [width, height] = size_px;
        let limit = gpu.caps.max_texture;
        if !(1..=limit).contains(&width) || !(1..=limit).contains(&height) {
            return Err(ImageError::Size { width, height, limit });
        }
        let is_doubled = self.msaa == Msaa::X4 && width.max(height) <= limit / 2;
        let (drawn_px, msaa, scale) = if is_doubled {
            ([width * 2, height * 2], Msaa::Off, 2.0)
        } else {
            (size_px, self.msaa, 1.0)
        };
        let known = self.target.take().filter(|target| target.size_px() == drawn_px);
        let target = known.unwrap_or_else(|| Target::new(gpu, drawn_px, msaa));
        self.target = Some(target.clone());
        Ok((target, scale))
    }

    /// A read-back buffer for an image of this size.
    fn staging(&self, gpu: &Gpu, drawn_px: [u32; 2]) -> Result<wgpu::Buffer, ReadbackError> {
        let bytes = readback::image_bytes(drawn_px);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.retain(|buffer| buffer.size() == bytes);
        free.pop().map_or_else(|| pending::staging(gpu, bytes), Ok)
    }
}

/// An image that the GPU is rendering.
#[derive(Debug)]
pub struct Drawing {
    part: PendingRegion,
    is_doubled: bool,
    size_px: [u32; 2],
    background: Background,
    free: FreeBuffers,
}

impl Drawing {
    /// Waits until the image is rendered.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub fn wait(self) -> Result<Pixels, ImageError> {
        let Self { part, is_doubled, size_px, background, free } = self;
        let part = part.wait()?;
        Ok(Pixels { part, is_doubled, size_px, background, free })
    }
}

/// The pixels of a [`Drawing`], as rendered.
#[derive(Debug)]
pub struct Pixels {
    part: MappedRegion,
    is_doubled: bool,
    size_px: [u32; 2],
    background: Background,
    free: FreeBuffers,
}

impl Pixels {
    /// The image in the requested size. Any thread may call this.
    ///
    /// # Errors
    /// If the device is lost.
    pub fn image(self) -> Result<Image, ImageError> {
        let Self { part, is_doubled, size_px, background, free } = self;
        let (rgba8, buffer) =
            // Averaged straight from the mapped buffer, which saves a copy of four times the size.
            part.read(|rows| if !is_doubled { rows.joined() } else { halved(rows, size_px[0]) })?;
        free.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
        Ok(finished(rgba8, size_px, background))
    }
}

/// Upper bound of the bytes that are read back for an image of this size.
pub fn bytes_in_flight(size_px: [u32; 2]) -> u64 {
    readback::image_bytes(size_px.map(|side| side.saturating_mul(2)))
}

/// The image in `target`, which was rendered with `background`.
///
/// # Errors
/// If the device doesn't answer.
pub fn read_target(
    gpu: &Gpu,
    target: &Target,
    background: Background,
) -> Result<Image, ImageError> {
    let rgba8 = readback::image(gpu, target.texture())?;
    Ok(finished(rgba8, target.size_px(), background))
}

/// The image in `target`, halved `halvings` times.
///
/// # Errors
/// If the device doesn't answer.
pub async fn read_halved(
    gpu: &Gpu,
    target: &Target,
    halvings: u32,
    background: Background,
) -> Result<Image, ImageError> {
    let mut rgba8 =
        readback::request_image(gpu, target.texture())?.read(|rows| rows.joined()).await?;
    let mut size_px = target.size_px();
    for _ in 0..halvings {
        let row_bytes = size_px[0] as usize * 4;
        size_px = size_px.map(|side| side / 2);
        let rows = Rows { bytes: &rgba8, row_bytes, padded_bytes: row_bytes };
        rgba8 = halved(&rows, size_px[0]);
    }
    Ok(finished(rgba8, size_px, background))
}

fn finished(mut rgba8: Vec<u8>, [width, height]: [u32; 2], background: Background) -> Image {
    if background == Background::Transparent {
        let (pixels, _) = rgba8.as_chunks_mut::<4>();
        pixels.iter_mut().for_each(straighten);
    }
    Image { width, height, rgba8 }
}

/// Averages blocks of four pixels in linear light. `width` is the width of the result.
fn halved(large: &Rows<'_>, width: u32) -> Vec<u8> {
    let linear: [f32; 256] =
        std::array::from_fn(|byte| linear_from_srgb(u8::try_from(byte).unwrap_or(u8::MAX)));
    let steps = SrgbEncoder::get();
    let mean = |[a, b, c, d]: [&[u8; 4]; 4]| {
        // Not with `map`: compilers don't reliably inline it, which costs a tenth of the time for a small
        // image.
        let of_channel = |channel: usize| {
            let light = |pixel: &[u8; 4]| linear[usize::from(pixel[channel])];
            steps.byte((light(a) + light(b) + light(c) + light(d)) / 4.0)
        };
        let alpha = u16::from(a[3]) + u16::from(b[3]) + u16::from(c[3]) + u16::from(d[3]);
        let alpha = u8::try_from((alpha + 2) / 4).unwrap_or(u8::MAX);
        [of_channel(0), of_channel(1), of_channel(2), alpha]
    };
    let width = (width as usize).max(1);
    let row_bytes = large.padded_bytes.max(1);
    let mut small = vec![0; large.bytes.len() / (row_bytes * 2) * width * 4];
    let pairs = large.bytes.par_chunks_exact(row_bytes * 2);
    small.par_chunks_exact_mut(width * 4).zip(pairs).for_each(|(small, pair)| {
        let (upper, lower) = pair.split_at(row_bytes);
        let ((upper, _), (lower, _)) = (upper.as_chunks::<4>(), lower.as_chunks::<4>());
        let ((upper, _), (lower, _)) = (upper.as_chunks::<2>(), lower.as_chunks::<2>());
        let (small, _) = small.as_chunks_mut::<4>();
        for (pixel, ([a, b], [c, d])) in small.iter_mut().zip(upper.iter().zip(lower)) {
            *pixel = mean([a, b, c, d]);
        }
    });
    small
}

/// Encodes a PNG file, quickly.
///
/// # Errors
/// If the bytes don't match the size.
pub fn write_png(image: &Image) -> Result<Vec<u8>, ImageError> {
    write_compressed(image, CompressionType::Fast)
}

/// Encodes a PNG file as small as possible, which takes at least ten times as long.
///
/// # Errors
/// If the bytes don't match the size.
pub fn write_small_png(image: &Image) -> Result<Vec<u8>, ImageError> {
    write_compressed(image, CompressionType::Best)
}

fn write_compressed(image: &Image, how: CompressionType) -> Result<Vec<u8>, ImageError> {
    let (width, height, bytes) = (image.width, image.height, image.rgba8.len());
    if u64::from(width) * u64::from(height) * 4 != bytes as u64 {
        return Err(ImageError::Bytes { width, height, bytes });
    }
    let mut png = Vec::new();
    PngEncoder::new_with_quality(&mut png, how, FilterType::Adaptive).write_image(
        &image.rgba8,
        width,
        height,
        image::ExtendedColorType::Rgba8,
    )?;
    Ok(png)
}

/// Converts a premultiplied pixel, multiplied in linear light, to straight alpha.
fn straighten(pixel: &mut [u8; 4]) {
    let [r, g, b, a] = *pixel;
    if a == 0 || a == u8::MAX {
        return;
    }
    let alpha = f32::from(a) / 255.0;
    let straight = |byte: u8| srgb_from_linear((linear_from_srgb(byte) / alpha).min(1.0));
    *pixel = [straight(r), straight(g), straight(b), a];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn srgb_round_trips_and_linear_half_is_188() {
        for byte in 0..=255 {
            assert_eq!(srgb_from_linear(linear_from_srgb(byte)), byte);
        }
        assert_eq!(srgb_from_linear(0.5), 188);
    }

    #[test]
    fn straightening_recovers_the_premultiplied_color() {
        let mut pixel = [srgb_from_linear(0.25), 0, srgb_from_linear(0.5), 128];
        straighten(&mut pixel);
        assert_eq!(pixel[3], 128);
        assert!(pixel[0].abs_diff(188) <= 1 && pixel[1] == 0 && pixel[2] >= 254);
    }

    #[test]
    fn halving_averages_linear_light() {
        let (black, white) = ([0, 0, 0, 255], [255; 4]);
        // Each row is followed by a pixel of padding.
        let rows = [[black, white, black, black, white], [white, black, black, black, white]];
        let bytes = rows.as_flattened().as_flattened();
        let small = halved(&Rows { bytes, row_bytes: 16, padded_bytes: 20 }, 2);
        assert_eq!(small, [[188, 188, 188, 255], black].as_flattened());
    }

    #[test]
    fn means_of_two_bytes_round_to_the_nearest_byte() {
        // Straight alpha magnifies errors in dark colours, so no byte may be off by one.
        let pixel = |byte: u8| [byte, byte, byte, 255];
        let pairs: Vec<[u8; 2]> = (0..=255).flat_map(|a| (0..=255).map(move |b| [a, b])).collect();
        let row: Vec<u8> =
            pairs.iter().flat_map(|&[a, b]| [pixel(a), pixel(b)]).flatten().collect();
        let row_bytes = row.len();
        let bytes = [row.as_slice(), row.as_slice()].concat();
        let small = halved(&Rows { bytes: &bytes, row_bytes, padded_bytes: row_bytes }, 256 * 256);
        for (&[a, b], &[red, ..]) in pairs.iter().zip(small.as_chunks::<4>().0) {
            let [a, b] = [a, b].map(linear_from_srgb);
            let mean = glam::Vec4::X * ((a + b + a + b) / 4.0);
            assert_eq!(red, rigscope_core::model::srgb8_from_color(mean)[0], "{a} {b}");
        }
    }

    #[test]
    fn a_small_png_is_smaller_and_has_the_same_pixels() {
        let texel = |at: u32| [at % 251, at * at % 7, at / 64, 255].map(|byte| byte.min(255) as u8);
        let rgba8 = (0..4096).flat_map(texel).collect();
        let image = Image { width: 64, height: 64, rgba8 };
        let [fast, small] = [write_png(&image), write_small_png(&image)].map(Result::unwrap);
        assert!(small.len() < fast.len(), "{} {}", small.len(), fast.len());
        for png in [fast, small] {
            let read = image::load_from_memory(&png).unwrap().into_rgba8();
            assert_eq!(read.into_raw(), image.rgba8);
        }
    }

    #[test]
    fn a_png_has_its_signature_and_a_wrong_size_is_refused() {
        let mut image = Image { width: 2, height: 1, rgba8: vec![255; 8] };
        assert!(write_png(&image).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"));
        image.rgba8.pop();
        assert!(matches!(write_png(&image), Err(ImageError::Bytes { .. })));
    }
}
