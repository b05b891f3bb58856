//! A model builder for all tests.
//!
//! Methods about vertices, triangles and skin edit the last mesh, those about curves edit the last
//! clip. Test binaries include this file as a module (`tests/support/mod.rs`); it isn't part of any
//! program or of the library.
#![allow(dead_code, reason = "each test binary uses a different part")]
#![allow(unreachable_pub, reason = "a test module has no users outside")]

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};

pub use super::*;

/// Influences of a vertex that only moves with bone 0, or with the first slot.
pub const ONE: &[(u32, f32)] = &[(0, 1.0)];

/// Builds a model step by step.
#[derive(Clone, Debug, Default)]
pub struct ModelBuilder {
    model: Model,
    bones: Vec<Bone>,
    has_parents: bool,
}

/// Bones.
impl ModelBuilder {
    /// An empty model.
    pub fn new() -> Self {
        Self { has_parents: true, ..Self::default() }
    }

    /// Adds bones: name, parent, translation relative to the parent.
    pub fn bones(mut self, bones: &[(&str, Option<u32>, Vec3)]) -> Self {
        self.bones.extend(bones.iter().map(|&(name, parent, at)| bone(name, parent, at)));
        self
    }

    /// Adds a chain of bones, all at the same place.
    pub fn chain(mut self, names: &[&str]) -> Self {
        for name in names {
            let parent = u32::try_from(self.bones.len()).unwrap().checked_sub(1);
            self.bones.push(bone(name, parent, Vec3::ZERO));
        }
        self
    }

    /// Sets the rest transform of the last bone.
    pub fn rest(mut self, rest_local: LocalTransform) -> Self {
        self.bones.last_mut().unwrap().rest_local = rest_local;
        self
    }

    /// Adds `bone` unchanged.
    pub fn add_bone(mut self, bone: Bone) -> Self {
        self.bones.push(bone);
        self
    }

    /// Marks the skeleton as stored without parents.
    pub fn without_hierarchy(self) -> Self {
        Self { has_parents: false, ..self }
    }

    fn skeleton(&self) -> Skeleton {
        Skeleton::new(self.bones.clone(), self.has_parents).unwrap()
    }
}

/// Meshes.
impl ModelBuilder {
    /// Adds a mesh with only vertices.
    pub fn mesh(mut self, positions: impl Into<Vec<Vec3>>) -> Self {
        let streams = Streams { positions: positions.into(), ..Streams::default() };
        let vertices = VertexData::Streams(streams);
        self.model.meshes.push(Mesh { vertices, ..Mesh::default() });
        self
    }

    /// Adds `mesh` unchanged.
    pub fn add_mesh(mut self, mesh: Mesh) -> Self {
        self.model.meshes.push(mesh);
        self
    }

    /// Adds a triangle of the origin, X and Y, facing Z.
    pub fn triangle(self) -> Self {
        self.mesh([Vec3::ZERO, Vec3::X, Vec3::Y]).indices([0, 1, 2])
    }

    /// Adds a unit square with the lower corner `low` in the XY plane, as two triangles facing Z.
    pub fn quad(self, low: Vec3) -> Self {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
        self.mesh(corners.map(|corner| low + corner)).indices([0, 1, 2, 2, 1, 3])
    }

    /// Adds a cube of 8 vertices with one corner at the origin, facing outwards.
    pub fn cube(self, size: f32) -> Self {
        let at = |n: u8, bit: u8| if n & bit == 0 { 0.0 } else { size };
        let sides = [[0, 2, 1, 3], [4, 5, 6, 7], [0, 1, 4, 5], [2, 6, 3, 7], [0, 4, 2, 6]];
        let sides = sides.into_iter().chain([[1, 3, 5, 7]]);
        let indices: Vec<u32> = sides.flat_map(|[a, b, c, d]| [a, b, c, c, b, d]).collect();
        let corners: Vec<_> = (0..8).map(|n| Vec3::new(at(n, 1), at(n, 2), at(n, 4))).collect();
        self.mesh(corners).indices(indices)
    }

    fn last(&mut self) -> &mut Mesh {
        self.model.meshes.last_mut().unwrap()
    }

    /// Edits the last mesh.
    pub fn edit(mut self, change: impl FnOnce(&mut Mesh)) -> Self {
        change(self.last());
        self
    }

    fn edit_streams(self, change: impl FnOnce(&mut Streams)) -> Self {
        self.edit(|mesh| change(streams_mut(mesh)))
    }

