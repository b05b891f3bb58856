//! Which ranges of which mesh are drawn, and how they look.

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
    AlphaMode, Loose, LooseKind, Material, MaterialId, MeshId, Subset, subset_color,
};
use rigscope_core::visual::Coloring;

/// One mesh, or a chunk of one, as passes see it.
#[derive(Debug)]
pub(super) struct SceneMesh {
    pub(super) index_format: wgpu::IndexFormat,
    pub(super) num_indices: u32,
    pub(super) num_vertices: u32,
    /// Whose buffers its vertices and indices are in.
    pub(super) group: usize,
    /// Among the vertices of its group.
    pub(super) first_vertex: u32,
    /// Among the indices of its group, all taken for as long as its own.
    pub(super) first_index: u32,
    /// Of the mesh.
    pub(super) id: MeshId,
    /// Where its vertices lie in the mesh, if it is not all of it.
    pub(super) source: Option<ChunkSource>,
    /// The [`Draw`] for all vertices; those of the parts follow.
    pub(super) first_draw: u32,
    /// The mesh is nothing but vertices, which then stand for themselves.
    pub(super) is_cloud: bool,
    /// Number of the mesh's first part among those of all meshes.
    pub(super) first_subset: usize,
    pub(super) subsets: Vec<Subset>,
    /// Parts after the subsets.
    pub(super) loose: Vec<SceneLoose>,
    /// What moves it as a whole is a mirror, which turns its triangles round.
    pub(super) is_mirrored: bool,
    /// Each of its vertices has a normal, and none loses it by moving.
    pub(super) has_normals: bool,
    /// Its vertices have colours that show.
    pub(super) is_tinted: bool,
    /// What is left of its triangles where they were culled.
    pub(super) culled: Option<CulledMesh>,
    /// It was tried once, and there was no room for it.
    pub(super) is_never_culled: bool,
}

/// Lines or points that belong to no triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct SceneLoose {
    pub(super) kind: LooseKind,
    /// Among those of the mesh, after the indices of all triangles.
    pub(super) first_index: u32,
    pub(super) num_indices: u32,
    pub(super) material: Option<MaterialId>,
    /// Linear RGBA of the material where it says something; alpha is 1 unless it blends.
    pub(super) color: Option<Vec4>,
    pub(super) is_blended: bool,
}

impl SceneLoose {
    pub(super) fn new(loose: &Loose, first_index: usize, materials: &[Material]) -> Self {
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

/// A range of indices and the [`Draw`] that says how it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct DrawRange {
    pub(super) draw: u32,
    pub(super) first_index: u32,
    pub(super) num_indices: u32,
    /// Counted over all meshes; of several the first.
    pub(super) subset: usize,
    pub(super) num_subsets: usize,
    pub(super) material: Option<MaterialId>,
}

impl DrawRange {
    /// Its indices among those of the mesh.
    pub(super) fn indices(&self) -> Range<u32> {
        self.first_index..self.first_index + self.num_indices
    }
}

impl SceneMesh {
    /// What is left of its triangles in the picture that is being drawn, where they were culled.
    pub(super) fn culled_in_frame(&self) -> Option<&CulledMesh> {
        self.culled.as_ref().filter(|culled| culled.is_current)
    }

    /// Bytes of an index as stored.
    pub(super) fn index_bytes(&self) -> u32 {
        match self.index_format {
            wgpu::IndexFormat::Uint16 => 2,
            wgpu::IndexFormat::Uint32 => 4,
        }
    }

    /// Number of its vertices without those that an earlier chunk has too.
    pub(super) fn num_own_vertices(&self) -> u32 {
        self.source.as_ref().map_or(self.num_vertices, |source| source.num_own)
    }

    /// The first of its triangles among those of the mesh.
    pub(super) fn first_triangle(&self) -> u32 {
        self.source.as_ref().map_or(0, |source| source.first_triangle)
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

    /// The visible subsets.
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
                // A model made in code may not have been checked.
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

    /// The visible lists of loose things of one kind.
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

    /// Whether there are loose things of that kind.
    pub(super) fn has(&self, kind: LooseKind) -> bool {
        self.loose.iter().any(|loose| loose.kind == kind)
    }

    /// Number of subsets and lists of loose things.
    pub(super) fn num_parts(&self) -> usize {
        self.subsets.len() + self.loose.len()
    }

    /// Whether no part is hidden.
    pub(super) fn is_whole(&self, input: &FrameInput<'_>) -> bool {
        let looks = input.subsets.iter().skip(self.first_subset);
        looks.take(self.num_parts()).all(|look| look.visible)
    }
}

/// All [`Draw`]s, in the order that [`SceneMesh::first_draw`] counts.
pub(super) fn draws(
    meshes: &[SceneMesh],
    materials: &Materials,
    input: &FrameInput<'_>,
) -> Vec<Draw> {
    let mut draws = Vec::new();
    for mesh in meshes {
        let is_colored = mesh.is_colored(&input.show);
        // Dots that lie over a surface stand out by a colour of their own.
        let has_own_dots = is_colored && (mesh.is_cloud || input.show.coloring.is_some());
        draws.push(Draw {
            color: match has_own_dots {
                true => Vec4::ONE,
                false => Vec3::from(CLAY).extend(1.0),
            },
            first_vertex: mesh.first_vertex,
            first_index: 0,
            index_bytes: 0,
            flags: mesh.flags(is_colored) | if has_own_dots { Draw::OWN_DOTS } else { 0 },
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

/// Of vertices without colours, where they are asked for. Keep in sync with `shaders/surface.wgsl`.
const NO_COLOR: Vec4 = Vec4::new(0.2, 0.2, 0.2, 1.0);

/// How lines or points that belong to no triangle look.
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
