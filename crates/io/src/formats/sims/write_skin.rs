//! Converts a mesh of any model to skins: the inverse of `mesh`.
//!
//! Each influence of a vertex gets a position and a normal in the space of its bone that give the vertex of
//! the rest pose. A skin has one texture, so that a mesh with several materials becomes several skins.
//!
//! A vertex has at most two influences: a raw one, and one that is blended in with a weight in multiples of
//! 1/32768.

use std::collections::HashMap;

use glam::{Affine3A, Vec2, Vec3, Vec3A};

use super::names;
use super::rig::Rig;
use super::skin_file::{Binding, Blend, Skin, SkinVertex};
use super::walk::POLL_EVERY;
use crate::formats::related_images::RelatedImages;
use crate::formats::{last_part, stem};
use rigscope_core::model::{
    BoneId, Cancelled, FindingKind, MaterialId, Mesh, MeshId, Model, Place, Report,
    Skin as ModelSkin, TextureRef, TextureRole, VertexData, as_u32,
};
use rigscope_core::pose::{MeshPose, Pose, PoseSpec, sample, skin_mesh, transformed_normal};

/// A weight of one.
const WEIGHT_ONE: f32 = 32768.0;
/// The texture name of a skin without texture.
const NO_TEXTURE: &str = "x";
/// The extension that the game's runtimes search for.
const TEXTURE_END: &str = ".bmp";

/// The copy of a vertex for one bone.
#[derive(Clone, Copy, Debug)]
struct Influence {
    /// Index of the written bone.
    bone: usize,
    weight: f32,
    stored: SkinVertex,
}

/// A vertex of a skin.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    uv: [f32; 2],
    raw: Influence,
    /// Weight in 1/32768.
    blend: Option<(i32, Influence)>,
}

/// The triangles of one material.
struct MaterialFaces {
    material: Option<MaterialId>,
    faces: Vec<[u32; 3]>,
    /// Whether it only has the vertices of its triangles.
    is_split: bool,
}

/// Converts the meshes of one model to skins.
pub(super) struct SkinMaker<'a> {
    /// A plain model in the axes of the format, with at most two influences per vertex.
    plain: &'a Model,
    /// The model in the axes of the format, with the separate positions for each influence of a bone-local
    /// skin.
    moved: &'a Model,
    rig: &'a Rig,
    /// Names of the written bones.
    bones: &'a [String],
    images: &'a RelatedImages,
    pose: Pose,
    report: &'a Report,
}

impl<'a> SkinMaker<'a> {
    pub(super) fn new(
        plain: &'a Model,
        moved: &'a Model,
        rig: &'a Rig,
        bones: &'a [String],
        images: &'a RelatedImages,
        report: &'a Report,
    ) -> Self {
        Self { plain, moved, rig, bones, images, pose: sample(plain, &PoseSpec::default()), report }
    }

    /// The skins of mesh `number`, one per material, each with the mesh vertex of each of its vertices. They
    /// don't have names yet.
    pub(super) fn skins(&self, number: usize) -> Result<Vec<(Skin, Vec<u32>)>, Cancelled> {
        let Some(mesh) = self.plain.meshes.get(MeshId::from_index(number)) else {
            return Ok(Vec::new());
        };
        let vertices = self.vertices(number, mesh)?;
        parts(mesh)
            .into_iter()
            .map(|part| {
                let texture = part.material.and_then(|id| self.texture(id));
                let uvs = self.uvs(mesh, texture);
                let mut vertices = vertices.clone();
                for (vertex, uv) in vertices.iter_mut().zip(uvs) {
                    vertex.uv = uv.into();
                }
                let (mut skin, order) = self.skin(&vertices, &part);
                skin.texture = match texture {
                    // An image without a name still has a slot.
                    Some(texture) => self.spelled(texture),
                    None => NO_TEXTURE.to_owned(),
                };
                Ok((skin, order))
            })
            .collect()
    }

