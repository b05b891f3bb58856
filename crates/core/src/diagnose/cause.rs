//! The causes that a diagnosis can name: their texts, and the findings that they explain.

use crate::model::{Finding, FindingKind, Severity};

/// A mistake that exporters make.
#[derive(Debug)]
pub struct CauseInfo {
    /// Stable kebab-case identifier.
    pub name: &'static str,
    /// The fault, as a sentence without a full stop.
    pub statement: &'static str,
    /// What to change in the exporter or its settings, as an imperative without a full stop.
    pub fix: &'static str,
    /// Codes of the findings that are symptoms of the cause.
    pub explains: &'static [&'static str],
}

impl CauseInfo {
    /// Whether a finding of this kind is a symptom of the cause.
    pub fn explains(&self, kind: FindingKind) -> bool {
        self.explains.contains(&kind.code())
    }

    /// Whether, without a reference, the only evidence is that models usually look otherwise. The model may be meant so,
    /// so the cause is only undone if it is named.
    #[must_use]
    pub fn is_guess(&self) -> bool {
        GUESSES.iter().any(|guess| guess.name == self.name)
    }
}

/// Causes that are found by the usual pose, sides and height of bodies, the usual times of keys, the usual size of morph
/// targets or the usual mean of normal maps. The evidence of all others is a contradiction within the model.
const GUESSES: [&CauseInfo; 8] = [
    UP_AXIS,
    UP_AXIS_OF_CLIPS,
    WHOLE_UNIT,
    SIDES_MIRRORED,
    CLIP_SHIFTED,
    CLIP_RATE,
    MORPHS_UNIT,
    NORMAL_MAP_SPACE,
];

/// Whether a diagnosis is worth its time: a warning or an error may have a known cause.
pub fn may_have_cause<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> bool {
    findings.into_iter().any(|finding| {
        finding.severity() >= Severity::Warning
            && CAUSES.iter().any(|cause| cause.explains(finding.kind))
    })
}

/// Codes of the findings about inverse bind matrices that don't fit the bones.
const BIND_FINDINGS: &[&str] = &[
    "wrong-inverse-bind",
    "dislocated-joint",
    "different-bind-poses",
    "scale-not-in-bind",
    "rest-not-bind-pose",
    "bent-rest-pose",
];