    /// Sets the mesh's name.
    pub fn name(self, name: &str) -> Self {
        self.edit(|mesh| mesh.name = name.to_owned())
    }

    /// Sets the triangle list, covered by one subset without material.
    pub fn indices(self, list: impl Into<Vec<u32>>) -> Self {
        let list = list.into();
        let num = u32::try_from(list.len()).unwrap();
        self.edit(|mesh| mesh.indices = Indices::U32(list)).subsets(&[(num, None)])
    }

    /// Sets consecutive subsets: number of indices and material.
    pub fn subsets(self, subsets: &[(u32, Option<u32>)]) -> Self {
        self.edit(|mesh| mesh.subsets = subsets_of(subsets))
    }

    /// Assigns one material to all subsets.
    pub fn of_material(self, material: u32) -> Self {
        self.edit(|mesh| {
            mesh.subsets.iter_mut().for_each(|s| s.material = Some(MaterialId(material)));
        })
    }

    /// Sets the same normal for all vertices.
    pub fn normal(self, normal: Vec3) -> Self {
        self.edit_streams(|s| s.normals = vec![normal; s.positions.len()])
    }

    /// Sets the normal of each vertex.
    pub fn normals(self, normals: impl Into<Vec<Vec3>>) -> Self {
        self.edit_streams(|s| s.normals = normals.into())
    }

    /// Sets the same tangent for all vertices.
    pub fn tangent(self, tangent: Vec4) -> Self {
        self.edit_streams(|s| s.tangents = vec![tangent; s.positions.len()])
    }

    /// Sets the colour of each vertex.
    pub fn colors(self, colors: impl Into<Vec<Vec4>>) -> Self {
        self.edit_streams(|s| s.colors = colors.into())
    }

    /// Adds a UV set.
    pub fn uvs(self, coords: impl Into<Vec<Vec2>>) -> Self {
        self.edit_streams(|s| s.uv_sets.push(uv_set(coords)))
    }

    /// Attaches the mesh to a bone.
    pub fn attached_to(self, bone: u32) -> Self {
        self.edit(|mesh| mesh.attached_to = Some(BoneId(bone)))
    }

    /// Sets the skin.
    pub fn skin(self, skin: Skin) -> Self {
        self.edit(|mesh| mesh.skin = skin)
    }

    /// Binds the mesh to all bones at rest; slots equal bones.
    pub fn bound<L: AsRef<[(u32, f32)]>>(self, lists: impl AsRef<[L]>) -> Self {
        let skeleton = self.skeleton();
        let mut model_from_bone = IdVec::filled(Affine3A::IDENTITY, skeleton.bones());
        for &id in skeleton.parents_first() {
            let Bone { parent, rest_local, .. } = &skeleton.bones()[id];
            let parent = parent.map_or(Affine3A::IDENTITY, |id| model_from_bone[id]);
            model_from_bone[id] = parent * rest_local.to_affine();
        }
        let binds = (0..).zip(model_from_bone.iter().map(|m| Mat4::from(m.inverse())));
        self.skin(skin(&binds.collect::<Vec<_>>(), lists))
    }

    /// Binds the mesh to the first `num` bones, with keys that contain the inverse bind.
    pub fn bound_by_keys<L: AsRef<[(u32, f32)]>>(self, num: u32, lists: impl AsRef<[L]>) -> Self {
        self.skin(slots(num, lists))
    }

    /// Adds a morph target with one shape.
    pub fn morph(self, name: &str, offsets: &[(u32, Vec3)]) -> Self {
        self.edit(|mesh| mesh.morph_targets.push(morph(name, offsets)))
    }
}

/// Materials, clips and results.
impl ModelBuilder {
    /// Adds materials without textures.
    pub fn materials(mut self, names: &[&str]) -> Self {
        let material = |name: &&str| Material { name: (*name).into(), ..Material::default() };
        self.model.materials.extend(names.iter().map(material));
        self
    }

    /// Adds a material with a texture in a separate file.
    pub fn textured(mut self, name: &str, path: &str) -> Self {
        let textures = vec![TextureRef::file(TextureRole::BaseColor, path)];
        self.model.materials.push(Material { name: name.into(), textures, ..Material::default() });
        self
    }

    /// Adds a clip of curves that starts at 0.
    pub fn clip(self, name: &str, duration_secs: f64) -> Self {
        self.add_clip(Clip { name: name.into(), duration_secs, ..Clip::default() })
    }

    /// Adds `clip` unchanged.
    pub fn add_clip(mut self, clip: Clip) -> Self {
        self.model.clips.push(clip);
        self
    }

