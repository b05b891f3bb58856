//! The arithmetic of Bevy's vertex shader, with the same data.
//!
//! It's `vertex` in bevy_pbr/src/render/mesh.wgsl on platforms with storage buffers, that is, everywhere but WebGL 2,
//! where only 256 joints of a skin fit (`MAX_JOINTS` in bevy_pbr/src/render/skin.rs).

use bevy::mesh::VertexAttributeValues;
use bevy::mesh::morph::{MeshMorphWeights, MorphWeights};
use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::prelude::*;

use crate::origin::FilePrimitive;

/// The vertices of one primitive in world space, in the order of the file.
pub fn vertices(world: &World, entity: Entity) -> Result<Vec<Vec3>, String> {
    let (Some(origin), Some(Mesh3d(handle))) =
        (world.get::<FilePrimitive>(entity), world.get::<Mesh3d>(entity))
    else {
        return Err("an entity has no mesh".into());
    };
    let mesh = world.resource::<Assets<Mesh>>().get(handle).ok_or("a mesh wasn't loaded")?;
    // The loader (`convert_attribute` in bevy_gltf/src/vertex_attributes.rs) drops attributes in formats it doesn't
    // expect, such as quantized ones. Without positions nothing is drawn.
    let Some(VertexAttributeValues::Float32x3(positions)) =
        mesh.attribute(Mesh::ATTRIBUTE_POSITION)
    else {
        return Err("Bevy dropped the positions of a mesh".into());
    };
    let weights = morph_weights(world, entity);
    let matrices = vertex_matrices(world, entity, mesh)?;
    let posed: Vec<Vec3> = positions
        .iter()
        .enumerate()
        .map(|(vertex, &position)| {
            let morphed = morph(mesh, weights, vertex, position.into());
            // Only x, y and z of the product are used, so weights that don't sum to 1 scale the vertex.
            (matrices(vertex) * morphed.extend(1.0)).truncate()
        })
        .collect();
    Ok(file_order(mesh, origin, posed))
}

/// `extract_morphs` in bevy_pbr/src/render/morph.rs.
fn morph_weights(world: &World, entity: Entity) -> &[f32] {
    match world.get::<MeshMorphWeights>(entity) {
        Some(MeshMorphWeights::Reference(node)) => {
            world.get::<MorphWeights>(*node).map_or(&[], MorphWeights::weights)
        }
        Some(MeshMorphWeights::Value { weights }) => weights,
        None => &[],
    }
}

/// `morph_vertex` in mesh.wgsl and `get_morph_target` in morph.wgsl.
fn morph(mesh: &Mesh, weights: &[f32], vertex: usize, mut position: Vec3) -> Vec3 {
    let Some(targets) = mesh.morph_targets() else { return position };
    for (index, &weight) in weights.iter().enumerate() {
        if weight != 0.0 {
            // All targets are in one list, so one that is too short shifts the others. Past the end are the targets of
            // other meshes, or zeros.
            let target = targets.get(index * mesh.count_vertices() + vertex);
            position += weight * target.map_or(Vec3::ZERO, |target| target.position);
        }
    }
    position
}

/// The matrix of each vertex: of its joints, or of the entity for a mesh without a skin.
fn vertex_matrices<'a>(
    world: &World,
    entity: Entity,
    mesh: &'a Mesh,
) -> Result<Box<dyn Fn(usize) -> Mat4 + 'a>, String> {
    // The pipeline depends on the attributes of the mesh (`is_skinned` in bevy_pbr/src/render/mesh.rs).
    let joints = match mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX) {
        Some(VertexAttributeValues::Uint16x4(joints)) => joints,
        _ => return unskinned(world, entity),
    };
    let weights = match mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT) {
        Some(VertexAttributeValues::Float32x4(weights)) => weights,
        _ => return unskinned(world, entity),
    };
    // A mesh on a node with a skin and on one without has the attributes on both, but `SetMeshBindGroup` in mesh.rs goes by
    // the entity's skin.
    let Some(skin) = world.get::<SkinnedMesh>(entity) else {
        return Err("a mesh with joints has no skin, for which Bevy has no bind group".into());
    };
    let matrices = joint_matrices(world, skin);
    // `skin_model` in skinning.wgsl. Joints that the skin doesn't have are past its part of the buffer, which holds
    // zeros if there is no other skin.
    Ok(Box::new(move |vertex| {
        let influence = |slot: usize| {
            let matrix = matrices.get(joints[vertex][slot] as usize).copied().unwrap_or(Mat4::ZERO);
            weights[vertex][slot] * matrix
        };
        influence(0) + influence(1) + influence(2) + influence(3)
    }))
}

fn unskinned<'a>(world: &World, entity: Entity) -> Result<Box<dyn Fn(usize) -> Mat4 + 'a>, String> {
    let transform = world.get::<GlobalTransform>(entity).ok_or("a mesh has no transform")?;
    let matrix = transform.to_matrix();
    Ok(Box::new(move |_| matrix))
}

/// `add_skin` in bevy_pbr/src/render/skin.rs.
fn joint_matrices(world: &World, skin: &SkinnedMesh) -> Vec<Mat4> {
    let binds =
        world.resource::<Assets<SkinnedMeshInverseBindposes>>().get(&skin.inverse_bindposes);
    let joints = skin.joints.iter().enumerate();
    joints
        .map(|(index, &joint)| {
            match (binds.and_then(|binds| binds.get(index)), world.get::<GlobalTransform>(joint)) {
                (Some(bind), Some(transform)) => transform.affine() * *bind,
                _ => Mat4::IDENTITY,
            }
        })
        .collect()
}

/// The loader splits the vertices of triangles without normals, to compute flat ones (`load_gltf` in
/// bevy_gltf/src/loader/mod.rs), and drops those that no triangle uses.
fn file_order(mesh: &Mesh, origin: &FilePrimitive, posed: Vec<Vec3>) -> Vec<Vec3> {
    match &origin.indices {
        Some(indices) if mesh.indices().is_none() => {
            let mut vertices = vec![Vec3::NAN; origin.vertices];
            for (&index, position) in indices.iter().zip(posed) {
                if let Some(vertex) = vertices.get_mut(index as usize) {
                    *vertex = position;
                }
            }
            vertices
        }
        _ => posed,
    }
}
