//! The schema of `info --json`, whose keys and their order are stable.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::model::{Aabb, BoneNoun, Detail, Finding, RelatedFileUse};

/// The summary of one file.
#[derive(Debug, Serialize)]
pub struct Info {
    pub schema: &'static str,
    pub file: String,
    pub format: &'static str,
    pub bytes: u64,
    pub totals: Totals,
    pub meshes: Vec<Mesh>,
    /// How the text output calls `bones`; JSON always uses that key.
    #[serde(skip)]
    pub noun: BoneNoun,
    pub materials: Vec<Material>,
    pub bones: Vec<Bone>,
    pub clips: Vec<Clip>,
    /// Value tracks, which aren't bone transforms.
    pub value_tracks: Vec<ValueTrack>,
    pub hulls: Vec<Hull>,
    pub occluder: Option<OcclusionMesh>,
    /// Bounds of the default pose in display space; null without vertices.
    pub bounds: Option<Bounds>,
    pub axes: Axes,
    pub unit_meters: Option<f64>,
    pub details: Details,
    /// The avatar of a VRM file.
    pub avatar: Option<Avatar>,
    #[serde(rename = "companions")]
    pub related_files: Vec<RelatedFile>,
    #[serde(rename = "notes")]
    pub findings: Vec<FindingEntry>,
}

#[derive(Debug, Serialize)]
pub struct Avatar {
    pub humanoid: Vec<HumanBone>,
    pub expressions: Vec<Expression>,
    pub springs: Vec<Spring>,
    pub colliders: usize,
}

#[derive(Debug, Serialize)]
pub struct HumanBone {
    pub bone: u32,
    /// Its name in the human rig.
    pub name: String,
}

#[derive(Debug, Serialize)]
pub struct Expression {
    pub name: String,
    /// Morph targets that it changes.
    pub weights: Vec<ExpressionWeight>,
    /// Changes of materials, which aren't shown.
    pub material_changes: usize,
}

#[derive(Debug, Serialize)]
pub struct ExpressionWeight {
    pub mesh: u32,
    pub target: usize,
    pub weight: f32,
}

#[derive(Debug, Serialize)]
pub struct Spring {
    pub name: String,
    pub bones: Vec<u32>,
}

#[derive(Debug, Serialize)]
pub struct Totals {
    pub vertices: usize,
    pub triangles: usize,
    /// Lines outside triangles.
    pub lines: usize,
    /// Points that the file draws as such.
    pub points: usize,
    pub subsets: usize,
    /// Without nodes that aren't bones and helpers, which the list `bones` contains too.
    pub bones: usize,
    /// Nodes that aren't bones.
    pub nodes: usize,
    pub clips: usize,
    pub hulls: usize,
    pub morph_targets: usize,
}

#[derive(Debug, Serialize)]
pub struct Mesh {
    pub name: String,
    pub vertices: usize,
    pub triangles: usize,
    pub max_influences: usize,
    /// Number of vertices by their number of influences.
    pub influences: BTreeMap<usize, usize>,
    pub subsets: Vec<Subset>,
    /// Loose geometry, numbered after the subsets.
    pub loose: Vec<LooseParts>,
}

#[derive(Debug, Serialize)]
pub struct LooseParts {
    /// `lines` or `points`.
    pub kind: &'static str,
    pub count: usize,
    pub material: Option<usize>,
}

#[derive(Debug, Serialize)]
pub struct Subset {
    pub material: Option<usize>,
    pub first_index: u32,
    pub index_count: u32,
}

#[derive(Debug, Serialize)]
pub struct Material {
    pub name: String,
    /// Paths as the file spells them; names for embedded images.
    pub textures: Vec<String>,
    /// Role of each texture.
    pub roles: Vec<&'static str>,
    /// Null if the file states no surface properties.
    pub look: Option<Look>,
    /// Differences between how it is drawn and how the file defines it.
    pub approximated: Vec<&'static str>,
}

