//! What is found.

use crate::model::{ClipId, Origin, VertexAt};

/// A pair of vertices at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// How far apart, display units; infinite where it cannot be known.
    pub distance: f64,
    /// The extent of the source's pose then.
    pub extent: f64,
    /// Which part.
    pub part: usize,
    /// The made vertex.
    pub made: VertexAt,
    /// Where it comes from.
    pub origin: Origin,
    /// Clip of the source; `None` for the default pose.
    pub clip: Option<ClipId>,
    /// The made clip; `None` for the default pose, and where the clip was not written.
    pub made_clip: Option<ClipId>,
    /// Since the clip's beginning.
    pub time_secs: f64,
    /// The key of the made clip at that time, where there is just one.
    pub key: Option<u32>,
}

impl Worst {
    /// The distance as a part of the extent; `None` where there is no extent.
    pub fn of_extent(&self) -> Option<f64> {
        (self.extent > 0.0).then(|| self.distance / self.extent)
    }
}

/// How far what was made is from its source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The pair and moment of the largest distance; `None` where there was nothing to compare.
    pub worst: Option<Worst>,
    /// The same among the moments at which all that moves in what was made has a key.
    pub at_keys: Option<Worst>,
    /// The largest part of the extent at that moment, of all moments.
    pub max_of_extent: f64,
    /// The same among keys.
    pub max_of_extent_at_keys: f64,
    /// Root of the mean square over all pairs at the moments at which all were compared.
    pub rms: f64,
    /// Moments at which all pairs were compared.
    pub num_moments: usize,
    /// Moments at which probes were.
    pub num_probed: usize,
    /// The source's extent at the first moment, display units.
    pub extent: f64,
    /// The largest distance of each pair among keys, a list for each part in the order of
    /// [`crate::model::MeshOrigins::for_each`] mesh after mesh; empty where it was not asked for.
    pub per_pair: Vec<PairValues>,
}

/// A value of each pair of a part, not a number where there is none.
pub type PairValues = Vec<f32>;

impl Measured {
    /// The largest distance; 0 where there was nothing to compare.
    pub fn max(&self) -> f64 {
        self.worst.map_or(0.0, |worst| worst.distance)
    }

    /// The largest distance among keys.
    pub fn max_at_keys(&self) -> f64 {
        self.at_keys.map_or(0.0, |worst| worst.distance)
    }
}
