//! Turns a piece into a packed model: numbers of vertices and bones, subsets, skeleton, keys.

use std::collections::HashMap;

use glam::{Affine3A, Mat4};
use rayon::prelude::*;

use super::bone_order::{BoneOrder, PackedBone};
use super::bones::{Pair, Pairs};
use super::clips::{ClipPoses, global_matrix, skin_matrix};
use super::merge::Merged;
use super::outcome::Packed;
use super::split::Piece;
use crate::model::{
    Bone, BoneId, ByteView, Clip, DefaultPose, Indices, Influences, InverseBindSkin, KeySpace,
    LocalTransform, Material, MaterialId, Mesh, MeshOrigins, Model, NormalMatrix, Origins,
    PackedKeys, PackedVertex, PackedVertices, STILL_NAME, SampledMotion, Skeleton, Skin, Subset,
    VertexData, as_u32, copy_name,
};
use crate::pack::axes::Conversion;
use crate::pose::Pose;

/// The rule for normals when packed models are displayed.
pub(super) const NORMAL_MATRIX: NormalMatrix = NormalMatrix::Same;

/// The data shared by all pieces.
pub(super) struct Assembly<'a> {
    pub(super) model: &'a Model,
    pub(super) merged: &'a Merged,
    pub(super) pairs: &'a Pairs,
    pub(super) bone_order: BoneOrder<'a>,
    pub(super) poses: &'a [ClipPoses],
    pub(super) conversion: Conversion,
    pub(super) hierarchy: bool,
}

/// The number of each merged vertex in a piece.
struct NewNumbers(Vec<Option<u32>>);

impl NewNumbers {
    fn of(piece: &Piece, num_merged: usize) -> Self {
        let mut numbers = vec![None; num_merged];
        for (&old, new) in piece.vertices.iter().zip(0u32..) {
            if let Some(slot) = numbers.get_mut(old as usize) {
                *slot = Some(new);
            }
        }
        Self(numbers)
    }

    fn get(&self, old: u32) -> Option<u32> {
        self.0.get(old as usize).copied().flatten()
    }
}

