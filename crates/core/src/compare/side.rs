//! One side of a comparison: all vertices of all meshes in one list, in display space.

use glam::{Affine2, Affine3A, Vec2, Vec3, Vec3A, Vec4};

pub(super) use crate::measure::{angle_deg, distance};
use crate::measure::{extent_of, texture_from_uv};
use crate::model::{
    Axes, BoneId, ClipId, Mesh, MeshId, Model, Place, SpaceChange, VertexAt, VertexNumbers,
};
use crate::pose::{Moment, Pose, PoseSpec, Sampling, SkinnedMesh, sample, skin_mesh};

/// A pose that both sides may have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ComparedPose {
    /// The pose in which the file opens.
    #[default]
    Default,
    /// The beginning of the first clip.
    FirstKey,
    /// Vertices as stored, without a pose.
    Stored,
}

impl ComparedPose {
    /// The same pose for drawing. Vertices as stored are those of the bind pose.
    #[must_use]
    pub fn spec(self) -> PoseSpec {
        let (clip, moment) = match self {
            Self::Default => (None, Moment::Default),
            Self::FirstKey => (Some(ClipId(0)), Moment::Default),
            Self::Stored => (None, Moment::Bind),
        };
        PoseSpec { clip, moment, sampling: Sampling::Linear, ..PoseSpec::default() }
    }

    /// The name of the pose for messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default pose",
            Self::FirstKey => "first key",
            Self::Stored => "vertices as stored",
        }
    }
}

/// All vertices of a side in one pose, display space.
#[derive(Default)]
pub(super) struct PosedVertices {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) tangents: Vec<Vec4>,
}

/// A model whose vertices are numbered through all meshes.
pub(super) struct ComparedSide<'a> {
    pub(super) model: &'a Model,
    /// From the file's space to display space.
    pub(super) space: SpaceChange,
    numbers: VertexNumbers,
    /// The texture transform that each mesh's materials apply to its first UV set.
    texture_from_uv: Vec<Option<Affine2>>,
}

/// If the ratio of two extents is below this, the models have the same size.
const ONE_SIZE: f64 = 1.05;
/// Units to try for files that don't state one: centimetre, millimetre, decimetre, inch, foot.
const COMMON_UNITS_METERS: [f64; 5] = [0.01, 0.001, 0.1, 0.0254, 0.3048];

/// Both sides of a comparison.
pub(super) struct Sides<'a> {
    pub(super) a: ComparedSide<'a>,
    pub(super) b: ComparedSide<'a>,
    /// The unit in metres that was assumed for the side without a unit, if that gives it the size of the other
    /// and it had another size before.
    pub(super) assumed_unit: Option<f64>,
}

impl<'a> Sides<'a> {
    pub(super) fn of(a: &'a Model, b: &'a Model) -> Self {
        let sides = Self::in_unit(a, b, None);
        let (stated, unstated) = match (a.axes.unit_meters, b.axes.unit_meters) {
            (Some(_), None) => (&sides.a, &sides.b),
            (None, Some(_)) => (&sides.b, &sides.a),
            _ => return sides,
        };
        let extent_of =
            |side: &ComparedSide<'_>| extent(&side.posed(ComparedPose::Default).positions);
        let ratio = match stated.num_vertices().min(unstated.num_vertices()) {
            0 => 1.0,
            _ => extent_of(unstated) / extent_of(stated),
        };
        let is_one_size = |ratio: f64| ratio < ONE_SIZE && ratio > 1.0 / ONE_SIZE;
        let mut units = stated.model.axes.unit_meters.into_iter().chain(COMMON_UNITS_METERS);
        match units.find(|unit| is_one_size(ratio * unit)) {
            Some(unit) if !is_one_size(ratio) => Self::in_unit(a, b, Some(unit)),
            _ => sides,
        }
    }

    /// Both sides with a unit for models that don't state one.
    pub(super) fn in_unit(a: &'a Model, b: &'a Model, assumed_unit: Option<f64>) -> Self {
        let side = |model| ComparedSide::new(model, assumed_unit);
        Self { a: side(a), b: side(b), assumed_unit }
    }
}

impl<'a> ComparedSide<'a> {
    /// A side in `unit_meters` if the model doesn't state a unit.
    pub(super) fn new(model: &'a Model, unit_meters: Option<f64>) -> Self {
        let axes = Axes { unit_meters: model.axes.unit_meters.or(unit_meters), ..model.axes };
        Self {
            model,
            space: SpaceChange::new(axes.display_from_file()),
            numbers: VertexNumbers::of(model),
            texture_from_uv: texture_from_uv(model),
        }
    }

    pub(super) fn num_vertices(&self) -> usize {
        self.numbers.num()
    }

    /// The mesh of a vertex, and its index there.
    pub(super) fn locate(&self, vertex: usize) -> (usize, usize) {
        let at = self.vertex_at(vertex);
        (at.mesh.index(), at.vertex.index())
    }

    pub(super) fn vertex_at(&self, vertex: usize) -> VertexAt {
        self.numbers.at(vertex)
    }

    /// The place of a vertex, for navigation.
    pub(super) fn place(&self, vertex: usize) -> Place {
        let at = self.vertex_at(vertex);
        Place::Vertex { mesh: at.mesh.0, vertex: at.vertex.0 }
    }

