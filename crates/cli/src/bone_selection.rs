//! `--bone`: a bone by name or number.

use rigscope_core::model::{BoneId, Model};

/// The bone with this name, or else with this number.
pub(super) fn find_bone(model: &Model, name: &str) -> anyhow::Result<BoneId> {
    let skeleton = &model.skeleton;
    let mut bones = (0..skeleton.len()).map(BoneId::from_index);
    let by_name = bones.find(|&bone| skeleton.display_name(bone) == name);
    let number = || name.parse().ok().map(BoneId);
    let by_number = || number().filter(|bone| bone.index() < skeleton.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let lower = name.to_lowercase();
        let mut bones = (0..skeleton.len()).map(BoneId::from_index);
        let near = bones.find(|&bone| skeleton.display_name(bone).to_lowercase().contains(&lower));
        match near {
            Some(bone) => {
                let other = skeleton.display_name(bone);
                anyhow::anyhow!("there is no bone `{name}`; did you mean `{other}`?")
            }
            None => {
                anyhow::anyhow!("there is no bone `{name}`; the model has {}", model.bones_text())
            }
        }
    })
}
