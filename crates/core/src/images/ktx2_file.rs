//! Khronos textures, version 2, by the `ktx2` crate.
//!
//! Source: "KTX File Format Specification", version 2.0 (Khronos). Zstandard supercompression is
//! supported; Basis Universal and zlib are rejected with a message, because no maintained
//! transcoder is small enough (`deny.toml` lists the candidates).

use ktx2::{ColorModel, Reader, SupercompressionScheme, TransferFunction};

use super::container::{Container, Level};
use super::{ImageHeader, ImageKind, Refusal, TexelFormat};

/// How to convert Basis Universal textures.
pub const BASIS_FIX: &str =
    "save it as PNG, JPEG or WebP, or as KTX2 with plain, BC, ETC2 or ASTC texels";

pub(super) fn read(bytes: &[u8]) -> Result<Container<'_>, Refusal> {
    let reader = Reader::new(bytes).map_err(|error| Refusal::damaged(&error))?;
    let head = reader.header();
    let is_zstd = match head.supercompression_scheme {
        None => false,
        Some(SupercompressionScheme::Zstandard) => true,
        Some(SupercompressionScheme::BasisLZ) => {
            return Err(basis("ETC1S"));
        }
        Some(scheme) => {
            return Err(Refusal::Unreadable(format!(
                "is compressed with {scheme:?}, which isn't supported"
            )));
        }
    };
    let Some(number) = head.format else {
        return Err(match reader.color_model() {
            Some(ColorModel::UASTC) => basis("UASTC"),
            Some(ColorModel::ETC1S) => basis("ETC1S"),
            _ => Refusal::unreadable("has no Vulkan format"),
        });
    };
    let (format, is_srgb) = TexelFormat::of_vk(number.value()).ok_or_else(|| {
        Refusal::Unreadable(format!(
            "has texels of the unsupported Vulkan format {}",
            number.value()
        ))
    })?;
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

fn basis(what: &str) -> Refusal {
    Refusal::Unreadable(format!("is Basis Universal ({what}), which isn't supported: {BASIS_FIX}"))
}

/// Bytes of a level, located by its entry in the level index. The `ktx2` crate's own accessor only
/// returns data that borrows from the reader.
fn level_bytes(bytes: &[u8], level: u32) -> Option<&[u8]> {
    const HEAD_BYTES: usize = 80;
    const ROW_BYTES: usize = 24;
    let row = HEAD_BYTES + ROW_BYTES * level as usize;
    let (numbers, _) = bytes.get(row..row + 16)?.as_chunks::<8>();
    let mut numbers = numbers.iter().map(|eight| u64::from_le_bytes(*eight));
    let start = usize::try_from(numbers.next()?).ok()?;
    let num_bytes = usize::try_from(numbers.next()?).ok()?;
    bytes.get(start..start.checked_add(num_bytes)?)
}
