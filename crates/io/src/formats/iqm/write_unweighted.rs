//! Vertices without weights: no bone moves them, but the format can't store that. Its readers would
//! attach them to their first joint, so they are bound to an additional joint that doesn't move.

use glam::Mat4;

use crate::formats::added_bones::{WITHOUT_WEIGHTS, report_added_bone};
use rigscope_core::model::{
    Bone, BoneId, FindingKind, Influences, Model, Place, Report, STILL_NAME, Skeleton, Skin,
    counted, singular_or_plural,
};
use rigscope_core::reshape;

/// Whether no bone moves a vertex with these influences.
fn is_unweighted(row: &[(u32, f32)]) -> bool {
    row.iter().all(|(_, weight)| *weight <= 0.0)
}

/// The model with these vertices bound to a joint at the origin; `None` without such vertices.
pub(super) fn with_static_joint(
    model: &Model,
    rate: Option<f64>,
    report: &Report,
) -> Option<Model> {
    let has_some = model.meshes.iter().any(|mesh| match &mesh.skin {
        Skin::InverseBind(skin) if matches!(skin.influences, Influences::Rows { .. }) => {
            let row = |vertex| skin.influences.row(vertex).collect::<Vec<_>>();
            (0..mesh.num_vertices()).any(|vertex| is_unweighted(&row(vertex)))
        }
        _ => false,
    });
    if !has_some {
        return None;
    }
    let mut model = reshape::plain(model, rate);
    let still = BoneId::from_index(model.skeleton.len());
    let mut bones = model.skeleton.bones().to_vec();
    bones.push(Bone { name: STILL_NAME.to_owned(), ..Bone::default() });
    model.skeleton = Skeleton::new(bones, model.skeleton.has_hierarchy()).ok()?;
    let (mut num, mut first) = (0, None);
    for (number, mesh) in (0u32..).zip(&mut model.meshes) {
        let Some(skin) = mesh.inverse_bind_mut() else { continue };
        let slot = u32::try_from(skin.bones.len()).unwrap_or(u32::MAX);
        skin.influences.map_rows(|vertex, row| {
            if is_unweighted(row) {
                num += 1;
                let vertex = u32::try_from(vertex).unwrap_or(u32::MAX);
                first.get_or_insert(Place::Vertex { mesh: number, vertex });
                *row = vec![(slot, 1.0)];
            }
        });
        skin.bones.push(still);
        skin.bone_from_mesh.push(Mat4::IDENTITY);
    }
    report.add_many(FindingKind::UnweightedOnStillBone, first.unwrap_or(Place::File), num, || {
        let vertices = counted(num, "vertex");
        let are = singular_or_plural(num, "is", "are");
        format!("{vertices} without weights {are} bound to a joint that doesn't move")
    });
    report_added_bone(STILL_NAME, WITHOUT_WEIGHTS, report);
    Some(model)
}
