//! What is selected, and the box around it in the pose shown.

use glam::Vec3;

use crate::model::{Aabb, BoneId, ClipId, MeshId, VertexId};
use crate::pose::{PoseSpec, sample, skin_positions};
use crate::state::{AppState, Document, SubsetRow};
use crate::visual::Outlined;

/// One thing that the inspector shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// The model as a whole.
    #[default]
    None,
    /// A subset, counted over all meshes.
    Subset(usize),
    /// A bone.
    Bone(BoneId),
    /// A vertex.
    Vertex {
        /// Its mesh.
        mesh: MeshId,
        /// Its number in the mesh.
        vertex: VertexId,
        /// The subset it was picked in, counted over all meshes.
        subset: Option<usize>,
    },
    /// A triangle.
    Triangle {
        /// Its mesh.
        mesh: MeshId,
        /// Its number in the mesh: indices 3 n to 3 n + 2.
        triangle: u32,
        /// The subset it was picked in, counted over all meshes.
        subset: Option<usize>,
    },
    /// A collision hull.
    Hull(usize),
    /// A clip.
    Clip(ClipId),
}

impl Selection {
    /// Whether `document` has what is selected.
    pub fn exists_in(&self, document: &Document) -> bool {
        match *self {
            Self::None => true,
            Self::Subset(number) => number < document.subsets.len(),
            Self::Bone(bone) => bone.index() < document.model.skeleton.len(),
            Self::Vertex { mesh, vertex, .. } => document
                .model
                .meshes
                .get(mesh.index())
                .is_some_and(|mesh| vertex.index() < mesh.num_vertices()),
            Self::Triangle { mesh, triangle, .. } => document
                .model
                .meshes
                .get(mesh.index())
                .is_some_and(|mesh| (triangle as usize) < mesh.indices.len() / 3),
            Self::Hull(hull) => hull < num_hulls(document),
            Self::Clip(clip) => clip.index() < document.model.clips.len(),
        }
    }

    /// The subset that is meant, also by a vertex picked in it.
    pub fn subset(&self) -> Option<usize> {
        match *self {
            Self::Subset(number) => Some(number),
            Self::Vertex { subset, .. } | Self::Triangle { subset, .. } => subset,
            _ => None,
        }
    }

    /// What of the picture is outlined; a vertex has a marker instead.
    pub fn outlined(&self) -> Option<Outlined> {
        match *self {
            Self::Subset(number) => Some(Outlined::Part(number)),
            Self::Bone(bone) => Some(Outlined::Bone(bone)),
            Self::Triangle { mesh, triangle, .. } => Some(Outlined::Triangle { mesh, triangle }),
            Self::Hull(hull) => Some(Outlined::Hull(hull)),
            Self::None | Self::Vertex { .. } | Self::Clip(_) => None,
        }
    }

    /// The bone that stands out in the view.
    pub fn bone(&self) -> Option<BoneId> {
        match *self {
            Self::Bone(bone) => Some(bone),
            _ => None,
        }
    }
}

