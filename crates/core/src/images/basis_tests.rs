//! Basis Universal. The files are written by the reference encoder (basis_universal 2.5, npm
//! `ktx2-encoder` 0.6).

use base64::Engine as _;

use super::tests::{bytes_of, decoded};
use super::{MAX_SIDE, header_within};

/// White and transparent black rectangles of 4 x 8 texels, 48 x 48, six levels: ETC1S.
const ETC1S: &str = "q0tUWCAyMLsNChoKAAAAAAEAAAAwAAAAMAAAAAAAAAAAAAAAAQAAAAYAAAABAAAA4AAAADwAAAAcAQAAJAAAAEABAAAAAAAAGwEAAAAAAACTAgAAAAAAAFoAAAAAAAAAAAAAAAAAAAB7AgAAAAAAABgAAAAAAAAAAAAAAAAAAABrAgAAAAAAABAAAAAAAAAAAAAAAAAAAABjAgAAAAAAAAgAAAAAAAAAAAAAAAAAAABfAgAAAAAAAAQAAAAAAAAAAAAAAAAAAABbAgAAAAAAAAQAAAAAAAAAAAAAAAAAAAA8AAAAAAAAAAIAOACjAQIAAwMAAAgIAAAAAAAAAAA/AAAAAAAAAAAA/////0AAPw8AAAAAAAAAAP////8fAAAAS1RYd3JpdGVyAEJhc2lzIFVuaXZlcnNhbCAyLjUwAAAIAAcANAAAAB0AAAA+AAAAAAAAAAAAAAAAAAAALQAAAC0AAAAtAAAAAAAAAAAAAAAMAAAADAAAAAwAAAAAAAAAAAAAAAgAAAAIAAAACAAAAAAAAAAAAAAABAAAAAQAAAAEAAAAAAAAAAAAAAACAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAgAAACDARAAAAAAAAPJggAYwJQAAAAAABB0wWMkA5gQIAAAAgLAIgtcQgCgAAAAAgBAaySycLwGsr6+v7+6+u6uqqqr6+vr6AgAAAEBEFBFRVVVVBQFBnIABAARiYC186q4dMIwZdpI/BCACAgAAAzCExyABcwOGYRgGAiDiJOYJKlRyBP0mJAAmAAQAAAAAEAYCuwfbC7sH2wvec/sA7r19AH7/e/vs9dQv/p97++z11C8+U/rePnvNlIwxJAO+U/rePnvNlIwxJAOHny+ia4oppphikiRJkqR0cpqwz9pWAYBSAgEAAEoJBAAAKCUQAACglEAAAACHny+ia4oppphikiRJkqR0cpqwz9pWAYBSAgEAAEoJBAAAKCUQAACglEAAAAA=";
/// The same in UASTC, supercompressed by Zstandard.
const UASTC: &str = "q0tUWCAyMLsNChoKAAAAAAEAAAAwAAAAMAAAAAAAAAAAAAAAAQAAAAYAAAACAAAA4AAAACwAAAAMAQAAJAAAAAAAAAAAAAAAAAAAAAAAAADOAQAAAAAAADYAAAAAAAAAAAkAAAAAAACcAQAAAAAAADIAAAAAAAAAQAIAAAAAAAB8AQAAAAAAACAAAAAAAAAAkAAAAAAAAABiAQAAAAAAABoAAAAAAAAAQAAAAAAAAABJAQAAAAAAABkAAAAAAAAAEAAAAAAAAAAwAQAAAAAAABkAAAAAAAAAEAAAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AwAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAACi1L/0gEIEAAJeXlxcQVUoBAAAAAAAAAAAotS/9IBCBAACXl5cXEFVKAQAAAAAAAAAAKLUv/SBAjQAASJeXlxcQVUoBAAIAzYwgA0cotS/9IJC9AACAhWmBmJ95jTIeHh7+4eHhAQEA+qRzCSi1L/1gQAFFAQDAFQQdG1TRXCTQ76PbA///ACAfG1fRXCQABAB8Q6OCmDn6xRp80LkEKLUv/WAACGUBAFAXAPf///8ffO8BDaCwA7sDgCNZB20q0lZFtFGRtuoibZNUIbpGFeYr8iIB";
/// One texel in UASTC, without supercompression: 9, 8, 7.
const ONE: &str = "q0tUWCAyMLsNChoKAAAAAAEAAAABAAAAAQAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAaAAAACwAAACUAAAALAAAAAAAAAAAAAAAAAAAAAAAAADAAAAAAAAAABAAAAAAAAAAEAAAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AAAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAAAQAAAB/fwAANwHh4B8GAAAAAAAAAAAAAA==";

fn file(text: &str) -> Vec<u8> {
    base64::engine::general_purpose::STANDARD.decode(text).unwrap()
}

#[test]
fn etc1s_and_uastc_are_decoded_like_by_the_reference() {
    for text in [ETC1S, UASTC] {
        let image = decoded(&file(text), "a.ktx2").unwrap();
        let sizes: Vec<_> = image.levels.iter().map(|faces| faces[0].width).collect();
        assert_eq!(sizes, [48, 24, 12, 6, 3, 1]);
        let texels = bytes_of(&image.levels[0][0]);
        assert_eq!(texels.len(), 48 * 48 * 4);
        for (at, texel) in texels.chunks_exact(4).enumerate() {
            let (x, y) = (at % 48, at / 48);
            let is_white = (x / 4 + y / 8) % 2 == 1;
            assert_eq!(texel, [if is_white { 255 } else { 0 }; 4], "{x}, {y}");
        }
        assert_eq!(image.header.is_srgb, Some(true));
    }
}

#[test]
fn images_smaller_than_a_block_are_cut() {
    let image = decoded(&file(ONE), "a.ktx2").unwrap();
    assert_eq!((image.levels.len(), bytes_of(&image.levels[0][0])), (1, &[9, 8, 7, 255][..]));
}

#[test]
fn damaged_files_are_refused_and_never_panic() {
    for text in [ETC1S, UASTC, ONE] {
        let whole = file(text);
        for len in (0..whole.len()).step_by(3) {
            let _ = decoded(&whole[..len], "a.ktx2");
        }
        for at in 0..whole.len() {
            for bit in [0, 3, 7] {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << bit;
                let _ = decoded(&damaged, "a.ktx2");
            }
        }
    }
}

#[test]
fn blocks_of_256_texels_are_refused() {
    let mut huge = file(UASTC);
    let descriptor = usize::from(huge[48]);
    huge[descriptor + 4 + 12] = 255;
    let why = header_within(&huge, "a.ktx2", MAX_SIDE).unwrap_err().to_string();
    assert_eq!(why, "has blocks of 256 texels per side");
}

#[test]
fn a_huge_size_is_refused_by_the_header() {
    let mut huge = file(UASTC);
    huge[20..24].copy_from_slice(&60_000u32.to_le_bytes());
    assert!(header_within(&huge, "a.ktx2", MAX_SIDE).is_err());
}
