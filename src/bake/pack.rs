//! From any skinned model to one packed mesh with sampled keys.
//!
//! A packed bone is a pair of bone and inverse bind matrix: two meshes that bind one bone
//! differently give two packed bones, never an average.

use glam::{Affine3A, Mat4};

use super::axes::Conversion;
use super::influences::quantise_weights;
use super::keys::{self, BAKE_INTERVAL_NS};
use crate::model::{
    Bone, BoneId, ByteView, Clip, ClipId, Indices, Influences, InverseBindSkin, KeySpace,
    LocalTransform, Mesh, Model, PackedKeys, PackedVertex, PackedVertices, SampledMotion, Skeleton,
    Skin, Subset, VertexData, pack_snorm1010102,
};
use crate::pose::{Moment, PoseSpec, Sampling, sample};

/// Vertices that a 16-bit index can name.
const MAX_VERTICES: usize = 1 << 16;
/// Bones that a byte can name.
const MAX_BONES: usize = 256;
/// Smallest part of a matrix entry that makes two inverse binds differ.
const SAME_BIND: f32 = 1e-5;

/// How to pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BakeOptions {
    /// Keep all bones, parents and inverse binds, and store keys local to the parent.
    pub hierarchy: bool,
}

/// Why a model cannot be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BakeError {
    /// More of something than the packed layout can name.
    #[error("{count} {what} exceed the {limit} that can be packed")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many fit.
        limit: usize,
    },
    /// Something that has no packed form yet.
    #[error("mesh {mesh:?}: {what} cannot be packed")]
    Unsupported {
        /// The mesh.
        mesh: String,
        /// What it has.
        what: &'static str,
    },
    /// A hierarchy stores one inverse bind a bone, and two meshes bind one bone differently.
    #[error("bone {bone:?} has two different inverse binds, and a hierarchy stores one")]
    TwoBinds {
        /// Name of the bone.
        bone: String,
    },
}

/// A packed model and what packing it cost.
#[derive(Clone, Debug)]
pub struct Packed {
    /// One mesh, all of it GPU-ready.
    pub model: Model,
    /// Vertices that lost influences beyond the fourth.
    pub num_cut_vertices: usize,
    /// The largest share of weight that a vertex lost.
    pub worst_dropped: f32,
    /// Vertices whose UV lay outside 0..=1 and was clamped.
    pub num_clamped_uvs: usize,
}

/// Packs all meshes of `model`, which has passed the check, into one, in display space.
///
/// # Errors
/// When it cannot be packed whole.
pub fn pack(model: &Model, options: BakeOptions) -> Result<Packed, BakeError> {
    let mut bones = BoneTable::default();
    if options.hierarchy {
        for index in 0..model.skeleton.len() {
            bones.pairs.push((Some(BoneId::from_index(index)), None));
        }
    }
    let conversion = Conversion::of(&model.axes);
    let mut out = Meshes::new(conversion);
    for mesh in &model.meshes {
        out.add(mesh, &mut bones, options.hierarchy)?;
    }
    too_many("bones", bones.pairs.len(), MAX_BONES)?;
    too_many("vertices", out.vertices.len(), MAX_VERTICES)?;
    let skeleton = bones.skeleton(model, options.hierarchy, &conversion);
    let clips = clips(model, &bones, options.hierarchy, &conversion);
    let bone_from_mesh = match options.hierarchy {
        true => bones.inverse_binds(&conversion),
        false => Vec::new(),
    };
    let mut indices = Vec::with_capacity(out.indices.len() * 2);
    for &index in &out.indices {
        // Vertices were counted above.
        indices.extend_from_slice(&u16::try_from(index).unwrap_or(u16::MAX).to_le_bytes());
    }
    let num_bones = u32::try_from(bones.pairs.len()).unwrap_or(u32::MAX);
    Ok(Packed {
        model: Model {
            name: model.name.clone(),
            meshes: vec![Mesh {
                vertices: VertexData::Packed(PackedVertices::from_vertices(out.vertices)),
                indices: Indices::U16(ByteView::whole(indices)),
                subsets: out.subsets,
                skin: Skin::InverseBind(InverseBindSkin {
                    bones: (0..num_bones).map(BoneId).collect(),
                    bone_from_mesh,
                    influences: Influences::InVertices,
                    ..InverseBindSkin::default()
                }),
                ..Mesh::default()
            }],
            materials: model.materials.clone(),
            images: model.images.clone(),
            skeleton,
            clips,
            default_pose: crate::model::DefaultPose::FirstKey,
            ..Model::default()
        },
        num_cut_vertices: out.num_cut,
        worst_dropped: out.worst_dropped,
        num_clamped_uvs: out.num_clamped,
    })
}

