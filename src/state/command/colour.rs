//! The menu Colour: by what the surface is coloured, row by row of the table of what is shown, and
//! what is painted of weights besides.

use super::menu::commands;
use super::when::has_bones;
use crate::state::WeightsMode;

commands! { Colour:
    { ..Counts; }
    {
        ..BoneWeights;
        ColorTwoBones "Weights of two bones" ["Shift+V"]
            "The selected bone in orange, the locked one in blue, both where they share vertices.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Compare),
            change |s| s.toggle_weights(WeightsMode::Compare);
        ..BoneColors;
        ColorWeightSums "Weight sums"
            "How far the stored weights of each vertex miss a sum of 1.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Sums),
            change |s| s.toggle_weights(WeightsMode::Sums);
        ColorPackingLoss "Weights lost by packing"
            "How much of each vertex other bones get with four influences of eight bits.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Packing),
            change |s| s.toggle_weights(WeightsMode::Packing);
    }
    { ..TangentSpace; }
    { ..Uvs; }
    { ..Vertices; }
}
