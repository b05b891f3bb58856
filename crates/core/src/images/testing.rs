//! Texture containers for tests, written according to the specifications, and pseudorandom numbers
//! to damage them.
#![allow(unreachable_pub, reason = "a test module has no users outside")]

/// Pseudorandom numbers, the same in every run.
pub fn random_numbers() -> impl FnMut() -> u64 {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// A KTX 1 file: the words that define its format, its size, and each level's faces.
pub struct Ktx1<'a> {
    pub gl_type: u32,
    pub type_size: u32,
    pub gl_format: u32,
    pub gl_internal: u32,
    pub size: [u32; 2],
    pub levels: Vec<Vec<&'a [u8]>>,
    /// `KTXorientation`, if any.
    pub orientation: Option<&'a str>,
}

impl Ktx1<'_> {
    /// A compressed texture of one level and face.
    pub fn compressed(gl_internal: u32, size: [u32; 2], texels: &[u8]) -> Vec<u8> {
        let levels = vec![vec![texels]];
        let (gl_type, type_size, gl_format) = (0, 1, 0);
        Ktx1 { gl_type, type_size, gl_format, gl_internal, size, levels, orientation: None }.bytes()
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        let key = self.orientation.map_or(Vec::new(), |value| {
            let pair = [b"KTXorientation\0", value.as_bytes(), b"\0"].concat();
            let mut key = u32::try_from(pair.len()).unwrap().to_le_bytes().to_vec();
            key.extend(&pair);
            key.resize(key.len().next_multiple_of(4), 0);
            key
        });
        let count = |num: usize| u32::try_from(num).unwrap();
        let [width, height] = self.size;
        let words = [
            0x0403_0201,
            self.gl_type,
            self.type_size,
            self.gl_format,
            self.gl_internal,
            0x1908,
            width,
            height,
            0,
            0,
            count(self.levels[0].len()),
            count(self.levels.len()),
            count(key.len()),
        ];
        let mut out = b"\xabKTX 11\xbb\r\n\x1a\n".to_vec();
        out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        out.extend(key);
        for faces in &self.levels {
            out.extend(count(faces[0].len()).to_le_bytes());
            for face in faces {
                out.extend(*face);
                out.resize(out.len().next_multiple_of(4), 0);
            }
        }
        out
    }
}

/// A KTX 2 file: `vkFormat`, size, number of faces, supercompression, and each level's stored bytes
/// with their decompressed size.
pub fn ktx2(
    vk_format: u32,
    [width, height]: [u32; 2],
    num_faces: u32,
    scheme: u32,
    levels: &[(Vec<u8>, u64)],
) -> Vec<u8> {
    let index_bytes = 24 * levels.len();
    // A basic descriptor of 24 bytes without samples, after its total size.
    let dfd_start = 80 + index_bytes;
    let dfd_bytes = 28u32;
    let mut start = dfd_start + dfd_bytes as usize;
    let mut out = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    let num_levels = u32::try_from(levels.len()).unwrap();
    let words = [vk_format, 1, width, height, 0, 0, num_faces, num_levels, scheme];
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let index = [u32::try_from(dfd_start).unwrap(), dfd_bytes, 0, 0, 0, 0, 0, 0];
    out.extend(index.iter().flat_map(|word| word.to_le_bytes()));
    for (bytes, unpacked) in levels {
        for number in [start as u64, bytes.len() as u64, *unpacked] {
            out.extend(number.to_le_bytes());
        }
        start += bytes.len();
    }
    let descriptor = [dfd_bytes, 0, 2 | 24 << 16, 1, 0, 0, 0];
    out.extend(descriptor.iter().flat_map(|word| word.to_le_bytes()));
    out.extend(levels.iter().flat_map(|(bytes, _)| bytes));
    out
}