fn too_many(what: &'static str, count: usize, limit: usize) -> Result<(), BakeError> {
    match count > limit {
        true => Err(BakeError::TooMany { what, count, limit }),
        false => Ok(()),
    }
}

/// The packed bones: pairs of bone (none for what nothing moves) and inverse bind (none until a
/// mesh binds it).
#[derive(Default)]
struct BoneTable {
    pairs: Vec<(Option<BoneId>, Option<Mat4>)>,
}

impl BoneTable {
    /// The packed number of the pair, added where it is new.
    fn number(
        &mut self,
        bone: Option<BoneId>,
        inverse_bind: Mat4,
        one_bind_a_bone: bool,
    ) -> Result<usize, Option<BoneId>> {
        let is_same = |known: &Option<Mat4>| {
            known.is_none_or(|known| {
                inverse_bind.abs_diff_eq(known, SAME_BIND * largest_entry(&known).max(1.0))
            })
        };
        let found = self
            .pairs
            .iter()
            .position(|(b, known)| *b == bone && is_same(known));
        if let Some(at) = found {
            if let Some(pair) = self.pairs.get_mut(at) {
                pair.1.get_or_insert(inverse_bind);
            }
            return Ok(at);
        }
        if one_bind_a_bone && bone.is_some() {
            return Err(bone);
        }
        self.pairs.push((bone, Some(inverse_bind)));
        Ok(self.pairs.len() - 1)
    }

    fn inverse_binds(&self, conversion: &Conversion) -> Vec<Mat4> {
        // A bone that no mesh binds gets the identity, as the original tool writes it.
        let bind =
            |(_, bind): &(_, Option<Mat4>)| conversion.inverse_bind(bind.unwrap_or(Mat4::IDENTITY));
        self.pairs.iter().map(bind).collect()
    }

    fn skeleton(&self, model: &Model, hierarchy: bool, conversion: &Conversion) -> Skeleton {
        let source = model.skeleton.bones();
        let bones = self
            .pairs
            .iter()
            .map(|(bone, _)| match bone.and_then(|b| source.get(b.index())) {
                Some(bone) if hierarchy => Bone {
                    rest_local: LocalTransform::Matrix(
                        conversion.matrix(bone.rest_local.to_affine()),
                    ),
                    ..bone.clone()
                },
                Some(bone) => Bone {
                    name: bone.name.clone(),
                    ..unmoved_bone()
                },
                None => unmoved_bone(),
            })
            .collect();
        // Parents are those of a skeleton that was sound, or none.
        Skeleton::new(bones, hierarchy).unwrap_or_default()
    }
}

fn largest_entry(matrix: &Mat4) -> f32 {
    matrix
        .to_cols_array()
        .into_iter()
        .fold(0.0, |a, b| a.max(b.abs()))
}

fn unmoved_bone() -> Bone {
    Bone {
        name: String::new(),
        parent: None,
        rest_local: LocalTransform::Matrix(Affine3A::IDENTITY),
        ..Bone::default()
    }
}

/// The meshes put together.
struct Meshes {
    conversion: Conversion,
    vertices: Vec<PackedVertex>,
    indices: Vec<u32>,
    subsets: Vec<Subset>,
    num_cut: usize,
    worst_dropped: f32,
    num_clamped: usize,
}

