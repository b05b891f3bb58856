//! Writes structure files, and numbers of both kinds of files.

use glam::{DAffine3, DVec3, Vec3};

use crate::formats::WriteError;
use crate::formats::rigged_model::RiggedModel;
use rigscope_core::model::{Mesh, Report};

/// A vertex counts for the box of a bone if the bone has at least this weight.
const BOX_WEIGHT: f32 = 0.5;
/// Number of vertices between checks for cancellation.
const VERTICES_PER_LOOK: usize = 16384;

#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    pub(super) fn line(&mut self, text: impl std::fmt::Display) {
        self.0.push_str(&text.to_string());
        self.0.push('\n');
    }

    /// Single-precision numbers, each as the shortest decimal that reads back exactly.
    pub(super) fn numbers(&mut self, numbers: [f32; 3]) {
        let [x, y, z] = numbers;
        self.line(format_args!("{x} {y} {z}"));
    }

    pub(super) fn vector(&mut self, vector: DVec3) {
        self.numbers(vector.as_vec3().to_array());
    }

    /// The images of the axes, one per row, and the translation.
    pub(super) fn matrix(&mut self, matrix: &DAffine3) {
        for row in [
            matrix.matrix3.x_axis,
            matrix.matrix3.y_axis,
            matrix.matrix3.z_axis,
            matrix.translation,
        ] {
            self.vector(row);
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

/// The position of a vertex, which always exists.
fn position(mesh: &Mesh, vertex: usize) -> Vec3 {
    mesh.position(vertex).unwrap_or_default()
}

/// The size of the box of each bone: the bounds of its vertices along its axes, or 1 without vertices.
pub(super) fn sizes(rigged: &RiggedModel, report: &Report) -> Result<Vec<[f64; 3]>, WriteError> {
    let mut corners = vec![(DVec3::INFINITY, DVec3::NEG_INFINITY); rigged.bones.len()];
    let inverses: Vec<DAffine3> = rigged.bones.iter().map(|b| b.bind.inverse()).collect();
    let mut list = Vec::new();
    if let Some(mesh) = rigged.mesh() {
        for vertex in 0..mesh.num_vertices() {
            if vertex % VERTICES_PER_LOOK == 0 {
                report.progress("measuring bones", 0.1)?;
            }
            rigged.influences(vertex, &mut list);
            let own = list.iter().filter(|(_, weight)| *weight >= BOX_WEIGHT);
            for &(bone, _) in own {
                if let (Some(inverse), Some((low, high))) =
                    (inverses.get(bone), corners.get_mut(bone))
                {
                    let at = inverse.transform_point3(position(mesh, vertex).as_dvec3());
                    (*low, *high) = (low.min(at), high.max(at));
                }
            }
        }
    }
    let size = |&(low, high): &(DVec3, DVec3)| {
        let size = high - low;
        let is_sound = size.is_finite() && size.min_element() > 0.0;
        let size = if is_sound { size } else { DVec3::ONE };
        // As it will be read back.
        size.as_vec3().as_dvec3().to_array()
    };
    Ok(corners.iter().map(size).collect())
}

/// Bones, then vertices with their influences.
pub(super) fn structure(
    rigged: &RiggedModel,
    names: &[String],
    sizes: &[[f64; 3]],
    has_bones: bool,
    report: &Report,
) -> Result<Vec<u8>, WriteError> {
    let mut text = Text::default();
    let num_vertices = rigged.mesh().map_or(0, Mesh::num_vertices);
    text.line(rigged.bones.len());
    text.line(num_vertices);
    for ((bone, name), size) in rigged.bones.iter().zip(names).zip(sizes) {
        text.line(format_args!("<{name}>"));
        match bone.parent {
            Some(parent) => text.line(parent),
            None => text.line('*'),
        }
        text.vector(DVec3::from_array(*size));
        text.matrix(&bone.bind);
        // Only the plug-in distinguishes a node from its bone.
        text.matrix(&bone.bind);
    }
    let mut list = Vec::new();
    for vertex in 0..num_vertices {
        if vertex % VERTICES_PER_LOOK == 0 {
            let share = vertex as f32 / num_vertices as f32;
            report.progress("writing vertices", 0.1 + 0.3 * share)?;
        }
        if let Some(mesh) = rigged.mesh() {
            text.numbers(position(mesh, vertex).to_array());
        }
        rigged.influences(vertex, &mut list);
        if !has_bones {
            list.push((0, 1.0));
        }
        text.line(list.len());
        for (bone, weight) in &list {
            text.line(format_args!("{bone} {weight}"));
        }
    }
    Ok(text.into_bytes())
}