impl AppState {
    /// The box around all that is drawn in the pose shown, display space.
    pub(in crate::state) fn shown_bounds(&self) -> Aabb {
        let Some(document) = &self.tab.document else { return Aabb::EMPTY };
        let posed = posed(document, &self.tab.playback.pose_spec());
        let mut bounds = Aabb::EMPTY;
        for (number, row) in document.subsets.iter().enumerate() {
            if self.tab.view.shows(number) {
                add_part(&mut bounds, document, row, &posed);
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
            bounds = Aabb::from_points(posed.iter().flatten().copied());
        }
        let bounds = bounds.transformed(&document.model.axes.display_from_file());
        if bounds.is_empty() { document.bounds } else { bounds }
    }

    /// Selects `selection` where it exists; a clip is shown too.
    pub(in crate::state) fn select(&mut self, selection: Selection) {
        let exists = |document| selection.exists_in(document);
        if self.tab.document.as_ref().is_some_and(exists) {
            self.tab.selection = selection;
        }
        if let Selection::Clip(clip) = selection {
            self.set_clip(clip);
        }
    }

    pub(in crate::state) fn select_parent(&mut self) {
        if let Some(parent) = self.parent_of_selected() {
            self.tab.selection = Selection::Bone(parent);
        }
    }

    pub(in crate::state) fn hide_subset(&mut self) {
        let Some(number) = self.tab.selection.subset() else { return };
        if self.tab.view.isolated == Some(number) {
            self.tab.view.isolated = None;
        }
        if let Some(look) = self.tab.view.looks.get_mut(number) {
            look.is_visible = false;
        }
    }

    /// Shows only the selected subset, or all subsets again.
    pub(in crate::state) fn isolate_subset(&mut self) {
        let wanted = self.tab.selection.subset();
        self.tab.view.isolated = wanted.filter(|_| self.tab.view.isolated != wanted);
    }

    pub(in crate::state) fn show_all_subsets(&mut self) {
        self.tab.view.isolated = None;
        for look in &mut self.tab.view.looks {
            look.is_visible = true;
        }
    }

    /// The box around what is selected in the pose shown, display space; empty for what has no
    /// place.
    pub(in crate::state) fn selected_bounds(&self) -> Aabb {
        let Some(document) = &self.tab.document else { return Aabb::EMPTY };
        let posed = || posed(document, &self.tab.playback.pose_spec());
        let mut bounds = Aabb::EMPTY;
        match self.tab.selection {
            Selection::None | Selection::Clip(_) => return self.shown_bounds(),
            Selection::Subset(number) => {
                if let Some(row) = document.subsets.get(number) {
                    add_part(&mut bounds, document, row, &posed());
                }
            }
            Selection::Bone(bone) => {
                for shape in self.bone_shapes().iter().filter(|s| s.bone == bone) {
                    bounds.add(shape.head);
                    bounds.add(shape.tail);
                }
                add_moved_by(&mut bounds, document, bone, &posed());
            }
            Selection::Vertex { mesh, vertex, .. } => {
                add_neighbours(&mut bounds, document, mesh, vertex, &posed());
                bounds = with_surroundings(bounds);
            }
            Selection::Triangle { mesh, triangle, .. } => {
                let first = triangle as usize * 3;
                add_subset(&mut bounds, document, mesh, first..first + 3, &posed());
                bounds = with_surroundings(bounds);
            }
            Selection::Hull(hull) => {
                for &point in hull_points(document, hull) {
                    bounds.add(point);
                }
            }
        }
        bounds.transformed(&document.model.axes.display_from_file())
    }
}

/// Where the vertices of each mesh are, file space.
fn posed(document: &Document, spec: &PoseSpec) -> Vec<Vec<Vec3>> {
    let pose = sample(&document.model, spec);
    let meshes = document.model.meshes.iter().enumerate();
    let posed =
        |(number, mesh)| skin_positions(mesh, &pose.of_mesh(MeshId::from_index(number), mesh));
    meshes.map(posed).collect()
}

fn num_hulls(document: &Document) -> usize {
    document.model.hulls.len()
}

fn hull_points(document: &Document, hull: usize) -> &[Vec3] {
    let hull = document.model.hulls.get(hull);
    hull.map_or(&[], |hull| &hull.points)
}

/// Adds what a subset, or lines or points, name.
fn add_part(bounds: &mut Aabb, document: &Document, row: &SubsetRow, posed: &[Vec<Vec3>]) {
    let (Some(mesh), Some(posed)) =
        (document.model.meshes.get(row.mesh.index()), posed.get(row.mesh.index()))
    else {
        return;
    };
    for corner in mesh.part_corners(row.number) {
        if let Some(&position) = posed.get(corner as usize) {
            bounds.add(position);
        }
    }
}

fn add_subset(
    bounds: &mut Aabb,
    document: &Document,
    mesh: MeshId,
    range: std::ops::Range<usize>,
    posed: &[Vec<Vec3>],
) {
    let (Some(mesh), Some(posed)) =
        (document.model.meshes.get(mesh.index()), posed.get(mesh.index()))
    else {
        return;
    };
    for corner in mesh.triangles(range).flatten() {
        if let Some(&position) = posed.get(corner as usize) {
            bounds.add(position);
        }
    }
}

/// Adds the vertices that `bone` moves more than any trace.
fn add_moved_by(bounds: &mut Aabb, document: &Document, bone: BoneId, posed: &[Vec<Vec3>]) {
    /// A smaller share does not make a vertex the bone's own.
    const MIN_WEIGHT: f32 = 0.25;
    for (mesh, posed) in document.model.meshes.iter().zip(posed) {
        for (vertex, &position) in posed.iter().enumerate() {
            mesh.for_each_influence(vertex, |by, weight| {
                if by == bone && weight >= MIN_WEIGHT {
                    bounds.add(position);
                }
            });
        }
    }
}

/// Some triangles alone tell nobody where on the model they are.
fn with_surroundings(bounds: Aabb) -> Aabb {
    /// Of the box's own size, on each side.
    const MARGIN: f32 = 1.5;
    let margin = bounds.size() * MARGIN;
    Aabb { min: bounds.min - margin, max: bounds.max + margin }
}

/// Adds a vertex and all that share a triangle with it.
fn add_neighbours(
    bounds: &mut Aabb,
    document: &Document,
    mesh: MeshId,
    vertex: VertexId,
    posed: &[Vec<Vec3>],
) {
    let (Some(mesh), Some(posed)) =
        (document.model.meshes.get(mesh.index()), posed.get(mesh.index()))
    else {
        return;
    };
    let mut add = |index: u32| {
        if let Some(&position) = posed.get(index as usize) {
            bounds.add(position);
        }
    };
    add(vertex.0);
    for corners in mesh.triangles(0..mesh.indices.len()) {
        if corners.contains(&vertex.0) {
            corners.into_iter().for_each(&mut add);
        }
    }
}
