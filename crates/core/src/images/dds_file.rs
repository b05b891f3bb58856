//! `DirectDraw` surfaces, by the `dds` crate.
//!
//! Source: "DDS Programming Guide" (Microsoft). Arrays and volumes aren't supported; cubemaps are
//! only if all six faces are present.

use dds::header::{Header, ParseOptions};
use dds::{DataLayout, DataRegion, Format, SurfaceDescriptor, Texture};

use super::container::{Container, Level};
use super::texel_format::Codec;
use super::{ImageHeader, ImageKind, Refusal, TEXEL_FORMATS, TexelFormat};

pub(super) fn read(bytes: &[u8]) -> Result<Container<'_>, Refusal> {
    let mut rest = bytes;
    let options = ParseOptions::new_permissive(Some(bytes.len() as u64));
    let head = Header::read(&mut rest, &options).map_err(|error| Refusal::damaged(&error))?;
    let dds_format = Format::from_header(&head).map_err(|error| Refusal::damaged(&error))?;
    let format = texel_format(dds_format, &head).ok_or_else(|| {
        Refusal::Unreadable(format!("has texels of the unsupported format {dds_format:?}"))
    })?;
    let layout = DataLayout::from_header(&head).map_err(|error| Refusal::damaged(&error))?;
    let faces: Vec<Texture> = match &layout {
        DataLayout::Texture(texture) => vec![*texture],
        DataLayout::TextureArray(array) if layout.is_cube_map() && array.len() == 6 => {
            array.iter().collect()
        }
        _ => return Err(Refusal::unreadable("is a volume or texture array")),
    };
    let Some(first) = faces.first() else { return Err(Refusal::unreadable("has no pixels")) };
    let num_levels = u32::from(first.mipmaps()).max(1);
    let header = ImageHeader {
        kind: ImageKind::Dds,
        width: first.main().width(),
        height: first.main().height(),
        num_faces: if faces.len() == 6 { 6 } else { 1 },
        num_levels,
        num_channels: format.num_channels(),
        format: Some(format),
        is_srgb: head.to_dx10().map(|head| head.dxgi_format.is_srgb()),
        is_float: format.info().is_float,
        num_bytes: 0,
    };
    let surface = |place: SurfaceDescriptor| {
        let start = usize::try_from(place.data_offset()).ok()?;
        let end = usize::try_from(place.data_end()).ok()?;
        rest.get(start..end)
    };
    let level = |level: u8| {
        let faces = faces.iter().map(|face| face.get(level).and_then(surface));
        faces.collect::<Option<Vec<&[u8]>>>().map(Level::Faces)
    };
    let levels: Option<Vec<Level<'_>>> = (0..first.mipmaps().max(1)).map(level).collect();
    let levels = levels.ok_or_else(|| Refusal::truncated("levels"))?;
    Ok(Container { header, format, levels, row_align: 1, swapped: 1 })
}

/// The texel format of a DDS format. A single channel is grey in old files and red in new ones.
fn texel_format(format: Format, head: &Header) -> Option<TexelFormat> {
    let is_old = matches!(head, Header::Dx9(_));
    let same = |codec: Codec| match codec {
        Codec::Dds(own) | Codec::Red(own) => own == format,
        Codec::Opaque(_) | Codec::Etc(_) | Codec::Rgb16F => false,
    };
    let mut rows = TEXEL_FORMATS.iter().filter(|row| same(row.codec));
    if is_old { rows.next() } else { rows.next_back() }.map(|row| row.format)
}