    fn texture(&self, id: MaterialId) -> Option<&TextureRef> {
        let material = self.plain.material(id);
        let mut textures = material.textures.iter();
        let others = textures.clone().filter(|t| t.role != TextureRole::BaseColor);
        let (kind, place) = (FindingKind::TextureUnfit, Place::Material(id.0));
        self.report.add_many(kind, place, others.count() as u64, || {
            format!(
                "material {:?} has textures other than colour, which aren't written",
                material.name
            )
        });
        let texture = textures.find(|texture| texture.role == TextureRole::BaseColor)?;
        let path = self.plain.texture_name(texture);
        let is_fit =
            path.to_ascii_lowercase().ends_with(TEXTURE_END) && !path.contains(['/', '\\']);
        self.report.add_many(kind, place, u64::from(!is_fit), || {
            format!("texture {path:?} is written as {:?}", self.spelled(texture))
        });
        Some(texture)
    }

    /// A texture name for a skin: the file name of its image without extension.
    fn spelled(&self, texture: &TextureRef) -> String {
        match self.images.name(texture) {
            Some(written) => stem(last_part(written)).to_owned(),
            None => names::texture(self.plain.texture_name(texture)),
        }
    }

    fn uvs(&self, mesh: &Mesh, texture: Option<&TextureRef>) -> Vec<Vec2> {
        let set = texture.map_or(0, |texture| usize::from(texture.uv_set));
        let placed = texture.and_then(|texture| texture.texture_from_uv.as_deref());
        let VertexData::Streams(streams) = &mesh.vertices else { return Vec::new() };
        let set = streams.uv_sets.get(set).or(streams.uv_sets.first());
        let coords = set.map(|set| &*set.coords).unwrap_or_default();
        let placed = |uv: &Vec2| placed.map_or(*uv, |placed| placed.transform_point2(*uv));
        coords.iter().map(placed).collect()
    }

    /// All vertices of a mesh, without UVs.
    fn vertices(&self, number: usize, mesh: &Mesh) -> Result<Vec<Vertex>, Cancelled> {
        let own = self.moved.meshes.get(MeshId::from_index(number)).map(|mesh| &mesh.skin);
        let pose = self.pose.of_mesh(MeshId::from_index(number), mesh);
        let base = base(mesh, &pose);
        let mut vertices = Vec::with_capacity(mesh.num_vertices());
        for at in 0..mesh.num_vertices() {
            if at % POLL_EVERY == 0 {
                self.report.progress("placing vertices", 0.6)?;
            }
            let (position, normal) = (base.0.get(at).copied(), base.1.get(at).copied());
            let (position, normal) = (position.unwrap_or_default(), normal.unwrap_or_default());
            let mut influences: Vec<Influence> = Vec::with_capacity(2);
            if let Some(ModelSkin::BoneLocal(skin)) = own {
                skin.for_each(at, |influence| {
                    influences.push(Influence {
                        bone: self.rig.written(Some(influence.bone)),
                        weight: influence.weight,
                        stored: SkinVertex {
                            position: influence.position.into(),
                            normal: influence.normal.into(),
                        },
                    });
                });
            } else {
                let mut add = |bone: Option<BoneId>, slot: usize, weight: f32| {
                    let matrix = pose.palette.get(slot).copied().unwrap_or(Affine3A::IDENTITY);
                    let bone = self.rig.written(bone);
                    influences.push(self.influence(bone, weight, &matrix, position, normal));
                };
                match &mesh.skin {
                    ModelSkin::InverseBind(skin) => {
                        for (slot, weight) in skin.influences.row(at) {
                            let bone = skin.bones.get(slot as usize).copied();
                            add(bone, slot as usize, weight);
                        }
                    }
                    // It has no bone; attached meshes have skins here.
                    _ => add(None, 0, 1.0),
                }
            }
            if influences.is_empty() {
                // A vertex without influences stays in place with the first bone.
                influences.push(self.influence(0, 1.0, &Affine3A::IDENTITY, position, normal));
            }
            vertices.extend(vertex(influences));
        }
        Ok(vertices)
    }

