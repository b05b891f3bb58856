//! The origins of vertices, clips and bones in a model that was derived from another.
//!
//! For: code that changes or writes a model and reports the source of each vertex, so that both
//! models are compared corner by corner and never by proximity.
//!
//! Invariant: an index that doesn't exist is ignored by every user of origins.

use crate::model::as_u32;
use glam::Vec3;

use super::{BoneId, ClipId, IdVec, MeshId, Model, VertexId};

/// A vertex of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VertexAt {
    /// Its mesh.
    pub mesh: MeshId,
    /// Its index within the mesh.
    pub vertex: VertexId,
}

impl VertexAt {
    /// Vertex number `vertex` of mesh number `mesh`.
    pub fn new(mesh: usize, vertex: usize) -> Self {
        Self { mesh: MeshId::from_index(mesh), vertex: VertexId::from_index(vertex) }
    }
}

/// The origin of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// A vertex of the source.
    Vertex(VertexAt),
    /// A point inside a triangle that was cut.
    Inside {
        /// The triangle's vertices.
        corners: [VertexAt; 3],
        /// Barycentric coordinates, which sum to 1.
        shares: Vec3,
    },
}

impl Origin {
    /// The vertices of the triangle that was cut, if one was.
    pub fn corners(&self) -> Option<[VertexAt; 3]> {
        match *self {
            Self::Vertex(_) => None,
            Self::Inside { corners, .. } => Some(corners),
        }
    }

    /// The source vertex, or the nearest corner of the source triangle.
    pub fn nearest(&self) -> VertexAt {
        match *self {
            Self::Vertex(vertex) => vertex,
            Self::Inside { corners: [a, b, c], shares } => match shares.max_position() {
                0 => a,
                1 => b,
                _ => c,
            },
        }
    }
}

/// The origins of a mesh's vertices.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshOrigins {
    /// Each vertex is the one with the same index in this mesh.
    Same(MeshId),
    /// Each vertex is one of this mesh; the list has the source index of each.
    Of(MeshId, Vec<u32>),
    /// Derived vertices with their origins, in any order; a vertex that was merged from several is
    /// listed once for each.
    Listed(Vec<(u32, Origin)>),
}

impl MeshOrigins {
    /// Calls `visit` with each derived vertex and its origin; the mesh has `num_vertices`.
    pub fn for_each(&self, num_vertices: usize, mut visit: impl FnMut(u32, Origin)) {
        let numbers = 0..as_u32(num_vertices);
        let of =
            |mesh: MeshId, vertex: u32| Origin::Vertex(VertexAt { mesh, vertex: VertexId(vertex) });
        match self {
            Self::Same(mesh) => numbers.for_each(|vertex| visit(vertex, of(*mesh, vertex))),
            Self::Of(mesh, sources) => {
                numbers.zip(sources).for_each(|(made, &source)| visit(made, of(*mesh, source)))
            }
            Self::Listed(list) => list.iter().for_each(|&(made, origin)| visit(made, origin)),
        }
    }
}

/// The origins of everything in a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origins {
    /// One per mesh; meshes past the end have no origins.
    pub meshes: Vec<MeshOrigins>,
    /// The source clip of each clip, or `None` if it is the default pose. If the whole list is
    /// `None`, clips are matched by name.
    pub clips: Option<Vec<Option<ClipId>>>,
    /// The source bone of each bone, `None` if it is unknown. The whole list is `None` if
    /// nothing is known.
    pub bones: Option<IdVec<BoneId, Option<BoneId>>>,
}

impl Origins {
    /// Origins of an unchanged copy of `model`.
    #[must_use]
    pub fn same(model: &Model) -> Self {
        Self {
            meshes: Self::same_meshes(model.meshes.len()),
            clips: Some(same_clips(model.clips.len())),
            bones: Some(same_bones(model)),
        }
    }

    /// The same if all bones are those of `model`, in the same order.
    #[must_use]
    pub fn with_bones_of(self, model: &Model) -> Self {
        Self { bones: Some(same_bones(model)), ..self }
    }

    /// Origins of a model with `meshes` and no clips.
    pub fn without_clips(meshes: Vec<MeshOrigins>) -> Self {
        Self { meshes, clips: Some(Vec::new()), bones: None }
    }

    /// Origins of `num` unchanged meshes, without knowledge of clips and bones.
    pub fn of_same_meshes(num: usize) -> Self {
        Self { meshes: Self::same_meshes(num), ..Self::default() }
    }

    fn same_meshes(num: usize) -> Vec<MeshOrigins> {
        let meshes = (0..num).map(MeshId::from_index);
        meshes.map(MeshOrigins::Same).collect()
    }

    /// Whether every mesh that has origins is the unchanged mesh with the same index.
    pub fn are_same_meshes(&self) -> bool {
        let mut meshes = self.meshes.iter().enumerate();
        meshes.all(|(number, origins)| *origins == MeshOrigins::Same(MeshId::from_index(number)))
    }

