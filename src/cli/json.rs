//! The shapes of `--json`: a contract, key by key and in this order.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::model::{Aabb, BoneNoun, CompanionFile, Detail, Note};

/// `info`, one file.
#[derive(Debug, Serialize)]
pub(super) struct Info {
    pub(super) schema: &'static str,
    pub(super) file: String,
    pub(super) format: &'static str,
    pub(super) bytes: usize,
    pub(super) totals: Totals,
    pub(super) meshes: Vec<Mesh>,
    /// What the text calls `bones`, which JSON always calls so.
    #[serde(skip)]
    pub(super) noun: BoneNoun,
    pub(super) materials: Vec<Material>,
    pub(super) bones: Vec<Bone>,
    pub(super) clips: Vec<Clip>,
    /// Curves that move no bone.
    pub(super) value_tracks: Vec<ValueTrack>,
    pub(super) hulls: Vec<Hull>,
    pub(super) occluder: Option<Occluder>,
    /// Default pose, display space; null where there is no vertex.
    pub(super) bounds: Option<Bounds>,
    pub(super) axes: Axes,
    pub(super) unit_meters: Option<f64>,
    pub(super) details: Details,
    pub(super) companions: Vec<Companion>,
    pub(super) notes: Vec<NoteEntry>,
}

#[derive(Debug, Serialize)]
pub(super) struct Totals {
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    /// That belong to no triangle.
    pub(super) lines: usize,
    /// That the file draws as such.
    pub(super) points: usize,
    pub(super) subsets: usize,
    pub(super) bones: usize,
    pub(super) clips: usize,
    pub(super) hulls: usize,
    pub(super) morph_targets: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) max_influences: usize,
    /// Number of vertices by their number of influences.
    pub(super) influences: BTreeMap<usize, usize>,
    pub(super) subsets: Vec<Subset>,
    /// Counted after the subsets where these have numbers.
    pub(super) loose: Vec<Loose>,
}

