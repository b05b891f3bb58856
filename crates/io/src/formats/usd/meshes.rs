//! Meshes: points, faces, subsets and primvars.
//!
//! Source: OpenUSD, `UsdGeomMesh` and `UsdGeomSubset`. Subdivision isn't applied: the control mesh is shown.

use glam::Vec3;
use openusd::sdf::Path;

use super::attributes::Attributes;
use super::corners::{Interpolation, Primvar, Vertices, point_vertices, vertices};
use super::faces::Faces;
use super::materials::{Materials, Use};
use super::prims::{PrimKind, Prims};
use super::primvars::{Counts, MeshPrimvars};
use super::shapes::morph_targets;
use super::skeletons::Joints;
use super::skins::Binding;
use super::values::{ints, token, vec3s};
use crate::formats::ReadError;
use rigscope_core::model::{
    FindingKind, Indices, MaterialId, Mesh, Place, Skin, Streams, Subset, UvSet, VertexData, as_u32,
};

/// A mesh with its place in the list of prims.
pub(super) struct StagedMesh {
    pub(super) mesh: Mesh,
    pub(super) prim: usize,
    /// The point of each vertex.
    pub(super) points: Vec<u32>,
    /// The names of the morph targets in animations.
    pub(super) target_names: Vec<String>,
}

impl StagedMesh {
    /// The mesh with default weights of its morph targets.
    pub(super) fn with_weights(mut self, weights: &[f32]) -> Mesh {
        for (target, weight) in self.mesh.morph_targets.iter_mut().zip(weights) {
            target.default_weight = *weight;
        }
        self.mesh
    }
}

/// The meshes of the stage, in order.
pub(super) fn meshes(
    attributes: &Attributes<'_>,
    prims: &Prims,
    skeletons: &[Joints],
    materials: &mut Materials<'_>,
) -> Result<Vec<StagedMesh>, ReadError> {
    let mut out = Vec::new();
    for (number, prim) in prims.list.iter().enumerate() {
        if prim.kind == PrimKind::Mesh {
            let share = number as f32 / prims.list.len() as f32;
            attributes.report.progress("reading meshes", 0.3 + 0.3 * share)?;
            let binding = Binding { attributes, prims, skeletons, prim: number };
            out.push(mesh(&binding, &prim.path, materials)?);
        }
    }
    Ok(out)
}

fn mesh(
    binding: &Binding<'_>,
    path: &Path,
    materials: &mut Materials<'_>,
) -> Result<StagedMesh, ReadError> {
    let attributes = binding.attributes;
    let points = attributes.value(path, "points").and_then(vec3s).unwrap_or_default();
    let faces = Faces::read(attributes, path, &points)?;
    let counts = Counts { faces: faces.num(), points: points.len(), corners: faces.num_corners() };
    let primvars = MeshPrimvars::read(attributes, path, counts);
    report_unfit(attributes, path, &primvars);
    let list = primvars.list();
    let width: usize = list.iter().map(|own| own.width).sum();
    let num = counts.corners.max(counts.points);
    attributes.take::<f32>(num.saturating_mul(width + 4), "vertices")?;
    attributes.take::<[u32; 6]>(counts.corners, "triangles")?;
    let vertices = point_vertices(faces.corners(), points.len(), &list)
        .unwrap_or_else(|| vertices(faces.corners(), points.len(), &list));
    let streams = primvars.streams(&vertices, &points);
    let skin = binding.skin(&vertices.points, points.len())?;
    let prims = binding.prims;
    // Offsets of normals belong to points.
    let moves_normals = primvars
        .normals
        .as_ref()
        .is_some_and(|normals| normals.interpolation == Interpolation::Vertex);
    let (target_names, morph_targets) = morph_targets(
        attributes,
        prims,
        binding.prim,
        &vertices.points,
        points.len(),
        moves_normals,
    )?;
    let own = Use {
        is_two_sided: attributes.value(path, "doubleSided") == Some(true.into()),
        uv_names: primvars.uvs.iter().map(|own| own.primvar.clone()).collect(),
    };
    let surface = Surface { binding, faces: &faces, vertices: &vertices, points: &points, own };
    let (indices, subsets) = surface.triangles(materials)?;
    let prim = prims.list.get(binding.prim);
    let mesh = Mesh {
        name: attributes.display_name(path),
        vertices: VertexData::Streams(streams),
        indices: Indices::U32(indices),
        subsets,
        attached_to: if skin.is_some() { None } else { prims.nearest_bone(binding.prim) },
        skin: skin.map_or(Skin::None, Skin::InverseBind),
        is_hidden: prim.is_some_and(|prim| prim.is_hidden),
        morph_targets,
        ..Mesh::default()
    };
    Ok(StagedMesh { mesh, prim: binding.prim, points: vertices.points, target_names })
}

fn report_unfit(attributes: &Attributes<'_>, path: &Path, primvars: &MeshPrimvars) {
    let num = primvars.unfit.len() as u64;
    attributes.report.add_many(FindingKind::BrokenRecord, Place::File, num, || {
        let name = primvars.unfit.first().map_or("", String::as_str);
        format!("{path}.{name}: the number of values doesn't fit the mesh; they are ignored")
    });
}

