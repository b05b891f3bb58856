//! Meshes: one per node that shows one, with triangles, lines and points by material.

use ufbx::{Face, Mesh, Node, Scene};

use super::context::Context;
use super::skeleton::NodeBones;
use super::split::{SplitMesh, floats_per_vertex, split};
use super::{morphs, skins};
use crate::formats::ReadError;
use rigscope_core::geometry::polygon;
use rigscope_core::model;
use rigscope_core::model::{
    FindingKind, Indices, LooseGeometry, LooseKind, MaterialId, Place, Skin, Streams, Subset,
    VertexData, as_u32,
};

/// A mesh of the model and its source.
pub(super) struct ConvertedMesh {
    pub(super) mesh: model::Mesh,
    /// Index of its source in the scene's list of meshes.
    pub(super) source: usize,
}

pub(super) fn meshes(
    scene: &Scene,
    bones: &NodeBones,
    context: &mut Context<'_>,
) -> Result<Vec<ConvertedMesh>, ReadError> {
    let mut meshes = Vec::new();
    for (source, mesh) in scene.meshes.iter().enumerate() {
        let share = source as f32 / scene.meshes.count.max(1) as f32;
        context.report.progress("reading", 0.4 + 0.2 * share)?;
        // A skin puts every instance in the same place.
        let num_shown = mesh.element.instances.count;
        let is_skinned = mesh.skin_deformers.count > 0;
        let num_instances = num_shown.min(if is_skinned { 1 } else { usize::MAX });
        if num_instances == 0 {
            context.drop("meshes that no node shows", 1);
            continue;
        }
        let num_left_out = num_shown - num_instances;
        context.drop("further instances of skinned meshes", num_left_out);
        let num_color_sets = mesh.color_sets.count.saturating_sub(1);
        context.drop("sets of vertex colours beyond the first", num_color_sets);
        let mut split = split(mesh, context)?;
        let streams = std::mem::take(&mut split.streams);
        let converter = Converter { mesh, bones, split: &split };
        // The last instance takes the streams without copying them.
        let all_streams = std::iter::repeat_n(streams, num_instances);
        for (node, streams) in mesh.element.instances.iter().zip(all_streams) {
            meshes.push(ConvertedMesh { mesh: converter.at(node, streams, context)?, source });
        }
    }
    Ok(meshes)
}

/// Triangles, lines and points of a mesh.
struct Faces {
    indices: Vec<u32>,
    subsets: Vec<Subset>,
    loose: Vec<LooseGeometry>,
}

struct Converter<'a> {
    mesh: &'a Mesh,
    bones: &'a NodeBones,
    /// Without its streams.
    split: &'a SplitMesh,
}

