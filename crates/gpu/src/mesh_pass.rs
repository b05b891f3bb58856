//! Draws ranges of meshes without binding the same resources again.

use std::ops::Range;

use super::Scene;
use super::draws::{DrawRange, SceneMesh};
use super::runs::DrawRun;
use super::software::culled_mesh::DRAW_BYTES;
use super::vertex_inputs;

/// Numbers of draw calls and triangles of a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrawCounts {
    pub(super) draws: u32,
    pub(super) triangles: u64,
}

impl DrawCounts {
    /// A single draw call that isn't part of the surface.
    pub(super) const ONE: Self = Self { draws: 1, triangles: 0 };
}

/// A pass over the meshes of a scene.
pub(super) struct MeshPass<'a, 'p> {
    pub(super) pass: &'a mut wgpu::RenderPass<'p>,
    scene: &'a Scene,
    /// Index of the group that is bound as group 1.
    group: Option<usize>,
    indices: Option<IndexSource>,
    pub(super) drawn: DrawCounts,
}

/// The index buffer of a draw.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IndexSource {
    Stored {
        group: usize,
        format: wgpu::IndexFormat,
    },
    /// The visible indices of the mesh with this first draw.
    Culled {
        first_draw: u32,
    },
}

impl<'a, 'p> MeshPass<'a, 'p> {
    pub(super) fn new(pass: &'a mut wgpu::RenderPass<'p>, scene: &'a Scene) -> Self {
        Self { pass, scene, group: None, indices: None, drawn: DrawCounts::default() }
    }

    /// Draws a run of surface triangles.
    pub(super) fn draw_run(&mut self, run: &DrawRun) {
        if let Some(mesh) = self.scene.meshes.get(run.mesh) {
            self.draw(mesh, &run.range);
        }
    }

    /// Draws `range`, or its visible triangles if the mesh was culled for the camera.
    pub(super) fn draw(&mut self, mesh: &SceneMesh, range: &DrawRange) {
        let Some(culled) = mesh.culled_in_frame() else {
            return self.draw_stored(mesh, range.indices(), range.draw);
        };
        self.bind(mesh);
        if self.has_changed(IndexSource::Culled { first_draw: mesh.first_draw }) {
            self.pass.set_index_buffer(culled.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        let first = range.subset - mesh.first_subset;
        for subset in first..first + range.num_subsets {
            self.pass.draw_indexed_indirect(&culled.draws, subset as u64 * DRAW_BYTES);
            self.drawn.draws += 1;
        }
    }

    /// Draws the stored `indices` of `mesh`, without culling, with the look of `draw`.
    pub(super) fn draw_stored(&mut self, mesh: &SceneMesh, indices: Range<u32>, draw: u32) {
        self.bind(mesh);
        let (group, format) = (mesh.group, mesh.index_format);
        if self.has_changed(IndexSource::Stored { group, format })
            && let Some(group) = self.scene.groups.get(group)
        {
            self.pass.set_index_buffer(group.indices.slice(..), format);
        }
        let first = mesh.first_index;
        let base_vertex = i32::try_from(mesh.first_vertex).unwrap_or(i32::MAX);
        let indices = first + indices.start..first + indices.end;
        self.pass.draw_indexed(indices, base_vertex, draw..draw + 1);
        self.drawn.draws += 1;
    }

    /// Draws `num_vertices` vertices of `mesh` that the shader pulls from storage.
    pub(super) fn draw_pulled(&mut self, mesh: &SceneMesh, num_vertices: u32, draw: u32) {
        self.bind(mesh);
        self.pass.draw(0..num_vertices, draw..draw + 1);
        self.drawn.draws += 1;
    }

    fn bind(&mut self, mesh: &SceneMesh) {
        if self.group.replace(mesh.group) != Some(mesh.group)
            && let Some(group) = self.scene.groups.get(mesh.group)
        {
            self.pass.set_bind_group(1, &group.bind, &[]);
            vertex_inputs::bind(self.pass, &group.skinned, &self.scene.draws);
        }
    }

    fn has_changed(&mut self, indices: IndexSource) -> bool {
        self.indices.replace(indices) != Some(indices)
    }
}