impl Meshes {
    fn new(conversion: Conversion) -> Self {
        Self {
            conversion,
            vertices: Vec::new(),
            indices: Vec::new(),
            subsets: Vec::new(),
            num_cut: 0,
            worst_dropped: 0.0,
            num_clamped: 0,
        }
    }

    fn add(
        &mut self,
        mesh: &Mesh,
        bones: &mut BoneTable,
        one_bind_a_bone: bool,
    ) -> Result<(), BakeError> {
        let unsupported = |what| BakeError::Unsupported {
            mesh: mesh.name.clone(),
            what,
        };
        if !mesh.morph_targets.is_empty() {
            return Err(unsupported("a morph target"));
        }
        // Packed number of each slot of the skin; a rigid mesh has one slot.
        let slots: Vec<(Option<BoneId>, Mat4)> = match &mesh.skin {
            Skin::BoneLocal(_) => return Err(unsupported("a bone-local skin")),
            Skin::None => vec![(mesh.attached_to, Mat4::IDENTITY)],
            Skin::InverseBind(skin) => (skin.bones.iter().enumerate())
                .map(|(slot, &bone)| {
                    let bind = skin.bone_from_mesh.get(slot).copied();
                    (Some(bone), bind.unwrap_or(Mat4::IDENTITY))
                })
                .collect(),
        };
        let first_vertex = u32::try_from(self.vertices.len()).unwrap_or(u32::MAX);
        let mut numbers = vec![None; slots.len()];
        for vertex in 0..mesh.num_vertices() {
            let mut list: Vec<(usize, f32)> = Vec::new();
            match &mesh.skin {
                Skin::InverseBind(InverseBindSkin {
                    influences: rows @ Influences::Rows { .. },
                    ..
                }) => rows.for_each(vertex, |slot, weight| list.push((slot as usize, weight))),
                Skin::InverseBind(_) => mesh.for_each_influence(vertex, |bone, weight| {
                    list.push((bone.index(), weight));
                }),
                _ => list.push((0, 1.0)),
            }
            let mut packed = Vec::with_capacity(list.len());
            for (slot, weight) in list.into_iter().filter(|(_, w)| *w > 0.0) {
                let number = match numbers.get(slot).copied().flatten() {
                    Some(number) => number,
                    None => {
                        let (bone, bind) = slots.get(slot).copied().unwrap_or_default();
                        let number = bones.number(bone, bind, one_bind_a_bone).map_err(|bone| {
                            let bone = bone.map_or(0, |b| b.0);
                            BakeError::TwoBinds {
                                bone: format!("bone {bone}"),
                            }
                        })?;
                        too_many("bones", number + 1, MAX_BONES)?;
                        if let Some(known) = numbers.get_mut(slot) {
                            *known = Some(number);
                        }
                        number
                    }
                };
                packed.push((u8::try_from(number).unwrap_or(u8::MAX), weight));
            }
            self.vertex(mesh, vertex, &packed);
        }
        let first_index = u32::try_from(self.indices.len()).unwrap_or(u32::MAX);
        for corners in mesh.triangles(0..mesh.indices.len()) {
            let moved = corners.map(|index| index.saturating_add(first_vertex));
            self.indices.extend(self.conversion.triangle(moved));
        }
        self.subsets
            .extend(mesh.subsets.iter().map(|subset| Subset {
                first_index: subset.first_index + first_index,
                ..*subset
            }));
        Ok(())
    }

