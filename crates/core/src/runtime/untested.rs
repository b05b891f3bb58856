//! Features of a file that none of the files has by which the rules were verified (`engines/models.py`).

use super::{Runtime, Verified};
use crate::model::{Mesh, Model, Skin};

/// Extensions that compared files have.
const COMPARED: &[&str] =
    &["EXT_mesh_gpu_instancing", "KHR_animation_pointer", "KHR_mesh_quantization"];
/// Beginnings of the names of extensions that don't affect poses.
const WITHOUT_EFFECT: &[&str] =
    &["EXT_lights_", "EXT_texture_", "KHR_lights_", "KHR_materials_", "KHR_texture_", "KHR_xmp"];
/// The most influences per vertex and morph targets per mesh in compared files.
const MAX_INFLUENCES: usize = 12;
const MAX_MORPH_TARGETS: usize = 300;
/// The version of compared FBX files.
const OLDEST_FBX: u32 = 7400;

impl Runtime {
    /// Features of a model that no file had that was compared with the runtime, as nouns.
    pub fn untested(&self, model: &Model) -> Vec<String> {
        if self.verified == Verified::Reference {
            return Vec::new();
        }
        let mut features: Vec<String> = Vec::new();
        for name in &model.stored.used_extensions {
            let has_effect = !WITHOUT_EFFECT.iter().any(|prefix| name.starts_with(prefix));
            if has_effect && !COMPARED.contains(&name.as_str()) && !features.contains(name) {
                features.push(name.clone());
            }
        }
        let num_influences = model.meshes.iter().map(|mesh| match &mesh.skin {
            Skin::InverseBind(skin) => {
                let rows = (0..mesh.num_vertices()).map(|at| skin.influences.row(at).count());
                rows.max().unwrap_or_default()
            }
            _ => 0,
        });
        if num_influences.max().unwrap_or_default() > MAX_INFLUENCES {
            features.push(format!("more than {MAX_INFLUENCES} influences per vertex"));
        }
        if model.meshes.iter().any(|mesh| mesh.morph_targets.len() > MAX_MORPH_TARGETS) {
            features.push(format!("more than {MAX_MORPH_TARGETS} morph targets"));
        }
        features.extend(of_fbx(model).into_iter().map(str::to_owned));
        features
    }
}

/// Features of an FBX file that compared files lack.
fn of_fbx(model: &Model) -> Vec<&'static str> {
    let Some(fbx) = model.stored.fbx.as_deref() else { return Vec::new() };
    let has_between = |mesh: &Mesh| mesh.morph_targets.iter().any(|own| own.shapes.len() > 1);
    let all = [
        (fbx.version < OLDEST_FBX, "versions of FBX before 7.4"),
        (fbx.has_other_inheritance, "scales that children inherit per axis, or not at all"),
        (model.meshes.iter().any(has_between), "in-between shapes"),
    ];
    all.into_iter().filter(|(is_in, _)| *is_in).map(|(_, text)| text).collect()
}
