//! Results of a measurement.

use crate::model::{ClipId, Model, Origin, VertexAt, numbered, numbers};

/// A pair of vertices at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarthestVertex {
    /// In display units; infinite if it can't be computed.
    pub distance: f64,
    /// The size of the source.
    pub extent: f64,
    /// Index of the part.
    pub part: usize,
    /// The vertex in the result.
    pub made: VertexAt,
    /// The origin of that vertex.
    pub origin: Origin,
    /// Clip of the source; `None` for the default pose.
    pub clip: Option<ClipId>,
    /// The clip of the result; `None` for the default pose, and if the clip wasn't written.
    pub made_clip: Option<ClipId>,
    /// In the clip's own time, which needn't begin at 0.
    pub time_secs: f64,
    /// The key of the resulting clip at that time, if there is exactly one.
    pub key: Option<u32>,
}

impl FarthestVertex {
    /// The distance as a fraction of the extent; `None` if the extent is 0.
    pub fn of_extent(&self) -> Option<f64> {
        (self.extent > 0.0).then(|| self.distance / self.extent)
    }

    /// The distance, and its share of the size: `41 mm (2.1 % of the size)`.
    pub fn distance_text(&self, source: &Model) -> String {
        let distance = numbers::length(self.distance, source.axes.unit_meters.is_some());
        let share = numbers::percent(self.of_extent().unwrap_or_default());
        format!("{distance} ({share} of the size)")
    }

    /// The vertex of the source and its bone, and the moment: `vertex 3 of mesh 0, bone 4 "hand", at 0.5 s of clip 1
    /// "walk"`, or `… at rest`.
    pub fn place_text(&self, source: &Model) -> String {
        let vertex = match self.origin {
            Origin::Vertex(at) => format!("vertex {}", at.vertex.0),
            Origin::Inside { corners: [a, b, c], .. } => {
                let (a, b, c) = (a.vertex.0, b.vertex.0, c.vertex.0);
                format!("a cut between vertices {a}, {b} and {c}")
            }
        };
        let at = self.origin.nearest();
        let mesh = source.meshes.get(at.mesh);
        let bone = mesh.and_then(|mesh| mesh.heaviest_bone(at.vertex.index()));
        let bone = bone.map_or_else(String::new, |bone| {
            let name = source.skeleton.bones().get(bone).map_or("", |own| &own.name);
            format!(", {},", numbered("bone", bone.index(), name))
        });
        let when = match self.clip.and_then(|clip| source.clips.get(clip).zip(Some(clip))) {
            None => "at rest".to_owned(),
            Some((clip, id)) => {
                let clip = numbered("clip", id.index(), &clip.name);
                format!("at {} of {clip}", numbers::seconds(self.time_secs))
            }
        };
        format!("{vertex} of mesh {}{bone} {when}", at.mesh.index())
    }
}

/// How far a result deviates from its source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Deviation {
    /// The pair and moment with the largest distance; `None` if there was nothing to compare.
    pub worst: Option<FarthestVertex>,
    /// The same, only among moments at which all moving parts of the result have a key.
    pub at_keys: Option<FarthestVertex>,
    /// The largest distance of all moments, as a fraction of the source's size.
    pub max_of_extent: f64,
    /// The same, only at keys.
    pub max_of_extent_at_keys: f64,
    /// Root mean square over all pairs at the moments at which all pairs were compared.
    pub rms: f64,
    /// Number of moments at which all pairs were compared.
    pub num_moments: usize,
    /// Number of moments at which only probes were compared.
    pub num_probed: usize,
    /// Number of keys that were neither compared nor probed, because the source has too many clips or keys for its
    /// vertices.
    pub num_keys_left_out: usize,
    /// Number of clips that weren't compared at any moment, for the same reason.
    pub num_clips_left_out: usize,
    /// The source's size, display units.
    pub extent: f64,
    /// The largest distance of each pair among keys: a list per part, in the order of
    /// [`crate::model::MeshOrigins::for_each`], mesh after mesh. Empty unless requested.
    pub per_pair: Vec<PairValues>,
}

/// A deviation with the largest distance of each vertex, numbered through all meshes; empty unless requested.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviationByVertex {
    pub total: Deviation,
    pub per_vertex: Vec<f32>,
}

/// A value of each pair of a part; NaN for pairs without one.
pub type PairValues = Vec<f32>;

impl Deviation {
    /// The largest distance; 0 if there was nothing to compare.
    pub fn max(&self) -> f64 {
        self.worst.map_or(0.0, |worst| worst.distance)
    }

    /// The largest distance among keys.
    pub fn max_at_keys(&self) -> f64 {
        self.at_keys.map_or(0.0, |worst| worst.distance)
    }
}
