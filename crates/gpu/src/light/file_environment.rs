//! Environments from files: cube maps and a split-sum table as images.

use bytemuck::cast_slice;
use half::f16;

use super::Cubes;
use super::cubes::{CubeMaker, cube, half_float_image, whole_cube};
use crate::Gpu;
use crate::buffers::count;
use crate::srgb::linear_from_srgb;
use crate::textures::finding_of;
use rigscope_core::images::{self, Decoded, Refusal, Surface, Texels};
use rigscope_core::model::{Environment, FindingKind, Image, ImageId, Model, Place, Report};

/// Largest side of a cube face.
const MAX_FACE: u32 = 2048;
/// Level of a file's prefiltered cube at roughness 1: the SDK's shaders multiply roughness by 4, however
/// many levels there are.
const SDK_LEVELS: f32 = 4.0;

/// A file's environment on the device.
#[derive(Clone, Debug)]
pub(super) struct FileEnvironment {
    pub(super) cubes: Cubes,
    /// Scale in red and bias in green, as in the built-in table.
    pub(super) split_sum: Option<wgpu::TextureView>,
}

/// Uploads the environment of `model`. Returns `None` without an environment, or if it can't be read, which is
/// reported as a finding.
pub(super) fn upload(gpu: &Gpu, model: &Model, report: &Report) -> Option<FileEnvironment> {
    let Environment { irradiance, prefiltered, split_sum } = model.environment?;
    let read = |id: Option<ImageId>, is_cube| {
        let image = model.images.get(id?)?;
        decoded(gpu, image, is_cube)
            .map_err(|refusal| {
                let (kind, message) = finding_of(image, &refusal);
                report.add(kind, Place::File, message);
            })
            .ok()
    };
    let (irradiance, prefiltered) = (read(irradiance, true)?, read(prefiltered, true)?);
    let levels = SDK_LEVELS.min(prefiltered.levels.len().saturating_sub(1) as f32);
    if levels < SDK_LEVELS {
        let what = "the prefiltered cube has too few levels; rough surfaces look too glossy";
        report.add(FindingKind::UnreadableTexture, Place::File, what);
    }
    let split_sum = read(split_sum, false).and_then(|table| {
        let surface = table.levels.first()?.first()?;
        // Files store the scale in green and the bias in red.
        let texels = numbers(surface, false).into_iter().map(|[r, g, ..]| [g, r, 0.0, 1.0]);
        let size = [surface.width, surface.height];
        let texture = half_float_image(gpu, "split sum of the file", size);
        write(gpu, &texture, 0, 0, size, texels.collect());
        Some(texture.create_view(&wgpu::TextureViewDescriptor::default()))
    });
    let cubes = Cubes {
        irradiance: uploaded(gpu, "irradiance of the file", &irradiance),
        prefiltered: uploaded(gpu, "prefiltered of the file", &prefiltered),
        levels,
    };
    Some(FileEnvironment { cubes, split_sum })
}

/// The environment of an image file: a cube map or an equirectangular image.
pub(super) fn of_image(
    gpu: &Gpu,
    maker: &CubeMaker,
    image: &Image,
) -> Result<FileEnvironment, Refusal> {
    let header = images::environment_header(&image.bytes, &image.name, gpu.caps.max_texture)?;
    let decoded = images::decode(&image.bytes, header)?;
    let cubes = match decoded.levels.first().map(Vec::as_slice) {
        Some([all]) => {
            let size = [all.width, all.height];
            let texture = half_float_image(gpu, "equirectangular image", size);
            let is_srgb = decoded.header.is_srgb != Some(false);
            write(gpu, &texture, 0, 0, size, numbers(all, is_srgb));
            maker.of_equirectangular(
                gpu,
                &texture.create_view(&wgpu::TextureViewDescriptor::default()),
            )
        }
        _ => maker.of_cube(gpu, uploaded(gpu, "cubemap", &decoded).texture()),
    };
    Ok(FileEnvironment { cubes, split_sum: None })
}

fn decoded(gpu: &Gpu, image: &Image, is_cube: bool) -> Result<Decoded, Refusal> {
    let max_side = gpu.caps.max_texture.min(MAX_FACE);
    let header = images::header_within(&image.bytes, &image.name, max_side)?;
    if is_cube && (header.num_faces != 6 || header.width != header.height) {
        return Err(Refusal::Unreadable("is not a cube map".into()));
    }
    images::decode(&image.bytes, header)
}

/// A cube map with the file's own levels.
fn uploaded(gpu: &Gpu, label: &str, decoded: &Decoded) -> wgpu::TextureView {
    let texture = cube(gpu, label, decoded.header.width, count(decoded.levels.len()));
    let is_srgb = decoded.header.is_srgb == Some(true);
    for (level, faces) in (0..).zip(&decoded.levels) {
        for (face, surface) in (0..).zip(faces) {
            let size = [surface.width, surface.height];
            write(gpu, &texture, level, face, size, numbers(surface, is_srgb));
        }
    }
    whole_cube(&texture)
}

/// Texels as floats. Bytes are linear unless the file declares them as sRGB.
fn numbers(surface: &Surface, is_srgb: bool) -> Vec<[f32; 4]> {
    match &surface.texels {
        Texels::Rgba32F(floats) => floats.as_chunks::<4>().0.to_vec(),
        Texels::Rgba8(bytes) => {
            let texels = bytes.as_chunks::<4>().0.iter();
            let plain = |byte: u8| f32::from(byte) / 255.0;
            let number = if is_srgb { linear_from_srgb } else { plain };
            texels.map(|&[r, g, b, a]| [number(r), number(g), number(b), plain(a)]).collect()
        }
    }
}

fn write(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    mip_level: u32,
    layer: u32,
    [width, height]: [u32; 2],
    texels: Vec<[f32; 4]>,
) {
    let halves: Vec<u16> = texels
        .as_flattened()
        .iter()
        .map(|&number| f16::from_f32(number.clamp(-65504.0, 65504.0)).to_bits())
        .collect();
    gpu.queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            aspect: wgpu::TextureAspect::All,
        },
        cast_slice(&halves),
        wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(width * 8),
            rows_per_image: None,
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}
