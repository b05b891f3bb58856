//! The header: counts and offsets of all tables.

use super::ID;
use crate::formats::{Confidence, Cursor, Limits, ProbeInput, ReadError};
use crate::model::{Field, Layout, Scalar};

/// What a file begins with.
pub(super) const MAGIC: &[u8; 16] = b"INTERQUAKEMODEL\0";
/// Bytes of the header.
pub(super) const HEADER_BYTES: usize = 124;
/// The version that is read.
const VERSION: u32 = 2;

/// The header's fields.
pub(super) const HEADER_FIELDS: &[Field] = &[
    Field::new("magic", 0, Layout::chars(16)),
    Field::new("version", 16, Scalar::U32.one()),
    Field::new("file size", 20, Scalar::U32.one()),
    Field::new("flags", 24, Scalar::U32.one()),
    Field::new("number of text bytes", 28, Scalar::U32.one()),
    Field::new("text", 32, Scalar::U32.one()),
    Field::new("number of meshes", 36, Scalar::U32.one()),
    Field::new("meshes", 40, Scalar::U32.one()),
    Field::new("number of vertex arrays", 44, Scalar::U32.one()),
    Field::new("number of vertices", 48, Scalar::U32.one()),
    Field::new("vertex arrays", 52, Scalar::U32.one()),
    Field::new("number of triangles", 56, Scalar::U32.one()),
    Field::new("triangles", 60, Scalar::U32.one()),
    Field::new("adjacency", 64, Scalar::U32.one()),
    Field::new("number of joints", 68, Scalar::U32.one()),
    Field::new("joints", 72, Scalar::U32.one()),
    Field::new("number of poses", 76, Scalar::U32.one()),
    Field::new("poses", 80, Scalar::U32.one()),
    Field::new("number of anims", 84, Scalar::U32.one()),
    Field::new("anims", 88, Scalar::U32.one()),
    Field::new("number of frames", 92, Scalar::U32.one()),
    Field::new("number of frame channels", 96, Scalar::U32.one()),
    Field::new("frames", 100, Scalar::U32.one()),
    Field::new("bounds", 104, Scalar::U32.one()),
    Field::new("number of comment bytes", 108, Scalar::U32.one()),
    Field::new("comment", 112, Scalar::U32.one()),
    Field::new("number of extensions", 116, Scalar::U32.one()),
    Field::new("extensions", 120, Scalar::U32.one()),
];

/// Where a table is and how many records it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) num: u32,
    pub(super) offset: u32,
}

/// The header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) flags: u32,
    pub(super) text: Table,
    pub(super) meshes: Table,
    pub(super) vertex_arrays: Table,
    pub(super) num_vertices: u32,
    pub(super) triangles: Table,
    pub(super) adjacency_offset: u32,
    pub(super) joints: Table,
    pub(super) poses: Table,
    pub(super) anims: Table,
    pub(super) frames: Table,
    pub(super) num_frame_channels: u32,
    pub(super) bounds_offset: u32,
    pub(super) comment: Table,
    pub(super) extensions: Table,
}

/// The header of a file, the bytes that are the file by its own account, and why it is refused though
/// what there is of it can be looked at: it is cut off.
pub(super) fn header<'a>(
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<(Header, &'a [u8], Option<ReadError>), ReadError> {
    let mut cursor = Cursor::new(ID, bytes, limits);
    if cursor.array::<16>("magic")? != *MAGIC {
        let what = "the file does not begin with INTERQUAKEMODEL".to_owned();
        return Err(cursor.malformed_at(0, 16, "magic", what));
    }
    let version = cursor.u32_le("version")?;
    if version != VERSION {
        let what = format!("version {version} is not {VERSION}");
        return Err(cursor.unsupported_at(16, 4, "version", what));
    }
    let stored = cursor.u32_le("file size")?;
    let wrong_size = || {
        let what = format!("file size {stored} does not fit the {} there are", bytes.len());
        cursor.malformed_at(20, 4, "file size", what)
    };
    let file = bytes.get(..stored as usize).unwrap_or(bytes);
    if file.len() < HEADER_BYTES {
        return Err(wrong_size());
    }
    let cut = (file.len() < stored as usize).then(wrong_size);
    let flags = cursor.u32_le("flags")?;
    let text = table(&mut cursor, "text")?;
    let meshes = table(&mut cursor, "meshes")?;
    let num_vertex_arrays = cursor.u32_le("vertex arrays")?;
    let num_vertices = cursor.u32_le("vertices")?;
    let vertex_arrays = Table { num: num_vertex_arrays, offset: cursor.u32_le("vertex arrays")? };
    let triangles = table(&mut cursor, "triangles")?;
    let adjacency_offset = cursor.u32_le("adjacency")?;
    let joints = table(&mut cursor, "joints")?;
    let poses = table(&mut cursor, "poses")?;
    let anims = table(&mut cursor, "anims")?;
    let num_frames = cursor.u32_le("frames")?;
    let num_frame_channels = cursor.u32_le("frame channels")?;
    let frames = Table { num: num_frames, offset: cursor.u32_le("frames")? };
    let bounds_offset = cursor.u32_le("bounds")?;
    let header = Header {
        flags,
        text,
        meshes,
        vertex_arrays,
        num_vertices,
        triangles,
        adjacency_offset,
        joints,
        poses,
        anims,
        frames,
        num_frame_channels,
        bounds_offset,
        comment: table(&mut cursor, "comment")?,
        extensions: table(&mut cursor, "extensions")?,
    };
    Ok((header, file, cut))
}

fn table(cursor: &mut Cursor<'_>, field: &'static str) -> Result<Table, ReadError> {
    Ok(Table { num: cursor.u32_le(field)?, offset: cursor.u32_le(field)? })
}

/// The magic decides.
pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    match input.head.starts_with(MAGIC) {
        true => Confidence::Strong,
        false => Confidence::No,
    }
}