impl MeshPrimvars {
    /// All primvars of vertices, in the order in which [`Self::streams`] takes their values.
    fn list(&self) -> Vec<&Primvar> {
        let first = [&self.normals, &self.colors, &self.opacities].into_iter().flatten();
        first.chain(self.uvs.iter().map(|own| &own.values)).collect()
    }

    fn streams(&self, vertices: &Vertices, points: &[Vec3]) -> Streams {
        let mut values = vertices.values.iter().map(Vec::as_slice);
        let mut next = |is_present: bool| values.next_if_present(is_present);
        let normals = next(self.normals.is_some());
        let colors = next(self.colors.is_some());
        let opacities = next(self.opacities.is_some());
        let num = vertices.points.len();
        let color = |at: usize| {
            let rgb = colors.as_chunks::<3>().0.get(at).copied().unwrap_or([1.0; 3]);
            Vec3::from(rgb).extend(opacities.get(at).copied().unwrap_or(1.0))
        };
        let has_colors = !colors.is_empty() || !opacities.is_empty();
        Streams {
            positions: vertices
                .points
                .iter()
                .map(|&point| points.get(point as usize).copied().unwrap_or_default())
                .collect(),
            normals: normals.as_chunks::<3>().0.iter().copied().map(Vec3::from).collect(),
            tangents: Vec::new(),
            colors: if has_colors { (0..num).map(color).collect() } else { Vec::new() },
            uv_sets: self
                .uvs
                .iter()
                .zip(values)
                .map(|(own, values)| UvSet {
                    name: own.name.clone(),
                    coords: values.as_chunks::<2>().0.iter().copied().map(Into::into).collect(),
                })
                .collect(),
        }
    }
}

trait NextIfPresent<'a> {
    /// The next list if there is one for a primvar, or else an empty one.
    fn next_if_present(&mut self, is_present: bool) -> &'a [f32];
}

impl<'a, I: Iterator<Item = &'a [f32]>> NextIfPresent<'a> for I {
    fn next_if_present(&mut self, is_present: bool) -> &'a [f32] {
        if is_present { self.next().unwrap_or_default() } else { &[] }
    }
}

/// The faces of a mesh and how it uses materials.
struct Surface<'a> {
    binding: &'a Binding<'a>,
    faces: &'a Faces,
    vertices: &'a Vertices,
    points: &'a [Vec3],
    own: Use,
}

impl Surface<'_> {
    /// Triangles by material: first faces of subsets, then the others.
    fn triangles(
        &self,
        materials: &mut Materials<'_>,
    ) -> Result<(Vec<u32>, Vec<Subset>), ReadError> {
        let (mut indices, mut subsets) = (Vec::new(), Vec::new());
        for (material, list) in self.parts(materials) {
            let first = indices.len();
            for face in list {
                let own = self.vertices.of_corner.get(self.faces.vertices_of(face));
                let position = |vertex| self.vertices.position(vertex, self.points);
                let own = own.unwrap_or_default();
                self.faces.triangulate(own, position, &mut indices, self.binding.attributes)?;
            }
            let count = indices.len() - first;
            if count > 0 {
                let (first_index, index_count) = (as_u32(first), as_u32(count));
                subsets.push(Subset { first_index, index_count, material });
            }
        }
        Ok((indices, subsets))
    }

    /// The faces of each material.
    fn parts(&self, materials: &mut Materials<'_>) -> Vec<(Option<MaterialId>, Vec<usize>)> {
        let Binding { attributes, prims, prim, .. } = *self.binding;
        let mut parts = Vec::new();
        let mut is_taken = vec![false; self.faces.num()];
        for (number, subset) in prims.children(prim) {
            if attributes.type_name(&subset.path) != "GeomSubset" {
                continue;
            }
            let kind = attributes.value(&subset.path, "elementType").and_then(token);
            let material = materials.own_of(prims, number, &self.own);
            if material.is_none() || kind.is_some_and(|kind| kind != "face") {
                continue;
            }
            let list = attributes.value(&subset.path, "indices").and_then(ints);
            let mut own = Vec::new();
            for face in list.into_iter().flatten().filter_map(|face| usize::try_from(face).ok()) {
                if let Some(taken) = is_taken.get_mut(face)
                    && !std::mem::replace(taken, true)
                {
                    own.push(face);
                }
            }
            parts.push((material, own));
        }
        let rest = is_taken.iter().enumerate().filter(|(_, taken)| !**taken);
        let rest = rest.map(|(face, _)| face).collect();
        parts.push((materials.bound_to(prims, prim, &self.own), rest));
        parts
    }
}

impl Vertices {
    fn position(&self, vertex: u32, points: &[Vec3]) -> Vec3 {
        let point = self.points.get(vertex as usize).copied().unwrap_or_default();
        points.get(point as usize).copied().unwrap_or_default()
    }
}
