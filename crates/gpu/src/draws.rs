//! The ranges of meshes that are drawn, and their look.

use std::ops::Range;

use glam::{Vec3, Vec4};

use super::Show;
use super::buffers::count;
use super::chunk::ChunkSource;
use super::frame::{CLAY, FrameInput};
use super::gpu_data::Draw;
use super::software::culled_mesh::CulledMesh;
use super::textures::Materials;
use rigscope_core::model::{
    AlphaMode, LooseGeometry, LooseKind, Material, MaterialId, MeshId, Subset, subset_color,
};
use rigscope_core::visual::Coloring;

/// A mesh, or a chunk of one, as drawn by passes.
#[derive(Debug)]
pub(super) struct SceneMesh {
    pub(super) index_format: wgpu::IndexFormat,
    pub(super) num_indices: u32,
    pub(super) num_vertices: u32,
    /// Index of the group whose buffers hold its vertices and indices.
    pub(super) group: usize,
    /// Index in the group's vertices.
    pub(super) first_vertex: u32,
    /// Index in the group's index buffer, if all of that is in this mesh's index format.
    pub(super) first_index: u32,
    pub(super) id: MeshId,
    /// The chunk's vertices in the mesh, if it is only a part of it.
    pub(super) source: Option<ChunkSource>,
    /// Index of the [`Draw`] for all vertices; those of the parts follow.
    pub(super) first_draw: u32,
    /// The mesh has only vertices, which are drawn as points.
    pub(super) is_cloud: bool,
    /// Index of the mesh's first part among the parts of all meshes.
    pub(super) first_subset: usize,
    pub(super) subsets: Vec<Subset>,
    /// The parts after the subsets.
    pub(super) loose: Vec<SceneLoose>,
    /// It is mirrored as a whole, which reverses its winding.
    pub(super) is_mirrored: bool,
    /// Every vertex has a normal and keeps it when skinned.
    pub(super) has_normals: bool,
    /// It has visible vertex colours.
    pub(super) is_tinted: bool,
    /// The triangles that remain after culling, if it was culled.
    pub(super) culled: Option<CulledMesh>,
    /// Culling failed once, for example from lack of memory.
    pub(super) is_never_culled: bool,
}

/// Lines or points that belong to no triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneLoose {
    pub(super) kind: LooseKind,
    /// Index in the mesh's indices, after those of all triangles.
    pub(super) first_index: u32,
    pub(super) num_indices: u32,
    pub(super) material: Option<MaterialId>,
    /// The material's linear RGBA, if it has a look. Alpha is 1 unless the material is blended.
    pub(super) color: Option<Vec4>,
    pub(super) is_blended: bool,
}

impl SceneLoose {
    pub(super) fn new(loose: &LooseGeometry, first_index: usize, materials: &[Material]) -> Self {
        let material = loose.material.and_then(|id| materials.get(id.index()));
        let look = material.and_then(|material| material.look.as_deref());
        let is_blended = look.is_some_and(|look| look.alpha == AlphaMode::Blend);
        let alpha = |color: Vec4| if is_blended { color.w } else { 1.0 };
        Self {
            kind: loose.kind,
            first_index: count(first_index),
            num_indices: count(loose.indices.len()),
            material: loose.material,
            color: look.map(|look| look.base_color.truncate().extend(alpha(look.base_color))),
            is_blended,
        }
    }
}

/// A range of indices, and the [`Draw`] with its look.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawRange {
    pub(super) draw: u32,
    pub(super) first_index: u32,
    pub(super) num_indices: u32,
    /// Index of the first subset, counted over all meshes.
    pub(super) subset: usize,
    pub(super) num_subsets: usize,
    pub(super) material: Option<MaterialId>,
}

impl DrawRange {
    /// The range in the mesh's indices.
    pub(super) fn indices(&self) -> Range<u32> {
        self.first_index..self.first_index + self.num_indices
    }
}

impl SceneMesh {
    /// The triangles that remain after culling, if the mesh was culled for the current frame.
    pub(super) fn culled_in_frame(&self) -> Option<&CulledMesh> {
        self.culled.as_ref().filter(|culled| culled.is_current)
    }

    /// Bytes per index.
    pub(super) fn index_bytes(&self) -> u32 {
        match self.index_format {
            wgpu::IndexFormat::Uint16 => 2,
            wgpu::IndexFormat::Uint32 => 4,
        }
    }

    /// Number of its vertices, without those shared with earlier chunks.
    pub(super) fn num_own_vertices(&self) -> u32 {
        self.source.as_ref().map_or(self.num_vertices, |source| source.num_own)
    }

    /// Index of its first triangle in the mesh.
    pub(super) fn first_triangle(&self) -> u32 {
        self.source.as_ref().map_or(0, |source| source.first_triangle)
    }

    /// Flags of its draws. `is_colored`: vertex colours are shown.
    fn flags(&self, is_colored: bool) -> u32 {
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        flag(self.is_mirrored, Draw::MIRRORED) | flag(is_colored, Draw::COLORED)
    }

    /// Whether vertex colours are shown: with materials, or as a colouring.
    fn is_colored(&self, show: &Show) -> bool {
        let is_wanted = match show.coloring {
            None => show.surface && show.textures && !show.checker,
            Some(coloring) => coloring == Coloring::VertexColors,
        };
        self.is_tinted && is_wanted
    }

