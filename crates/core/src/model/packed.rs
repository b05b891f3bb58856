//! The packed GPU-ready vertex and key records: views over bytes, decoded one record at a time.
//!
//! Source: the BSM2 format page and the public SDK shaders (`bnb/decode_int1010102.glsl`,
//! `bnb/get_transform.glsl`) that draw such files. Keep in sync with `shaders/skin_packed.wgsl`.
//!
//! | vertex offset | field | stored as |
//! |---|---|---|
//! | 0 | position | 3 x f32 |
//! | 12 | normal | snorm 10-10-10-2, x in the low bits, value = component / 511 |
//! | 16 | tangent | the same; w is the bitangent sign as a 2-bit integer, not divided |
//! | 20 | uv | 2 x unorm16, v down |
//! | 24 | bones | 4 x u8 |
//! | 28 | weights | 4 x unorm8, sum 255 |
//!
//! A key is 3 rows of 4 f32, row-major, for column vectors: p' = M * (p, 1).

use glam::{Affine3A, Mat3A, Vec2, Vec3, Vec3A, Vec4};

use super::ByteView;

/// Bytes of one packed vertex.
pub const VERTEX_STRIDE_BYTES: usize = 32;
/// Bytes of one bone's matrix in a key: 3 rows of 4 f32.
pub const KEY_STRIDE_BYTES: usize = 48;
/// The largest magnitude of a 10-bit signed normalised component; -512 clamps to -1.
pub const SNORM10_MAX: f32 = 511.0;

/// Decodes x, y, z of a 10-10-10-2 word to -1..=1 and w to -1, 0 or 1 (as -2 clamps to -1).
#[inline]
#[must_use]
pub fn unpack_snorm1010102(word: u32) -> Vec4 {
    #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
    let component = |shift: u32| ((word << (22 - shift)) as i32 >> 22) as f32;
    #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
    let w = (word as i32 >> 30) as f32;
    Vec4::new(
        (component(0) / SNORM10_MAX).max(-1.0),
        (component(10) / SNORM10_MAX).max(-1.0),
        (component(20) / SNORM10_MAX).max(-1.0),
        w.max(-1.0),
    )
}

/// Encodes a direction by rounding to the nearest step and clamping to ±511; `w` is stored as is.
#[must_use]
pub fn pack_snorm1010102(xyz: Vec3, w: i32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 10 bits first")]
    #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
    let component = |value: f32| {
        ((value * SNORM10_MAX).round().clamp(-SNORM10_MAX, SNORM10_MAX) as i32 as u32) & 0x3ff
    };
    #[expect(clippy::cast_sign_loss, reason = "two's complement is meant")]
    let w = (w as u32 & 3) << 30;
    component(xyz.x) | component(xyz.y) << 10 | component(xyz.z) << 20 | w
}

/// A packed vertex as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackedVertex {
    /// Mesh space, file units.
    pub position: Vec3,
    /// Snorm 10-10-10-2.
    pub normal: u32,
    /// Snorm 10-10-10-2; the 2-bit w is the bitangent sign.
    pub tangent: u32,
    /// Unorm16, v down.
    pub uv: [u16; 2],
    /// Slots of the skin, equal to the file's bones; slots with weight 0 are meaningless.
    pub bones: [u8; 4],
    /// Unorm8.
    pub weights: [u8; 4],
}

impl PackedVertex {
    /// Decodes one 32-byte record.
    #[inline]
    pub fn from_bytes(b: &[u8; VERTEX_STRIDE_BYTES]) -> Self {
        let word = |at: usize| u32::from_le_bytes([b[at], b[at + 1], b[at + 2], b[at + 3]]);
        let float = |at: usize| f32::from_bits(word(at));
        Self {
            position: Vec3::new(float(0), float(4), float(8)),
            normal: word(12),
            tangent: word(16),
            uv: [u16::from_le_bytes([b[20], b[21]]), u16::from_le_bytes([b[22], b[23]])],
            bones: [b[24], b[25], b[26], b[27]],
            weights: [b[28], b[29], b[30], b[31]],
        }
    }

    /// The 32 bytes of this vertex.
    #[inline]
    pub fn to_bytes(self) -> [u8; VERTEX_STRIDE_BYTES] {
        let mut out = [0; VERTEX_STRIDE_BYTES];
        let mut room = out.iter_mut();
        let mut put = |bytes: &[u8]| {
            for byte in bytes {
                if let Some(to) = room.next() {
                    *to = *byte;
                }
            }
        };
        for value in self.position.to_array() {
            put(&value.to_le_bytes());
        }
        put(&self.normal.to_le_bytes());
        put(&self.tangent.to_le_bytes());
        put(&self.uv[0].to_le_bytes());
        put(&self.uv[1].to_le_bytes());
        put(&self.bones);
        put(&self.weights);
        out
    }

