//! Rust counterparts of the structs that several shaders share. Those of a single pass are in that pass's
//! module. A test compares all sizes and offsets.
//! Keep in sync with `shaders/common.wgsl`, `palette.wgsl`, `skin_packed.wgsl`, `skin_streams.wgsl` and
//! `influence_counts.wgsl`.

use bytemuck::{Pod, Zeroable};
use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

use rigscope_core::model::{Mesh, NormalMatrix, Skin, SkinNormals};

/// No bone or no parent.
pub(super) const NONE: u32 = u32::MAX;

/// A vertex after skinning, in file space.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct SkinnedVertex {
    pub(super) position: Vec3,
    pub(super) u: f32,
    pub(super) normal: Vec3,
    pub(super) v: f32,
    pub(super) tangent: Vec4,
}

/// The uniform that all passes of a frame share.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Frame {
    pub(super) clip_from_world: Mat4,
    pub(super) view_from_world: Mat4,
    pub(super) world_from_file: Mat4,
    pub(super) view_from_clip: Mat4,
    pub(super) background_top: Vec4,
    pub(super) background_bottom: Vec4,
    pub(super) shadow_area: Vec4,
    pub(super) grid_center: Vec3,
    pub(super) grid_radius: f32,
    pub(super) viewport_px: Vec2,
    pub(super) pixels_per_point: f32,
    pub(super) flags: u32,
    pub(super) grid_spacing: f32,
    pub(super) grid_fine_share: f32,
    pub(super) depth_pull_factor: f32,
    pub(super) depth_pull_offset: f32,
    pub(super) tint: Vec4,
    pub(super) coloring: u32,
    pub(super) paint_low: f32,
    pub(super) paint_high: f32,
    pub(super) view_left_px: f32,
    pub(super) glyph_length: f32,
    pub(super) exposure: f32,
    pub(super) light_intensity: f32,
    pub(super) light_levels: f32,
    pub(super) eye: Vec4,
    pub(super) light_turn: Vec2,
    pub(super) backdrop_level: f32,
    pub(super) occlusion_radius: f32,
}

impl Frame {
    pub(super) const TWO_SIDED: u32 = 1;
    pub(super) const FLAT: u32 = 2;
    pub(super) const MIRRORED: u32 = 4;
    pub(super) const SURFACE_SHOWN: u32 = 8;
    pub(super) const SUBSET_COLORS: u32 = 16;
    pub(super) const NORMALS: u32 = 32;
    pub(super) const TANGENTS: u32 = 64;
    pub(super) const BITANGENTS: u32 = 128;
    /// The adapter doesn't filter across cube edges.
    pub(super) const CUBE_SEAMS: u32 = 256;
}

/// A subset or a whole mesh.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Draw {
    pub(super) color: Vec4,
    pub(super) first_vertex: u32,
    pub(super) first_index: u32,
    pub(super) index_bytes: u32,
    pub(super) flags: u32,
}

impl Draw {
    pub(super) const MIRRORED: u32 = 1;
    pub(super) const COLORED: u32 = 2;
    pub(super) const OWN_DOTS: u32 = 4;
    pub(super) const BLENDED: u32 = 8;
}

/// The keys that make up the pose, and how they are blended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct PoseInput {
    pub(super) key0: u32,
    pub(super) key1: u32,
    pub(super) fraction: f32,
    pub(super) flags: u32,
    pub(super) num_key_bones: u32,
    pub(super) num_bones: u32,
    pub(super) num_slots: u32,
    pub(super) row_length: u32,
}

impl PoseInput {
    pub(super) const PRODUCT: u32 = 1;
    pub(super) const PARENTS: u32 = 2;
    pub(super) const INVERSE_BIND: u32 = 4;
}

/// An affine matrix as three rows of four: p' = M * (p, 1).
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Rows {
    pub(super) x: Vec4,
    pub(super) y: Vec4,
    pub(super) z: Vec4,
}

impl From<Affine3A> for Rows {
    fn from(matrix: Affine3A) -> Self {
        let (m, t) = (matrix.matrix3, matrix.translation);
        Self {
            x: Vec4::new(m.x_axis.x, m.y_axis.x, m.z_axis.x, t.x),
            y: Vec4::new(m.x_axis.y, m.y_axis.y, m.z_axis.y, t.y),
            z: Vec4::new(m.x_axis.z, m.y_axis.z, m.z_axis.z, t.z),
        }
    }
}