#[derive(Debug, Serialize)]
pub(super) struct Loose {
    /// `lines` or `points`.
    pub(super) kind: &'static str,
    pub(super) count: usize,
    pub(super) material: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Subset {
    pub(super) material: Option<usize>,
    pub(super) first_index: u32,
    pub(super) index_count: u32,
}

#[derive(Debug, Serialize)]
pub(super) struct Material {
    pub(super) name: String,
    /// As the file spells them; embedded images by their name.
    pub(super) textures: Vec<String>,
    /// What each of the textures is for.
    pub(super) roles: Vec<&'static str>,
    /// Null where the file says nothing.
    pub(super) look: Option<Look>,
    /// What is shown otherwise than the file means it.
    pub(super) approximated: Vec<&'static str>,
}

/// The metallic-roughness model, as in glTF; colours are linear.
#[derive(Debug, Serialize)]
pub(super) struct Look {
    pub(super) base_color: [f32; 4],
    /// `opaque`, `mask` or `blend`.
    pub(super) alpha: &'static str,
    /// Null where nothing is cut out.
    pub(super) alpha_cutoff: Option<f32>,
    pub(super) two_sided: bool,
    pub(super) unlit: bool,
    pub(super) depth_only: bool,
    pub(super) metallic: f32,
    pub(super) roughness: f32,
    pub(super) emissive: [f32; 3],
    pub(super) normal_scale: f32,
    pub(super) occlusion_strength: f32,
    pub(super) ior: f32,
    pub(super) specular: f32,
    pub(super) specular_color: [f32; 3],
    pub(super) clearcoat: f32,
    pub(super) clearcoat_roughness: f32,
    pub(super) sheen_color: [f32; 3],
    pub(super) sheen_roughness: f32,
    pub(super) transmission: f32,
    /// Where the file lists what is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) draw_order: Option<u32>,
    /// Where the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth_test: Option<bool>,
    /// Where the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) depth_write: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(super) struct Bone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(super) struct Clip {
    pub(super) name: String,
    pub(super) start_secs: f64,
    pub(super) duration_secs: f64,
    /// Null where the keys are not at equal intervals.
    pub(super) keys: Option<usize>,
    /// Null where the keys are not at equal intervals.
    pub(super) interval_secs: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct ValueTrack {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) keys: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Hull {
    pub(super) vertices: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Occluder {
    pub(super) vertices: usize,
    pub(super) triangles: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Bounds {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

impl Bounds {
    /// Nothing for an empty box.
    pub(super) fn of(bounds: &Aabb) -> Option<Self> {
        (!bounds.is_empty())
            .then(|| Self { min: bounds.min.to_array(), max: bounds.max.to_array() })
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Axes {
    pub(super) up: &'static str,
    pub(super) handedness: &'static str,
}

/// Facts that only one format has, in the reader's order.
#[derive(Debug)]
pub(super) struct Details(pub(super) Vec<(&'static str, Detail)>);

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

/// A file around the model.
#[derive(Debug, Serialize)]
pub(super) struct Companion {
    pub(super) file: String,
    pub(super) role: &'static str,
    pub(super) taken: bool,
    /// 0 to 1; null where nothing was measured.
    pub(super) fit: Option<f64>,
    pub(super) why: String,
    /// Whether it is named and not there; `why` says so.
    #[serde(skip)]
    pub(super) is_missing: bool,
}

impl From<&CompanionFile> for Companion {
    fn from(file: &CompanionFile) -> Self {
        Self {
            file: file.file.clone(),
            role: file.role.as_str(),
            taken: file.is_taken,
            // More digits are rounding.
            fit: file.fit.map(|fit| (f64::from(fit) * 1e4).round() / 1e4),
            why: file.why.clone(),
            is_missing: file.is_missing,
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct NoteEntry {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) message: String,
    pub(super) place: String,
    pub(super) count: u64,
}

impl From<&Note> for NoteEntry {
    fn from(note: &Note) -> Self {
        Self {
            code: note.kind.code(),
            severity: note.severity().as_str(),
            message: note.message.clone(),
            place: note.place.to_string(),
            count: note.count,
        }
    }
}

/// `validate`.
#[derive(Debug, Serialize)]
pub(super) struct Validation {
    pub(super) schema: &'static str,
    pub(super) files: Vec<ValidatedFile>,
    /// Notes of severity error in all files.
    pub(super) errors: usize,
    /// Notes of severity warning in all files.
    pub(super) warnings: usize,
    /// Notes in all files that `--allow` dropped.
    pub(super) allowed: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct ValidatedFile {
    pub(super) file: String,
    /// Null where no format knows the bytes.
    pub(super) format: Option<&'static str>,
    /// Whether nothing was found that makes the command fail.
    pub(super) ok: bool,
    pub(super) notes: Vec<NoteEntry>,
}

/// `validate --jsonl`, one file.
#[derive(Debug, Serialize)]
pub(super) struct ValidatedLine {
    pub(super) schema: &'static str,
    #[serde(flatten)]
    pub(super) file: ValidatedFile,
}

/// `info --jsonl`, a file that cannot be read.
#[derive(Debug, Serialize)]
pub(super) struct Unread {
    pub(super) schema: &'static str,
    pub(super) file: String,
    pub(super) error: String,
}

/// `pose`.
#[derive(Debug, Serialize)]
pub(super) struct Pose<'a> {
    pub(super) schema: &'static str,
    pub(super) vertices: &'a [[f32; 3]],
    pub(super) normals: &'a [[f32; 3]],
}

/// `diff`.
#[derive(Debug, Serialize)]
pub(super) struct Diff {
    pub(super) schema: &'static str,
    /// Whether nothing exceeds the tolerance.
    pub(super) equal: bool,
    pub(super) max: DiffMax,
    /// What exceeds the tolerance first.
    pub(super) differences: Vec<DifferenceEntry>,
    /// A's, in the pose of the matching, display units.
    pub(super) extent: f64,
    pub(super) matched: DiffMatched,
}

/// The largest differences; null where there was nothing to compare.
#[derive(Debug, Serialize)]
pub(super) struct DiffMax {
    /// Display units.
    pub(super) position: Option<f64>,
    pub(super) normal_deg: Option<f64>,
    pub(super) uv: Option<f64>,
    pub(super) weight: Option<f64>,
    pub(super) key: Option<f64>,
    /// Over all clips, display units.
    pub(super) skinned: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct DifferenceEntry {
    pub(super) kind: &'static str,
    pub(super) group: &'static str,
    pub(super) what: String,
    pub(super) count: u64,
    /// Null for what is there or not.
    pub(super) amount: Option<f64>,
    pub(super) exceeds: bool,
}

/// Which vertices were compared with which.
#[derive(Debug, Serialize)]
pub(super) struct DiffMatched {
    pub(super) by: &'static str,
    pub(super) pose_a: &'static str,
    pub(super) pose_b: &'static str,
    pub(super) unmatched_a: usize,
    pub(super) unmatched_b: usize,
    /// The largest distance of these from the nearest on the other side.
    pub(super) farthest_unmatched: Option<f64>,
}

/// `bench`.
#[derive(Debug, Serialize)]
pub(super) struct Bench {
    pub(super) schema: &'static str,
    /// Null where there is no GPU.
    pub(super) adapter: Option<BenchAdapter>,
    pub(super) rows: Vec<BenchRow>,
}

/// What draws.
#[derive(Debug, Serialize)]
pub(super) struct BenchAdapter {
    pub(super) name: String,
    pub(super) backend: &'static str,
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
}

/// A step, and a copy beside it.
#[derive(Debug, Serialize)]
pub(super) struct BenchRow {
    pub(super) name: String,
    /// Of the times.
    pub(super) unit: &'static str,
    pub(super) median: f64,
    pub(super) min: f64,
    /// Bytes that must be read and written at least.
    pub(super) work: u64,
    /// What copying as many bytes takes, half of them read and half written.
    pub(super) limit: f64,
    /// Limit over median: 1 is as fast as a copy.
    pub(super) of_limit: f64,
    /// What is done, counted.
    pub(super) count: u64,
    pub(super) of: &'static str,
}

/// `formats`.
#[derive(Debug, Serialize)]
pub(super) struct Formats {
    pub(super) schema: &'static str,
    pub(super) formats: Vec<FormatEntry>,
    pub(super) notes: Vec<NoteKindEntry>,
}

#[derive(Debug, Serialize)]
pub(super) struct FormatEntry {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) extensions: &'static [&'static str],
    pub(super) kind: &'static str,
    pub(super) read: bool,
    pub(super) write: bool,
    pub(super) holds: Vec<&'static str>,
    pub(super) citation: &'static str,
}

#[derive(Debug, Serialize)]
pub(super) struct NoteKindEntry {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) meaning: &'static str,
}

/// `rules`.
#[derive(Debug, Serialize)]
pub(super) struct Rules {
    pub(super) schema: &'static str,
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug, Serialize)]
pub(super) struct Rule {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) group: &'static str,
    pub(super) meaning: &'static str,
    pub(super) mend: &'static str,
}
