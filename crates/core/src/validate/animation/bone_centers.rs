//! One point per bone, at the centre of the vertices that it moves, and the matrix that moves it.
//!
//! If a file only stores baked skinning matrices, their translations don't give the position of a
//! bone; the centre of its vertices does.

use glam::{Affine3A, Vec3};

use crate::model::{BoneId, IdVec, MeshId, Model, Skin};
use crate::pose::Pose;

/// A bone of a mesh, or of the skeleton if there is no mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) bone: BoneId,
    /// In the source space of the probe's matrix.
    pub(super) point: Vec3,
}

/// The probes of a model; [`BoneCenters::matrices`] returns one matrix for each.
pub(super) struct BoneCenters {
    /// By mesh, or by bone for a skeleton without meshes.
    pub(super) list: Vec<Probe>,
    meshes: Vec<MeshProbes>,
}

/// The slots of a mesh's palette that have a probe.
struct MeshProbes {
    mesh: MeshId,
    slots: Vec<usize>,
}

impl BoneCenters {
    /// Averages the vertices of each bone by their weights.
    pub(super) fn of(model: &Model) -> Self {
        let mut probes = Self { list: Vec::new(), meshes: Vec::new() };
        for mesh in 0..model.meshes.len() {
            let centers = centers(model, mesh);
            let mut slots = Vec::new();
            for (slot, probe) in centers.into_iter().enumerate() {
                if let Some(probe) = probe {
                    slots.push(slot);
                    probes.list.push(probe);
                }
            }
            probes.meshes.push(MeshProbes { mesh: MeshId::from_index(mesh), slots });
        }
        if model.num_vertices() == 0 {
            let bones = model.skeleton.bones().ids();
            probes.list = bones.map(|bone| Probe { bone, point: Vec3::ZERO }).collect();
        }
        probes
    }

    /// The matrix that moves each probe in `pose`.
    pub(super) fn matrices(&self, model: &Model, pose: &Pose) -> Vec<Affine3A> {
        if self.meshes.iter().all(|mesh| mesh.slots.is_empty()) {
            return pose.model_from_bone.to_vec();
        }
        let mut matrices = Vec::with_capacity(self.list.len());
        for probes in &self.meshes {
            let mesh = &model.meshes[probes.mesh];
            let palette = pose.of_mesh(probes.mesh, mesh).palette;
            let matrix = |&slot: &usize| palette.get(slot).copied().unwrap_or(Affine3A::IDENTITY);
            matrices.extend(probes.slots.iter().map(matrix));
        }
        matrices
    }

    /// The position of each probe in `pose`, file space.
    pub(super) fn places(&self, model: &Model, pose: &Pose) -> Vec<Vec3> {
        let matrices = self.matrices(model, pose);
        let pairs = matrices.iter().zip(&self.list);
        pairs.map(|(matrix, probe)| matrix.transform_point3(probe.point)).collect()
    }
}

/// The centre of the vertices that each slot of a mesh's palette moves; `None` if it doesn't move
/// any.
fn centers(model: &Model, index: usize) -> Vec<Option<Probe>> {
    let mesh = &model.meshes[MeshId::from_index(index)];
    let (bones, is_by_slot): (Vec<BoneId>, bool) = match &mesh.skin {
        Skin::None => (mesh.attached_to.into_iter().collect(), true),
        Skin::InverseBind(skin) => (skin.bones.clone(), true),
        Skin::BoneLocal(_) => (model.skeleton.bones().ids().collect(), false),
    };
    let mut sums = vec![(Vec3::ZERO, 0.0f32); bones.len()];
    let mut add = |slot: usize, point: Vec3, weight: f32| {
        if let Some((sum, total)) = sums.get_mut(slot) {
            *sum += point * weight;
            *total += weight;
        }
    };
    // A bone may have several slots; the first represents all.
    let mut slot_of_bone = IdVec::filled(0, model.skeleton.bones());
    for (slot, &bone) in bones.iter().enumerate().rev() {
        slot_of_bone[bone] = slot;
    }
    for vertex in 0..mesh.num_vertices() {
        match &mesh.skin {
            Skin::BoneLocal(skin) if !is_by_slot => skin.for_each(vertex, |influence| {
                add(influence.bone.index(), influence.position, influence.weight);
            }),
            _ => {
                let point = mesh.position(vertex).unwrap_or_default();
                mesh.for_each_influence(vertex, |bone, weight| {
                    add(slot_of_bone[bone], point, weight);
                });
            }
        }
    }
    let probe = |(bone, (sum, total)): (BoneId, (Vec3, f32))| {
        (total > 0.0).then(|| Probe { bone, point: sum / total })
    };
    bones.into_iter().zip(sums).map(probe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{PoseSpec, sample};
    use crate::validate::fixtures::bar::{bar, bending};

    #[test]
    fn probes_are_centred_on_the_vertices_of_their_bones() {
        let model = bending();
        let probes = BoneCenters::of(&model);
        let rest = sample(&bar(), &PoseSpec::default());
        let places = probes.places(&model, &rest);
        assert_eq!(places.len(), 2);
        assert!(places[0].distance(Vec3::new(0.0, 0.5, 0.0)) < 1e-6, "{places:?}");
        assert!(places[1].distance(Vec3::new(0.0, 1.75, 0.0)) < 1e-6, "{places:?}");
    }

    #[test]
    fn skeleton_without_meshes_has_a_probe_at_every_bone() {
        let mut model = bending();
        model.meshes.as_mut_vec().clear();
        let places = BoneCenters::of(&model).places(&model, &sample(&model, &PoseSpec::default()));
        assert_eq!(places, [Vec3::ZERO, Vec3::Y]);
    }
}
