//! Khronos textures, version 2, by the `ktx2` crate.
//!
//! Source: "KTX File Format Specification", version 2.0 (Khronos). Zstandard supercompression and
//! Basis Universal are supported; zlib is rejected with a message.

use ktx2::{ColorModel, Reader, SupercompressionScheme, TransferFunction};

use super::basis::BasisLevel;
use super::container::{Container, Level};
use super::ktx2_levels::level_bytes;
use super::{ImageHeader, ImageKind, Refusal, TexelFormat};

/// How texels are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    /// As the Vulkan format says.
    Plain,
    Etc1s,
    Uastc,
}

pub(super) fn read(bytes: &[u8]) -> Result<Container<'_>, Refusal> {
    if has_huge_blocks(bytes) {
        return Err(Refusal::unreadable("has blocks of 256 texels per side"));
    }
    let reader = Reader::new(bytes).map_err(|error| Refusal::damaged(&error))?;
    let head = reader.header();
    let scheme = head.supercompression_scheme;
    let is_zstd = scheme == Some(SupercompressionScheme::Zstandard);
    let encoding = match (head.format, reader.color_model(), scheme) {
        (None, Some(ColorModel::ETC1S), Some(SupercompressionScheme::BasisLZ)) => Encoding::Etc1s,
        (None, Some(ColorModel::UASTC), None | Some(SupercompressionScheme::Zstandard)) => {
            Encoding::Uastc
        }
        (_, _, None | Some(SupercompressionScheme::Zstandard)) => Encoding::Plain,
        (_, _, Some(scheme)) => {
            return Err(Refusal::Unreadable(format!(
                "is compressed with {scheme:?}, which isn't supported"
            )));
        }
    };
    let (format, is_srgb) = match (head.format, encoding) {
        (_, Encoding::Etc1s | Encoding::Uastc) => (TexelFormat::Rgba8, false),
        (None, _) => return Err(Refusal::unreadable("has no Vulkan format")),
        (Some(number), _) => TexelFormat::of_vk(number.value()).ok_or_else(|| {
            Refusal::Unreadable(format!(
                "has texels of the unsupported Vulkan format {}",
                number.value()
            ))
        })?,
    };
    if head.pixel_depth > 1 || head.layer_count > 1 {
        return Err(Refusal::unreadable("is a volume or texture array"));
    }
    let num_faces = head.face_count;
    if num_faces != 1 && num_faces != 6 {
        return Err(Refusal::Unreadable(format!("has {num_faces} faces, not 1 or 6")));
    }
    let header = ImageHeader {
        kind: ImageKind::Ktx2,
        width: head.pixel_width,
        height: head.pixel_height.max(1),
        num_faces,
        num_levels: head.level_count.max(1),
        num_channels: format.num_channels(),
        format: Some(format),
        is_srgb: Some(is_srgb || reader.transfer_function() == Some(TransferFunction::SRGB)),
        is_float: format.info().is_float,
        num_bytes: 0,
    };
    let level = |level: u32| {
        let data = level_bytes(bytes, level).ok_or_else(|| Refusal::truncated("levels"))?;
        match encoding {
            Encoding::Etc1s => return Ok(Level::Basis(BasisLevel::Etc1s { file: bytes, level })),
            Encoding::Uastc => {
                return Ok(Level::Basis(BasisLevel::Uastc { bytes: data, is_zstd }));
            }
            Encoding::Plain => {}
        }
        if is_zstd {
            return Ok(Level::Zstd(data));
        }
        let face_bytes = format.surface_bytes(header.size_of(level));
        let mut faces = data.chunks(face_bytes.max(1)).filter(|face| face.len() == face_bytes);
        let faces: Vec<&[u8]> = faces.by_ref().take(num_faces as usize).collect();
        if faces.len() == num_faces as usize {
            Ok(Level::Faces(faces))
        } else {
            Err(Refusal::truncated("levels"))
        }
    };
    let levels = (0..header.num_levels).map(level).collect::<Result<_, _>>()?;
    Ok(Container { header, format, levels, row_align: 1, swapped: 1 })
}

/// Whether a descriptor has blocks of 256 texels per side, with which the `ktx2` crate panics. A
/// side is stored minus 1 (Khronos Data Format, section 5.5).
fn has_huge_blocks(bytes: &[u8]) -> bool {
    const PLACE_AT: usize = 48;
    const SIDES_AT: usize = 12;
    let word = |bytes: &[u8], at: usize| {
        Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
    };
    let descriptor = || {
        let (start, len) = (word(bytes, PLACE_AT)?, word(bytes, PLACE_AT + 4)?);
        // The first word is the length again.
        bytes.get(start.checked_add(4)?..start.checked_add(len)?)
    };
    let mut blocks = descriptor().unwrap_or_default();
    loop {
        let sides = blocks.get(SIDES_AT..SIDES_AT + 4);
        if sides.is_some_and(|sides| sides.contains(&u8::MAX)) {
            return true;
        }
        // Version and size of the block.
        let size = word(blocks, 4).map_or(0, |word| word >> 16);
        match blocks.get(size..) {
            Some(rest) if size > 0 => blocks = rest,
            _ => return false,
        }
    }
}