/// The metallic-roughness model, as in glTF; colours are linear.
#[derive(Debug, Serialize)]
pub struct Look {
    pub base_color: [f32; 4],
    /// `opaque`, `mask` or `blend`.
    pub alpha: &'static str,
    /// Null unless `alpha` is `mask`.
    pub alpha_cutoff: Option<f32>,
    pub two_sided: bool,
    pub unlit: bool,
    pub depth_only: bool,
    pub metallic: f32,
    pub roughness: f32,
    pub emissive: [f32; 3],
    pub normal_scale: f32,
    pub occlusion_strength: f32,
    pub ior: f32,
    pub specular: f32,
    pub specular_color: [f32; 3],
    pub clearcoat: f32,
    pub clearcoat_roughness: f32,
    pub sheen_color: [f32; 3],
    pub sheen_roughness: f32,
    pub transmission: f32,
    /// Present if the file states a draw order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw_order: Option<u32>,
    /// Present if the file states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_test: Option<bool>,
    /// Present if the file states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth_write: Option<bool>,
}

#[derive(Debug, Serialize)]
pub struct Bone {
    pub name: String,
    pub parent: Option<usize>,
    /// `bone`, `node` (outside the skeleton) or `helper` (added by the reader).
    pub kind: &'static str,
}

#[derive(Debug, Serialize)]
pub struct Clip {
    pub name: String,
    pub start_secs: f64,
    pub duration_secs: f64,
    /// Null unless the keys are at equal intervals.
    pub keys: Option<usize>,
    /// Null unless the keys are at equal intervals.
    pub interval_secs: Option<f64>,
}

#[derive(Debug, Serialize)]
pub struct ValueTrack {
    pub name: String,
    pub kind: &'static str,
    pub keys: usize,
}

#[derive(Debug, Serialize)]
pub struct Hull {
    pub vertices: usize,
}

#[derive(Debug, Serialize)]
pub struct OcclusionMesh {
    pub vertices: usize,
    pub triangles: usize,
}

#[derive(Debug, Serialize)]
pub struct Bounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
}

impl Bounds {
    /// `None` for an empty box.
    pub fn of(bounds: &Aabb) -> Option<Self> {
        (!bounds.is_empty())
            .then(|| Self { min: bounds.min.to_array(), max: bounds.max.to_array() })
    }
}

#[derive(Debug, Serialize)]
pub struct Axes {
    pub up: &'static str,
    pub handedness: &'static str,
    /// The side that the model faces in the file, if it isn't the usual one of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<&'static str>,
}

/// Format-specific facts, in the reader's order.
#[derive(Debug)]
pub struct Details(pub Vec<(&'static str, Detail)>);

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, detail) in &self.0 {
            match detail {
                Detail::Text(text) => map.serialize_entry(name, text)?,
                Detail::Int(number) => map.serialize_entry(name, number)?,
                Detail::Bool(flag) => map.serialize_entry(name, flag)?,
            }
        }
        map.end()
    }
}

/// A related file.
#[derive(Debug, Serialize)]
pub struct RelatedFile {
    pub file: String,
    pub role: &'static str,
    pub taken: bool,
    /// 0 to 1; null if it wasn't measured.
    pub fit: Option<f64>,
    pub why: String,
    /// Whether it is named but missing; `why` states it too.
    #[serde(skip)]
    pub is_missing: bool,
}

impl From<&RelatedFileUse> for RelatedFile {
    fn from(file: &RelatedFileUse) -> Self {
        Self {
            file: file.file.clone(),
            role: file.role.as_str(),
            taken: file.is_used,
            // Further digits are only rounding.
            fit: file.fit.map(|fit| (f64::from(fit) * 1e4).round() / 1e4),
            why: file.why.clone(),
            is_missing: file.is_missing,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct FindingEntry {
    pub code: &'static str,
    pub severity: &'static str,
    pub message: String,
    pub place: String,
    pub count: u64,
    /// The effect on the image or on runtimes.
    pub effect: &'static str,
    pub fix: &'static str,
}

impl From<&Finding> for FindingEntry {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.kind.code(),
            severity: finding.severity().as_str(),
            message: finding.message.clone(),
            place: finding.place.to_string(),
            count: finding.count,
            effect: finding.kind.info().consequence,
            fix: finding.kind.info().fix,
        }
    }
}
