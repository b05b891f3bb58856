//! Which ranges of which mesh are drawn, and how they look.

use glam::Vec3;

use super::Show;
use super::frame::{CLAY, FrameInput};
use super::gpu_data::Draw;
use super::textures::Materials;
use crate::model::{MaterialId, Mesh, Subset, subset_color};
use crate::visual::Coloring;

/// One mesh as passes see it.
#[derive(Debug)]
pub(super) struct SceneMesh {
    /// Skinned vertices, indices, draws.
    pub(super) bind: wgpu::BindGroup,
    pub(super) indices: wgpu::Buffer,
    pub(super) index_format: wgpu::IndexFormat,
    pub(super) num_indices: u32,
    pub(super) num_vertices: u32,
    pub(super) first_vertex: u32,
    /// Number of the mesh's first subset among those of all meshes.
    pub(super) first_subset: usize,
    pub(super) subsets: Vec<Subset>,
    /// What moves it as a whole is a mirror, which turns its triangles round.
    pub(super) is_mirrored: bool,
    /// Its vertices have colours that show.
    pub(super) is_tinted: bool,
}

/// A range of indices and the [`Draw`] that says how it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawRange {
    pub(super) draw: u32,
    pub(super) first_index: u32,
    pub(super) num_indices: u32,
    /// Counted over all meshes.
    pub(super) subset: usize,
    pub(super) material: Option<MaterialId>,
}

impl SceneMesh {
    fn index_bytes(&self) -> u32 {
        match self.index_format {
            wgpu::IndexFormat::Uint16 => 2,
            wgpu::IndexFormat::Uint32 => 4,
        }
    }

    /// Flags of its draws; whether the colours of its vertices are among what is shown.
    fn flags(&self, is_colored: bool) -> u32 {
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        flag(self.is_mirrored, Draw::MIRRORED) | flag(is_colored, Draw::COLORED)
    }

    /// Whether the colours of its vertices are wanted: with materials, and as a colouring.
    fn is_colored(&self, show: &Show) -> bool {
        let is_wanted = match show.coloring {
            None => show.surface && show.textures && !show.checker,
            Some(coloring) => coloring == Coloring::VertexColors,
        };
        self.is_tinted && is_wanted
    }

    /// The [`Draw`] for all vertices; those of the subsets follow. `mesh` is this mesh's number.
    pub(super) fn whole_draw(&self, mesh: usize) -> u32 {
        super::buffers::count(mesh + self.first_subset)
    }

    /// The visible subsets.
    pub(super) fn ranges<'a>(
        &'a self,
        mesh: usize,
        input: &'a FrameInput<'_>,
    ) -> impl Iterator<Item = DrawRange> + 'a {
        let first_draw = self.whole_draw(mesh) + 1;
        (first_draw..)
            .zip(self.subsets.iter().enumerate())
            .filter(|(_, (at, _))| {
                let look = input.subsets.get(self.first_subset + at);
                look.is_none_or(|look| look.visible)
            })
            .filter_map(|(draw, (at, subset))| {
                // A model made in code may not have been checked.
                let first_index = subset.first_index.min(self.num_indices);
                let num_indices = subset.index_count.min(self.num_indices - first_index);
                (num_indices > 0).then_some(DrawRange {
                    draw,
                    first_index,
                    num_indices,
                    subset: self.first_subset + at,
                    material: subset.material,
                })
            })
    }

    /// Whether no subset is hidden.
    pub(super) fn is_whole(&self, input: &FrameInput<'_>) -> bool {
        let looks = input.subsets.iter().skip(self.first_subset);
        looks.take(self.subsets.len()).all(|look| look.visible)
    }
}

/// Number of [`Draw`]s for `meshes`: one for each mesh and one for each subset.
pub(super) fn num_draws(meshes: &[Mesh]) -> usize {
    meshes.iter().map(|mesh| 1 + mesh.subsets.len()).sum()
}

/// All [`Draw`]s, in the order that [`SceneMesh::whole_draw`] counts.
pub(super) fn draws(
    meshes: &[SceneMesh],
    materials: &Materials,
    input: &FrameInput<'_>,
) -> Vec<Draw> {
    let mut draws = Vec::new();
    for mesh in meshes {
        let is_colored = mesh.is_colored(&input.show);
        // Dots that lie over a surface stand out by a colour of their own.
        let has_colored_dots = mesh.num_indices == 0 || input.show.coloring.is_some();
        draws.push(Draw {
            color: Vec3::from(CLAY).extend(0.0),
            first_vertex: mesh.first_vertex,
            first_index: 0,
            index_bytes: 0,
            flags: mesh.flags(is_colored && has_colored_dots),
        });
        for (at, subset) in mesh.subsets.iter().enumerate() {
            let number = mesh.first_subset + at;
            let own = input.subsets.get(number).and_then(|look| look.color);
            let (_, of_material) = materials.of(subset.material, &input.show);
            // Lines and dots without a surface tell subsets apart by colour.
            let of_material = of_material.filter(|_| input.show.surface);
            let color = of_material.unwrap_or_else(|| match input.show.subset_colors {
                // Vertices have the colour, and a subset's own would spoil it.
                _ if is_colored => [1.0; 3],
                true => own.unwrap_or_else(|| subset_color(number)),
                false => CLAY,
            });
            let is_selected = input.selected_subset == Some(number);
            draws.push(Draw {
                color: Vec3::from(color).extend(f32::from(u8::from(is_selected))),
                first_vertex: mesh.first_vertex,
                first_index: subset.first_index,
                index_bytes: mesh.index_bytes(),
                flags: mesh.flags(is_colored),
            });
        }
    }
    draws
}