    fn edit_track(mut self, bone: u32, change: impl FnOnce(&mut BoneTrack)) -> Self {
        let bone = BoneId(bone);
        let tracks = tracks_mut(self.model.clips.last_mut().unwrap());
        if tracks.last().is_none_or(|track| track.bone != bone) {
            tracks.push(BoneTrack { bone, translation: None, rotation: None, scale: None });
        }
        change(tracks.last_mut().unwrap());
        self
    }

    /// Sets a bone's translation track in the last clip.
    pub fn translation(self, bone: u32, track: Track<Vec3>) -> Self {
        self.edit_track(bone, |of| of.translation = Some(track))
    }

    /// Sets a bone's rotation track in the last clip.
    pub fn rotation(self, bone: u32, track: Track<Quat>) -> Self {
        self.edit_track(bone, |of| of.rotation = Some(track))
    }

    /// Sets a bone's scale track in the last clip.
    pub fn scale(self, bone: u32, track: Track<Vec3>) -> Self {
        self.edit_track(bone, |of| of.scale = Some(track))
    }

    /// Edits the model.
    pub fn with(mut self, change: impl FnOnce(&mut Model)) -> Self {
        change(&mut self.model);
        self
    }

    /// The model without checks.
    pub fn build(self) -> Model {
        Model { skeleton: self.skeleton(), ..self.model }
    }

    /// The model after `check`, as readers return it.
    pub fn checked(self) -> Model {
        let mut model = self.build();
        check::check(&mut model, &Report::new());
        model
    }

    /// Only the last mesh.
    pub fn into_mesh(mut self) -> Mesh {
        self.model.meshes.as_mut_vec().pop().unwrap()
    }

    /// Only the last clip.
    pub fn into_clip(mut self) -> Clip {
        self.model.clips.as_mut_vec().pop().unwrap()
    }
}

/// A bone with a translation as its rest transform.
pub fn bone(name: &str, parent: Option<u32>, at: Vec3) -> Bone {
    Bone {
        name: name.to_owned(),
        parent: parent.map(BoneId),
        rest_local: LocalTransform::Trs(Trs { translation: at, ..Trs::IDENTITY }),
        ..Bone::default()
    }
}

/// A skin with one slot per bone and inverse bind matrix.
pub fn skin<L: AsRef<[(u32, f32)]>>(binds: &[(u32, Mat4)], lists: impl AsRef<[L]>) -> Skin {
    let (bones, bone_from_mesh) = binds.iter().map(|&(bone, bind)| (BoneId(bone), bind)).unzip();
    let influences = Influences::from_lists(lists.as_ref().iter().map(AsRef::as_ref));
    Skin::InverseBind(InverseBindSkin {
        bones,
        bone_from_mesh,
        influences,
        ..InverseBindSkin::default()
    })
}

/// A skin of the first `num` bones, with keys that contain the inverse bind.
pub fn slots<L: AsRef<[(u32, f32)]>>(num: u32, lists: impl AsRef<[L]>) -> Skin {
    let influences = Influences::from_lists(lists.as_ref().iter().map(AsRef::as_ref));
    let bones = (0..num).map(BoneId).collect();
    Skin::InverseBind(InverseBindSkin { bones, influences, ..InverseBindSkin::default() })
}

/// A skin with a position per influence: bone, weight, position. All normals are `normal`.
pub fn bone_local(normal: Vec3, lists: &[&[(u32, f32, Vec3)]]) -> Skin {
    let mut skin = BoneLocalSkin { first: vec![0], influences: Vec::new() };
    for list in lists {
        let influence = |&(bone, weight, position)| {
            let bone = BoneId(bone);
            BoneLocalInfluence { bone, weight, position, normal }
        };
        skin.influences.extend(list.iter().map(influence));
        skin.first.push(u32::try_from(skin.influences.len()).unwrap());
    }
    Skin::BoneLocal(skin)
}

/// A morph target with one shape: vertices and their offsets.
pub fn morph(name: &str, offsets: &[(u32, Vec3)]) -> MorphTarget {
    let (vertices, position_offsets) = offsets.iter().map(|&(v, at)| (VertexId(v), at)).unzip();
    let shape = MorphShape { vertices, position_offsets, ..MorphShape::default() };
    MorphTarget::single(name.to_owned(), shape)
}

