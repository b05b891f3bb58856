//! The paths of the model's parts in the stage.

use std::sync::Arc;

use super::meshes::StagedMesh;
use super::prims::Prims;
use super::skeletons::Joints;
use rigscope_core::model::{BoneId, MeshPath, ScenePaths};

/// The paths of prims and joints; those of materials and clips are known to their readers.
pub(super) fn paths(
    prims: &Prims,
    skeletons: &[Joints],
    meshes: &[StagedMesh],
    num_bones: usize,
) -> ScenePaths {
    let mut bones = vec![String::new(); num_bones];
    let mut set = |bone: BoneId, path: String| {
        if let Some(place) = bones.get_mut(bone.index()) {
            *place = path;
        }
    };
    for prim in &prims.list {
        if let Some(bone) = prim.bone {
            set(bone, prim.path.as_str().to_owned());
        }
    }
    for joints in skeletons {
        let skeleton = prims.list.get(joints.prim).map_or("", |prim| prim.path.as_str());
        for (at, (bone, name)) in joints.bones.iter().zip(&joints.names).enumerate() {
            set(*bone, format!("{skeleton}.joints[{at}] {name}"));
        }
    }
    let mesh = |own: &StagedMesh| MeshPath {
        path: prims
            .list
            .get(own.prim)
            .map_or_else(String::new, |prim| prim.path.as_str().to_owned()),
        points: "points",
        point_of_vertex: if is_in_order(&own.points) {
            Arc::default()
        } else {
            own.points.iter().copied().collect()
        },
    };
    let meshes: Vec<MeshPath> = meshes.iter().map(mesh).collect();
    ScenePaths { meshes: meshes.into(), bones: bones.into(), ..ScenePaths::default() }
}

fn is_in_order(points: &[u32]) -> bool {
    points.iter().zip(0..).all(|(point, number)| *point == number)
}
