//! Containers of GPU texels: levels and faces, as views of the file's bytes if possible.

use std::borrow::Cow;

use super::basis::BasisLevel;
use super::zstd::unpacked;
use super::{ImageHeader, Refusal, TexelFormat};

/// The header of a container and its texel data.
pub(super) struct Container<'a> {
    pub(super) header: ImageHeader,
    pub(super) format: TexelFormat,
    /// Largest first.
    pub(super) levels: Vec<Level<'a>>,
    /// Alignment of rows, in bytes.
    pub(super) row_align: usize,
    /// Size in bytes of numbers stored in the other byte order; 1 if the order is native.
    pub(super) swapped: usize,
}

/// Bytes of a level.
pub(super) enum Level<'a> {
    /// One slice per face.
    Faces(Vec<&'a [u8]>),
    /// All faces in sequence, compressed with Zstandard.
    Zstd(&'a [u8]),
    /// Basis Universal; the container has the format of the decoded texels.
    Basis(BasisLevel<'a>),
}

impl<'a> Container<'a> {
    /// The tightly packed bytes of a level's faces; `size` is the size of the level.
    pub(super) fn faces(
        &self,
        level: &Level<'a>,
        size: [u32; 2],
    ) -> Result<Vec<Cow<'a, [u8]>>, Refusal> {
        match level {
            Level::Faces(faces) => faces.iter().map(|face| self.face(face, size)).collect(),
            Level::Basis(level) => {
                let faces = level.faces(size, self.header.num_faces as usize)?;
                Ok(faces.into_iter().map(Cow::Owned).collect())
            }
            Level::Zstd(packed) => {
                let face_bytes = self.format.surface_bytes(size);
                let all = unpacked(packed, face_bytes * self.header.num_faces as usize)?;
                Ok(all.chunks_exact(face_bytes).map(|face| Cow::Owned(face.to_vec())).collect())
            }
        }
    }

    fn face(&self, face: &'a [u8], size: [u32; 2]) -> Result<Cow<'a, [u8]>, Refusal> {
        let row_bytes = self.format.row_bytes(size[0]);
        let stride = row_bytes.next_multiple_of(self.row_align);
        let num_bytes = self.format.surface_bytes(size);
        let tight = if stride == row_bytes {
            Cow::Borrowed(face.get(..num_bytes).ok_or_else(|| Refusal::truncated("texels"))?)
        } else {
            let rows = face.chunks(stride);
            let row = |row: &'a [u8]| row.get(..row_bytes).unwrap_or_default();
            Cow::Owned(rows.flat_map(row).copied().collect::<Vec<u8>>())
        };
        if tight.len() < num_bytes {
            return Err(Refusal::truncated("texels"));
        }
        Ok(match self.swapped {
            0 | 1 => tight,
            number => {
                let mut swapped = tight.into_owned();
                swapped.chunks_exact_mut(number).for_each(<[u8]>::reverse);
                Cow::Owned(swapped)
            }
        })
    }
}
