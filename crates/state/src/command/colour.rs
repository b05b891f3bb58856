//! The Colour menu: the colourings of the display table and additional views of weights.

use super::conditions::{has_bones, has_document, needs};
use super::menu::commands;
use crate::{ColorSource, Command, WeightsMode};
use rigscope_core::visual::Coloring;

commands! { Colour:
    {
        ColorByMaterials "By materials and textures" ["Shift+X"]
            "Shows the materials, textures and vertex colours of the file.",
            when |s| needs(s.has_materials(), "needs a file with materials"),
            on |s| s.color_source() == Some(ColorSource::Materials),
            run |s| s.color_from(ColorSource::Materials);
        ColorBySubset "By subset" ["Shift+S"]
            "Shows each subset in a different colour.",
            when has_document, on |s| s.color_source() == Some(ColorSource::Subsets),
            run |s| s.color_from(ColorSource::Subsets);
        ColorPlain "Plain" ["Shift+D"]
            "Shows the surface in a uniform clay colour.",
            when has_document, on |s| s.color_source() == Some(ColorSource::Clay),
            run |s| s.color_from(ColorSource::Clay);
    }
    { ..Counts; }
    {
        ..BoneWeights;
        ColorTwoBones "Weights of two bones" ["Shift+V"]
            "Shows the weights of the selected bone in orange and of the locked bone in blue, \
            blended on shared vertices.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Compare),
            change |s| s.toggle_weights(WeightsMode::Compare);
        ..BoneColors;
        ColorWeightSums "Weight sums"
            "Colours each vertex by the deviation of its weight sum from 1.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Sums),
            change |s| s.toggle_weights(WeightsMode::Sums);
        ColorPackingLoss "Weights lost by packing"
            "Colours each vertex by the weight that shifts to other bones when it is packed to four \
            8-bit influences.",
            when has_bones, on |s| s.shows_weights(WeightsMode::Packing),
            change |s| s.toggle_weights(WeightsMode::Packing);
    }
    { ..TangentSpace; }
    { ..Uvs; }
    { ..Vertices; }
    { ..Material; }
}

impl WeightsMode {
    /// The command that shows this mode.
    pub fn command(self) -> Command {
        match self {
            Self::Bone => Command::coloring(Coloring::BoneWeights),
            Self::Compare => Command::ColorTwoBones,
            Self::BoneColors => Command::coloring(Coloring::BoneColors),
            Self::Sums => Command::ColorWeightSums,
            Self::Packing => Command::ColorPackingLoss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_a_separate_command() {
        for mode in WeightsMode::ALL {
            let same = WeightsMode::ALL.iter().filter(|m| m.command() == mode.command());
            assert_eq!(same.count(), 1);
        }
    }
}
