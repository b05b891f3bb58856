//! Khronos textures, version 1.
//!
//! Source: "KTX File Format Specification", version 1.0 (Khronos). A 64-byte header, key/value
//! data, then for each level its size and its faces, padded to 4 bytes; rows are aligned to 4
//! bytes.
//!
//! Ambiguous: `KTXorientation` may state that rows go up. Runtimes use v = 0 for the first row
//! anyway, and so does Rigscope (the split-sum tables of effects have this key and are read that
//! way).

use super::container::{Container, Level};
use super::{ImageHeader, ImageKind, Refusal, TexelFormat};

const HEAD_BYTES: usize = 64;
/// The byte order marker, read in native order.
const NATIVE_ORDER: u32 = 0x0403_0201;

/// `glType` and `glFormat` of uncompressed texels, with their formats.
const UNCOMPRESSED: &[(u32, u32, TexelFormat)] = &[
    // UNSIGNED_BYTE: RED, RG, RGB, RGBA, BGR, BGRA, LUMINANCE.
    (0x1401, 0x1903, TexelFormat::R8),
    (0x1401, 0x8227, TexelFormat::Rg8),
    (0x1401, 0x1907, TexelFormat::Rgb8),
    (0x1401, 0x1908, TexelFormat::Rgba8),
    (0x1401, 0x80e0, TexelFormat::Bgr8),
    (0x1401, 0x80e1, TexelFormat::Bgra8),
    (0x1401, 0x1909, TexelFormat::L8),
    // UNSIGNED_SHORT_5_6_5 and _4_4_4_4.
    (0x8363, 0x1907, TexelFormat::B5G6R5),
    (0x8033, 0x1908, TexelFormat::Abgr4),
    // UNSIGNED_INT_2_10_10_10_REV, _10F_11F_11F_REV, _5_9_9_9_REV.
    (0x8368, 0x1908, TexelFormat::Rgb10A2),
    (0x8c3b, 0x1907, TexelFormat::R11G11B10F),
    (0x8c3e, 0x1907, TexelFormat::Rgb9E5),
    // UNSIGNED_SHORT.
    (0x1403, 0x1903, TexelFormat::R16),
    (0x1403, 0x8227, TexelFormat::Rg16),
    (0x1403, 0x1908, TexelFormat::Rgba16),
    // HALF_FLOAT.
    (0x140b, 0x1903, TexelFormat::R16F),
    (0x140b, 0x8227, TexelFormat::Rg16F),
    (0x140b, 0x1907, TexelFormat::Rgb16F),
    (0x140b, 0x1908, TexelFormat::Rgba16F),
    // FLOAT.
    (0x1406, 0x1903, TexelFormat::R32F),
    (0x1406, 0x8227, TexelFormat::Rg32F),
    (0x1406, 0x1907, TexelFormat::Rgb32F),
    (0x1406, 0x1908, TexelFormat::Rgba32F),
];

/// `GL_SRGB8` and `GL_SRGB8_ALPHA8`, and their unsized variants.
const SRGB: [u32; 4] = [0x8c40, 0x8c41, 0x8c42, 0x8c43];

pub(super) fn read(bytes: &[u8]) -> Result<Container<'_>, Refusal> {
    let head = bytes.get(12..HEAD_BYTES).ok_or_else(|| Refusal::truncated("head"))?;
    let (words, _) = head.as_chunks::<4>();
    let is_swapped = match words.first().map(|word| u32::from_le_bytes(*word)) {
        Some(NATIVE_ORDER) => false,
        Some(order) if order.swap_bytes() == NATIVE_ORDER => true,
        _ => return Err(Refusal::unreadable("has no byte order marker")),
    };
    let number = |word: [u8; 4]| {
        if is_swapped { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    };
    let mut fields = words.iter().skip(1).map(|word| number(*word));
    let mut field = || fields.next().unwrap_or_default();
    let [gl_type, type_size, gl_format, gl_internal] = std::array::from_fn(|_| field());
    let _base_internal = field();
    let [width, height, depth, num_elements, num_faces, num_levels, key_bytes] =
        std::array::from_fn(|_| field());
    let (format, is_srgb) = match gl_type {
        0 => TexelFormat::of_gl(gl_internal).map(|(format, is_srgb)| (format, Some(is_srgb))),
        _ => {
            let row = UNCOMPRESSED.iter().find(|row| (row.0, row.1) == (gl_type, gl_format));
            row.map(|row| (row.2, Some(SRGB.contains(&gl_internal))))
        }
    }
    .ok_or_else(|| {
        Refusal::Unreadable(format!(
            "has texels of the unsupported OpenGL format {gl_internal:#06x}"
        ))
    })?;
    if depth > 1 || num_elements > 1 {
        return Err(Refusal::unreadable("is a volume or texture array"));
    }
    if num_faces != 1 && num_faces != 6 {
        return Err(Refusal::Unreadable(format!("has {num_faces} faces, not 1 or 6")));
    }
    let keys = bytes.get(HEAD_BYTES..).and_then(|rest| rest.get(..key_bytes as usize));
    let keys = keys.ok_or_else(|| Refusal::truncated("key/value bytes"))?;
    let header = ImageHeader {
        kind: ImageKind::Ktx,
        width,
        height: height.max(1),
        num_faces,
        // 0 requests generated mipmaps.
        num_levels: num_levels.max(1),
        num_channels: format.num_channels(),
        format: Some(format),
        is_srgb,
        is_float: format.info().is_float,
        num_bytes: 0,
    };
    let mut rest = bytes.get(HEAD_BYTES + keys.len()..).unwrap_or_default();
    let mut levels = Vec::new();
    // Each level takes at least four bytes, so the level count can't cause more work than the
    // file's size.
    for _ in 0..header.num_levels {
        let Some((size, texels)) = rest.split_first_chunk::<4>() else {
            return Err(Refusal::truncated("levels"));
        };
        let size = number(*size) as usize;
        rest = texels;
        let mut faces = Vec::new();
        for _ in 0..num_faces {
            faces.push(rest.get(..size).ok_or_else(|| Refusal::truncated("levels"))?);
            rest = rest.get(size.next_multiple_of(4)..).unwrap_or_default();
        }
        levels.push(Level::Faces(faces));
    }
    let is_compressed = format.is_compressed();
    Ok(Container {
        header,
        format,
        levels,
        row_align: if is_compressed { 1 } else { 4 },
        swapped: if is_swapped { type_size as usize } else { 1 },
    })
}
