//! The box around what is selected, or around all that is drawn, in the pose shown.
//!
//! Invariant: only the vertices that are asked for are posed; the window's thread waits for it.

use glam::Vec3;

use crate::model::{Aabb, BoneId, Mesh, MeshId, Model, VertexId};
use crate::pose::{Pose, PoseSpec, sample, skin_positions, skin_some_positions};
use crate::state::{AppState, Document, Selection, SubsetRow};

impl AppState {
    /// The box around all that is drawn in the pose shown, display space.
    pub(in crate::state) fn shown_bounds(&self) -> Aabb {
        let Some(document) = &self.tab.document else { return Aabb::EMPTY };
        let posed = Posed::of(document, &self.tab.playback.pose_spec());
        let mut bounds = Aabb::EMPTY;
        let meshes = 0..document.model.meshes.len();
        let positions: Vec<_> =
            meshes.map(|number| posed.all(MeshId::from_index(number))).collect();
        for (number, row) in document.subsets.iter().enumerate() {
            if let Some(positions) = positions.get(row.mesh.index())
                && self.tab.view.shows(number)
            {
                add_part(&mut bounds, document, row, positions);
            }
        }
        // A skeleton alone is framed as it stands, however far its clips lead it.
        if bounds.is_empty() && document.model.num_vertices() == 0 {
            for shape in self.bone_shapes() {
                bounds.add(shape.head);
                bounds.add(shape.tail);
            }
        }
        // Point clouds have no subsets, and a user may have hidden everything.
        if bounds.is_empty() {
            bounds = Aabb::from_points(positions.iter().flatten().copied());
        }
        let bounds = bounds.transformed(&document.model.axes.display_from_file());
        if bounds.is_empty() { document.bounds } else { bounds }
    }

    /// The box around what is selected in the pose shown, display space; empty for what has no
    /// place.
    pub(in crate::state) fn selected_bounds(&self) -> Aabb {
        let Some(document) = &self.tab.document else { return Aabb::EMPTY };
        let posed = Posed::of(document, &self.tab.playback.pose_spec());
        let mut bounds = Aabb::EMPTY;
        match self.tab.selection {
            Selection::None | Selection::Clip(_) => return self.shown_bounds(),
            Selection::Subset(number) => {
                if let Some(row) = document.subsets.get(number) {
                    add_part(&mut bounds, document, row, &posed.all(row.mesh));
                }
            }
            Selection::Bone(bone) => {
                for shape in self.bone_shapes().iter().filter(|s| s.bone == bone) {
                    bounds.add(shape.head);
                    bounds.add(shape.tail);
                }
                for (number, mesh) in document.model.meshes.iter().enumerate() {
                    let moved = moved_by(mesh, bone);
                    posed.add(&mut bounds, MeshId::from_index(number), &moved);
                }
            }
            Selection::Vertex { mesh, vertex, .. } => {
                posed.add(&mut bounds, mesh, &with_neighbours(document, mesh, vertex));
                bounds = with_surroundings(bounds);
            }
            Selection::Triangle { mesh, triangle, .. } => {
                let first = triangle as usize * 3;
                let of_mesh = document.model.meshes.get(mesh.index());
                let corners = of_mesh.and_then(|of| of.triangles(first..first + 3).next());
                posed.add(&mut bounds, mesh, corners.as_ref().map_or(&[], |corners| corners));
                bounds = with_surroundings(bounds);
            }
            Selection::Hull(hull) => {
                let hull = document.model.hulls.get(hull);
                for &point in hull.map_or(&[][..], |hull| &hull.points) {
                    bounds.add(point);
                }
            }
        }
        bounds.transformed(&document.model.axes.display_from_file())
    }
}

/// A document's vertices in one pose, file space.
struct Posed<'a> {
    model: &'a Model,
    pose: Pose,
}

impl<'a> Posed<'a> {
    fn of(document: &'a Document, spec: &PoseSpec) -> Self {
        Self { model: &document.model, pose: sample(&document.model, spec) }
    }

    /// All vertices of a mesh.
    fn all(&self, id: MeshId) -> Vec<Vec3> {
        let mesh = self.model.meshes.get(id.index());
        mesh.map_or_else(Vec::new, |mesh| skin_positions(mesh, &self.pose.of_mesh(id, mesh)))
    }

    /// Adds some vertices of a mesh.
    fn add(&self, bounds: &mut Aabb, id: MeshId, vertices: &[u32]) {
        let mesh = self.model.meshes.get(id.index()).filter(|_| !vertices.is_empty());
        let Some(mesh) = mesh else { return };
        for position in skin_some_positions(mesh, &self.pose.of_mesh(id, mesh), vertices) {
            bounds.add(position);
        }
    }
}

/// Adds what a subset, or lines or points, name.
fn add_part(bounds: &mut Aabb, document: &Document, row: &SubsetRow, positions: &[Vec3]) {
    let Some(mesh) = document.model.meshes.get(row.mesh.index()) else { return };
    for corner in mesh.part_corners(row.number) {
        if let Some(&position) = positions.get(corner as usize) {
            bounds.add(position);
        }
    }
}

/// The vertices that `bone` moves more than any trace.
fn moved_by(mesh: &Mesh, bone: BoneId) -> Vec<u32> {
    /// A smaller share does not make a vertex the bone's own.
    const MIN_WEIGHT: f32 = 0.25;
    let num = u32::try_from(mesh.num_vertices()).unwrap_or(u32::MAX);
    let is_moved = |vertex: &u32| {
        let mut is_moved = false;
        mesh.for_each_influence(*vertex as usize, |by, weight| {
            is_moved |= by == bone && weight >= MIN_WEIGHT;
        });
        is_moved
    };
    (0..num).filter(is_moved).collect()
}

/// Some triangles alone tell nobody where on the model they are.
fn with_surroundings(bounds: Aabb) -> Aabb {
    /// Of the box's own size, on each side.
    const MARGIN: f32 = 1.5;
    let margin = bounds.size() * MARGIN;
    Aabb { min: bounds.min - margin, max: bounds.max + margin }
}

/// A vertex and all that share a triangle with it.
fn with_neighbours(document: &Document, mesh: MeshId, vertex: VertexId) -> Vec<u32> {
    let mut found = vec![vertex.0];
    let mesh = document.model.meshes.get(mesh.index());
    for corners in mesh.into_iter().flat_map(|mesh| mesh.triangles(0..mesh.indices.len())) {
        if corners.contains(&vertex.0) {
            found.extend(corners);
        }
    }
    found
}
