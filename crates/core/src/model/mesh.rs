//! One mesh: vertices, triangles, subsets and skin.

use glam::{Vec2, Vec3, Vec4};

use super::{
    BoneId, ByteView, Influences, InverseBindSkin, LooseGeometry, MaterialId, MorphTarget,
    PackedVertices, Skin, StoredMesh, influence_row,
};

/// A mesh as authored, in mesh space.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Name in the file; empty if the format doesn't store names.
    pub name: String,
    /// Positions, normals and other vertex attributes.
    pub vertices: VertexData,
    /// Triangle list; front faces are counter-clockwise in file space unless [`super::Axes`]
    /// reverses them. Empty for point clouds and line meshes.
    pub indices: Indices,
    /// Ranges of the triangle list, each with a material; they may overlap and leave gaps.
    pub subsets: Vec<Subset>,
    /// Lines and points in addition to the triangles.
    pub loose: Vec<LooseGeometry>,
    /// The skin that deforms the vertices.
    pub skin: Skin,
    /// The bone that a mesh without skin is attached to.
    pub attached_to: Option<BoneId>,
    /// Morph targets, applied before skinning.
    pub morph_targets: Vec<MorphTarget>,
    /// Whether the file hides the mesh. The window and images begin without it, and can show it;
    /// poses, checks and conversions include it.
    pub is_hidden: bool,
    /// Whether the sum of a vertex's morph offsets is rounded to half floats; only in models played as a runtime.
    pub rounds_morphs: bool,
    /// Facts for runtimes, from glTF files.
    pub stored: Option<Box<StoredMesh>>,
}

/// Storage of the vertices.
#[derive(Clone, Debug)]
pub enum VertexData {
    /// One float array per attribute.
    Streams(Streams),
    /// 32-byte GPU-ready records, still in the file's bytes.
    Packed(PackedVertices),
}

impl Default for VertexData {
    fn default() -> Self {
        Self::Streams(Streams::default())
    }
}

/// Vertex attributes as float arrays; each is empty or as long as `positions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Streams {
    /// Mesh space, file units.
    pub positions: Vec<Vec3>,
    /// Unit length in a well-made file; may be zero.
    pub normals: Vec<Vec3>,
    /// xyz, and the bitangent sign in w: B = w * cross(N, T).
    pub tangents: Vec<Vec4>,
    /// Linear RGBA.
    pub colors: Vec<Vec4>,
    /// Any number of UV sets, v down.
    pub uv_sets: Vec<UvSet>,
}

/// One UV set, v down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvSet {
    /// Name in the file; empty if it is unnamed.
    pub name: String,
    /// One coordinate per vertex.
    pub coords: Vec<Vec2>,
}

/// A triangle list.
#[derive(Clone, Debug)]
pub enum Indices {
    /// Created or widened by a reader.
    U32(Vec<u32>),
    /// 2-byte little-endian indices, still in the file's bytes.
    U16(ByteView),
}

impl Default for Indices {
    fn default() -> Self {
        Self::U32(Vec::new())
    }
}

impl Indices {
    /// Number of indices, three per triangle.
    pub fn len(&self) -> usize {
        match self {
            Self::U32(list) => list.len(),
            Self::U16(bytes) => bytes.len() / 2,
        }
    }

    /// Whether there are no triangles.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Index at list position `at`; `None` past the end.
    pub fn get(&self, at: usize) -> Option<u32> {
        match self {
            Self::U32(list) => list.get(at).copied(),
            Self::U16(bytes) => {
                let (pairs, _) = bytes.as_chunks::<2>();
                pairs.get(at).map(|&pair| u32::from(u16::from_le_bytes(pair)))
            }
        }
    }

    /// All indices in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).filter_map(|at| self.get(at))
    }
}

/// A range of a mesh's triangle list with one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subset {
    /// First *index*, not first triangle.
    pub first_index: u32,
    /// Number of indices, a multiple of 3.
    pub index_count: u32,
    /// Material; `None` if the file names none that exists.
    pub material: Option<MaterialId>,
}

impl Subset {
    /// The list positions of the subset.
    pub fn range(&self) -> std::ops::Range<usize> {
        let first = self.first_index as usize;
        first..first + self.index_count as usize
    }

    /// Number of triangles.
    pub fn num_triangles(&self) -> u32 {
        self.index_count / 3
    }
}

impl Mesh {
    /// Number of vertices.
    pub fn num_vertices(&self) -> usize {
        match &self.vertices {
            VertexData::Streams(streams) => streams.positions.len(),
            VertexData::Packed(packed) => packed.len(),
        }
    }

    /// Number of triangles in the index list.
    pub fn num_triangles(&self) -> usize {
        self.indices.len() / 3
    }

    /// Bind-space position of vertex `index`; `None` past the end.
    #[inline]
    pub fn position(&self, index: usize) -> Option<Vec3> {
        match &self.vertices {
            VertexData::Streams(streams) => streams.positions.get(index).copied(),
            VertexData::Packed(packed) => packed.get(index).map(|v| v.position),
        }
    }

