//! Finds inverse bind matrices that flatten, mirror or shear.

use glam::{DMat3, DVec3};

use super::bound_meshes;
use crate::model::stats::used_slots;
use crate::model::{Cancelled, FindingKind, Model, Place, Report, findings, numbers};
use crate::validate::worst::{Worst, bone_text};

findings! {
    pub(super) FINDINGS:
    SingularInverseBind, "singular-inverse-bind", Error, Skin,
        "an inverse bind matrix has no inverse",
        "the vertices of its bone are flattened to a plane, line or point in every pose",
        "bind the mesh again without joints that are scaled to 0",
        "bone 6 \"hand_l\" is bound by a matrix that has no inverse at bones[6]";
    MirroredInverseBind, "mirrored-inverse-bind", Warning, Skin,
        "an inverse bind matrix mirrors",
        "shown correctly here; runtimes that store rotation, scale and position separately show the mesh inside out or rotated",
        "apply the negative scales of joints and mesh before binding (Blender: Object > Apply > Scale; Maya: Freeze Transformations)",
        "bone 6 \"hand_l\" is bound by a matrix that mirrors at bones[6]";
    ShearedInverseBind, "sheared-inverse-bind", Warning, Skin,
        "an inverse bind matrix has shear",
        "shown correctly here; runtimes that store rotation, scale and position separately show the mesh skewed",
        "apply the non-uniform scales of joints and mesh before binding (Blender: Object > Apply > Scale; Maya: Freeze Transformations)",
        "bone 6 \"hand_l\" is bound by a matrix with axes at an angle of 77.6° instead of 90° at bones[6]";
}

/// The volume spanned by the directions of a matrix's rows: below this, it has no inverse in single
/// precision.
const MIN_VOLUME: f64 = 1e-6;
/// Cosine between two columns above which a matrix shears: half a degree. Files with few decimals
/// and matrices inverted in single precision stay well below.
const MAX_COSINE: f64 = 0.01;

/// Reports odd inverse binds of slots that move vertices. Those of other slots are often undefined,
/// without visible effect.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    for (_, mesh, skin) in bound_meshes(model) {
        report.progress("checking skins", 0.4)?;
        let used = used_slots(mesh, skin);
        let (mut singular, mut mirrored) = (Worst::default(), Worst::default());
        let mut sheared = Worst::default();
        let slots = skin.bones.iter().zip(&skin.bone_from_mesh).zip(used);
        for ((bone, matrix), is_used) in slots {
            if !is_used {
                continue;
            }
            match oddity(glam::Mat3::from_mat4(*matrix).as_dmat3()) {
                Some(Oddity::Singular) => singular.add(0.0, *bone),
                Some(Oddity::Mirrored) => mirrored.add(0.0, *bone),
                Some(Oddity::Sheared(cosine)) => sheared.add(cosine, *bone),
                None => {}
            }
        }
        let report_finding = |kind, found: Worst<crate::model::BoneId>, what: &str| {
            let Some((worst, bone)) = found.worst else { return };
            let places = found.worst_first().map(|bone| Place::Bone(bone.0));
            report.add_places(kind, found.count, places, || {
                let angle = if worst > 0.0 {
                    let angle = numbers::degrees(worst.min(1.0).acos().to_degrees());
                    format!(" at an angle of {angle} instead of 90°")
                } else {
                    String::new()
                };
                format!("{} {what}{angle}", bone_text(model, bone))
            });
        };
        report_finding(
            FindingKind::SingularInverseBind,
            singular,
            "is bound by a matrix that has no inverse",
        );
        report_finding(
            FindingKind::MirroredInverseBind,
            mirrored,
            "is bound by a matrix that mirrors",
        );
        report_finding(FindingKind::ShearedInverseBind, sheared, "is bound by a matrix with axes");
    }
    Ok(())
}

enum Oddity {
    Singular,
    Mirrored,
    /// The largest cosine between two axes that should be perpendicular.
    Sheared(f32),
}

fn oddity(matrix: DMat3) -> Option<Oddity> {
    // A bone scaled along its own axes has an inverse with perpendicular rows, and a mesh scaled
    // along its own axes one with perpendicular columns. If neither are, the matrix shears.
    let rows = matrix.transpose();
    let (volume, of_rows) = frame(rows.x_axis, rows.y_axis, rows.z_axis);
    let (_, of_columns) = frame(matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let cosine = f64::min(of_rows, of_columns);
    if volume.abs() < MIN_VOLUME {
        Some(Oddity::Singular)
    } else if volume < 0.0 {
        Some(Oddity::Mirrored)
    } else if cosine > MAX_COSINE {
        #[expect(clippy::cast_possible_truncation, reason = "a cosine")]
        Some(Oddity::Sheared(cosine as f32))
    } else {
        None
    }
}

/// The volume spanned by the directions of three axes, and the largest cosine between two of them.
fn frame(x: DVec3, y: DVec3, z: DVec3) -> (f64, f64) {
    let [x, y, z] = [x, y, z].map(DVec3::normalize_or_zero);
    let cosines = [x.dot(y), y.dot(z), z.dot(x)].map(f64::abs);
    (x.cross(y).dot(z), cosines.into_iter().fold(0.0, f64::max))
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3, Vec4};

    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, inverse_bind_of};

    fn kinds_with(bone_1: Mat4) -> Vec<FindingKind> {
        let mut model = clean_model();
        *inverse_bind_of(&mut model, 1) *= bone_1;
        let findings = findings_of_rules(&model, check);
        for finding in &findings {
            assert_eq!((finding.place, finding.count), (Place::Bone(1), 1));
        }
        findings.iter().map(|finding| finding.kind).collect()
    }

    #[test]
    fn rotation_and_scale_matrices_are_valid() {
        assert!(kinds_with(Mat4::from_rotation_x(0.7)).is_empty());
        assert!(kinds_with(Mat4::from_scale(Vec3::splat(1e-3))).is_empty());
        assert!(kinds_with(Mat4::from_scale(Vec3::new(1.0, 2.0, 5.0))).is_empty());
    }

    #[test]
    fn singular_mirrored_and_sheared_matrices_are_distinguished() {
        let flat = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(kinds_with(flat), [FindingKind::SingularInverseBind]);
        let mirror = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        assert_eq!(kinds_with(mirror), [FindingKind::MirroredInverseBind]);
        let mut shear = Mat4::IDENTITY;
        shear.y_axis = Vec4::new(0.1, 1.0, 0.0, 0.0);
        assert_eq!(kinds_with(shear), [FindingKind::ShearedInverseBind]);
    }

    #[test]
    fn inverse_binds_of_unused_slots_are_not_checked() {
        let mut model = clean_model();
        let (_, _, weights) = crate::validate::fixtures::clean::rows_of(&mut model);
        for pair in weights.chunks_mut(2) {
            pair.copy_from_slice(&[1.0, 0.0]);
        }
        *inverse_bind_of(&mut model, 1) = Mat4::ZERO;
        assert_eq!(find(&findings_of_rules(&model, check), FindingKind::SingularInverseBind), None);
    }
}
