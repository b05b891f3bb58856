//! Files of texels as a GPU takes them: levels and faces, as views of the file's bytes where they can be.

use std::borrow::Cow;
use std::io::Read;

use super::{ImageHeader, Refusal, TexelFormat};

/// What the head of a container says, and where its texels lie.
pub(super) struct Container<'a> {
    pub(super) header: ImageHeader,
    pub(super) format: TexelFormat,
    /// The largest first.
    pub(super) levels: Vec<Level<'a>>,
    /// Rows begin at multiples of so many bytes.
    pub(super) row_align: usize,
    /// Bytes of a number that lie in the other order; 1 for none.
    pub(super) swapped: usize,
}

/// Bytes of a level.
pub(super) enum Level<'a> {
    /// Of each face.
    Faces(Vec<&'a [u8]>),
    /// Of all faces, one after another, packed by Zstandard.
    Zstd(&'a [u8]),
}

impl<'a> Container<'a> {
    /// The bytes of a level's faces, tightly packed; `size` is the level's.
    pub(super) fn faces(
        &self,
        level: &Level<'a>,
        size: [u32; 2],
    ) -> Result<Vec<Cow<'a, [u8]>>, Refusal> {
        match level {
            Level::Faces(faces) => faces.iter().map(|face| self.face(face, size)).collect(),
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
        let tight = match stride == row_bytes {
            true => Cow::Borrowed(face.get(..num_bytes).ok_or_else(|| Refusal::cut("texels"))?),
            false => {
                let rows = face.chunks(stride);
                let row = |row: &'a [u8]| row.get(..row_bytes).unwrap_or_default();
                Cow::Owned(rows.flat_map(row).copied().collect::<Vec<u8>>())
            }
        };
        if tight.len() < num_bytes {
            return Err(Refusal::cut("texels"));
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

/// Unpacks exactly `num_bytes`, which were held against the limits.
fn unpacked(packed: &[u8], num_bytes: usize) -> Result<Vec<u8>, Refusal> {
    let reader = ruzstd::decoding::StreamingDecoder::new(packed)
        .map_err(|error| Refusal::damaged(&error))?;
    let mut out = Vec::new();
    // No more is made than is asked for, whatever the frame says of itself.
    reader
        .take(num_bytes as u64)
        .read_to_end(&mut out)
        .map_err(|error| Refusal::damaged(&error))?;
    match out.len() == num_bytes {
        true => Ok(out),
        false => Err(Refusal::cut("texels")),
    }
}