    /// Combines two steps: `self` derives a model from an intermediate one, `earlier` derives that
    /// from the source. `made` and `between` are both models' numbers of vertices per mesh.
    #[must_use]
    pub fn after(&self, made: &[usize], earlier: &Self, between: &[usize]) -> Self {
        let clips = match (&self.clips, &earlier.clips) {
            (Some(own), Some(earlier)) => {
                Some(own.iter().map(|clip| *earlier.get((*clip)?.index())?).collect())
            }
            _ => None,
        };
        let bones = match (&self.bones, &earlier.bones) {
            (Some(own), Some(earlier)) => {
                Some(own.iter().map(|bone| *earlier.get((*bone)?)?).collect())
            }
            _ => None,
        };
        let meshes = if earlier.are_same_meshes() && earlier.meshes.len() >= between.len() {
            self.meshes.clone()
        } else {
            let known = OriginIndex::new(earlier, between);
            let own = self.meshes.iter().zip(made);
            own.map(|(origins, &num)| known.follow(origins, num)).collect()
        };
        Self { meshes, clips, bones }
    }
}

/// Identity origins of the bones of `model`.
fn same_bones(model: &Model) -> IdVec<BoneId, Option<BoneId>> {
    (0..model.skeleton.len()).map(|at| Some(BoneId::from_index(at))).collect()
}

/// Identity origins of `num` clips.
fn same_clips(num: usize) -> Vec<Option<ClipId>> {
    (0..num).map(|at| Some(ClipId::from_index(at))).collect()
}

/// All origins of each vertex, mesh by mesh: those of vertex `v` are `list[first[v]..first[v +
/// 1]]`.
struct OriginIndex(Vec<(Vec<u32>, Vec<Origin>)>);

impl OriginIndex {
    fn new(origins: &Origins, num_vertices: &[usize]) -> Self {
        let of_mesh = |(origins, &num): (&MeshOrigins, &usize)| {
            let mut first = vec![0u32; num + 1];
            origins.for_each(num, |made, _| {
                if let Some(count) = first.get_mut(made as usize + 1) {
                    *count += 1;
                }
            });
            let mut sum = 0;
            for slot in &mut first {
                sum += *slot;
                *slot = sum;
            }
            let nothing = Origin::Vertex(VertexAt::new(0, 0));
            let mut list = vec![nothing; sum as usize];
            let mut next = first.clone();
            origins.for_each(num, |made, origin| {
                if made as usize >= num {
                    return;
                }
                if let Some(at) = next.get_mut(made as usize) {
                    if let Some(slot) = list.get_mut(*at as usize) {
                        *slot = origin;
                    }
                    *at += 1;
                }
            });
            (first, list)
        };
        Self(origins.meshes.iter().zip(num_vertices).map(of_mesh).collect())
    }

    fn origins(&self, at: VertexAt) -> &[Origin] {
        let own = || {
            let (first, list) = self.0.get(at.mesh.index())?;
            let vertex = at.vertex.index();
            let range = *first.get(vertex)? as usize..*first.get(vertex + 1)? as usize;
            list.get(range)
        };
        own().unwrap_or_default()
    }

    fn follow(&self, origins: &MeshOrigins, num_vertices: usize) -> MeshOrigins {
        let mut list = Vec::with_capacity(num_vertices);
        origins.for_each(num_vertices, |made, origin| match origin {
            Origin::Vertex(at) => list.extend(self.origins(at).iter().map(|&o| (made, o))),
            Origin::Inside { corners, shares } => {
                let own = corners.map(|corner| match self.origins(corner).first() {
                    Some(Origin::Vertex(vertex)) => Some(*vertex),
                    _ => None,
                });
                if let [Some(a), Some(b), Some(c)] = own {
                    let corners = [a, b, c];
                    list.push((made, Origin::Inside { corners, shares }));
                }
            }
        });
        MeshOrigins::Listed(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(mesh: usize, vertex: usize) -> Origin {
        Origin::Vertex(VertexAt::new(mesh, vertex))
    }

    #[test]
    fn origins_of_several_steps_are_composed() {
        // Two meshes of two vertices are merged; the merged vertices 1 and 2 are then welded.
        let merged = Origins {
            meshes: vec![MeshOrigins::Listed(vec![
                (0, at(0, 0)),
                (1, at(0, 1)),
                (2, at(1, 0)),
                (3, at(1, 1)),
            ])],
            ..Origins::default()
        };
        let welded = Origins {
            meshes: vec![MeshOrigins::Listed(vec![
                (0, at(0, 0)),
                (1, at(0, 1)),
                (1, at(0, 2)),
                (2, at(0, 3)),
            ])],
            ..Origins::default()
        };
        let packed = Origins {
            meshes: vec![MeshOrigins::Of(MeshId(0), vec![2, 1, 9])],
            ..Origins::default()
        };
        let both = packed.after(&[3], &welded.after(&[3], &merged, &[4]), &[3]);
        let MeshOrigins::Listed(list) = &both.meshes[0] else { panic!("a list") };
        assert_eq!(*list, [(0, at(1, 1)), (1, at(0, 1)), (1, at(1, 0))]);
    }

    #[test]
    fn composing_with_identity_origins_changes_nothing() {
        let later =
            Origins { meshes: vec![MeshOrigins::Of(MeshId(1), vec![3, 1])], ..Origins::default() };
        let same = Origins::of_same_meshes(2);
        assert_eq!(later.after(&[2], &same, &[5, 5]).meshes, later.meshes);
    }
}