impl Converter<'_> {
    /// The mesh as `node` shows it.
    ///
    /// Geometry transforms are already applied to the geometry or to helper nodes.
    fn at(
        &self,
        node: &Node,
        streams: Streams,
        context: &mut Context<'_>,
    ) -> Result<model::Mesh, ReadError> {
        let control_points = &self.split.control_points;
        let num_floats = floats_per_vertex(&streams).saturating_add(1);
        let num_floats = control_points.len().saturating_mul(num_floats);
        context.take::<f32>(num_floats, "vertices")?;
        context.take::<[u32; 6]>(self.mesh.num_triangles, "triangles")?;
        context.take::<[u32; 4]>(self.mesh.num_line_faces, "lines")?;
        context.take::<[u32; 2]>(self.mesh.num_point_faces, "points")?;
        let mut deformers = self.mesh.skin_deformers.iter();
        let deformer = deformers.next();
        context.drop("further skins of a mesh", deformers.count());
        let skin = match deformer {
            Some(deformer) => {
                let budget = &mut context.budget;
                let skin = skins::skin(deformer, node, self.bones, control_points, budget);
                Skin::InverseBind(skin.map_err(|left| context.over_budget("influences", left))?)
            }
            None => Skin::None,
        };
        let morph_targets = morphs::targets(self.mesh, control_points, &mut context.budget)
            .map_err(|left| context.over_budget("blend shapes", left))?;
        let Faces { indices, subsets, loose } = self.faces(node, context)?;
        let own_name = &self.mesh.element.name;
        let name = if own_name.is_empty() { &node.element.name } else { own_name };
        Ok(model::Mesh {
            name: name.to_string(),
            vertices: VertexData::Streams(streams),
            indices: Indices::U32(indices),
            subsets,
            loose,
            attached_to: match skin {
                Skin::None => self.bones.of(node),
                _ => None,
            },
            skin,
            is_hidden: false,
            rounds_morphs: false,
            stored: None,
            morph_targets,
        })
    }

    /// Triangles, lines and points, each by material.
    fn faces(&self, node: &Node, context: &Context<'_>) -> Result<Faces, ReadError> {
        let mesh = self.mesh;
        let mut indices = Vec::with_capacity(mesh.num_triangles.saturating_mul(3));
        let (mut subsets, mut loose) = (Vec::new(), Vec::new());
        let most = mesh.max_face_triangles.min(polygon::MANY_CORNERS);
        let mut corners = vec![0; most.saturating_mul(3)];
        let (mut num_left_out, mut first_left_out) = (0, None);
        for (number, part) in mesh.material_parts.iter().enumerate() {
            let first = indices.len();
            let [mut lines, mut points] = [Vec::new(), Vec::new()];
            for &face_number in part.face_indices.iter() {
                let Some(&face) = mesh.faces.get(face_number as usize) else { continue };
                // The library follows position indices without a check when it triangulates, so
                // faces with invalid ones must not reach it.
                let Some(vertices) = self.split.vertices_of(face) else {
                    num_left_out += 1;
                    first_left_out.get_or_insert(face_number);
                    continue;
                };
                match vertices.len() {
                    1 => points.extend(vertices),
                    2 => lines.extend(vertices),
                    num if num > polygon::MANY_CORNERS => {
                        self.polygon(face, vertices, &mut indices, context)?;
                    }
                    _ => self.face(face, &mut corners, &mut indices),
                }
            }
            // An instance may have different materials.
            let own = node.materials.get(number);
            let material = own.or_else(|| mesh.materials.get(number));
            let material = material.map(|material| MaterialId(material.element.typed_id));
            let count = indices.len() - first;
            if count > 0 {
                subsets.push(Subset {
                    first_index: as_u32(first),
                    index_count: as_u32(count),
                    material,
                });
            }
            for (kind, indices) in [(LooseKind::Lines, lines), (LooseKind::Points, points)] {
                if !indices.is_empty() {
                    loose.push(LooseGeometry { kind, indices, material });
                }
            }
        }
        context.report.add_many(FindingKind::FaceLeftOut, Place::File, num_left_out, || {
            format!(
                "face {} of {} uses a vertex that doesn't exist; the face is left out",
                first_left_out.unwrap_or_default(),
                if mesh.element.name.is_empty() {
                    "a mesh without a name".to_owned()
                } else {
                    format!("mesh {:?}", &*mesh.element.name)
                }
            )
        });
        Ok(Faces { indices, subsets, loose })
    }

    /// Appends the triangles of one face, whose corners all have a position.
    ///
    /// `triangulate_face` panics if `corners` is too short or the face reaches past the mesh's
    /// corners, and reads out of bounds if a corner's position index does.
    fn face(&self, face: Face, corners: &mut [u32], indices: &mut Vec<u32>) {
        let num_triangles = (face.num_indices as usize).saturating_sub(2);
        if num_triangles == 0 || num_triangles.saturating_mul(3) > corners.len() {
            return;
        }
        // `SplitMesh::vertices_of` has checked that the face's corners are within
        // `vertex_position.indices` and their indices within `vertex_position.values`, the only
        // arrays that the C code follows.
        let num = self.mesh.triangulate_face(corners, face) as usize;
        let own = corners.get(..num * 3).unwrap_or_default();
        let vertex = |&corner: &u32| self.split.vertex_of_corner.get(corner as usize).copied();
        indices.extend(own.iter().filter_map(vertex));
    }

    /// Appends the triangles of a face with very many corners.
    fn polygon(
        &self,
        face: Face,
        vertices: &[u32],
        indices: &mut Vec<u32>,
        context: &Context<'_>,
    ) -> Result<(), ReadError> {
        let start = face.index_begin as usize;
        let range = start..start.saturating_add(face.num_indices as usize);
        let Some(points) = self.mesh.vertex_indices.get(range) else { return Ok(()) };
        let position = |&point: &u32| {
            let position = self.mesh.vertices.get(point as usize).copied();
            let position = position.unwrap_or_default();
            [position.x, position.y, position.z]
        };
        let corners: Vec<[f64; 3]> = points.iter().map(position).collect();
        let report = context.report;
        let mut go_on = |share: f32| report.progress("triangulating a polygon", 0.4 + 0.2 * share);
        let cut = polygon::triangulate(&corners, &mut go_on)?;
        let vertex = |&corner: &u32| vertices.get(corner as usize).copied();
        indices.extend(cut.triangles.iter().flatten().filter_map(vertex));
        report.add_many(
            FindingKind::PolygonNotSimple,
            Place::File,
            u64::from(cut.num_forced > 0),
            || {
                format!(
                    "{} of a polygon with {} may overlap others",
                    model::counted(cut.num_forced as u64, "triangle"),
                    model::counted(corners.len() as u64, "corner")
                )
            },
        );
        Ok(())
    }
}
