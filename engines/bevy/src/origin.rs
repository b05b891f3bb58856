//! Which node and primitive of the file each entity stands for.
//!
//! Bevy spawns entities without their index in the file, and names may repeat. The loader lets extensions of glTF see
//! every node and primitive together with its entity, so an extension that exists only here notes the indices.

use bevy::asset::LoadContext;
use bevy::gltf::extensions::{ErasedGltfExtensionHandler, GltfExtensionHandler};
use bevy::mesh::MeshVertexAttribute;
use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy::tasks::ConditionalSendFuture;

/// The index of a node, on its entity.
#[derive(Component, Reflect, Clone, Copy)]
#[reflect(Component)]
pub struct FileNode(pub usize);

/// A primitive, on the entity that has its mesh: a child of the node's.
#[derive(Component, Reflect, Clone)]
#[reflect(Component)]
pub struct FilePrimitive {
    /// Its index in the mesh.
    pub index: usize,
    pub vertices: usize,
    /// The indices of its triangles, if it has any.
    pub indices: Option<Vec<u32>>,
}

/// The loader clones the handler for each file.
#[derive(Clone, Default)]
pub struct Origins {
    primitives: HashMap<(usize, usize), FilePrimitive>,
}

impl GltfExtensionHandler for Origins {
    fn dyn_clone(&self) -> Box<dyn ErasedGltfExtensionHandler> {
        Box::new(self.clone())
    }

    fn on_gltf_primitive(
        &mut self,
        _: &mut LoadContext<'_>,
        _: &gltf::Gltf,
        mesh: &gltf::Mesh,
        primitive: &gltf::Primitive,
        buffers: &[Vec<u8>],
        _: &HashMap<Box<str>, MeshVertexAttribute>,
        _: bool,
        _: bool,
        _: &mut Option<Mesh>,
    ) -> impl ConditionalSendFuture<Output = ()> {
        let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
        let positions = primitive.get(&gltf::Semantic::Positions);
        let origin = FilePrimitive {
            index: primitive.index(),
            vertices: positions.map_or(0, |accessor| accessor.count()),
            indices: reader.read_indices().map(|indices| indices.into_u32().collect()),
        };
        self.primitives.insert((mesh.index(), primitive.index()), origin);
        async {}
    }

    fn on_spawn_mesh_and_material(
        &mut self,
        _: &mut LoadContext<'_>,
        primitive: &gltf::Primitive,
        mesh: &gltf::Mesh,
        _: &gltf::Material,
        entity: &mut EntityWorldMut,
        _: &str,
    ) {
        if let Some(origin) = self.primitives.get(&(mesh.index(), primitive.index())) {
            entity.insert(origin.clone());
        }
    }

    fn on_gltf_node(
        &mut self,
        _: &mut LoadContext<'_>,
        node: &gltf::Node,
        entity: &mut EntityWorldMut,
    ) {
        entity.insert(FileNode(node.index()));
    }
}
