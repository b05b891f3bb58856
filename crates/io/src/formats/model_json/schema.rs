//! The text as data, key by key; docs/your-own-format.md explains each.

use glam::{Mat4, Vec3};
use serde::Deserialize;

use super::numbers::{BlendingText, Numbers};
use super::rows::Rows;
use super::texture_text::TexturesText;

/// Positions and triangles.
pub(super) type OccluderText = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// Rows of a 4 × 4 matrix for column vectors.
pub(super) type Matrix = [[f32; 4]; 4];

/// A matrix from its rows.
pub(super) fn matrix(rows: &Matrix) -> Mat4 {
    Mat4::from_cols_array_2d(rows).transpose()
}

pub(super) fn vectors(rows: Vec<[f32; 3]>) -> Vec<Vec3> {
    rows.into_iter().map(Vec3::from_array).collect()
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ModelText {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) copyright: Option<String>,
    pub(super) up: Option<String>,
    pub(super) handedness: Option<String>,
    pub(super) winding: Option<String>,
    pub(super) faces_backward: bool,
    pub(super) unit_meters: Option<f64>,
    pub(super) has_hierarchy: Option<bool>,
    pub(super) default_pose: Option<String>,
    pub(super) normal_matrix: Option<String>,
    pub(super) findings: Vec<String>,
    pub(super) bones: Vec<BoneText>,
    pub(super) materials: Vec<MaterialText>,
    pub(super) images: Vec<ImageText>,
    pub(super) meshes: Vec<MeshText>,
    pub(super) clips: Vec<ClipText>,
    pub(super) hulls: Vec<Vec<[f32; 3]>>,
    pub(super) occluder: Option<OccluderText>,
    pub(super) stored_bounds: Option<BoundsText>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoundsText {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
    pub(super) center: [f32; 3],
    pub(super) radius: f32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct BoneText {
    pub(super) name: String,
    /// Not negative, or -1 for a root.
    pub(super) parent: Option<i64>,
    pub(super) rest: Option<Matrix>,
    pub(super) translation: Option<[f32; 3]>,
    pub(super) rotation: Option<[f32; 4]>,
    pub(super) scale: Option<[f32; 3]>,
    pub(super) kind: Option<String>,
    pub(super) box_size: Option<[f32; 3]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MaterialText {
    pub(super) name: String,
    pub(super) base_color: Option<[f32; 4]>,
    pub(super) metallic: Option<f32>,
    pub(super) roughness: Option<f32>,
    pub(super) emissive: Option<[f32; 3]>,
    pub(super) alpha: Option<String>,
    pub(super) alpha_cutoff: Option<f32>,
    pub(super) two_sided: Option<bool>,
    pub(super) unlit: Option<bool>,
    pub(super) depth_only: Option<bool>,
    pub(super) normal_scale: Option<f32>,
    pub(super) occlusion_strength: Option<f32>,
    pub(super) ior: Option<f32>,
    pub(super) specular: Option<f32>,
    pub(super) specular_color: Option<[f32; 3]>,
    pub(super) clearcoat: Option<f32>,
    pub(super) clearcoat_roughness: Option<f32>,
    pub(super) sheen_color: Option<[f32; 3]>,
    pub(super) sheen_roughness: Option<f32>,
    pub(super) transmission: Option<f32>,
    pub(super) draw: Option<DrawText>,
    pub(super) textures: TexturesText,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct DrawText {
    pub(super) order: Option<u32>,
    pub(super) tests_depth: Option<bool>,
    pub(super) writes_depth: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImageText {
    #[serde(default)]
    pub(super) name: String,
    /// Base64.
    pub(super) data: String,
    #[serde(default)]
    pub(super) is_embedded: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MeshText {
    pub(super) name: String,
    pub(super) positions: Vec<[f32; 3]>,
    pub(super) normals: Vec<[f32; 3]>,
    pub(super) tangents: Vec<[f32; 4]>,
    pub(super) colors: Vec<[f32; 4]>,
    pub(super) uvs: Vec<[f32; 2]>,
    pub(super) more_uvs: Vec<Vec<[f32; 2]>>,
    pub(super) uv_names: Vec<String>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// First triangle, number of triangles, material.
    pub(super) subsets: Option<Vec<(u32, u32, Option<u32>)>>,
    pub(super) loose: Vec<LooseText>,
    pub(super) joints: Option<Rows<u32>>,
    pub(super) weights: Option<Rows<f32>>,
    /// One per entry of `joints`.
    pub(super) influence_positions: Option<Vec<[f32; 3]>>,
    pub(super) influence_normals: Option<Vec<[f32; 3]>>,
    pub(super) skin_bones: Option<Vec<u32>>,
    /// Empty if keys contain them.
    pub(super) inverse_bind_matrices: Option<Vec<Matrix>>,
    pub(super) blending: Option<BlendingText>,
    pub(super) attached_to: Option<u32>,
    pub(super) hidden: bool,
    pub(super) morph_targets: Vec<MorphTargetText>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LooseText {
    pub(super) kind: String,
    /// Vertices, or pairs of them.
    pub(super) indices: Numbers<u32>,
    #[serde(default)]
    pub(super) material: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MorphTargetText {
    pub(super) name: String,
    pub(super) default_weight: f32,
    pub(super) vertices: Option<Vec<u32>>,
    pub(super) position_offsets: Option<Vec<[f32; 3]>>,
    pub(super) normal_offsets: Vec<[f32; 3]>,
    /// Instead of the offsets.
    pub(super) shapes: Option<Vec<ShapeText>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShapeText {
    #[serde(default)]
    pub(super) full_weight: Option<f32>,
    #[serde(default)]
    pub(super) vertices: Option<Vec<u32>>,
    pub(super) position_offsets: Vec<[f32; 3]>,
    #[serde(default)]
    pub(super) normal_offsets: Vec<[f32; 3]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ClipText {
    pub(super) name: String,
    pub(super) start: Option<f64>,
    pub(super) duration: Option<f64>,
    pub(super) loops: bool,
    pub(super) step: bool,
    pub(super) times: Vec<f64>,
    pub(super) matrices: Option<Rows<Matrix>>,
    pub(super) translations: Option<Rows<[f32; 3]>>,
    pub(super) rotations: Option<Rows<[f32; 4]>>,
    pub(super) scales: Option<Rows<[f32; 3]>>,
    pub(super) tracks: Vec<TrackText>,
    pub(super) skin_matrices: Option<Rows<Matrix>>,
    pub(super) local_matrices: Option<Rows<Matrix>>,
    pub(super) interval: Option<f64>,
    pub(super) bind_pair: bool,
    pub(super) vertex_animation: Option<VertexAnimationText>,
    pub(super) morph_tracks: Vec<MorphTrackText>,
    pub(super) material_tracks: Vec<MaterialTrackText>,
    pub(super) events: Vec<EventText>,
    /// Corners of a box per frame.
    pub(super) frame_bounds: Vec<[[f32; 3]; 2]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TrackText {
    pub(super) bone: Option<u32>,
    /// Those of the clip by default.
    pub(super) times: Option<Vec<f64>>,
    pub(super) translations: Option<Vec<[f32; 3]>>,
    pub(super) rotations: Option<Vec<[f32; 4]>>,
    pub(super) scales: Option<Vec<[f32; 3]>>,
    pub(super) interpolation: Option<String>,
    /// In the shape of the values.
    pub(super) in_tangents: Option<Numbers<f32>>,
    pub(super) out_tangents: Option<Numbers<f32>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MorphTrackText {
    pub(super) mesh: u32,
    pub(super) target: u32,
    #[serde(default)]
    pub(super) times: Option<Vec<f64>>,
    pub(super) weights: Vec<f32>,
    #[serde(default)]
    pub(super) interpolation: Option<String>,
    #[serde(default)]
    pub(super) in_tangents: Option<Numbers<f32>>,
    #[serde(default)]
    pub(super) out_tangents: Option<Numbers<f32>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaterialTrackText {
    pub(super) material: u32,
    pub(super) property: String,
    #[serde(default)]
    pub(super) times: Option<Vec<f64>>,
    pub(super) values: Numbers<f32>,
    #[serde(default)]
    pub(super) interpolation: Option<String>,
    #[serde(default)]
    pub(super) in_tangents: Option<Numbers<f32>>,
    #[serde(default)]
    pub(super) out_tangents: Option<Numbers<f32>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VertexAnimationText {
    pub(super) mesh: u32,
    pub(super) times: Vec<f64>,
    pub(super) positions: Rows<[f32; 3]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventText {
    pub(super) time: f64,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) value: String,
    #[serde(default)]
    pub(super) bone: Option<u32>,
}
