//! Finds skinned models of an implausible size in formats that state their unit: centimetres read as metres,
//! or the reverse.
//!
//! Giants and toys exist. Only a body whose bones have the names of those of a human or a four-legged animal
//! is a warning.

use crate::model::{Aabb, BoneKind, Cancelled, FindingKind, Model, Place, Report, Skin, findings};
use crate::pose::{PoseSpec, skin_model};
use crate::validate::worst::length_text;

findings! {
    pub(super) FINDINGS:
    OddSize, "odd-size", Info, Skin,
        "a skinned model is unusually small or large",
        "the model is hardly visible or fills the scene next to others, if its unit is wrong",
        "check the exporter's unit and the scale of the scene (Blender FBX: Apply Scalings), or run `rigscope convert IN -o OUT --scale F`",
        "the size of the skinned meshes is 71.2 m; if the numbers are centimetres instead of metres, it is 71.2 cm";
    OddBodySize, "odd-body-size", Warning, Skin,
        "a model with the bones of a human or a four-legged animal is far too small or too large for one",
        "next to other models it is a giant or a speck, most likely because its unit is wrong",
        "export in the unit of the scene (Blender FBX: Apply Unit); `rigscope convert IN -o OUT --scale 0.01` converts centimetres to metres",
        "the size of the skinned meshes is 180 m; if the numbers are centimetres instead of metres, it is 1.8 m";
}

/// Longest side of any animated model, in metres: an insect and a whale.
const POSSIBLE: std::ops::Range<f32> = 0.005..60.0;
/// Longest side of a human or a four-legged animal in any style, including giants and toys.
const BODY: std::ops::Range<f32> = 0.1..25.0;
/// Longest side of usual ones, for the suggested fix.
const USUAL: std::ops::Range<f32> = 0.5..3.0;
/// With fewer bones it may be a lamp or a lift.
const MIN_BONES: usize = 5;
/// Parts of a body; each is recognised by any of its words in the name of a bone.
const PARTS: [&[&str]; 7] = [
    &["hip", "pelvis"],
    &["spine", "chest", "torso"],
    &["head", "neck"],
    &["shoulder", "clavicle", "upperarm", "upper_arm", "upper arm"],
    &["forearm", "lowerarm", "hand", "wrist"],
    &["thigh", "upleg", "upperleg", "upper_leg"],
    &["calf", "shin", "foot", "ankle", "toe"],
];
/// A skeleton with this many parts is such a body.
const MIN_PARTS: usize = 5;

/// Reports a skinned model of an unlikely size, for formats that state their unit.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let bones = model.skeleton.bones().iter().filter(|bone| bone.kind == BoneKind::Bone);
    let names: Vec<_> = bones.map(|bone| bone.name.to_lowercase()).collect();
    let is_skinned = model.meshes.iter().any(|mesh| !matches!(mesh.skin, Skin::None));
    if model.axes.unit_meters.is_none() || !is_skinned || names.len() < MIN_BONES {
        return Ok(());
    }
    report.progress("checking skins", 0.9)?;
    let skinned = skin_model(model, &PoseSpec::default());
    let pairs = model.meshes.iter().zip(&skinned);
    let bodies = pairs.filter(|(mesh, _)| !matches!(mesh.skin, Skin::None));
    let bounds = Aabb::from_points(bodies.flat_map(|(_, posed)| posed.positions.iter().copied()));
    let length = bounds.size().max_element();
    let metres = length * model.axes.display_units_per_file_unit();
    if metres <= 0.0 || BODY.contains(&metres) {
        return Ok(());
    }
    let has =
        |words: &&&[&str]| names.iter().any(|name| words.iter().any(|word| name.contains(word)));
    let is_body = PARTS.iter().filter(has).count() >= MIN_PARTS;
    let kind = match is_body {
        true => FindingKind::OddBodySize,
        false if POSSIBLE.contains(&metres) => return Ok(()),
        false => FindingKind::OddSize,
    };
    let other =
        [(0.01, "centimetres"), (0.001, "millimetres"), (0.0254, "inches"), (100.0, "metres")];
    let likely = other.into_iter().find(|(factor, _)| USUAL.contains(&(metres * factor)));
    // The size in all messages, the diagonal of the box, isn't its longest side.
    let size = bounds.extent();
    report.add_many(kind, Place::File, 1, || {
        let own = length_text(model, size);
        match likely {
            // The file states metres, but was written in the other unit.
            Some((factor, unit)) if factor < 1.0 => {
                let meant = length_text(model, size * factor);
                format!("the size of the skinned meshes is {own}; if the numbers are {unit} instead of metres, it is {meant}")
            }
            Some((factor, _)) => {
                let meant = length_text(model, size * factor);
                format!("the size of the skinned meshes is {own}; if metres were scaled down as if they were centimetres, it should be {meant}")
            }
            None => format!("the size of the skinned meshes is {own}"),
        }
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::testing::*;
    use crate::validate::fixtures::clean::findings_of_rules;

    const HUMAN_BONES: [&str; 6] =
        ["mixamorig:Hips", "mixamorig:Spine", "Head", "LeftForeArm", "Right_UpperLeg", "foot.L"];

    /// A skinned triangle with this height in metres, on bones with these names.
    fn body(height: f32, names: &[&str]) -> Model {
        let model = ModelBuilder::new().chain(names);
        let mut model =
            model.mesh([Vec3::ZERO, Vec3::X * 0.01, Vec3::Y * height]).bound([ONE; 3]).build();
        model.axes.unit_meters = Some(1.0);
        model
    }

    fn found(model: &Model) -> Vec<(FindingKind, String)> {
        findings_of_rules(model, check)
            .into_iter()
            .map(|finding| (finding.kind, finding.message))
            .collect()
    }

    #[test]
    fn implausible_human_size_is_a_warning_with_the_likely_size() {
        let message = "the size of the skinned meshes is 180 m; if the numbers are centimetres \
                       instead of metres, it is 1.8 m";
        let expected = [(FindingKind::OddBodySize, message.to_owned())];
        assert_eq!(found(&body(180.0, &HUMAN_BONES)), expected);
        let [(kind, message)] = &found(&body(0.018, &HUMAN_BONES))[..] else { panic!() };
        assert_eq!(*kind, FindingKind::OddBodySize);
        assert!(message.ends_with("it should be 2.06 m"), "{message}");
    }

    #[test]
    fn other_skeletons_are_an_info_only_at_implausible_sizes() {
        let names: Vec<_> = (0..6).map(|at| format!("joint{at}")).collect();
        let names: Vec<_> = names.iter().map(|name| &**name).collect();
        let [(kind, _)] = found(&body(180.0, &names))[..] else { panic!() };
        assert_eq!(kind, FindingKind::OddSize);
        assert_eq!(found(&body(40.0, &names)), []);
    }

    #[test]
    fn usual_sizes_unknown_units_and_small_skeletons_are_not_reported() {
        for height in [0.2, 1.8, 12.0] {
            assert_eq!(found(&body(height, &HUMAN_BONES)), []);
        }
        let mut unitless = body(180.0, &HUMAN_BONES);
        unitless.axes.unit_meters = None;
        assert_eq!(found(&unitless), []);
        assert_eq!(found(&body(180.0, &HUMAN_BONES[..3])), []);
    }
}
