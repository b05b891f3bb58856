//! The meshes that share data: skins, influences and geometry that several meshes of a file use.
//!
//! A change of shared data is a change of all its users, so a hypothesis about one of them is about all.
//!
//! In a model, each mesh has a copy. Copies that are equal count as shared: if a fault is in one of them, it is in all,
//! and a file may store them once.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use glam::{Vec2, Vec3, Vec4};

use super::parts::skin_of;
use crate::model::{IdVec, Influences, Mesh, MeshId, Model};

/// Data that meshes may share.
#[derive(Clone, Copy)]
pub(super) enum Shared {
    /// Bones and inverse bind matrices.
    Skin,
    /// Bones only: joint indices are numbers in this list.
    Bones,
    /// Slots and weights of the vertices.
    Influences,
    /// Positions, normals, tangents, UVs and triangles.
    Geometry,
}

/// For each kind of data, the hash of each mesh's copy; `None` if the mesh doesn't have it.
#[derive(Default)]
pub(super) struct Users {
    hashes: [OnceLock<IdVec<MeshId, Option<u64>>>; 4],
}

impl Users {
    /// The hash of each mesh's copy.
    pub(super) fn hashes(&self, model: &Model, shared: Shared) -> &IdVec<MeshId, Option<u64>> {
        let slot = &self.hashes[shared as usize];
        slot.get_or_init(|| model.meshes.iter().map(|mesh| hash(mesh, shared)).collect())
    }

    /// Some meshes, and all others that share this data with one of them, in ascending order.
    pub(super) fn with_users(
        &self,
        model: &Model,
        meshes: impl IntoIterator<Item = MeshId>,
        shared: Shared,
    ) -> Vec<MeshId> {
        let hashes = self.hashes(model, shared);
        let mut all: BTreeSet<MeshId> = meshes.into_iter().collect();
        let own: BTreeSet<u64> = all.iter().filter_map(|mesh| hashes[*mesh]).collect();
        let is_user = |hash: &Option<u64>| hash.is_some_and(|hash| own.contains(&hash));
        all.extend(hashes.iter_enumerated().filter(|(_, hash)| is_user(hash)).map(|(at, _)| at));
        all.into_iter().collect()
    }
}

fn hash(mesh: &Mesh, shared: Shared) -> Option<u64> {
    let mut into = DefaultHasher::new();
    match shared {
        Shared::Skin => {
            let skin = skin_of(mesh)?;
            skin.bones.hash(&mut into);
            for matrix in &skin.bone_from_mesh {
                matrix.to_cols_array().map(f32::to_bits).hash(&mut into);
            }
        }
        Shared::Bones => skin_of(mesh)?.bones.hash(&mut into),
        Shared::Influences => {
            let skin = skin_of(mesh)?;
            let Influences::Rows { first, slots, weights } = &skin.influences else { return None };
            (first, slots).hash(&mut into);
            weights.iter().for_each(|weight| weight.to_bits().hash(&mut into));
            for own in &skin.outside {
                (own.vertex, own.entry, own.slot, own.weight.to_bits()).hash(&mut into);
            }
        }
        Shared::Geometry => {
            let own = mesh.streams()?;
            let of3 = |list: &[Vec3], into: &mut DefaultHasher| {
                list.len().hash(into);
                list.iter().for_each(|at| at.to_array().map(f32::to_bits).hash(into));
            };
            of3(&own.positions, &mut into);
            of3(&own.normals, &mut into);
            let bits = |tangent: &Vec4| tangent.to_array().map(f32::to_bits);
            own.tangents.iter().for_each(|tangent| bits(tangent).hash(&mut into));
            let bits = |uv: &Vec2| uv.to_array().map(f32::to_bits);
            for set in &own.uv_sets {
                set.coords.iter().for_each(|uv| bits(uv).hash(&mut into));
            }
            mesh.indices.iter().for_each(|index| index.hash(&mut into));
        }
    }
    Some(into.finish())
}
