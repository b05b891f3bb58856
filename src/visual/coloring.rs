//! What colours the surface in place of its materials.

use serde::{Deserialize, Serialize};

/// One way to colour the surface by what its vertices hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Coloring {
    /// How many bones move each vertex.
    InfluenceCounts,
    /// Colours or values given along, see [`super::VertexPaint`].
    Paint,
    /// The normal after skinning, as RGB.
    Normals,
    /// The tangent after skinning, as RGB.
    Tangents,
    /// The bitangent, as RGB.
    Bitangents,
    /// The sign that the bitangent is made with.
    TangentSign,
    /// Texture coordinates, and where they leave 0 to 1.
    Uv,
    /// Triangles whose texture is mirrored.
    MirroredUvs,
    /// From the first vertex to the last.
    VertexOrder,
    /// Fronts and backs of triangles.
    FaceOrientation,
    /// A ball of clay in place of lights.
    Matcap,
    /// The colours of vertices as the file has them.
    VertexColors,
}

/// One row of the table of colourings.
#[derive(Clone, Copy, Debug)]
pub struct ColoringInfo {
    /// Which one.
    pub coloring: Coloring,
    /// As `--show` spells it.
    pub id: &'static str,
    /// As people read it.
    pub name: &'static str,
    /// What its colours mean.
    pub help: &'static str,
    /// Number that the shaders know it by; 0 is none.
    /// Keep in sync with `shaders/common.wgsl`.
    pub number: u32,
}

/// All colourings that need nothing given along.
pub const COLORINGS: &[ColoringInfo] = &[
    row(
        Coloring::InfluenceCounts,
        "influence-colors",
        "Influence counts",
        "A colour for how many bones move each vertex.",
        1,
    ),
    row(
        Coloring::Normals,
        "normal-colors",
        "Normals as colours",
        "The normal after skinning: red is +X, green +Y, blue +Z; black has none.",
        4,
    ),
    row(
        Coloring::Tangents,
        "tangent-colors",
        "Tangents as colours",
        "The tangent after skinning: red is +X, green +Y, blue +Z; black has none.",
        5,
    ),
    row(
        Coloring::Bitangents,
        "bitangent-colors",
        "Bitangents as colours",
        "Normal and tangent crossed, times the sign: red is +X, green +Y, blue +Z.",
        6,
    ),
    row(
        Coloring::TangentSign,
        "tangent-sign",
        "Tangent sign",
        "Green where the bitangent sign is +1, magenta where it is -1, grey where there is no tangent.",
        7,
    ),
    row(
        Coloring::Uv,
        "uv-colors",
        "Texture coordinates",
        "U is red and V is green; stripes where they leave 0 to 1.",
        8,
    ),
    row(
        Coloring::MirroredUvs,
        "mirrored-uvs",
        "Mirrored UVs",
        "Blue where the texture lies as painted, orange where it is mirrored, red where its triangle has no area in the texture.",
        9,
    ),
    row(
        Coloring::VertexOrder,
        "vertex-order",
        "Vertex order",
        "From dark blue at the first vertex of the file to yellow at the last.",
        10,
    ),
    row(
        Coloring::FaceOrientation,
        "face-orientation",
        "Face orientation",
        "Blue where the front of a triangle is seen, red where the back is.",
        11,
    ),
    row(
        Coloring::Matcap,
        "matcap",
        "Matcap",
        "A ball of clay in place of lights and materials, to see the shape.",
        12,
    ),
    row(
        Coloring::VertexColors,
        "vertex-colors",
        "Vertex colours",
        "The colours that the file gives its vertices, without light; grey where it gives none.",
        13,
    ),
];

/// Numbers of what is given along.
const HEAT: u32 = 2;
const COLORS: u32 = 3;

const fn row(
    coloring: Coloring,
    id: &'static str,
    name: &'static str,
    help: &'static str,
    number: u32,
) -> ColoringInfo {
    ColoringInfo {
        coloring,
        id,
        name,
        help,
        number,
    }
}

impl Coloring {
    /// Its row in the table; none for [`Coloring::Paint`].
    #[must_use]
    pub fn info(self) -> Option<&'static ColoringInfo> {
        COLORINGS.iter().find(|info| info.coloring == self)
    }

    /// Number that the shaders know it by, with what is given along.
    #[must_use]
    pub fn number(self, paint: Option<&super::VertexPaint>) -> u32 {
        match (self, paint) {
            (Self::Paint, Some(super::VertexPaint::Heat { .. })) => HEAT,
            (Self::Paint, Some(super::VertexPaint::Colors(_))) => COLORS,
            (Self::Paint, None) => 0,
            (other, _) => other.info().map_or(0, |info| info.number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_number_and_a_name_of_its_own() {
        for info in COLORINGS {
            assert!(info.number > 0 && info.number != HEAT && info.number != COLORS);
            let same = |other: &&ColoringInfo| {
                other.number == info.number || other.id == info.id || other.name == info.name
            };
            assert_eq!(COLORINGS.iter().filter(same).count(), 1, "{}", info.id);
            assert!(info.help.ends_with('.'));
        }
    }
}
