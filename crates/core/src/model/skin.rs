//! Skins: two representations that are never converted into one another.

use crate::model::as_u32;
use glam::{Mat4, Vec3};

use super::BoneId;

/// How a mesh follows the skeleton.
#[derive(Clone, Debug, Default)]
pub enum Skin {
    /// Unskinned, or rigidly attached through [`super::Mesh::attached_to`].
    #[default]
    None,
    /// One position per vertex and one inverse bind matrix per bone.
    InverseBind(InverseBindSkin),
    /// Each influence has a separate position and normal in its bone's space (The Sims).
    BoneLocal(BoneLocalSkin),
}

/// A skin with one bind pose: `palette[slot] = model_from_bone[bones[slot]] *
/// bone_from_mesh[slot]`.
#[derive(Clone, Debug, Default)]
pub struct InverseBindSkin {
    /// Bone of each slot; influences refer to slots.
    pub bones: Vec<BoneId>,
    /// Inverse bind matrix of each slot, as stored; empty if keys already contain them.
    pub bone_from_mesh: Vec<Mat4>,
    /// Slots and weights of each vertex.
    pub influences: Influences,
    /// Number of entries of each vertex that are in the first set of the file (glTF: `JOINTS_0`), which is the only
    /// one that many runtimes read; empty if there is only one set.
    pub in_first_set: Vec<u8>,
    /// Vertices without weights in the first set, and the first slot that the file lists for them, in glTF files only if
    /// it isn't 0: some runtimes bind them to it.
    pub unweighted_slots: Vec<(u32, u32)>,
    /// Influences that the file stores for slots that don't exist, by vertex. `model::check` removes them from
    /// `influences`, so that they aren't drawn, and preserves them here, because `diagnose` may find the slots that
    /// were meant.
    pub outside: Vec<OutsideInfluence>,
    /// Whether vertices list slots that don't exist, also with a weight of 0.
    pub lists_unknown_slots: bool,
    /// How the transforms of a vertex's slots are combined.
    pub blending: Blending,
    /// A transform applied after skinning; only in models played as a runtime.
    pub node_transform: NodeTransform,
    /// The matrix of normals with [`NormalMatrix::SameIfSkinned`](super::NormalMatrix::SameIfSkinned).
    pub normals: SkinNormals,
    /// Influences with negative weights in the file, which `model::check` sets to 0: some runtimes use them.
    pub negative: Option<Box<NegativeInfluences>>,
}

/// Influences with negative weights, by vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NegativeInfluences {
    /// Their slots exist.
    pub list: Vec<OutsideInfluence>,
}

/// The matrix of a skinned mesh's normals; only in models played as a runtime.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinNormals {
    /// The same as for positions.
    #[default]
    Same,
    /// The inverse transpose of the matrix of positions.
    InverseTranspose,
    /// The matrix of positions, then the inverse of the node's transform and its inverse transpose: the runtime
    /// multiplies skinned normals by the normal matrix of the node.
    ThenNode(BoneId),
}

/// An influence of a slot that doesn't exist.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutsideInfluence {
    /// The vertex that lists it.
    pub vertex: u32,
    /// Its position among the entries of the vertex.
    pub entry: u32,
    /// The slot in the file, which isn't less than the number of slots.
    pub slot: u32,
    /// Its weight in the file.
    pub weight: f32,
}

impl InverseBindSkin {
    /// Slots and weights of a vertex as the file lists them, including those of [`Self::outside`].
    pub fn stored_row(&self, vertex: usize) -> Vec<(u32, f32)> {
        let mut row: Vec<_> = self.influences.row(vertex).collect();
        let first = self.outside.partition_point(|own| (own.vertex as usize) < vertex);
        let rest = self.outside.get(first..).unwrap_or_default();
        for own in rest.iter().take_while(|own| own.vertex as usize == vertex) {
            let at = (own.entry as usize).min(row.len());
            // The check sets a removed entry to 0.
            match row.get_mut(at) {
                Some(entry) if *entry == (0, 0.0) => *entry = (own.slot, own.weight),
                _ => row.insert(at, (own.slot, own.weight)),
            }
        }
        row
    }
}

/// The transform of a skinned mesh's node, which most runtimes ignore.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeTransform {
    /// It isn't applied.
    #[default]
    Ignored,
    /// The node's `model_from_bone` times its inverse, which is computed as if it had no scale: the transposed matrix,
    /// and the translation multiplied by it and negated.
    RigidInverse(BoneId),
    /// `model_from_bone` of the node times the inverse `model_from_bone` of another.
    Relative {
        /// The node of the mesh.
        node: BoneId,
        /// The node for which the matrices of the bones were computed.
        first: BoneId,
    },
}