    /// The normal as decoded; may be zero or not of unit length.
    #[inline]
    pub fn normal_decoded(&self) -> Vec3 {
        unpack_snorm1010102(self.normal).truncate()
    }

    /// The tangent as decoded, w being the bitangent sign.
    #[inline]
    pub fn tangent_decoded(&self) -> Vec4 {
        unpack_snorm1010102(self.tangent)
    }

    /// -1, 0 or 1.
    #[inline]
    pub fn bitangent_sign(&self) -> f32 {
        #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
        let sign = (self.tangent as i32 >> 30) as f32;
        sign.max(-1.0)
    }

    /// UV in 0..=1, v down.
    pub fn uv_decoded(&self) -> Vec2 {
        Vec2::new(f32::from(self.uv[0]), f32::from(self.uv[1])) / 65535.0
    }

    /// Sum of the four weights; 255 in a well-made file.
    #[inline]
    pub fn weight_sum(&self) -> u32 {
        let [a, b, c, d] = self.weights;
        u32::from(a) + u32::from(b) + u32::from(c) + u32::from(d)
    }

    /// The effective influences: (slot, weight), with weights that sum to 1.
    ///
    /// If all weights are zero, the vertex follows only its first bone, as in the SDK's shader: it
    /// tests only the second weight and then takes the first bone unweighted.
    #[inline]
    pub fn influences(&self) -> impl Iterator<Item = (u8, f32)> + '_ {
        self.all_influences().into_iter().filter(|&(_, weight)| weight > 0.0)
    }

    /// All four influences, including those of weight 0, whose slots are meaningless.
    #[inline]
    pub fn all_influences(&self) -> [(u8, f32); 4] {
        let sum = self.weight_sum();
        let weights = if sum == 0 { [1, 0, 0, 0] } else { self.weights };
        let scale = RECIPROCALS[sum as usize];
        let influence = |at: usize| (self.bones[at], f32::from(weights[at]) * scale);
        [influence(0), influence(1), influence(2), influence(3)]
    }
}

/// Reciprocals of all possible sums of four weights, and 1 for the sum 0: divisions are slow.
static RECIPROCALS: [f32; 4 * u8::MAX as usize + 1] = {
    let mut all = [1.0; 4 * u8::MAX as usize + 1];
    let mut sum = 1;
    while sum < all.len() {
        all[sum] = 1.0 / sum as f32;
        sum += 1;
    }
    all
};

/// Vertices, still in the file's bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedVertices {
    bytes: ByteView,
}

impl PackedVertices {
    /// Views `bytes` as vertices; `None` if the length isn't a multiple of 32.
    pub fn new(bytes: ByteView) -> Option<Self> {
        bytes.len().is_multiple_of(VERTEX_STRIDE_BYTES).then_some(Self { bytes })
    }

    /// Encodes vertices created in code.
    pub fn from_vertices(vertices: impl IntoIterator<Item = PackedVertex>) -> Self {
        let mut bytes = Vec::new();
        for vertex in vertices {
            bytes.extend_from_slice(&vertex.to_bytes());
        }
        Self { bytes: ByteView::whole(bytes) }
    }

    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.bytes.len() / VERTEX_STRIDE_BYTES
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The bytes as stored and as uploaded to the GPU, 32 per vertex.
    pub fn bytes(&self) -> &ByteView {
        &self.bytes
    }

    /// Decodes vertex `index`; `None` past the end.
    #[inline]
    pub fn get(&self, index: usize) -> Option<PackedVertex> {
        self.records().get(index).map(PackedVertex::from_bytes)
    }

    /// All vertices in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = PackedVertex> + '_ {
        self.records().iter().map(PackedVertex::from_bytes)
    }

    /// All vertices in order, undecoded.
    #[inline]
    pub fn records(&self) -> &[[u8; VERTEX_STRIDE_BYTES]] {
        self.bytes.as_chunks().0
    }
}

/// Keys, still in the file's bytes: key by key, one 3x4 matrix per bone.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedKeys {
    bytes: ByteView,
    num_bones: u32,
}

impl PackedKeys {
    /// Views `bytes` as keys of `num_bones` matrices each; `None` if the length isn't a multiple of
    /// a key's size.
    pub fn new(bytes: ByteView, num_bones: u32) -> Option<Self> {
        let key_bytes = num_bones as usize * KEY_STRIDE_BYTES;
        let fits =
            if key_bytes == 0 { bytes.is_empty() } else { bytes.len().is_multiple_of(key_bytes) };
        fits.then_some(Self { bytes, num_bones })
    }

    /// Encodes matrices created in code, key by key; `matrices` must be a whole number of keys.
    pub fn from_matrices(num_bones: u32, matrices: &[Affine3A]) -> Option<Self> {
        let mut bytes = Vec::with_capacity(matrices.len() * KEY_STRIDE_BYTES);
        for matrix in matrices {
            bytes.extend_from_slice(&encode_key(matrix));
        }
        Self::new(ByteView::whole(bytes), num_bones)
    }