    /// The number of vertex `own` of `mesh` in the list.
    pub(super) fn number(&self, mesh: usize, own: u32) -> usize {
        self.numbers.first_of(mesh) + own as usize
    }

    /// Applies `get` to one vertex.
    pub(super) fn of_vertex<T>(
        &self,
        vertex: usize,
        get: impl FnOnce(&Mesh, usize) -> Option<T>,
    ) -> Option<T> {
        let (mesh, own) = self.locate(vertex);
        get(self.model.meshes.get(MeshId::from_index(mesh))?, own)
    }

    /// A coordinate of the first UV set after the texture transform: quantised files scale UVs and
    /// undo it in the material.
    pub(super) fn uv(&self, vertex: usize) -> Option<Vec2> {
        let uv = self.of_vertex(vertex, Mesh::uv)?;
        let (mesh, _) = self.locate(vertex);
        match self.texture_from_uv.get(mesh) {
            Some(Some(texture_from_uv)) => Some(texture_from_uv.transform_point2(uv)),
            _ => Some(uv),
        }
    }

    /// The influences of a vertex with weights above 0, scaled to sum to 1.
    pub(super) fn influences(&self, vertex: usize) -> Vec<(BoneId, f32)> {
        let (mesh, own) = self.locate(vertex);
        self.model
            .meshes
            .get(MeshId::from_index(mesh))
            .map(|mesh| mesh.normalized_influences(own))
            .unwrap_or_default()
    }

    /// The name of a vertex for messages.
    pub(super) fn describe(&self, vertex: usize) -> String {
        let VertexAt { mesh, vertex } = self.vertex_at(vertex);
        match &self.model.mesh(mesh).name {
            name if !name.is_empty() => format!("vertex {} of mesh {name:?}", vertex.0),
            _ if self.model.meshes.len() == 1 => format!("vertex {}", vertex.0),
            _ => format!("vertex {} of mesh {}", vertex.0, mesh.0),
        }
    }

    /// The poses that the other side may have too.
    pub(super) fn poses(&self) -> Vec<ComparedPose> {
        let mut poses = vec![ComparedPose::Default];
        if !self.model.clips.is_empty() {
            poses.push(ComparedPose::FirstKey);
        }
        poses.push(ComparedPose::Stored);
        poses
    }

    pub(super) fn posed(&self, pose: ComparedPose) -> PosedVertices {
        match pose {
            ComparedPose::Stored => self.stored(),
            pose => self.skinned(&sample(self.model, &pose.spec())),
        }
    }

    /// The vertices skinned in `pose`.
    pub(super) fn skinned(&self, pose: &Pose) -> PosedVertices {
        let mut posed = PosedVertices::default();
        for (index, mesh) in self.model.meshes.iter().enumerate() {
            let skinned = skin_mesh(mesh, &pose.of_mesh(MeshId::from_index(index), mesh));
            self.add(&mut posed, mesh, &skinned);
        }
        posed
    }

    fn add(&self, posed: &mut PosedVertices, mesh: &Mesh, skinned: &SkinnedMesh) {
        let num = mesh.num_vertices();
        // A list that is too short, as in some vertex animations, would shift the following meshes.
        let all = |list: &[Vec3], index: usize| list.get(index).copied().unwrap_or_default();
        for index in 0..num {
            posed.positions.push(self.space.point(all(&skinned.positions, index)));
            posed.normals.push(self.space.direction(all(&skinned.normals, index)));
            let tangent = skinned.tangents.get(index).copied().unwrap_or_default();
            posed.tangents.push(self.space.tangent(tangent));
        }
    }

    fn stored(&self) -> PosedVertices {
        let mut posed = PosedVertices::default();
        for mesh in &self.model.meshes {
            let num = mesh.num_vertices();
            let all = |get: fn(&Mesh, usize) -> Option<Vec3>| -> Vec<Vec3> {
                (0..num).map(|v| get(mesh, v).unwrap_or_default()).collect()
            };
            let tangents = (0..num).map(|v| mesh.tangent(v).unwrap_or_default());
            let skinned = SkinnedMesh {
                positions: all(Mesh::position),
                normals: all(Mesh::normal),
                tangents: tangents.collect(),
            };
            self.add(&mut posed, mesh, &skinned);
        }
        posed
    }
}

/// Length of the diagonal of the box around `points`, to which distances are relative; never 0.
pub(super) fn extent(points: &[Vec3]) -> f64 {
    extent_of(points).max(f64::from(f32::MIN_POSITIVE))
}

/// The largest difference between two matrices' entries; translations are relative to `extent`.
pub(super) fn matrix_difference(a: &Affine3A, b: &Affine3A, extent: f64) -> f64 {
    let largest = |a: Vec3A, b: Vec3A| match (a - b).abs() {
        difference if difference.is_finite() => f64::from(difference.max_element()),
        _ if a.to_array().map(f32::to_bits) == b.to_array().map(f32::to_bits) => 0.0,
        _ => f64::INFINITY,
    };
    let (m, n) = (&a.matrix3, &b.matrix3);
    let rotation = largest(m.x_axis, n.x_axis)
        .max(largest(m.y_axis, n.y_axis))
        .max(largest(m.z_axis, n.z_axis));
    rotation.max(largest(a.translation, b.translation) / extent)
}
