//! Writes animation files in five of the format's modes.

use glam::{DAffine3, EulerRot};

use super::ID;
use super::pose_sampler::PoseSampler;
use super::write_structure::Text;
use crate::formats::WriteError;
use crate::formats::rigged_model::{KeyGrid, RiggedModel};
use rigscope_core::model::{Clip, Mesh, Report, Trs};

/// The mode of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    AbsoluteMatrix,
    RelativeMatrix,
    RelativeEuler,
    MeshAbsolute,
    MeshBones,
}

/// Matrices that need as much memory as the text of a bone: its size and two transforms with up to 17 digits.
const MATRICES_PER_BONE: usize = 2;
/// The same for the text of a position.
const POSITIONS_PER_MATRIX: usize = 8;

impl Kind {
    pub(super) const ALL: [Self; 5] = [
        Self::AbsoluteMatrix,
        Self::RelativeMatrix,
        Self::RelativeEuler,
        Self::MeshAbsolute,
        Self::MeshBones,
    ];

    /// The size of a key in matrices.
    pub(super) fn matrices_per_key(self, rigged: &RiggedModel) -> usize {
        let num_vertices = rigged.mesh().map_or(0, Mesh::num_vertices);
        match self {
            Self::MeshAbsolute | Self::MeshBones => num_vertices.div_ceil(POSITIONS_PER_MATRIX),
            _ => rigged.bones.len() * MATRICES_PER_BONE,
        }
    }

    /// Mode, system and representation.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::AbsoluteMatrix => ["Bones", "Absolute", "Matrix"],
            Self::RelativeMatrix => ["Bones", "Relative to parent", "Matrix"],
            Self::RelativeEuler => ["Bones", "Relative to parent", "Euler Angles"],
            Self::MeshAbsolute => ["Mesh (absolute)", "Absolute", "Matrix"],
            Self::MeshBones => ["Mesh (bones c.s)", "Absolute", "Matrix"],
        }
    }
}

pub(super) struct Job<'a> {
    pub(super) clip: &'a Clip,
    /// Its index in the model.
    pub(super) number: usize,
    pub(super) kind: Kind,
    pub(super) grid: KeyGrid,
    pub(super) first_frame: u64,
    pub(super) step: u32,
}

impl Job<'_> {
    pub(super) fn last_frame(&self) -> u64 {
        self.first_frame + u64::from(self.grid.num_keys - 1) * u64::from(self.step)
    }
}

/// Writes one clip as a file.
pub(super) fn animation(
    posed: &PoseSampler<'_>,
    job: &Job<'_>,
    sizes: &[[f64; 3]],
    report: &Report,
) -> Result<Vec<u8>, WriteError> {
    let rigged = posed.rigged;
    let num_keys = job.grid.num_keys;
    let mut text = Text::default();
    text.line(rigged.bones.len());
    text.line(rigged.mesh().map_or(0, Mesh::num_vertices));
    text.line(num_keys);
    for words in job.kind.words() {
        text.line(words);
    }
    // The default order of 3ds Max.
    text.line("XYZ");
    text.line("Degrees");
    text.line(job.first_frame);
    text.line(job.last_frame());
    text.line(job.step);
    let members = members(posed, job.kind);
    let has_vertices = rigged.mesh().is_some_and(|mesh| mesh.num_vertices() > 0);
    if job.kind == Kind::MeshBones && has_vertices && members.iter().all(Vec::is_empty) {
        return Err(WriteError::NothingToWrite { format: ID, what: "vertices that bones move" });
    }
    for key in 0..num_keys {
        let share = f64::from(key) / f64::from(num_keys);
        #[expect(clippy::cast_possible_truncation, reason = "a fraction")]
        report.progress("writing clips", 0.4 + 0.6 * share as f32)?;
        let time_secs = job.grid.key_secs(key);
        match job.kind {
            Kind::AbsoluteMatrix | Kind::RelativeMatrix | Kind::RelativeEuler => {
                let frame = posed.bones(job.number, time_secs);
                let matrices = match job.kind {
                    Kind::AbsoluteMatrix => frame.model_from_bone,
                    _ => frame.parent_from_bone,
                };
                for (matrix, size) in matrices.iter().zip(sizes) {
                    text.vector((*size).into());
                    // For the bone and, as reference, the node.
                    for _ in 0..2 {
                        match job.kind {
                            Kind::RelativeEuler => euler(&mut text, matrix),
                            _ => text.matrix(matrix),
                        }
                    }
                }
            }
            Kind::MeshAbsolute => {
                for position in posed.vertices(job.number, time_secs) {
                    text.numbers(position.to_array());
                }
            }
            Kind::MeshBones => {
                let bones = posed.bones(job.number, time_secs).model_from_bone;
                let positions = posed.vertices(job.number, time_secs);
                copies(&mut text, &bones, &positions, &members)?;
            }
        }
    }
    Ok(text.into_bytes())
}

/// Angles about static axes X, then Y, then Z, and the translation. Scale and shear are lost.
fn euler(text: &mut Text, matrix: &DAffine3) {
    let narrow = glam::Affine3A {
        matrix3: matrix.matrix3.as_mat3().into(),
        translation: matrix.translation.as_vec3().into(),
    };
    let rotation = Trs::from_affine(narrow).rotation.as_dquat().normalize();
    // With static axes, the last rotation comes first.
    let (z, y, x) = rotation.to_euler(EulerRot::ZYX);
    text.vector(glam::DVec3::new(x, y, z) * 1f64.to_degrees());
    text.vector(matrix.translation);
}

/// The vertices that each bone moves, for modes that store them.
fn members(posed: &PoseSampler<'_>, kind: Kind) -> Vec<Vec<usize>> {
    let rigged = posed.rigged;
    let mut members = vec![Vec::new(); rigged.bones.len()];
    let mut list = Vec::new();
    if kind == Kind::MeshBones {
        for vertex in 0..rigged.mesh().map_or(0, Mesh::num_vertices) {
            rigged.influences(vertex, &mut list);
            for &(bone, _) in &list {
                if let Some(own) = members.get_mut(bone) {
                    own.push(vertex);
                }
            }
        }
    }
    members
}

/// Each bone's vertices in its coordinate system, after moving.
///
/// # Errors If a bone has no volume and thus no coordinate system for its vertices.
fn copies(
    text: &mut Text,
    bones: &[DAffine3],
    positions: &[glam::Vec3],
    members: &[Vec<usize>],
) -> Result<(), WriteError> {
    for (bone, (matrix, own)) in bones.iter().zip(members).enumerate() {
        let inverse = matrix.inverse();
        if !own.is_empty() && !inverse.is_finite() {
            return Err(WriteError::NothingToWrite {
                format: ID,
                what: "finite positions relative to a bone with a scale of 0",
            });
        }
        text.line(format_args!("{bone} {}", own.len()));
        for &vertex in own {
            let moved = positions.get(vertex).copied().unwrap_or_default();
            let at = inverse.transform_point3(moved.as_dvec3()).as_vec3();
            text.line(format_args!("{vertex} {} {} {}", at.x, at.y, at.z));
        }
    }
    Ok(())
}