    /// Number of bones in each key.
    pub fn num_bones(&self) -> u32 {
        self.num_bones
    }

    /// Number of whole keys.
    pub fn num_keys(&self) -> usize {
        self.bytes.len() / (self.num_bones as usize * KEY_STRIDE_BYTES).max(1)
    }

    /// The bytes as stored and as uploaded to the GPU.
    pub fn bytes(&self) -> &ByteView {
        &self.bytes
    }

    /// The 12 floats of `bone` in `key`, row by row; `None` out of range.
    pub fn rows(&self, key: usize, bone: usize) -> Option<[f32; 12]> {
        if bone >= self.num_bones as usize {
            return None;
        }
        let (records, _) = self.bytes.as_chunks::<KEY_STRIDE_BYTES>();
        let record = records.get(key.checked_mul(self.num_bones as usize)?.checked_add(bone)?)?;
        let (floats, _) = record.as_chunks::<4>();
        let mut rows = [0.0; 12];
        for (row, &bytes) in rows.iter_mut().zip(floats) {
            *row = f32::from_le_bytes(bytes);
        }
        Some(rows)
    }

    /// The matrix of `bone` in `key`; `None` out of range.
    pub fn matrix(&self, key: usize, bone: usize) -> Option<Affine3A> {
        self.rows(key, bone).map(affine_from_rows)
    }
}

/// A matrix from 3 rows of 4, row-major.
fn affine_from_rows(r: [f32; 12]) -> Affine3A {
    Affine3A::from_mat3_translation(
        Mat3A::from_cols(
            Vec3A::new(r[0], r[4], r[8]),
            Vec3A::new(r[1], r[5], r[9]),
            Vec3A::new(r[2], r[6], r[10]),
        )
        .into(),
        Vec3::new(r[3], r[7], r[11]),
    )
}

/// The 48 bytes of a matrix as 3 rows of 4, row-major.
fn encode_key(matrix: &Affine3A) -> [u8; KEY_STRIDE_BYTES] {
    let (m, t) = (matrix.matrix3, matrix.translation);
    let rows = [
        [m.x_axis.x, m.y_axis.x, m.z_axis.x, t.x],
        [m.x_axis.y, m.y_axis.y, m.z_axis.y, t.y],
        [m.x_axis.z, m.y_axis.z, m.z_axis.z, t.z],
    ];
    let mut out = [0; KEY_STRIDE_BYTES];
    let (floats, _) = out.as_chunks_mut::<4>();
    for (bytes, value) in floats.iter_mut().zip(rows.as_flattened()) {
        *bytes = value.to_le_bytes();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snorm_decodes_twos_complement_fields_from_the_low_bits_up() {
        let word = 0x1ff | (0x200 << 10) | (0x201 << 20) | (0b11 << 30);
        assert_eq!(unpack_snorm1010102(word), Vec4::new(1.0, -1.0, -1.0, -1.0));
        assert_eq!(unpack_snorm1010102(0b01 << 30).w, 1.0);
    }

    #[test]
    fn every_snorm_word_except_minus_512_survives_a_round_trip() {
        for c in -511..=511 {
            let value = c as f32 / SNORM10_MAX;
            let word = pack_snorm1010102(Vec3::new(value, -value, value), -1);
            let back = unpack_snorm1010102(word);
            assert_eq!(pack_snorm1010102(back.truncate(), -1), word);
        }
    }

    #[test]
    fn packed_vertex_bytes_round_trip() {
        let bytes: [u8; 32] = std::array::from_fn(|i| u8::try_from(i * 5 + 1).unwrap());
        assert_eq!(PackedVertex::from_bytes(&bytes).to_bytes(), bytes);
    }

    #[test]
    fn weights_are_renormalised_and_zero_weights_use_the_first_bone() {
        let mut vertex = PackedVertex::from_bytes(&[0; 32]);
        vertex.bones = [7, 3, 9, 0];
        assert_eq!(vertex.influences().collect::<Vec<_>>(), [(7, 1.0)]);
        vertex.weights = [0, 50, 50, 0];
        assert_eq!(vertex.influences().collect::<Vec<_>>(), [(3, 0.5), (9, 0.5)]);
    }

    #[test]
    fn key_matrices_round_trip_as_rows() {
        let matrix = Affine3A::from_cols_array(&std::array::from_fn(|i| i as f32 + 0.5));
        let keys = PackedKeys::from_matrices(1, &[matrix]).unwrap();
        assert_eq!(keys.matrix(0, 0), Some(matrix));
        assert_eq!(keys.rows(0, 0).unwrap()[3], 9.5);
        assert_eq!(keys.matrix(0, 1), None);
        assert_eq!(keys.matrix(1, 0), None);
    }
}