    /// Normal as stored (maybe zero, maybe not unit); `None` past the end or without normals.
    #[inline]
    pub fn normal(&self, index: usize) -> Option<Vec3> {
        match &self.vertices {
            VertexData::Streams(streams) => streams.normals.get(index).copied(),
            VertexData::Packed(packed) => packed.get(index).map(|v| v.normal_decoded()),
        }
    }

    /// Tangent with bitangent sign in w; `None` past the end or without tangents.
    #[inline]
    pub fn tangent(&self, index: usize) -> Option<Vec4> {
        match &self.vertices {
            VertexData::Streams(streams) => streams.tangents.get(index).copied(),
            VertexData::Packed(packed) => packed.get(index).map(|v| v.tangent_decoded()),
        }
    }

    /// Linear RGBA of vertex `index`; `None` past the end or without colours.
    pub fn color(&self, index: usize) -> Option<Vec4> {
        match &self.vertices {
            VertexData::Streams(streams) => streams.colors.get(index).copied(),
            VertexData::Packed(_) => None,
        }
    }

    /// Whether any vertex colour affects the result, i.e. isn't white.
    pub fn is_tinted(&self) -> bool {
        match &self.vertices {
            VertexData::Streams(streams) => streams.colors.iter().any(|c| *c != Vec4::ONE),
            VertexData::Packed(_) => false,
        }
    }

    /// First UV set, v down; `None` past the end or without UVs.
    #[inline]
    pub fn uv(&self, index: usize) -> Option<Vec2> {
        match &self.vertices {
            VertexData::Streams(streams) => streams.uv_sets.first()?.coords.get(index).copied(),
            VertexData::Packed(packed) => packed.get(index).map(|v| v.uv_decoded()),
        }
    }

    /// The vertices as float streams; `None` if they are packed.
    #[inline]
    pub fn streams(&self) -> Option<&Streams> {
        match &self.vertices {
            VertexData::Streams(streams) => Some(streams),
            VertexData::Packed(_) => None,
        }
    }

    /// The same, to change them.
    pub fn streams_mut(&mut self) -> Option<&mut Streams> {
        match &mut self.vertices {
            VertexData::Streams(streams) => Some(streams),
            VertexData::Packed(_) => None,
        }
    }

    /// The skin with inverse bind matrices, if the mesh has one.
    #[inline]
    pub fn inverse_bind(&self) -> Option<&InverseBindSkin> {
        match &self.skin {
            Skin::InverseBind(skin) => Some(skin),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn inverse_bind_mut(&mut self) -> Option<&mut InverseBindSkin> {
        match &mut self.skin {
            Skin::InverseBind(skin) => Some(skin),
            _ => None,
        }
    }

    /// The bone with the largest weight on vertex `index`, the first of several; `None` for a vertex without influences.
    pub fn heaviest_bone(&self, index: usize) -> Option<BoneId> {
        let mut heaviest: Option<(BoneId, f32)> = None;
        self.for_each_influence(index, |bone, weight| {
            if heaviest.is_none_or(|(_, most)| weight > most) {
                heaviest = Some((bone, weight));
            }
        });
        heaviest.map(|(bone, _)| bone)
    }

    /// Bones and weights above 0 of vertex `index`, scaled to sum to 1.
    pub fn normalized_influences(&self, index: usize) -> Vec<(BoneId, f32)> {
        let mut list = Vec::new();
        self.for_each_influence(index, |bone, weight| {
            if weight > 0.0 {
                list.push((bone, weight));
            }
        });
        influence_row::normalize(&mut list);
        list
    }

    /// Calls `visit` with bone and weight of each influence on vertex `index`.
    #[inline]
    pub fn for_each_influence(&self, index: usize, mut visit: impl FnMut(BoneId, f32)) {
        match &self.skin {
            Skin::None => {
                if let Some(bone) = self.attached_to {
                    visit(bone, 1.0);
                }
            }
            Skin::InverseBind(skin) => self.for_each_slot(skin, index, |slot, weight| {
                if let Some(&bone) = skin.bones.get(slot as usize) {
                    visit(bone, weight);
                }
            }),
            Skin::BoneLocal(skin) => skin.for_each(index, |influence| {
                visit(influence.bone, influence.weight);
            }),
        }
    }

    /// Calls `visit` with slot and weight of each influence on vertex `index`. `skin` must be the
    /// mesh's own.
    #[inline]
    pub fn for_each_slot(
        &self,
        skin: &InverseBindSkin,
        index: usize,
        mut visit: impl FnMut(u32, f32),
    ) {
        match (&skin.influences, &self.vertices) {
            (Influences::InVertices, VertexData::Packed(packed)) => {
                for (slot, weight) in packed.get(index).iter().flat_map(|v| v.influences()) {
                    visit(u32::from(slot), weight);
                }
            }
            (rows, _) => rows.row(index).for_each(|(slot, weight)| visit(slot, weight)),
        }
    }

    /// The corners of the triangles in `range` of the index list.
    pub fn triangles(&self, range: std::ops::Range<usize>) -> impl Iterator<Item = [u32; 3]> + '_ {
        range.step_by(3).filter_map(|at| {
            Some([self.indices.get(at)?, self.indices.get(at + 1)?, self.indices.get(at + 2)?])
        })
    }
}
