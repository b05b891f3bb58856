//! The menu Colour: by what the surface is coloured.

use super::row::commands;
use super::when::has_bones;
use crate::state::WeightsMode;

commands! { Colour:
    {
        ToggleInfluenceColors = Coloring InfluenceCounts ["Shift+C"];
    }
    {
        ColorBoneWeights = Coloring BoneWeights ["V"],
            on |s| s.shows_weights(WeightsMode::Bone),
            change |s| s.toggle_weights(WeightsMode::Bone);
        ColorTwoBones "Weights of two bones" ["Shift+V"]
            "The selected bone in orange, the locked one in blue, both where they share vertices.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Compare),
            change |s| s.toggle_weights(WeightsMode::Compare);
        ColorBones = Coloring BoneColors ["Alt+V"],
            on |s| s.shows_weights(WeightsMode::BoneColors),
            change |s| s.toggle_weights(WeightsMode::BoneColors);
        ColorWeightSums "Weight sums"
            "How far the stored weights of each vertex miss a sum of 1.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Sums),
            change |s| s.toggle_weights(WeightsMode::Sums);
        ColorPackingLoss "Weights lost by packing"
            "How much of each vertex other bones get with four influences of eight bits.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Packing),
            change |s| s.toggle_weights(WeightsMode::Packing);
    }
    {
        ColorNormals = Coloring Normals ["Ctrl+1"];
        ColorTangents = Coloring Tangents ["Ctrl+2"];
        ColorBitangents = Coloring Bitangents ["Ctrl+3"];
        ColorTangentSign = Coloring TangentSign ["Ctrl+4"];
    }
    {
        ColorUv = Coloring Uv ["Ctrl+5"];
        ColorMirroredUvs = Coloring MirroredUvs ["Ctrl+6"];
    }
    {
        ColorVertexColors = Coloring VertexColors ["Alt+Shift+C"];
        ColorVertexOrder = Coloring VertexOrder ["Ctrl+7"];
        ColorFaceOrientation = Coloring FaceOrientation ["Ctrl+8"];
        ColorMatcap = Coloring Matcap ["Ctrl+9"];
    }
}
