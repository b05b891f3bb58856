//! Palette slots, and palettes of poses that are computed on the CPU.

use glam::Affine3A;

use super::mesh::MeshOffsets;
use crate::buffers::count;
use crate::gpu_data::{NONE, Slot};
use rigscope_core::model::{Influences, Mesh, MeshId, Model, Skin, SkinNormals};
use rigscope_core::pose::Pose;

/// Bones that a packed vertex can refer to.
const PACKED_BONES: usize = 256;

/// The palette slots of one mesh, numbered as in `Pose::of_mesh`, followed by one for the matrix that is applied to
/// normals afterwards.
pub(super) fn slots_of(mesh: &Mesh, num_bones: usize) -> Vec<Slot> {
    let slot = |bone: u32, inverse: Option<Affine3A>| Slot {
        bone_from_mesh: inverse.unwrap_or(Affine3A::IDENTITY).into(),
        bone,
        has_inverse: u32::from(inverse.is_some()),
        padding: [0; 2],
    };
    match &mesh.skin {
        Skin::InverseBind(skin) => {
            let num_slots = match &skin.influences {
                Influences::InVertices => PACKED_BONES,
                Influences::Rows { .. } => usize::MAX,
            };
            let bones = skin.bones.iter().take(num_slots).enumerate();
            let inverse = |at: usize| skin.bone_from_mesh.get(at).copied();
            let slots = bones.map(|(at, bone)| slot(bone.0, inverse(at).map(Affine3A::from_mat4)));
            let is_then_node = matches!(skin.normals, SkinNormals::ThenNode(_));
            slots.chain(is_then_node.then(|| slot(NONE, None))).collect()
        }
        Skin::BoneLocal(_) => (0..count(num_bones)).map(|bone| slot(bone, None)).collect(),
        Skin::None => vec![slot(mesh.attached_to.map_or(NONE, |bone| bone.0), None)],
    }
}

/// The matrices of all palette slots of all meshes in `pose`.
pub(super) fn matrices(motion: &Model, places: &[MeshOffsets], pose: &Pose) -> Vec<Affine3A> {
    let mut all = Vec::new();
    for (number, (mesh, place)) in motion.meshes.iter().zip(places).enumerate() {
        let of_mesh = pose.of_mesh(MeshId::from_index(number), mesh);
        let mut palette = of_mesh.palette;
        palette.extend(
            of_mesh.after_normals.map(|matrix3| Affine3A { matrix3, ..Affine3A::IDENTITY }),
        );
        palette.resize(place.num_slots as usize, Affine3A::IDENTITY);
        all.append(&mut palette);
    }
    all
}
