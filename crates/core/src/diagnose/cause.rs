//! The causes that can be named: their words, and the findings that they explain.

use crate::model::FindingKind;

/// A thing that exporters get wrong.
#[derive(Debug)]
pub struct CauseInfo {
    /// Stable kebab-case identifier.
    pub name: &'static str,
    /// The fault as a sentence without full stop.
    pub statement: &'static str,
    /// What to change in the exporting program, as a phrase.
    pub fix: &'static str,
    /// Codes of findings that the cause explains.
    pub explains: &'static [&'static str],
}

impl CauseInfo {
    /// Whether a finding of this kind is a symptom of the cause.
    pub fn explains(&self, kind: FindingKind) -> bool {
        self.explains.contains(&kind.code())
    }
}

macro_rules! causes {
    ($($(#[doc = $doc:literal])? $constant:ident: $name:literal, $statement:literal, $fix:literal, [$($code:literal),*];)+) => {
        $(pub(super) const $constant: &CauseInfo = &CauseInfo {
            name: $name, statement: $statement, fix: $fix, explains: &[$($code),*],
        };)+

        /// All causes, in the order of preference among equally good explanations.
        pub const CAUSES: &[&CauseInfo] = &[$($constant),+];
    };
}

causes! {
    BINDS_TRANSPOSED: "inverse-binds-transposed",
        "the inverse bind matrices are transposed",
        "write matrices column by column, as glTF stores them, or row by row if the format does",
        ["wrong-inverse-bind", "dislocated-joint", "singular-inverse-bind", "sheared-inverse-bind", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_NOT_INVERTED: "inverse-binds-not-inverted",
        "the bind matrices are stored without being inverted",
        "store the inverse of each bone's matrix in the bind pose",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_MIRRORED: "inverse-binds-mirrored",
        "the inverse bind matrices are in a coordinate system of the other handedness",
        "convert inverse bind matrices with the same change of axes as bones and vertices, on both sides",
        ["wrong-inverse-bind", "dislocated-joint", "mirrored-inverse-bind", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_UNIT: "inverse-binds-unit",
        "the translations of the inverse bind matrices are in another unit",
        "scale the translations of inverse bind matrices by the same factor as bones and vertices",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_AXES: "inverse-binds-axes",
        "the inverse bind matrices use other bone axes than the skeleton",
        "convert the axes of bones in the skeleton, the inverse bind matrices and the keys alike",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_RELATIVE: "inverse-binds-relative",
        "the inverse bind matrices are relative to the parent bones",
        "invert the matrix of each bone relative to the mesh, not relative to its parent",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_SCALE: "inverse-binds-scale",
        "the inverse bind matrices lack the scale of the armature",
        "apply the scale of the armature before export, or include it in the inverse bind matrices",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_ORDER: "inverse-binds-order",
        "the inverse bind matrices are in another order than the bones of the skin",
        "write the inverse bind matrices in the order of the skin's list of bones",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    JOINTS_ORDER: "joints-order",
        "the skin's list of bones is in another order than its inverse bind matrices",
        "write the list of bones in the order to which vertices and inverse bind matrices refer",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_OF_OTHER_POSE: "inverse-binds-of-another-pose",
        "the inverse bind matrices were computed in another pose than the one in which the mesh is stored",
        "go to the bind pose before exporting, or export the mesh in the pose of the current frame",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_MISSING: "inverse-binds-missing",
        "the inverse bind matrices are missing",
        "write the inverse of each bone's matrix in the bind pose",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    SOME_BINDS_WRONG: "some-inverse-binds-wrong",
        "some inverse bind matrices don't belong to the bind pose of the others",
        "bind the mesh to these bones again in the same pose as to all others",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    BIND_SHAPE_MISSING: "bind-shape-missing",
        "the transform of the mesh in the bind pose is missing from the inverse bind matrices",
        "multiply the inverse bind matrices by the bind shape matrix, or apply the mesh's transform to its vertices before export",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose", "far-from-bones"];
    REST_UNIT: "rest-pose-unit",
        "the translations of the bones at rest are in another unit than the mesh",
        "apply the unit's scale to bones and vertices alike (Blender: Object > Apply > All Transforms on armature and mesh)",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    REST_ROTATIONS: "rest-pose-rotations",
        "the rotations of the bones at rest are stored the wrong way",
        "check the order and the sign of quaternion components: glTF stores x, y, z, w",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    REST_MIRRORED: "rest-pose-mirrored",
        "the bones at rest are in a coordinate system of the other handedness",
        "convert bones with the same change of axes as inverse bind matrices and vertices",
        ["wrong-inverse-bind", "dislocated-joint", "rest-not-bind-pose", "bent-rest-pose"];
    UP_AXIS: "up-axis",
        "the conversion of the up axis was applied twice or not at all",
        "export with the up axis of the format (glTF: +Y Up), and don't rotate the armature in addition",
        ["skinned-node-animated"];
    UP_AXIS_OF_CLIPS: "up-axis-of-clips",
        "the clips lack the conversion of the up axis that the rest pose has",
        "apply the armature's rotation before export, or convert the keys of the root bone too",
        [];
    WHOLE_UNIT: "unit-scale",
        "the whole model is in another unit",
        "export in the unit that the format states (glTF: metres; Blender FBX: Apply Unit)",
        ["odd-size", "odd-body-size"];
    SIDES_MIRRORED: "mirrored-axis",
        "the model is mirrored",
        "convert handedness by negating the same axis in positions, bones and keys, and reverse the triangles",
        ["mirrored-inverse-bind"];
    JOINT_INDICES_SHIFTED: "joint-indices-shifted",
        "the vertices refer to the wrong bones: their joint numbers are off by one",
        "count the bones of a skin from 0, and don't count a root that isn't in its list",
        ["bone-out-of-range"];
    JOINT_INDICES_PERMUTED: "joint-indices-permuted",
        "the vertices refer to the wrong bones: their joint numbers follow another list of bones",
        "number joints by their position in the skin's list of bones",
        [];
    JOINTS_OF_OTHER_SKIN: "joints-of-another-skin",
        "the vertices refer to the bones of another skin",
        "number the joints of each mesh by the list of its own skin",
        [];
    WEIGHTS_TRUNCATED: "weights-truncated",
        "the influences of vertices were reduced without scaling the remaining weights to a sum of 1",
        "divide the remaining weights by their sum after removing the smallest ones",
        ["weights-not-normalized"];
    WEIGHTS_NOT_NORMALIZED: "weights-not-normalized",
        "the weights of vertices don't sum to 1",
        "divide the weights of each vertex by their sum (Blender: Weights > Normalize All)",
        ["weights-not-normalized"];
    WEIGHTS_REDUCED: "influences-reduced",
        "vertices lost their smaller influences",
        "export as many influences per vertex as the rig uses",
        [];
    WEIGHTS_QUANTIZED: "weights-quantized",
        "the weights are rounded to few steps",
        "export weights with at least 8 bits",
        [];
    ADDITIVE_CLIP: "additive-clip",
        "the clip stores differences from the rest pose, and is played as if it stored whole transforms",
        "mark the clip as additive in the engine, or export it relative to the parent bones",
        ["stretched-skin"];
    ABSOLUTE_CLIP: "absolute-clip",
        "the clip stores whole transforms, and is expected to store differences from the rest pose",
        "export the clip as additive",
        [];
    KEYS_UNIT: "keys-unit",
        "the translations of the keys are in another unit than the bones",
        "scale the translations of keys by the same factor as the bones",
        ["stretched-skin"];
    KEYS_WXYZ: "quaternion-order",
        "the components of quaternions are in the wrong order: w first instead of last",
        "write quaternions in the order x, y, z, w",
        ["wild-rotation"];
    KEYS_CONJUGATED: "quaternions-conjugated",
        "the rotations are inverted: the quaternions are conjugated",
        "negate x, y and z of the quaternions, or don't transpose rotation matrices on the way",
        [];
    KEYS_MIRRORED: "keys-mirrored",
        "the keys are in a coordinate system of the other handedness",
        "convert keys with the same change of axes as the bones",
        [];
    KEYS_EULER: "euler-order",
        "the rotations were composed from Euler angles in the wrong order",
        "pass the rotation order of each bone on to the exporter (Maya: Rotate Order; Blender: rotation mode)",
        ["wild-rotation"];
    KEYS_DEGREES: "keys-in-degrees",
        "angles in degrees were read as radians",
        "convert angles to radians before computing quaternions",
        ["wild-rotation"];
    KEYS_RADIANS: "keys-in-radians",
        "angles in radians were read as degrees",
        "convert angles only once",
        [];
    KEYS_SCALES: "keys-scale",
        "the scales of the keys are wrong by a factor",
        "export scales relative to the parent bone",
        [];
    KEY_SIGNS: "quaternion-signs",
        "rotation keys change their sign, so that runtimes without a check take the long way round",
        "negate each rotation key that has a negative dot product with the previous one",
        ["quaternion-flip"];
    CLIP_SHIFTED: "clip-shifted",
        "the keys are shifted in time",
        "subtract the start of the frame range from the times of keys",
        [];
    CLIP_RATE: "clip-rate",
        "the clip has the wrong speed",
        "divide frame numbers by the scene's own frame rate",
        ["assumed-fps"];
    CLIP_CUT: "clip-cut",
        "the clip ends early",
        "include the last frame of the range",
        ["loop-seam"];
    ROOT_MOTION: "root-motion-removed",
        "the clip lacks the motion of the root",
        "turn off root motion extraction, or export the root's keys",
        [];
    OTHER_SKELETON: "clip-of-another-skeleton",
        "the clip was made for a skeleton with other bone lengths",
        "retarget the clip, or play only its rotations",
        ["stretched-skin"];
    TRIANGLES_REVERSED: "triangles-reversed",
        "the triangles are reversed",
        "reverse the order of corners when handedness changes or a mirrored transform is applied",
        ["reversed-winding", "flipped-triangle", "tangent-handedness"];
    SOME_TRIANGLES_REVERSED: "some-triangles-reversed",
        "some triangles face the other way than their neighbours",
        "recalculate the orientation (Blender: Mesh > Normals > Recalculate Outside)",
        ["flipped-triangle", "reversed-winding", "inconsistent-winding"];
    NORMALS_FLIPPED: "normals-flipped",
        "the normals point inward",
        "flip the normals (Blender: Mesh > Normals > Flip), or don't negate them when handedness changes",
        ["reversed-winding", "flipped-triangle"];
    NORMALS_AXES: "normals-of-other-axes",
        "the normals weren't converted with the vertices: they are in other axes or another pose",
        "transform normals with the rotation that is applied to the vertices",
        ["reversed-winding", "flipped-triangle", "skewed-tangent"];
    TANGENT_SIGN: "tangent-sign",
        "the bitangent signs are negated",
        "negate w of the tangents, or compute them with the same direction of V as the texture coordinates",
        ["tangent-handedness"];
    UVS_FLIPPED: "v-flipped",
        "the V coordinates are flipped",
        "write 1 - V: glTF and DirectX count V from the top, OpenGL and FBX from the bottom",
        ["tangent-handedness"];
    UVS_SWAPPED: "uvs-swapped",
        "the U and V coordinates are swapped or U is flipped",
        "write U before V, and flip only V",
        ["tangent-handedness"];
    MORPHS_ABSOLUTE: "morphs-absolute",
        "the morph targets store positions instead of offsets",
        "subtract the mesh's own positions from those of each target",
        [];
    MORPHS_UNIT: "morphs-unit",
        "the morph targets are in another unit than the mesh",
        "scale morph targets by the same factor as the vertices",
        [];
    NORMAL_MAP_SPACE: "normal-map-color-space",
        "the normal map was converted between sRGB and linear like a colour",
        "export the normal map as non-colour data, and set its texture to linear (Blender: Color Space > Non-Color)",
        [];
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
        }
    }
}