    fn influence(
        &self,
        bone: usize,
        weight: f32,
        model_from_mesh: &Affine3A,
        position: Vec3,
        normal: Vec3,
    ) -> Influence {
        let position = model_from_mesh.transform_point3(position);
        let (matrix, by) = (&model_from_mesh.matrix3, self.pose.normal_matrix);
        let (normal, _) = transformed_normal(matrix, by, normal.into(), Vec3A::ZERO);
        let normal = normal.into();
        let stored = self.rig.bones.get(bone).map(|bone| SkinVertex {
            position: bone.model_from_bone.point_inside(position).into(),
            normal: bone.model_from_bone.direction_inside(normal).into(),
        });
        Influence { bone, weight, stored: stored.unwrap_or_default() }
    }

    /// Sorts vertices by bone and lists them as in a skin, with their previous numbers.
    fn skin(&self, vertices: &[Vertex], part: &MaterialFaces) -> (Skin, Vec<u32>) {
        let is_own = own_vertices(vertices.len(), part);
        let own = |at: &usize| is_own.get(*at).copied().unwrap_or_default();
        let mut order: Vec<(usize, &Vertex)> = vertices.iter().enumerate().collect();
        order.retain(|(at, _)| own(at));
        // Bones in the order of use by vertices, so that skins of this format are reproduced unchanged.
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let raw = order.iter().map(|(_, vertex)| vertex.raw.bone);
        let blended = order.iter().filter_map(|(_, vertex)| Some(vertex.blend.as_ref()?.1.bone));
        let mut bones: Vec<usize> = Vec::new();
        for bone in raw.chain(blended) {
            numbers.entry(bone).or_insert_with(|| {
                bones.push(bone);
                bones.len() - 1
            });
        }
        if bones.is_empty() {
            // A skin without bones isn't recognized as a skin.
            bones.push(0);
        }
        let number = |bone: usize| numbers.get(&bone).copied().unwrap_or_default();
        order.sort_by_key(|(_, vertex)| number(vertex.raw.bone));
        let mut new = vec![0i32; vertices.len()];
        for (position, (at, _)) in order.iter().enumerate() {
            if let Some(slot) = new.get_mut(*at) {
                *slot = index(position);
            }
        }
        let mut blends: Vec<(usize, i32, i32, &Influence)> = Vec::new();
        for (position, (_, vertex)) in order.iter().enumerate() {
            if let Some((weight, influence)) = &vertex.blend {
                blends.push((number(influence.bone), index(position), *weight, influence));
            }
        }
        blends.sort_by_key(|blend| blend.0);
        let moved = |corner: u32| new.get(corner as usize).copied().unwrap_or_default();
        let raw_of = |bone: usize| order.partition_point(|(_, v)| number(v.raw.bone) < bone);
        let blend_of = |bone: usize| blends.partition_point(|blend| blend.0 < bone);
        let bindings = (0..bones.len()).map(|bone| {
            let (first_raw, num_raw) = span(raw_of(bone), raw_of(bone + 1));
            let (first_blend, num_blends) = span(blend_of(bone), blend_of(bone + 1));
            Binding { bone: index(bone), first_raw, num_raw, first_blend, num_blends }
        });
        let bone_name = |bone: &usize| self.bones.get(*bone).cloned().unwrap_or_default();
        let numbers = order.iter().map(|(at, _)| as_u32(*at));
        let numbers = numbers.collect();
        let skin = Skin {
            name: String::new(),
            texture: String::new(),
            bones: bones.iter().map(bone_name).collect(),
            faces: part.faces.iter().map(|face| face.map(moved)).collect(),
            bindings: bindings.collect(),
            uvs: order.iter().map(|(_, vertex)| vertex.uv).collect(),
            blends: (blends.iter())
                .map(|&(_, vertex, weight, _)| Blend { vertex, weight })
                .collect(),
            vertices: (order.iter().map(|(_, vertex)| vertex.raw.stored))
                .chain(blends.iter().map(|blend| blend.3.stored))
                .collect(),
        };
        (skin, numbers)
    }
}

