//! The shape of `info --json`: a contract, key by key and in this order.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::model::{Aabb, BoneNoun, CompanionFile, Detail, Note};

/// All that is said of one file.
#[derive(Debug, Serialize)]
pub(crate) struct Info {
    pub(crate) schema: &'static str,
    pub(crate) file: String,
    pub(crate) format: &'static str,
    pub(crate) bytes: u64,
    pub(crate) totals: Totals,
    pub(crate) meshes: Vec<Mesh>,
    /// What the text calls `bones`, which JSON always calls so.
    #[serde(skip)]
    pub(crate) noun: BoneNoun,
    pub(crate) materials: Vec<Material>,
    pub(crate) bones: Vec<Bone>,
    pub(crate) clips: Vec<Clip>,
    /// Curves that move no bone.
    pub(crate) value_tracks: Vec<ValueTrack>,
    pub(crate) hulls: Vec<Hull>,
    pub(crate) occluder: Option<Occluder>,
    /// Default pose, display space; null where there is no vertex.
    pub(crate) bounds: Option<Bounds>,
    pub(crate) axes: Axes,
    pub(crate) unit_meters: Option<f64>,
    pub(crate) details: Details,
    pub(crate) companions: Vec<Companion>,
    pub(crate) notes: Vec<NoteEntry>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Totals {
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    /// That belong to no triangle.
    pub(crate) lines: usize,
    /// That the file draws as such.
    pub(crate) points: usize,
    pub(crate) subsets: usize,
    /// Length of the list `bones`, nodes and helpers included.
    pub(crate) bones: usize,
    pub(crate) clips: usize,
    pub(crate) hulls: usize,
    pub(crate) morph_targets: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
    pub(crate) max_influences: usize,
    /// Number of vertices by their number of influences.
    pub(crate) influences: BTreeMap<usize, usize>,
    pub(crate) subsets: Vec<Subset>,
    /// Counted after the subsets where these have numbers.
    pub(crate) loose: Vec<Loose>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Loose {
    /// `lines` or `points`.
    pub(crate) kind: &'static str,
    pub(crate) count: usize,
    pub(crate) material: Option<usize>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Subset {
    pub(crate) material: Option<usize>,
    pub(crate) first_index: u32,
    pub(crate) index_count: u32,
}

#[derive(Debug, Serialize)]
pub(crate) struct Material {
    pub(crate) name: String,
    /// As the file spells them; embedded images by their name.
    pub(crate) textures: Vec<String>,
    /// What each of the textures is for.
    pub(crate) roles: Vec<&'static str>,
    /// Null where the file says nothing.
    pub(crate) look: Option<Look>,
    /// What is shown otherwise than the file means it.
    pub(crate) approximated: Vec<&'static str>,
}

/// The metallic-roughness model, as in glTF; colours are linear.
#[derive(Debug, Serialize)]
pub(crate) struct Look {
    pub(crate) base_color: [f32; 4],
    /// `opaque`, `mask` or `blend`.
    pub(crate) alpha: &'static str,
    /// Null where nothing is cut out.
    pub(crate) alpha_cutoff: Option<f32>,
    pub(crate) two_sided: bool,
    pub(crate) unlit: bool,
    pub(crate) depth_only: bool,
    pub(crate) metallic: f32,
    pub(crate) roughness: f32,
    pub(crate) emissive: [f32; 3],
    pub(crate) normal_scale: f32,
    pub(crate) occlusion_strength: f32,
    pub(crate) ior: f32,
    pub(crate) specular: f32,
    pub(crate) specular_color: [f32; 3],
    pub(crate) clearcoat: f32,
    pub(crate) clearcoat_roughness: f32,
    pub(crate) sheen_color: [f32; 3],
    pub(crate) sheen_roughness: f32,
    pub(crate) transmission: f32,
    /// Where the file lists what is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) draw_order: Option<u32>,
    /// Where the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth_test: Option<bool>,
    /// Where the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) depth_write: Option<bool>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Bone {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// `bone`, `node` (outside the skeleton) or `helper` (added by the reader).
    pub(crate) kind: &'static str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Clip {
    pub(crate) name: String,
    pub(crate) start_secs: f64,
    pub(crate) duration_secs: f64,
    /// Null where the keys are not at equal intervals.
    pub(crate) keys: Option<usize>,
    /// Null where the keys are not at equal intervals.
    pub(crate) interval_secs: Option<f64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ValueTrack {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) keys: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Hull {
    pub(crate) vertices: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Occluder {
    pub(crate) vertices: usize,
    pub(crate) triangles: usize,
}

#[derive(Debug, Serialize)]
pub(crate) struct Bounds {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl Bounds {
    /// Nothing for an empty box.
    pub(crate) fn of(bounds: &Aabb) -> Option<Self> {
        (!bounds.is_empty())
            .then(|| Self { min: bounds.min.to_array(), max: bounds.max.to_array() })
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct Axes {
    pub(crate) up: &'static str,
    pub(crate) handedness: &'static str,
}

/// Facts that only one format has, in the reader's order.
#[derive(Debug)]
pub(crate) struct Details(pub(crate) Vec<(&'static str, Detail)>);

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
pub(crate) struct Companion {
    pub(crate) file: String,
    pub(crate) role: &'static str,
    pub(crate) taken: bool,
    /// 0 to 1; null where nothing was measured.
    pub(crate) fit: Option<f64>,
    pub(crate) why: String,
    /// Whether it is named and not there; `why` says so.
    #[serde(skip)]
    pub(crate) is_missing: bool,
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
pub(crate) struct NoteEntry {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    pub(crate) place: String,
    pub(crate) count: u64,
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