/// How the transforms of a vertex's slots are combined.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Blending {
    /// Matrices are summed.
    #[default]
    Linear,
    /// Rigid parts are summed as dual quaternions, scales separately (Kavan et al., "Geometric
    /// skinning with approximate dual quaternion blending", 2008).
    DualQuaternion,
    /// Interpolates between both by a dual quaternion weight per vertex, 0 to 1.
    Mixed(Vec<f32>),
}

impl Blending {
    /// Dual quaternion weight of vertex `index`, 0 to 1.
    pub fn dual_quaternion_share(&self, index: usize) -> f32 {
        match self {
            Self::Linear => 0.0,
            Self::DualQuaternion => 1.0,
            Self::Mixed(shares) => shares.get(index).copied().unwrap_or(0.0),
        }
    }
}

/// The influences of all vertices.
#[derive(Clone, Debug)]
pub enum Influences {
    /// Compressed rows: vertex `v` has entries `first[v]..first[v + 1]` of `slots` and `weights`.
    Rows {
        /// One more entry than vertices, ascending, from 0 to the number of entries.
        first: Vec<u32>,
        /// Slot of each entry.
        slots: Vec<u32>,
        /// Weight of each entry.
        weights: Vec<f32>,
    },
    /// Four u8 pairs of slot and weight in each packed vertex.
    InVertices,
}

impl Default for Influences {
    fn default() -> Self {
        Self::Rows { first: vec![0], slots: Vec::new(), weights: Vec::new() }
    }
}

impl Influences {
    /// Builds rows from one list per vertex.
    pub fn from_lists<L: AsRef<[(u32, f32)]>>(lists: impl IntoIterator<Item = L>) -> Self {
        let (mut first, mut slots, mut weights) = (vec![0], Vec::new(), Vec::new());
        for list in lists {
            for &(slot, weight) in list.as_ref() {
                slots.push(slot);
                weights.push(weight);
            }
            first.push(as_u32(slots.len()));
        }
        Self::Rows { first, slots, weights }
    }

    /// Slot and weight of each entry of vertex `index`; nothing if the influences are stored in the vertices.
    #[inline]
    pub fn row(&self, index: usize) -> impl Iterator<Item = (u32, f32)> + Clone + '_ {
        let (slots, weights) = match self {
            Self::Rows { first, slots, weights } => {
                let [from, to] = [index, index + 1].map(|at| first.get(at).copied());
                let range = from.unwrap_or(0) as usize..to.unwrap_or(0) as usize;
                let slots = slots.get(range.clone()).unwrap_or_default();
                (slots, weights.get(range).unwrap_or_default())
            }
            Self::InVertices => Default::default(),
        };
        slots.iter().copied().zip(weights.iter().copied())
    }

    /// Rows of these vertices, in this order.
    #[must_use]
    pub fn of_vertices(&self, vertices: impl IntoIterator<Item = usize>) -> Self {
        let rows = vertices.into_iter().map(|vertex| self.row(vertex).collect::<Vec<_>>());
        match self {
            Self::Rows { .. } => Self::from_lists(rows),
            Self::InVertices => Self::InVertices,
        }
    }

    /// Changes the entries of each vertex; does nothing if the influences are stored in the vertices.
    pub fn map_rows(&mut self, mut change: impl FnMut(usize, &mut Vec<(u32, f32)>)) {
        let Self::Rows { first, .. } = self else { return };
        let vertices = 0..first.len().saturating_sub(1);
        *self = Self::from_lists(vertices.map(|vertex| {
            let mut row = self.row(vertex).collect();
            change(vertex, &mut row);
            row
        }));
    }
}

/// A skin whose influences have separate positions and normals.
#[derive(Clone, Debug, Default)]
pub struct BoneLocalSkin {
    /// One more entry than vertices: vertex `v` has `first[v]..first[v + 1]` of `influences`.
    pub first: Vec<u32>,
    /// All influences, vertex by vertex.
    pub influences: Vec<BoneLocalInfluence>,
}

/// A bone's copy of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneLocalInfluence {
    /// The bone in whose space the copy is stored.
    pub bone: BoneId,
    /// Weight of this copy.
    pub weight: f32,
    /// Position in bone space.
    pub position: Vec3,
    /// Normal in bone space.
    pub normal: Vec3,
}

impl BoneLocalSkin {
    /// Calls `visit` with each influence of vertex `index`.
    #[inline]
    pub fn for_each(&self, index: usize, mut visit: impl FnMut(&BoneLocalInfluence)) {
        let (Some(&from), Some(&to)) = (self.first.get(index), self.first.get(index + 1)) else {
            return;
        };
        if let Some(list) = self.influences.get(from as usize..to as usize) {
            list.iter().for_each(&mut visit);
        }
    }
}
