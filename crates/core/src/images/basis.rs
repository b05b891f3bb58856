//! Basis Universal texels (ETC1S and UASTC) of KTX 2 files, decoded to RGBA8 by the crate `basisu`.
//!
//! Of that crate, only the decoders of ETC1S slices and UASTC blocks are used. Its reader of KTX
//! files panics on some offsets and trusts the size that a file states for supercompressed levels.
//! Not for: HDR variants, the intermediate formats of the encoder, video.

use basisu::basislz::etc1s::Etc1sTranscoder;
use basisu::uastc::unpack::unpack_uastc;
use rayon::prelude::*;

use super::Refusal;
use super::ktx2_levels::level_bytes;
use super::zstd::unpacked;

/// Texels per side of a block.
const SIDE: usize = 4;
/// Bytes of a UASTC block.
const BLOCK_BYTES: usize = 16;
/// Bytes of a decoded texel.
const TEXEL_BYTES: usize = 4;

/// A level in Basis Universal.
pub(super) enum BasisLevel<'a> {
    /// Levels share tables, so that the whole file is needed.
    Etc1s {
        file: &'a [u8],
        level: u32,
    },
    Uastc {
        bytes: &'a [u8],
        is_zstd: bool,
    },
}

impl BasisLevel<'_> {
    /// The decoded texels of each face; `size` is the size of the level, which must have been
    /// checked against the limits.
    pub(super) fn faces(&self, size: [u32; 2], num_faces: usize) -> Result<Vec<Vec<u8>>, Refusal> {
        match self {
            Self::Etc1s { file, level } => etc1s(file, *level, size, num_faces),
            Self::Uastc { bytes, is_zstd } => {
                let face_bytes = size.map(|side| (side as usize).div_ceil(SIDE));
                let face_bytes = face_bytes[0] * face_bytes[1] * BLOCK_BYTES;
                let num_bytes = face_bytes * num_faces;
                let own;
                let blocks = if *is_zstd {
                    own = unpacked(bytes, num_bytes)?;
                    &own[..]
                } else {
                    bytes.get(..num_bytes).ok_or_else(|| Refusal::truncated("levels"))?
                };
                blocks.chunks_exact(face_bytes).map(|face| uastc(face, size)).collect()
            }
        }
    }
}

/// The slices of one face, as offsets in the data of the level (KTX 2.0, section 3.12).
struct Slices {
    is_video_frame: bool,
    color: std::ops::Range<usize>,
    /// Empty without alpha.
    alpha: std::ops::Range<usize>,
}

impl Slices {
    const NUM_BYTES: usize = 20;
    /// `isPFrame` of `imageFlags`.
    const VIDEO: u32 = 2;

    fn of(bytes: &[u8]) -> Option<Self> {
        let (words, _) = bytes.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let &[flags, color, color_len, alpha, alpha_len] = &words[..] else { return None };
        let range = |start: u32, len: u32| {
            let start = start as usize;
            Some(start..start.checked_add(len as usize)?)
        };
        Some(Self {
            is_video_frame: flags & Self::VIDEO != 0,
            color: range(color, color_len)?,
            alpha: range(alpha, alpha_len)?,
        })
    }
}

/// The tables of an ETC1S file and its slices, level after level.
fn tables(global: &[u8], num_images: usize) -> Option<(Etc1sTranscoder, Vec<Slices>)> {
    const HEAD_BYTES: usize = 20;
    let half = |at: usize| Some(u16::from_le_bytes(*global.get(at..)?.first_chunk()?));
    let word = |at: usize| {
        let word = u32::from_le_bytes(*global.get(at..)?.first_chunk()?);
        usize::try_from(word).ok()
    };
    let end = HEAD_BYTES.checked_add(num_images.checked_mul(Slices::NUM_BYTES)?)?;
    let stored = global.get(HEAD_BYTES..end)?.chunks_exact(Slices::NUM_BYTES);
    let slices = stored.map(Slices::of).collect::<Option<_>>()?;
    let rest = global.get(end..)?;
    let (endpoints, rest) = rest.split_at_checked(word(4)?)?;
    let (selectors, rest) = rest.split_at_checked(word(8)?)?;
    let tables = rest.get(..word(12)?)?;
    let [num_endpoints, num_selectors] = [half(0)?, half(2)?].map(u32::from);
    let mut decoder = Etc1sTranscoder::new();
    let is_sound = decoder.decode_palettes(num_endpoints, endpoints, num_selectors, selectors)
        && decoder.decode_tables(tables);
    is_sound.then_some((decoder, slices))
}

fn etc1s(
    file: &[u8],
    level: u32,
    [width, height]: [u32; 2],
    num_faces: usize,
) -> Result<Vec<Vec<u8>>, Refusal> {
    let damaged = || Refusal::unreadable("has damaged ETC1S data");
    let reader = ktx2::Reader::new(file).map_err(|error| Refusal::damaged(&error))?;
    let num_images = reader.header().level_count.max(1) as usize * num_faces;
    let global = reader.supercompression_global_data();
    let (decoder, slices) = tables(global, num_images).ok_or_else(damaged)?;
    let bytes = level_bytes(file, level).ok_or_else(|| Refusal::truncated("levels"))?;
    let blocks = [width, height].map(|side| side.div_ceil(4));
    let num_bytes = width as usize * height as usize * TEXEL_BYTES;
    let face = |slices: &Slices| {
        if slices.is_video_frame {
            return Err(Refusal::unreadable("is a video"));
        }
        let slice = |range: &std::ops::Range<usize>| bytes.get(range.clone()).ok_or_else(damaged);
        let (color, alpha) = (slice(&slices.color)?, slice(&slices.alpha)?);
        let mut out = vec![0; num_bytes];
        let ([across, down], texels) = (blocks, &mut out[..]);
        let decoded = if alpha.is_empty() {
            decoder.transcode_slice_rgba32(color, across, down, width, height, None, texels)
        } else {
            decoder.transcode_image_rgba32(color, alpha, across, down, width, height, None, texels)
        };
        decoded.ok_or_else(damaged).map(|()| out)
    };
    let of_level = slices.iter().skip(level as usize * num_faces).take(num_faces);
    of_level.map(face).collect()
}

fn uastc(blocks: &[u8], [width, height]: [u32; 2]) -> Result<Vec<u8>, Refusal> {
    let [width, height] = [width as usize, height as usize];
    let row_bytes = width * TEXEL_BYTES;
    let mut texels = vec![0; row_bytes * height];
    let block_rows = blocks.par_chunks(width.div_ceil(SIDE) * BLOCK_BYTES);
    let rows = texels.par_chunks_mut(row_bytes * SIDE).zip(block_rows);
    rows.try_for_each(|(rows, blocks)| {
        let (blocks, _) = blocks.as_chunks::<BLOCK_BYTES>();
        for (at, block) in blocks.iter().enumerate() {
            let decoded = unpack_uastc(block, false)
                .ok_or_else(|| Refusal::unreadable("has a damaged UASTC block"))?;
            let texels = decoded.map(|texel| texel.c);
            for (row, texels) in rows.chunks_mut(row_bytes).zip(texels.chunks_exact(SIDE)) {
                let (row, _) = row.as_chunks_mut::<TEXEL_BYTES>();
                for (slot, texel) in row.iter_mut().skip(at * SIDE).zip(texels) {
                    *slot = *texel;
                }
            }
        }
        Ok(())
    })?;
    Ok(texels)
}