macro_rules! causes {
    ($($(#[doc = $doc:literal])? $constant:ident: $name:literal, $statement:literal, $fix:literal, $explains:expr;)+) => {
        $(pub(super) const $constant: &CauseInfo = &CauseInfo {
            name: $name, statement: $statement, fix: $fix, explains: $explains,
        };)+

        /// All causes, in order of preference among equally good explanations.
        pub const CAUSES: &[&CauseInfo] = &[$($constant),+];
    };
}

causes! {
    BINDS_TRANSPOSED: "inverse-binds-transposed",
        "the inverse bind matrices are transposed",
        "write matrices in the element order of the format (glTF: column-major)",
        &["wrong-inverse-bind", "dislocated-joint", "different-bind-poses", "scale-not-in-bind", "inverse-bind-not-affine", "singular-inverse-bind", "sheared-inverse-bind", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_NOT_INVERTED: "inverse-binds-not-inverted",
        "the bind matrices are stored instead of their inverses",
        "invert the bind-pose matrix of each bone before writing it",
        BIND_FINDINGS;
    BINDS_MIRRORED: "inverse-binds-mirrored",
        "the inverse bind matrices are in a coordinate system of the opposite handedness",
        "convert each matrix M to C * M * inverse(C), with the change of axes C of the bones and vertices",
        &["wrong-inverse-bind", "dislocated-joint", "different-bind-poses", "scale-not-in-bind", "mirrored-inverse-bind", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_UNIT: "inverse-binds-unit",
        "the translations of the inverse bind matrices are in a different unit from the bones",
        "scale the translations of the inverse bind matrices by the same factor as bones and vertices",
        BIND_FINDINGS;
    BINDS_AXES: "inverse-binds-axes",
        "the inverse bind matrices use different bone axes from the skeleton",
        "convert the bone axes consistently in the skeleton, the inverse bind matrices and the keys",
        BIND_FINDINGS;
    BINDS_RELATIVE: "inverse-binds-relative",
        "the inverse bind matrices are relative to the parent bones",
        "invert the matrix from each bone to the mesh, not from the bone to its parent",
        BIND_FINDINGS;
    BINDS_SCALE: "inverse-binds-scale",
        "the inverse bind matrices don't include the scale of the armature",
        "apply the armature's scale before exporting (Blender: Object > Apply > Scale), or include it in the matrices",
        BIND_FINDINGS;
    BINDS_ORDER: "inverse-binds-order",
        "the inverse bind matrices are in a different order from the bones of the skin",
        "write the inverse bind matrices in the order of the skin's bone list (glTF: joints)",
        BIND_FINDINGS;
    JOINTS_ORDER: "joints-order",
        "the bone list of the skin is in a different order from its inverse bind matrices",
        "write the bone list (glTF: joints) in the order that the vertices and inverse bind matrices assume",
        BIND_FINDINGS;
    BINDS_OF_OTHER_POSE: "inverse-binds-of-another-pose",
        "the inverse bind matrices were computed in a different pose from the one in which the mesh is stored",
        "go to the bind pose before exporting (Maya: Skin > Go to Bind Pose), or export the mesh as posed",
        BIND_FINDINGS;
    BINDS_MISSING: "inverse-binds-missing",
        "the inverse bind matrices are missing or were left at identity",
        "write the inverse of each bone's bind-pose matrix",
        BIND_FINDINGS;
    SOME_BINDS_WRONG: "some-inverse-binds-wrong",
        "some inverse bind matrices were computed in a different pose from the others",
        "bind these bones to the mesh again, in the same pose as the others",
        BIND_FINDINGS;
    ARMATURE_UNIT: "armature-unit",
        "the whole armature is in a different unit from the mesh, including inverse bind matrices and keys",
        "apply the scale of the armature before exporting (Blender: Object > Apply > Scale)",
        &["mesh-off-skeleton", "whole-mesh-moved", "odd-size"];
    MESH_UNIT: "mesh-unit",
        "the mesh is in a different unit from its bones",
        "apply the scale of mesh and armature before exporting (Blender: Object > Apply > Scale)",
        &["mesh-off-skeleton", "whole-mesh-moved", "odd-size", "odd-body-size"];
    MESH_AXES: "mesh-axes",
        "the mesh uses different axes from its bones",
        "apply the rotation of mesh and armature before exporting (Blender: Object > Apply > Rotation)",
        &["mesh-off-skeleton", "whole-mesh-moved"];
    BIND_SHAPE_MISSING: "bind-shape-missing",
        "the inverse bind matrices don't include the transform of the mesh in the bind pose",
        "multiply the inverse bind matrices by the bind shape matrix, or apply the mesh's transform before exporting",
        &["wrong-inverse-bind", "dislocated-joint", "different-bind-poses", "scale-not-in-bind", "rest-not-bind-pose", "bent-rest-pose", "mesh-off-skeleton", "whole-mesh-moved"];
    REST_UNIT: "rest-pose-unit",
        "the rest translations of the bones are in a different unit from the mesh",
        "scale bones and vertices alike (Blender: Object > Apply > All Transforms on armature and mesh)",
        BIND_FINDINGS;
    REST_ROTATIONS: "rest-pose-rotations",
        "the quaternions of the rest pose are stored incorrectly",
        "check the order and signs of the quaternion components (glTF: x, y, z, w)",
        BIND_FINDINGS;
    REST_MIRRORED: "rest-pose-mirrored",
        "the rest pose is in a coordinate system of the opposite handedness",
        "convert the bones with the same change of axes as the inverse bind matrices and vertices",
        BIND_FINDINGS;
    UP_AXIS: "up-axis",
        "the up-axis conversion was applied twice or not at all",
        "export with the up axis of the format (glTF: +Y Up), and don't rotate the armature as well",
        &["skinned-node-animated"];
    UP_AXIS_OF_CLIPS: "up-axis-of-clips",
        "the up-axis conversion was applied to the rest pose but not to the clips",
        "apply the armature's rotation before exporting, or convert the keys of the root bone too",
        &[];
    WHOLE_UNIT: "unit-scale",
        "the model isn't in the unit that the file declares",
        "convert to the unit of the format when exporting (glTF: metres; Blender's FBX exporter: Apply Unit)",
        &["odd-size", "odd-body-size"];
    SIDES_MIRRORED: "mirrored-axis",
        "the model is mirrored",
        "to change handedness, negate the same axis in positions, bones and keys, and reverse the winding",
        &["mirrored-inverse-bind"];
    JOINT_INDICES_SHIFTED: "joint-indices-shifted",
        "the vertices refer to the wrong bones: their joint indices are off by one",
        "count the bones of a skin from 0, without a root bone that isn't in its list",
        &["bone-out-of-range", "weights-not-normalized", "vertex-without-weights"];
    JOINT_INDICES_PERMUTED: "joint-indices-permuted",
        "the vertices refer to the wrong bones: their joint indices assume a different bone order",
        "write joint indices as positions in the bone list of the skin",
        &[];
    JOINTS_OF_OTHER_SKIN: "joints-of-another-skin",
        "the vertices refer to the wrong bones: their joint indices belong to another bone list",
        "write the joint indices of each mesh as positions in the bone list of the mesh's skin",
        &["bone-out-of-range", "weights-not-normalized", "vertex-without-weights"];
    WEIGHTS_TRUNCATED: "weights-truncated",
        "the influences per vertex were reduced without normalizing the remaining weights",
        "after removing the smallest weights, divide the remaining ones by their sum",
        &["weights-not-normalized"];
    WEIGHTS_NOT_NORMALIZED: "weights-not-normalized",
        "the weights of the vertices don't sum to 1",
        "divide the weights of each vertex by their sum (Blender: Weights > Normalize All)",
        &["weights-not-normalized"];
    WEIGHTS_LOST: "influences-lost",
        "all influences of some bones are missing",
        "export all deforming bones, and check that the vertex groups have the names of the bones",
        &["vertex-without-weights", "weights-not-normalized"];
    WEIGHTS_REDUCED: "influences-reduced",
        "the influences per vertex were reduced",
        "export as many influences per vertex as the rig uses (Blender's glTF exporter: Bone Influences)",
        &[];
    WEIGHTS_QUANTIZED: "weights-quantized",
        "the weights were rounded too coarsely",
        "store weights with at least 8 bits",
        &[];
    ADDITIVE_CLIP: "additive-clip",
        "the clip is additive: its keys are offsets from the rest pose, but are played as absolute transforms",
        "mark the clip as additive in the engine, or export absolute transforms relative to the parent bones",
        &["stretched-edge"];
    ABSOLUTE_CLIP: "absolute-clip",
        "the keys of the clip are absolute transforms instead of offsets from the rest pose",
        "export the clip as additive, as in the reference",
        &[];
    KEYS_UNIT: "keys-unit",
        "the translation keys are in a different unit from the bones",
        "scale the translation keys by the same factor as the bones",
        &["stretched-edge"];
    KEYS_WXYZ: "quaternion-order",
        "the quaternion components of the rotation keys are in the wrong order",
        "write quaternions in the component order of the format (glTF: x, y, z, w)",
        &["key-spike"];
    KEYS_CONJUGATED: "quaternions-conjugated",
        "the rotation keys are inverted: their quaternions are conjugated",
        "negate x, y and z of the quaternions, or don't transpose the rotation matrices that they are computed from",
        &[];
    KEYS_MIRRORED: "keys-mirrored",
        "the keys are in a coordinate system of the opposite handedness",
        "convert the keys with the same change of axes as the bones",
        &[];
    KEYS_EULER: "euler-order",
        "the Euler angles of the rotation keys were combined in the wrong order",
        "convert Euler angles in the rotation order of each bone (Maya: Rotate Order; Blender: rotation mode)",
        &["key-spike"];
    KEYS_DEGREES: "keys-in-degrees",
        "rotation angles in degrees were treated as radians",
        "convert angles to radians before computing quaternions from them",
        &["key-spike"];
    KEYS_RADIANS: "keys-in-radians",
        "rotation angles in radians were treated as degrees",
        "convert angles from degrees to radians only once",
        &[];
    KEYS_SCALES: "keys-scale",
        "the scale keys are off by a constant factor",
        "export the scale of each bone relative to its parent",
        &[];
    KEY_SIGNS: "quaternion-signs",
        "consecutive rotation keys have opposite signs, so that simple runtimes interpolate the long way round",
        "negate each rotation key whose dot product with the previous key is negative",
        &["quaternion-flip"];
    CLIP_SHIFTED: "clip-shifted",
        "the keys are shifted in time",
        "subtract the start of the frame range from the key times",
        &[];
    CLIP_RATE: "clip-rate",
        "the clip plays at the wrong speed",
        "divide frame numbers by the frame rate of the scene",
        &["assumed-fps"];
    CLIP_CUT: "clip-cut",
        "the clip ends too early",
        "include the last frame of the range in the export",
        &["open-loop", "loop-gap"];
    ROOT_MOTION: "root-motion-removed",
        "the root motion of the clip is missing",
        "turn off root motion extraction, or export the translation keys of the root bone",
        &[];
    OTHER_SKELETON: "clip-of-another-skeleton",
        "the clip was made for a skeleton with different bone lengths",
        "retarget the clip, or use only its rotations",
        &["stretched-edge"];
    TRIANGLES_REVERSED: "triangles-reversed",
        "the winding of the triangles is reversed",
        "reverse the winding whenever handedness changes or a mirrored transform is applied",
        &["reversed-winding", "flipped-triangle", "tangent-handedness"];
    MIRRORED_NODES: "mirrored-nodes",
        "the triangles of meshes on mirrored nodes are already reversed, so that runtimes turn them inside out",
        "apply negative scales before exporting (Blender: Object > Apply > Scale), or don't reverse the triangles",
        &["reversed-winding", "flipped-triangle"];
    SOME_TRIANGLES_REVERSED: "some-triangles-reversed",
        "some triangles face the opposite way from their neighbours",
        "make the winding consistent (Blender: Mesh > Normals > Recalculate Outside)",
        &["flipped-triangle", "reversed-winding"];
    NORMALS_FLIPPED: "normals-flipped",
        "the normals point inward",
        "flip the normals (Blender: Mesh > Normals > Flip), or stop negating them when handedness changes",
        &["reversed-winding", "flipped-triangle"];
    NORMALS_AXES: "normals-of-other-axes",
        "the normals weren't converted like the vertices: they use different axes or a different pose",
        "rotate the normals in the same way as the vertices",
        &["reversed-winding", "flipped-triangle", "skewed-tangent"];
    TANGENT_SIGN: "tangent-sign",
        "the bitangent signs are inverted",
        "negate w of the tangents, or compute tangents from the UVs as they are stored in the file",
        &["tangent-handedness"];
    UVS_FLIPPED: "v-flipped",
        "the V coordinates are flipped",
        "write 1 - V: glTF and DirectX place the origin of V at the top, OpenGL and FBX at the bottom",
        &["tangent-handedness"];
    UVS_SWAPPED: "uvs-swapped",
        "the UVs are swapped or flipped",
        "write U before V, and don't flip U",
        &["tangent-handedness"];
    MORPHS_ABSOLUTE: "morphs-absolute",
        "the morph targets store absolute positions instead of offsets",
        "subtract the positions of the base mesh from those of each morph target",
        &[];
    MORPHS_UNIT: "morphs-unit",
        "the morph targets are in a different unit from the mesh",
        "scale the offsets of morph targets by the same factor as the vertices",
        &[];
    NORMAL_MAP_SPACE: "normal-map-color-space",
        "the normal map was converted between sRGB and linear as if it were a colour texture",
        "treat the normal map as non-colour data in every step (Blender: Color Space > Non-Color)",
        &[];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_texts_are_phrases() {
        for cause in CAUSES {
            assert_eq!(CAUSES.iter().filter(|other| other.name == cause.name).count(), 1);
            assert!(
                cause.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                cause.name
            );
            for text in [cause.statement, cause.fix] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{}", cause.name);
            }
            for code in cause.explains {
                assert!(crate::validate::finding_of_code(code).is_some(), "{code}");
            }
        }
    }
}