    /// Its visible subsets.
    pub(super) fn ranges<'a>(
        &'a self,
        input: &'a FrameInput<'_>,
    ) -> impl Iterator<Item = DrawRange> + 'a {
        let first_draw = self.first_draw + 1;
        (first_draw..)
            .zip(self.subsets.iter().enumerate())
            .filter(|(_, (at, _))| {
                let look = input.subsets.get(self.first_subset + at);
                look.is_none_or(|look| look.visible)
            })
            .filter_map(|(draw, (at, subset))| {
                // Models that are built in code may be unchecked.
                let first_index = subset.first_index.min(self.num_indices);
                let num_indices = subset.index_count.min(self.num_indices - first_index);
                (num_indices > 0).then_some(DrawRange {
                    draw,
                    first_index,
                    num_indices,
                    subset: self.first_subset + at,
                    num_subsets: 1,
                    material: subset.material,
                })
            })
    }

    /// Its visible lists of loose lines or points.
    pub(super) fn loose_ranges<'a>(
        &'a self,
        input: &'a FrameInput<'_>,
        kind: LooseKind,
    ) -> impl Iterator<Item = DrawRange> + 'a {
        let first_part = self.subsets.len();
        let first_draw = self.first_draw + 1 + count(first_part);
        let ranges = (first_draw..).zip(self.loose.iter().enumerate());
        let of_kind = ranges.filter(move |(_, (_, loose))| loose.kind == kind);
        of_kind
            .map(move |(draw, (at, loose))| DrawRange {
                draw,
                first_index: loose.first_index,
                num_indices: loose.num_indices,
                subset: self.first_subset + first_part + at,
                num_subsets: 1,
                material: loose.material,
            })
            .filter(|range| {
                let look = input.subsets.get(range.subset);
                look.is_none_or(|look| look.visible)
            })
    }

    /// Whether it has loose lines or points of `kind`.
    pub(super) fn has(&self, kind: LooseKind) -> bool {
        self.loose.iter().any(|loose| loose.kind == kind)
    }

    /// Number of subsets and loose lists.
    pub(super) fn num_parts(&self) -> usize {
        self.subsets.len() + self.loose.len()
    }

    /// Whether all its parts are visible.
    pub(super) fn is_whole(&self, input: &FrameInput<'_>) -> bool {
        let looks = input.subsets.iter().skip(self.first_subset);
        looks.take(self.num_parts()).all(|look| look.visible)
    }
}

/// All [`Draw`]s, in the order of [`SceneMesh::first_draw`].
pub(super) fn draws(
    meshes: &[SceneMesh],
    materials: &Materials,
    input: &FrameInput<'_>,
) -> Vec<Draw> {
    let mut draws = Vec::new();
    for mesh in meshes {
        let is_colored = mesh.is_colored(&input.show);
        // Dots over a surface have a colour that stands out.
        let has_own_dots = is_colored && (mesh.is_cloud || input.show.coloring.is_some());
        draws.push(Draw {
            color: if has_own_dots { Vec4::ONE } else { Vec3::from(CLAY).extend(1.0) },
            first_vertex: mesh.first_vertex,
            first_index: 0,
            index_bytes: 0,
            flags: mesh.flags(is_colored) | if has_own_dots { Draw::OWN_DOTS } else { 0 },
        });
        for (at, subset) in mesh.subsets.iter().enumerate() {
            let number = mesh.first_subset + at;
            let own = input.subsets.get(number).and_then(|look| look.color);
            let (_, of_material) = materials.of(subset.material, &input.show);
            // Without a surface, the colours of lines and dots tell subsets apart.
            let of_material = of_material.filter(|_| input.show.surface);
            let color = of_material.unwrap_or_else(|| match input.show.subset_colors {
                // Vertex colours replace the subset's colour.
                _ if is_colored => [1.0; 3],
                true => own.unwrap_or_else(|| subset_color(number)),
                false => CLAY,
            });
            draws.push(Draw {
                color: Vec3::from(color).extend(1.0),
                first_vertex: mesh.first_vertex,
                first_index: mesh.first_index.saturating_add(subset.first_index),
                index_bytes: mesh.index_bytes(),
                flags: mesh.flags(is_colored),
            });
        }
        for (at, loose) in mesh.loose.iter().enumerate() {
            let number = mesh.first_subset + mesh.subsets.len() + at;
            draws.push(loose_draw(mesh, loose, number, is_colored, input));
        }
    }
    draws
}

/// Default when vertex colours are shown. Keep in sync with
/// `shaders/surface.wgsl`.
const NO_COLOR: Vec4 = Vec4::new(0.2, 0.2, 0.2, 1.0);

/// The look of loose lines or points.
fn loose_draw(
    mesh: &SceneMesh,
    loose: &SceneLoose,
    number: usize,
    is_colored: bool,
    input: &FrameInput<'_>,
) -> Draw {
    let show = &input.show;
    let has_materials = show.surface && show.textures && !show.checker && show.coloring.is_none();
    let own = input.subsets.get(number).and_then(|look| look.color);
    let color = match loose.color.filter(|_| has_materials) {
        Some(color) => color,
        None if is_colored => Vec4::ONE,
        None if show.coloring == Some(Coloring::VertexColors) => NO_COLOR,
        None if show.subset_colors => {
            Vec3::from(own.unwrap_or_else(|| subset_color(number))).extend(1.0)
        }
        None => Vec3::from(CLAY).extend(1.0),
    };
    let is_blended = loose.is_blended && has_materials;
    let alpha = if is_blended { color.w.clamp(0.0, 1.0) } else { 1.0 };
    Draw {
        color: color.truncate().extend(alpha),
        first_vertex: mesh.first_vertex,
        first_index: mesh.first_index + loose.first_index,
        index_bytes: 4,
        flags: mesh.flags(is_colored) | Draw::OWN_DOTS | if is_blended { Draw::BLENDED } else { 0 },
    }
}