/// A mesh's own positions and normals in the default pose, before skinning.
fn base(mesh: &Mesh, pose: &MeshPose) -> (Vec<Vec3>, Vec<Vec3>) {
    if mesh.morph_targets.is_empty() {
        let VertexData::Streams(streams) = &mesh.vertices else { return Default::default() };
        return (streams.positions.clone(), streams.normals.clone());
    }
    let still = Mesh { skin: ModelSkin::None, attached_to: None, ..mesh.clone() };
    let unmoved = MeshPose { palette: vec![Affine3A::IDENTITY], ..pose.clone() };
    let shaped = skin_mesh(&still, &unmoved);
    (shaped.positions, shaped.normals)
}

/// A vertex with the two largest influences, the first of which is the raw one.
fn vertex(mut influences: Vec<Influence>) -> Option<Vertex> {
    if influences.len() > 2 {
        let mut weights: Vec<f32> = influences.iter().map(|i| i.weight).collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let least = weights.get(1).copied().unwrap_or_default();
        influences.retain(|influence| influence.weight >= least);
        influences.truncate(2);
    }
    let mut influences = influences.into_iter();
    let first = influences.next()?;
    let plain = |raw| Vertex { uv: [0.0; 2], raw, blend: None };
    let Some(second) = influences.next() else { return Some(plain(first)) };
    let share = second.weight / (first.weight + second.weight);
    #[expect(clippy::cast_possible_truncation, reason = "a share of 32768")]
    let weight = (share * WEIGHT_ONE).round() as i32;
    #[expect(clippy::cast_possible_truncation, reason = "32768")]
    const ALL: i32 = WEIGHT_ONE as i32;
    Some(match weight {
        ..=0 => plain(first),
        ALL.. => plain(second),
        _ => Vertex { blend: Some((weight, second)), ..plain(first) },
    })
}

/// A mesh's triangles by material; a single part keeps all vertices.
fn parts(mesh: &Mesh) -> Vec<MaterialFaces> {
    let mut parts: Vec<MaterialFaces> = Vec::new();
    for subset in &mesh.subsets {
        let faces = mesh.triangles(subset.range());
        match parts.iter_mut().find(|part| part.material == subset.material) {
            Some(part) => part.faces.extend(faces),
            None => parts.push(MaterialFaces {
                material: subset.material,
                faces: faces.collect(),
                is_split: false,
            }),
        }
    }
    if parts.len() > 1 {
        parts.retain(|part| !part.faces.is_empty());
    }
    if parts.is_empty() {
        parts.push(MaterialFaces {
            material: None,
            faces: mesh.triangles(0..mesh.indices.len()).collect(),
            is_split: false,
        });
    }
    let is_split = parts.len() > 1;
    for part in &mut parts {
        part.is_split = is_split;
    }
    parts
}

/// The vertices of a part.
fn own_vertices(num: usize, part: &MaterialFaces) -> Vec<bool> {
    let mut is_own = vec![!part.is_split; num];
    for &corner in part.faces.iter().flatten() {
        if let Some(own) = is_own.get_mut(corner as usize) {
            *own = true;
        }
    }
    is_own
}

/// First index and count as stored in bindings.
fn span(from: usize, to: usize) -> (i32, i32) {
    match to - from {
        0 => (-1, 0),
        num => (index(from), index(num)),
    }
}

fn index(at: usize) -> i32 {
    // Indices have 32 bits in the model too; skins beyond 31 bits are refused by size.
    i32::try_from(at).unwrap_or(i32::MAX)
}