/// Consecutive subsets: number of indices and material.
pub fn subsets_of(subsets: &[(u32, Option<u32>)]) -> Vec<Subset> {
    let mut first_index = 0;
    let subset = |&(index_count, material): &(u32, Option<u32>)| {
        first_index += index_count;
        let first_index = first_index - index_count;
        Subset { first_index, index_count, material: material.map(MaterialId) }
    };
    subsets.iter().map(subset).collect()
}

/// An unnamed UV set.
pub fn uv_set(coords: impl Into<Vec<Vec2>>) -> UvSet {
    UvSet { name: String::new(), coords: coords.into() }
}

/// A packed vertex that faces Z, with U along X, moved only by bone 0.
pub fn packed_vertex(position: Vec3) -> PackedVertex {
    PackedVertex {
        position,
        normal: pack_snorm1010102(Vec3::Z, 0),
        tangent: pack_snorm1010102(Vec3::X, 1),
        uv: [0; 2],
        bones: [0; 4],
        weights: [255, 0, 0, 0],
    }
}

/// A track of keys: time in seconds and value.
pub fn curve<T>(
    interpolation: Interpolation,
    keys: impl IntoIterator<Item = (f64, T)>,
) -> Track<T> {
    let (times_secs, values) = keys.into_iter().unzip();
    Track { times_secs, values, interpolation }
}

/// A track of keys with linear interpolation.
pub fn linear<T>(of: impl IntoIterator<Item = (f64, T)>) -> Track<T> {
    curve(Interpolation::Linear, of)
}

/// A clip of matrices, key by key for all of `num_bones`.
pub fn sampled(
    name: &str,
    space: KeySpace,
    interval_ns: u64,
    num_bones: u32,
    matrices: &[Affine3A],
) -> Clip {
    let num_keys = u64::try_from(matrices.len()).unwrap() / u64::from(num_bones);
    let motion = SampledMotion {
        duration_ns: interval_ns * num_keys.saturating_sub(1),
        interval_ns,
        space,
        is_bind_pair: false,
        keys: PackedKeys::from_matrices(num_bones, matrices).unwrap(),
    };
    Clip::sampled(name.to_owned(), motion)
}

/// The float vertices of a mesh; panics if they are packed.
pub fn streams(mesh: &Mesh) -> &Streams {
    match &mesh.vertices {
        VertexData::Streams(streams) => streams,
        VertexData::Packed(_) => panic!("packed"),
    }
}

/// Mutable [`streams`].
pub fn streams_mut(mesh: &mut Mesh) -> &mut Streams {
    match &mut mesh.vertices {
        VertexData::Streams(streams) => streams,
        VertexData::Packed(_) => panic!("packed"),
    }
}

/// The packed vertices of a mesh; panics if they are floats.
pub fn packed(mesh: &Mesh) -> &PackedVertices {
    match &mesh.vertices {
        VertexData::Packed(vertices) => vertices,
        VertexData::Streams(_) => panic!("not packed"),
    }
}

/// The inverse bind skin of a mesh; panics if it has another kind.
pub fn inverse_bind(mesh: &Mesh) -> &InverseBindSkin {
    match &mesh.skin {
        Skin::InverseBind(skin) => skin,
        _ => panic!("no inverse bind"),
    }
}

/// Mutable [`inverse_bind`].
pub fn inverse_bind_mut(mesh: &mut Mesh) -> &mut InverseBindSkin {
    match &mut mesh.skin {
        Skin::InverseBind(skin) => skin,
        _ => panic!("no inverse bind"),
    }
}

/// The bone tracks of a clip; panics if its motion isn't tracks.
pub fn tracks(clip: &Clip) -> &[BoneTrack] {
    match &clip.motion {
        Motion::Tracks(tracks) => tracks,
        _ => panic!("no tracks"),
    }
}

/// Mutable [`tracks`].
pub fn tracks_mut(clip: &mut Clip) -> &mut Vec<BoneTrack> {
    match &mut clip.motion {
        Motion::Tracks(tracks) => tracks,
        _ => panic!("no tracks"),
    }
}

/// How often a kind of finding occurs.
pub fn num_reported(report: &Report, kind: FindingKind) -> u64 {
    report.findings().iter().find(|finding| finding.kind == kind).map_or(0, |finding| finding.count)
}

/// Pseudorandom numbers that are the same in every run, by Knuth's MMIX constants.
pub struct Random(pub u64);

impl Random {
    /// Any number.
    pub fn bits(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 32).unwrap()
    }

    /// A number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() >> 1) as usize % limit.max(1)
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / (1 << 24) as f32
    }

    /// A number from -1 to below 1.
    pub fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// A point in the cube from -1 to 1.
    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}
