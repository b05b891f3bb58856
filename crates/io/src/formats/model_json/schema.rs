//! The text as data, key by key; docs/your-own-format.md explains each.

use std::collections::BTreeMap;

use glam::Mat4;
use serde::Deserialize;

use super::rows::Rows;

/// Rows of a 4 × 4 matrix for column vectors.
pub(super) type Matrix = [[f32; 4]; 4];

/// A matrix from its rows.
pub(super) fn matrix(rows: &Matrix) -> Mat4 {
    Mat4::from_cols_array_2d(rows).transpose()
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ModelText {
    pub(super) schema: String,
    pub(super) name: String,
    pub(super) up: Up,
    pub(super) handedness: Hand,
    pub(super) unit_meters: Option<f64>,
    pub(super) findings: Vec<String>,
    pub(super) bones: Vec<BoneText>,
    pub(super) materials: Vec<MaterialText>,
    pub(super) meshes: Vec<MeshText>,
    pub(super) clips: Vec<ClipText>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Up {
    #[default]
    Y,
    Z,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Hand {
    #[default]
    Right,
    Left,
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
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MaterialText {
    pub(super) name: String,
    pub(super) base_color: Option<[f32; 4]>,
    pub(super) metallic: Option<f32>,
    pub(super) roughness: Option<f32>,
    pub(super) emissive: Option<[f32; 3]>,
    pub(super) two_sided: bool,
    /// Paths by role.
    pub(super) textures: BTreeMap<String, String>,
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
    pub(super) triangles: Vec<[u32; 3]>,
    /// First triangle, number of triangles, material.
    pub(super) subsets: Option<Vec<(u32, u32, Option<u32>)>>,
    pub(super) joints: Option<Rows<u32>>,
    pub(super) weights: Option<Rows<f32>>,
    pub(super) skin_bones: Option<Vec<u32>>,
    pub(super) inverse_bind_matrices: Option<Vec<Matrix>>,
    pub(super) attached_to: Option<u32>,
    pub(super) morph_targets: Vec<MorphTargetText>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MorphTargetText {
    pub(super) name: String,
    pub(super) vertices: Option<Vec<u32>>,
    pub(super) position_offsets: Vec<[f32; 3]>,
    pub(super) normal_offsets: Vec<[f32; 3]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ClipText {
    pub(super) name: String,
    pub(super) times: Vec<f64>,
    pub(super) matrices: Option<Rows<Matrix>>,
    pub(super) translations: Option<Rows<[f32; 3]>>,
    pub(super) rotations: Option<Rows<[f32; 4]>>,
    pub(super) scales: Option<Rows<[f32; 3]>>,
    pub(super) tracks: Vec<TrackText>,
    pub(super) morph_tracks: Vec<MorphTrackText>,
    pub(super) loops: bool,
    pub(super) step: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TrackText {
    pub(super) bone: u32,
    /// Those of the clip by default.
    #[serde(default)]
    pub(super) times: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) translations: Option<Vec<[f32; 3]>>,
    #[serde(default)]
    pub(super) rotations: Option<Vec<[f32; 4]>>,
    #[serde(default)]
    pub(super) scales: Option<Vec<[f32; 3]>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MorphTrackText {
    pub(super) mesh: u32,
    pub(super) target: u32,
    #[serde(default)]
    pub(super) times: Option<Vec<f64>>,
    pub(super) weights: Vec<f32>,
}