    fn vertex(&mut self, mesh: &Mesh, vertex: usize, influences: &[(u8, f32)]) {
        let quantised = quantise_weights(influences);
        self.num_cut += usize::from(quantised.dropped > 0.0);
        self.worst_dropped = self.worst_dropped.max(quantised.dropped);
        let conversion = self.conversion;
        let tangent = conversion.tangent(mesh.tangent(vertex).unwrap_or_default());
        let sign = if tangent.w < 0.0 { -1 } else { 1 };
        let uv = mesh.uv(vertex).unwrap_or_default();
        self.num_clamped += usize::from(uv != uv.clamp(glam::Vec2::ZERO, glam::Vec2::ONE));
        let normal = mesh.normal(vertex).unwrap_or_default();
        self.vertices.push(PackedVertex {
            position: conversion.point(mesh.position(vertex).unwrap_or_default()),
            normal: pack_snorm1010102(conversion.direction(normal), 0),
            tangent: pack_snorm1010102(tangent.truncate(), sign),
            uv: [unorm16(uv.x), unorm16(uv.y)],
            bones: quantised.bones,
            weights: quantised.weights,
        });
    }
}

fn unorm16(value: f32) -> u16 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 16 bits")]
    #[expect(clippy::cast_sign_loss, reason = "clamped to 16 bits")]
    let stored = (value.clamp(0.0, 1.0) * 65535.0).round() as u16;
    stored
}

/// Every clip as keys 30 a second; one still key where there is no clip.
fn clips(model: &Model, bones: &BoneTable, hierarchy: bool, conversion: &Conversion) -> Vec<Clip> {
    let still = || vec![sampled(model, None, bones, hierarchy, conversion)];
    let all: Vec<Clip> = (0..model.clips.len())
        .map(|index| {
            sampled(
                model,
                Some(ClipId::from_index(index)),
                bones,
                hierarchy,
                conversion,
            )
        })
        .collect();
    if all.is_empty() { still() } else { all }
}

fn sampled(
    model: &Model,
    clip_id: Option<ClipId>,
    bones: &BoneTable,
    hierarchy: bool,
    conversion: &Conversion,
) -> Clip {
    let clip = clip_id.and_then(|id| model.clips.get(id.index()));
    let num_keys = clip.map_or(1, keys::key_count);
    let space = if hierarchy {
        KeySpace::Local
    } else {
        KeySpace::Skin
    };
    let mut matrices = Vec::with_capacity(num_keys as usize * bones.pairs.len());
    for key in 0..num_keys {
        let moment = clip.map_or(Moment::Default, |clip| {
            Moment::TimeSecs(keys::key_secs(clip, key))
        });
        let spec = PoseSpec {
            clip: clip_id,
            moment,
            sampling: Sampling::Linear,
        };
        let pose = sample(model, &spec);
        let world = |bone: Option<BoneId>| {
            let found = bone.and_then(|bone| pose.model_from_bone.get(bone.index()));
            found.copied().unwrap_or(Affine3A::IDENTITY)
        };
        matrices.extend(bones.pairs.iter().map(|&(bone, bind)| {
            let ready = pose.model_from_mesh.as_ref().zip(bone);
            let in_file = match (space, ready) {
                (KeySpace::Skin, Some((skin, bone))) => skin
                    .get(bone.index())
                    .copied()
                    .unwrap_or(Affine3A::IDENTITY),
                (KeySpace::Skin, None) => {
                    world(bone) * Affine3A::from_mat4(bind.unwrap_or(Mat4::IDENTITY))
                }
                (KeySpace::Local, _) => {
                    let local = bone.and_then(|b| pose.parent_from_bone.get(b.index()));
                    local.copied().unwrap_or(Affine3A::IDENTITY)
                }
            };
            conversion.matrix(in_file)
        }));
    }
    let num_bones = u32::try_from(bones.pairs.len()).unwrap_or(u32::MAX);
    let keys = PackedKeys::from_matrices(num_bones, &matrices);
    Clip::sampled(
        clip.map_or_else(|| "static".to_owned(), |clip| clip.name.clone()),
        SampledMotion {
            duration_ns: keys::duration_ns(num_keys),
            interval_ns: BAKE_INTERVAL_NS,
            space,
            is_bind_pair: false,
            keys: keys.unwrap_or_else(|| empty_keys(num_bones)),
        },
    )
}

fn empty_keys(num_bones: u32) -> PackedKeys {
    PackedKeys::from_matrices(num_bones, &[])
        .unwrap_or_else(|| unreachable!("no bytes fit any key"))
}
