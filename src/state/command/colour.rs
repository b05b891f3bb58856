//! The menu Colour: by what the surface is coloured.

use super::row::commands;
use super::when::{has_bones, has_document};
use crate::state::WeightsMode;
use crate::visual::Coloring;

commands! { Colour:
    {
        ToggleInfluenceColors "Influence counts" ["Shift+C"]
            "A colour for how many bones move each vertex.",
            on |s| s.shows_coloring(Coloring::InfluenceCounts),
            run |s| s.toggle_coloring(Coloring::InfluenceCounts);
    }
    {
        ColorBoneWeights "Weights of the bone" ["V"]
            "How much the selected bone moves each vertex: blue is nothing, then green, yellow \
            and red for all.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Bone),
            change |s| s.toggle_weights(WeightsMode::Bone);
        ColorTwoBones "Weights of two bones" ["Shift+V"]
            "The selected bone in orange, the locked one in blue, both where they share vertices.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Compare),
            change |s| s.toggle_weights(WeightsMode::Compare);
        ColorBones "Weights of all bones" ["Alt+V"]
            "A colour for each bone, blended by weight.",
            when has_bones, on |s| s.shows_weights(WeightsMode::BoneColors),
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
        ColorNormals "Normals as colours" ["Ctrl+1"]
            "The normal after skinning: red is +X, green +Y, blue +Z; black has none.",
            when has_document, on |s| s.shows_coloring(Coloring::Normals),
            run |s| s.toggle_coloring(Coloring::Normals);
        ColorTangents "Tangents as colours" ["Ctrl+2"]
            "The tangent after skinning: red is +X, green +Y, blue +Z; black has none.",
            when has_document, on |s| s.shows_coloring(Coloring::Tangents),
            run |s| s.toggle_coloring(Coloring::Tangents);
        ColorBitangents "Bitangents as colours" ["Ctrl+3"]
            "Normal and tangent crossed, times the sign: red is +X, green +Y, blue +Z.",
            when has_document, on |s| s.shows_coloring(Coloring::Bitangents),
            run |s| s.toggle_coloring(Coloring::Bitangents);
        ColorTangentSign "Tangent sign" ["Ctrl+4"]
            "Green where the bitangent sign is +1, magenta where it is -1, grey where there is \
            no tangent.",
            when has_document, on |s| s.shows_coloring(Coloring::TangentSign),
            run |s| s.toggle_coloring(Coloring::TangentSign);
    }
    {
        ColorUv "Texture coordinates" ["Ctrl+5"]
            "U is red and V is green; stripes where they leave 0 to 1.",
            when has_document, on |s| s.shows_coloring(Coloring::Uv),
            run |s| s.toggle_coloring(Coloring::Uv);
        ColorMirroredUvs "Mirrored UVs" ["Ctrl+6"]
            "Blue where the texture lies as painted, orange where it is mirrored, red where its \
            triangle has no area in the texture.",
            when has_document, on |s| s.shows_coloring(Coloring::MirroredUvs),
            run |s| s.toggle_coloring(Coloring::MirroredUvs);
    }
    {
        ColorVertexColors "Vertex colours" ["Alt+Shift+C"]
            "The colours that the file gives its vertices, without light; grey where it gives \
            none.",
            when has_document, on |s| s.shows_coloring(Coloring::VertexColors),
            run |s| s.toggle_coloring(Coloring::VertexColors);
        ColorVertexOrder "Vertex order" ["Ctrl+7"]
            "From dark blue at the first vertex of the file to yellow at the last.",
            when has_document, on |s| s.shows_coloring(Coloring::VertexOrder),
            run |s| s.toggle_coloring(Coloring::VertexOrder);
        ColorFaceOrientation "Face orientation" ["Ctrl+8"]
            "Blue where the front of a triangle is seen, red where the back is.",
            when has_document, on |s| s.shows_coloring(Coloring::FaceOrientation),
            run |s| s.toggle_coloring(Coloring::FaceOrientation);
        ColorMatcap "Matcap" ["Ctrl+9"]
            "A ball of clay in place of lights and materials, to see the shape.",
            when has_document, on |s| s.shows_coloring(Coloring::Matcap),
            run |s| s.toggle_coloring(Coloring::Matcap);
    }
}