impl Assembly<'_> {
    /// One piece as a model.
    pub(super) fn packed(&self, piece: &Piece) -> Packed {
        let kept = self.bone_order.kept(&piece.pairs);
        let new_number = NewNumbers::of(piece, self.merged.vertices.len());
        let num_bones = as_u32(kept.len());
        let (indices, subsets, materials) = self.triangles(piece, &new_number);
        let skeleton = self.skeleton(&kept);
        let mesh = Mesh {
            vertices: VertexData::Packed(self.vertices(piece, &kept)),
            indices: Indices::U16(ByteView::whole(indices)),
            subsets,
            skin: Skin::InverseBind(InverseBindSkin {
                bones: (0..num_bones).map(BoneId).collect(),
                bone_from_mesh: self.inverse_binds(&kept),
                influences: Influences::InVertices,
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        };
        let own = self.merged.origins.iter();
        let origins = own.filter_map(|(old, origin)| Some((new_number.get(*old)?, *origin)));
        Packed {
            model: Model {
                name: self.model.name.clone(),
                meshes: vec![mesh].into(),
                materials: materials.into(),
                images: self.model.images.clone(),
                skeleton,
                clips: self.poses.iter().map(|clip| self.clip(clip, &kept)).collect(),
                default_pose: DefaultPose::FirstKey,
                // The rule of its runtime.
                normal_matrix: NORMAL_MATRIX,
                ..Model::default()
            },
            origins: Origins {
                meshes: vec![MeshOrigins::Listed(origins.collect())],
                clips: Some(self.poses.iter().map(|clip| clip.clip).collect()),
                bones: Some(kept.iter().map(|kept| kept.bone).collect()),
            },
        }
    }

    fn pair(&self, kept: &PackedBone) -> Pair {
        let named = kept.pair.and_then(|pair| self.pairs.list().get(pair as usize));
        named.copied().unwrap_or(Pair { bone: kept.bone, bone_from_mesh: Affine3A::IDENTITY })
    }

    fn vertices(&self, piece: &Piece, kept: &[PackedBone]) -> PackedVertices {
        let mut bone_of_pair: HashMap<u32, u8> = HashMap::with_capacity(kept.len());
        for (bone, number) in kept.iter().zip(0u8..=u8::MAX) {
            if let Some(pair) = bone.pair {
                bone_of_pair.insert(pair, number);
            }
        }
        let sources = piece.vertices.iter();
        let sources = sources.filter_map(|&old| self.merged.vertices.get(old as usize));
        PackedVertices::from_vertices(sources.map(|source| {
            let slots = source.pairs.iter().zip(source.weights);
            let mut bones = [0; 4];
            for (bone, (pair, weight)) in bones.iter_mut().zip(slots) {
                if weight > 0 {
                    *bone = bone_of_pair.get(pair).copied().unwrap_or(0);
                }
            }
            PackedVertex {
                position: source.position(),
                normal: source.normal,
                tangent: source.tangent,
                uv: source.uv,
                bones,
                weights: source.weights,
            }
        }))
    }

    /// Stored indices, a subset per material, and the materials in that order.
    fn triangles(
        &self,
        piece: &Piece,
        new_number: &NewNumbers,
    ) -> (Vec<u8>, Vec<Subset>, Vec<Material>) {
        let (mut bytes, mut subsets, mut materials) = (Vec::new(), Vec::new(), Vec::new());
        for (group, run) in &piece.runs {
            let first_index = bytes.len() / 2;
            for old in run.iter().flatten() {
                let new = new_number.get(*old).unwrap_or_default();
                // Pieces have no more vertices than this.
                let new = u16::try_from(new).unwrap_or(u16::MAX);
                bytes.extend_from_slice(&new.to_le_bytes());
            }
            if !Merged::is_drawn(*group) {
                continue;
            }
            let index_count = bytes.len() / 2 - first_index;
            subsets.push(Subset {
                first_index: as_u32(first_index),
                index_count: as_u32(index_count),
                material: Some(MaterialId::from_index(materials.len())),
            });
            materials.push(self.material(*group));
        }
        (bytes, subsets, materials)
    }

    fn material(&self, group: u32) -> Material {
        let id = self.merged.groups.materials.get(group as usize).copied().flatten();
        let own = id.map(|id| self.model.material(id));
        let mut material = own.cloned().unwrap_or_default();
        if material.name.is_empty() {
            material.name = match id {
                Some(id) => format!("material {}", id.0),
                None => "default".to_owned(),
            };
        }
        material
    }

    fn skeleton(&self, kept: &[PackedBone]) -> Skeleton {
        let bones = kept.iter().map(|bone| Bone {
            name: self.name(bone),
            parent: bone.parent.map(BoneId::from_index),
            rest_local: LocalTransform::Matrix(match (self.hierarchy, self.first_pose()) {
                (true, Some(pose)) => self.local(pose, bone, kept),
                _ => Affine3A::IDENTITY,
            }),
            ..Bone::default()
        });
        // Parents precede their children.
        Skeleton::new(bones.collect(), self.hierarchy).unwrap_or_default()
    }

    fn first_pose(&self) -> Option<&Pose> {
        self.poses.first()?.poses.first()
    }

    fn name(&self, kept: &PackedBone) -> String {
        match kept.bone.map(|bone| self.model.skeleton.display_name(bone)) {
            None => STILL_NAME.to_owned(),
            Some(name) if kept.is_double => copy_name(&name),
            Some(name) => name,
        }
    }

    fn inverse_binds(&self, kept: &[PackedBone]) -> Vec<Mat4> {
        if !self.hierarchy {
            return Vec::new();
        }
        let bind = |bone: &PackedBone| self.conversion.matrix(self.pair(bone).bone_from_mesh);
        kept.iter().map(|bone| Mat4::from(bind(bone))).collect()
    }

    /// The transform of a bone relative to its stored parent, including ancestors that aren't
    /// stored.
    fn local(&self, pose: &Pose, kept: &PackedBone, all: &[PackedBone]) -> Affine3A {
        let parent = kept.parent.and_then(|parent| all.get(parent));
        let in_source = match (&pose.model_from_mesh, kept.bone) {
            (Some(_), _) => {
                let own = global_matrix(pose, &self.pair(kept));
                match parent {
                    Some(parent) => global_matrix(pose, &self.pair(parent)).inverse() * own,
                    None => own,
                }
            }
            (None, None) => Affine3A::IDENTITY,
            (None, Some(bone)) => {
                let until = parent.and_then(|parent| parent.bone);
                self.product(pose, bone, until)
            }
        };
        self.conversion.matrix(in_source)
    }

    /// `until_from_bone`, without any inversion.
    fn product(&self, pose: &Pose, bone: BoneId, until: Option<BoneId>) -> Affine3A {
        let bones = self.model.skeleton.bones();
        let mut product = Affine3A::IDENTITY;
        let mut at = Some(bone);
        while let Some(bone) = at.filter(|_| at != until) {
            product = pose.parent_from_bone[bone] * product;
            at = bones[bone].parent;
        }
        product
    }

    fn clip(&self, clip: &ClipPoses, kept: &[PackedBone]) -> Clip {
        let stored = clip.stored();
        let of_pose = |pose: &Pose| -> Vec<Affine3A> {
            let matrix = |bone: &PackedBone| {
                if self.hierarchy {
                    self.local(pose, bone, kept)
                } else {
                    self.conversion.matrix(skin_matrix(pose, &self.pair(bone)))
                }
            };
            kept.iter().map(matrix).collect()
        };
        let matrices: Vec<Vec<Affine3A>> = stored.par_iter().map(of_pose).collect();
        let num_bones = as_u32(kept.len());
        let keys = PackedKeys::from_matrices(num_bones, &matrices.concat());
        let keys = keys.or_else(|| PackedKeys::from_matrices(num_bones, &[]));
        Clip::sampled(
            clip.name.clone(),
            SampledMotion {
                duration_ns: clip.duration_ns,
                interval_ns: clip.interval_ns,
                space: if self.hierarchy { KeySpace::Local } else { KeySpace::Skin },
                is_bind_pair: false,
                keys: keys.unwrap_or_else(|| unreachable!("no bytes fit any key")),
            },
        )
    }
}