/// A palette slot: the bone it follows and its inverse bind matrix.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Slot {
    pub(super) bone_from_mesh: Mat4,
    pub(super) bone: u32,
    pub(super) has_inverse: u32,
    pub(super) padding: [u32; 2],
}

/// The number in the shaders of [`NormalMatrix::Same`], followed by the matrix of the last slot.
pub(super) const NORMAL_MATRIX_SAME_THEN_LAST: u32 = 3;

/// The number in the shaders of [`NormalMatrix::InverseTransposePerBone`].
pub(super) const NORMAL_MATRIX_PER_BONE: u32 = 4;

/// The matrix for normals and tangents, as numbered in the shaders.
pub(super) fn normal_matrix_number(by: NormalMatrix) -> u32 {
    match by {
        NormalMatrix::InverseTranspose => 0,
        NormalMatrix::Same | NormalMatrix::SameIfSkinned => 1,
        NormalMatrix::Cofactor => 2,
        NormalMatrix::InverseTransposePerBone => NORMAL_MATRIX_PER_BONE,
    }
}

/// The same for the normals of one mesh.
pub(super) fn normal_matrix_number_of(by: NormalMatrix, mesh: &Mesh) -> u32 {
    match &mesh.skin {
        Skin::InverseBind(skin)
            if by == NormalMatrix::SameIfSkinned
                && matches!(skin.normals, SkinNormals::ThenNode(_)) =>
        {
            NORMAL_MATRIX_SAME_THEN_LAST
        }
        _ => normal_matrix_number(by.of_mesh(mesh)),
    }
}

/// Parameters for skinning a chunk of packed vertices.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct SkinInput {
    pub(super) num_vertices: u32,
    pub(super) first_vertex: u32,
    pub(super) first_slot: u32,
    pub(super) num_slots: u32,
    pub(super) is_rigid: u32,
    pub(super) row_length: u32,
    pub(super) num_influences: u32,
    pub(super) normal_matrix: u32,
}

/// Parameters for skinning a chunk of vertices in full precision.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct StreamInput {
    pub(super) num_vertices: u32,
    pub(super) first_vertex: u32,
    pub(super) first_slot: u32,
    pub(super) num_slots: u32,
    pub(super) kind: u32,
    pub(super) row_length: u32,
    pub(super) first_entry: u32,
    pub(super) blending: u32,
    pub(super) first_share: u32,
    pub(super) morph_stride: u32,
    pub(super) first_morph: u32,
    pub(super) normal_matrix: u32,
    pub(super) num_vectors: u32,
    pub(super) rounds_morphs: u32,
}

impl StreamInput {
    pub(super) const RIGID: u32 = 0;
    pub(super) const ROWS: u32 = 1;
    pub(super) const BONE_LOCAL: u32 = 2;
    pub(super) const CACHED: u32 = 3;

    pub(super) const LINEAR: u32 = 0;
    pub(super) const DUAL_QUATERNION: u32 = 1;
    pub(super) const MIXED: u32 = 2;

    /// Words per influence entry.
    pub(super) const ROW_STRIDE: u32 = 2;
    pub(super) const BONE_LOCAL_STRIDE: u32 = 8;

    /// Whether only slot matrices move the vertices.
    pub(super) fn is_of_rows(&self) -> bool {
        matches!(self.kind, Self::RIGID | Self::ROWS)
            && self.blending == Self::LINEAR
            && self.morph_stride == 0
    }
}

/// The transform of a palette slot without its shear.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct DualQuaternion {
    pub(super) real: Vec4,
    pub(super) dual: Vec4,
    pub(super) scale: Vec3,
    pub(super) padding: u32,
}

impl From<&Affine3A> for DualQuaternion {
    fn from(matrix: &Affine3A) -> Self {
        let rigid = rigscope_core::pose::DualQuaternion::from_matrix(matrix);
        Self { real: rigid.real, dual: rigid.dual, scale: rigid.scale, padding: 0 }
    }
}

/// Location of a chunk's influences, for counting them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct CountInput {
    pub(super) num_vertices: u32,
    pub(super) first_vertex: u32,
    pub(super) kind: u32,
    pub(super) row_length: u32,
    pub(super) first_entry: u32,
    pub(super) stride: u32,
    pub(super) same: u32,
    pub(super) padding: u32,
}

impl CountInput {
    pub(super) const SAME: u32 = 0;
    pub(super) const ROWS: u32 = 1;
    pub(super) const PACKED: u32 = 2;
}
