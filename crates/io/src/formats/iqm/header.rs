//! The header: counts and offsets of all tables.

use super::ID;
use crate::formats::record::{Record, record};
use crate::formats::{Confidence, Cursor, Limits, ProbeInput, ReadError};

/// Magic bytes of a file.
pub(super) const MAGIC: &[u8; 16] = b"INTERQUAKEMODEL\0";
/// The supported version.
pub(super) const VERSION: u32 = 2;

record! {
    /// Number of records and offset of a table.
    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct TableLocation {
        num: u32 = "number";
        offset: u32 = "offset";
    }

    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct IqmHeader {
        magic: [u8; 16] = "magic";
        version: u32 = "version";
        file_size: u32 = "file size";
        flags: u32 = "flags";
        text: TableLocation = "number of text bytes", "text";
        meshes: TableLocation = "number of meshes", "meshes";
        num_vertex_arrays: u32 = "number of vertex arrays";
        num_vertices: u32 = "number of vertices";
        vertex_arrays: u32 = "vertex arrays";
        triangles: TableLocation = "number of triangles", "triangles";
        adjacency: u32 = "adjacency";
        joints: TableLocation = "number of joints", "joints";
        poses: TableLocation = "number of poses", "poses";
        anims: TableLocation = "number of anims", "anims";
        num_frames: u32 = "number of frames";
        num_frame_channels: u32 = "number of frame channels";
        frames: u32 = "frames";
        bounds: u32 = "bounds";
        comment: TableLocation = "number of comment bytes", "comment";
        extensions: TableLocation = "number of extensions", "extensions";
    }
}

/// The header, the bytes up to the file's stated size, and an error if the file is truncated, whose
/// existing part can still be inspected.
pub(super) fn header<'a>(
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<(IqmHeader, &'a [u8], Option<ReadError>), ReadError> {
    let header = IqmHeader::from_bytes(bytes);
    // Each field is checked as soon as it is available, so that truncated headers get a precise
    // error.
    let mut cursor = Cursor::new(ID, bytes, limits);
    if cursor.array::<16>("magic")? != *MAGIC {
        let what = "the file does not start with INTERQUAKEMODEL".to_owned();
        return Err(cursor.malformed_value(what));
    }
    let version = cursor.u32_le("version")?;
    if version != VERSION {
        return Err(cursor.unsupported_value(format!("version {version} is not {VERSION}")));
    }
    let stored = cursor.u32_le("file size")?;
    let wrong_size = || {
        let what =
            format!("the stated file size is {stored} bytes, but the file has {}", bytes.len());
        cursor.malformed_value(what)
    };
    let file = bytes.get(..stored as usize).unwrap_or(bytes);
    if file.len() < IqmHeader::BYTES {
        return Err(wrong_size());
    }
    let cut = (file.len() < stored as usize).then(wrong_size);
    Ok((header, file, cut))
}

pub(super) fn probe(input: &ProbeInput<'_>) -> Confidence {
    if input.head.starts_with(MAGIC) { Confidence::Strong } else { Confidence::No }
}

/// Whether the file has meshes; `None` if the header is truncated.
pub(super) fn has_mesh(input: &ProbeInput<'_>) -> Option<bool> {
    let is_whole = input.head.len() >= IqmHeader::BYTES;
    is_whole.then(|| IqmHeader::from_bytes(input.head).meshes.num > 0)
}
