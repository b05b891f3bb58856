//! The table: one row for each switch and each colouring. The switches, their defaults and the
//! colourings are made from it.

use serde::{Deserialize, Serialize};

use super::{DrawnWith, Item, Needs, Scope, ShowInfo};
use crate::visual::USUAL_GLYPH_PERMILLE;

macro_rules! show {
    (
        switches {$(
            $switch:ident $field:ident: $word:expr, $label:literal, $is_on:literal,
            $scope:ident, $drawn_with:expr, $needs:ident, $help:literal;
        )+}
        colorings {$(
            $coloring:ident: $color_word:literal, $color_label:literal, $number:expr,
            $color_needs:ident, $color_help:literal, $legend:expr;
        )+}
    ) => {
        /// What of a model is drawn, and how.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Show {
            $(#[doc = $help] pub $field: bool,)+
            /// Colours of what vertices hold, in place of all looks.
            pub coloring: Option<Coloring>,
            /// Length of the lines of normals and tangents, in thousandths of the extent of the box
            /// around the model.
            pub glyph_permille: u16,
        }

        impl Show {
            /// Shows nothing.
            pub const NOTHING: Self = Self {
                $($field: false,)+
                coloring: None,
                glyph_permille: USUAL_GLYPH_PERMILLE,
            };

            /// Whether `switch` is on.
            pub fn get(&self, switch: Switch) -> bool {
                match switch {
                    $(Switch::$switch => self.$field,)+
                }
            }

            pub(super) fn switch_mut(&mut self, switch: Switch) -> &mut bool {
                match switch {
                    $(Switch::$switch => &mut self.$field,)+
                }
            }
        }

        impl Default for Show {
            /// The surface on a ground, with its textures or else in the colours of its subsets, as
            /// someone who opens a file expects it.
            fn default() -> Self {
                Self {
                    $($field: $is_on,)+
                    ..Self::NOTHING
                }
            }
        }

        /// What can be switched on and off by itself.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Switch {
            $(#[doc = $help] $switch,)+
        }

        pub(super) const NUM_SWITCHES: usize = [$(Switch::$switch),+].len();

        /// A way to colour the surface by what its vertices hold.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Coloring {
            $(#[doc = $color_help] $coloring,)+
            /// Colours or values given along, see [`crate::visual::VertexPaint`]. Has no row: only
            /// whoever has made them can show them. The last, so that rows count as the others do.
            Paint,
        }

        /// The table: switches in the order of [`Switch`], then colourings in that of [`Coloring`].
        pub const SHOW: &[ShowInfo] = &[
            $(ShowInfo {
                item: Item::Switch(Switch::$switch),
                word: $word,
                label: $label,
                help: $help,
                is_on: $is_on,
                scope: Scope::$scope,
                drawn_with: $drawn_with,
                needs: Needs::$needs,
                legend: &[],
            },)+
            $(ShowInfo {
                item: Item::Coloring(Coloring::$coloring),
                word: Some($color_word),
                label: $color_label,
                help: $color_help,
                is_on: false,
                scope: Scope::Document,
                drawn_with: DrawnWith::Coloring($number),
                needs: Needs::$color_needs,
                legend: $legend,
            },)+
        ];
    };
}

use DrawnWith::{Marks, Pass, Shading, Text};

/// Axes as colours, linear RGB.
const DIRECTIONS: &[([f32; 3], &str)] = &[
    ([1.0, 0.21, 0.21], "+X"),
    ([0.21, 1.0, 0.21], "+Y"),
    ([0.21, 0.21, 1.0], "+Z"),
    ([0.0, 0.0, 0.0], "none"),
];

// Switches: field, word, label, default, scope, drawn with, needs, help.
// Colourings: word, label, number in the shaders (none where the paint has it), needs, help, legend.
// Keep numbers in sync with `shaders/common.wgsl`, colours of legends with `shaders/surface.wgsl`.
show! {
    switches {
        Surface surface: Some("surface"), "Surface", true,
            Document, Pass("surface"), Nothing,
            "Lit triangles.";
        Textures textures: Some("textures"), "Textures", true,
            Document, Pass("textured"), Nothing,
            "Materials with their textures, and colours of vertices.";
        Checker checker: Some("checker"), "Checker", false,
            Document, Pass("textured"), Nothing,
            "A checker on texture coordinates, to see stretch.";
        SubsetColors subset_colors: Some("subset-colors"), "Subset colours", true,
            Document, Shading, Nothing,
            "A colour for each subset.";
        Wireframe wireframe: Some("wireframe"), "Wireframe", false,
            Document, Pass("wireframe"), Nothing,
            "Edges of all triangles.";
        Normals normals: Some("normals"), "Normals", false,
            Document, Pass("glyphs"), Nothing,
            "A blue line for each vertex's normal after skinning.";
        Tangents tangents: Some("tangents"), "Tangents", false,
            Document, Pass("glyphs"), Nothing,
            "A red line for each vertex's tangent after skinning.";
        Bitangents bitangents: Some("bitangents"), "Bitangents", false,
            Document, Pass("glyphs"), Nothing,
            "A green line for each vertex's bitangent after skinning.";
        Points points: Some("points"), "Points", false,
            Document, Pass("points"), Nothing,
            "Vertices.";
        Bones bones: Some("bones"), "Bones", false,
            Document, Pass("bones"), Nothing,
            "The skeleton.";
        BonesOnTop bones_on_top: Some("bones-on-top"), "Bones on top", true,
            Document, Pass("bones"), Nothing,
            "The skeleton also where the surface hides it.";
        BoneNames bone_names: None, "Bone names", false,
            Document, Text, Nothing,
            "Names beside the bones.";
        BoneAxes bone_axes: Some("bone-axes"), "Axes of bones", false,
            Program, Marks, Skeleton,
            "The axes of every bone: red is x, green y, blue z.";
        BoneBoxes bone_boxes: None, "Boxes of bones", false,
            Program, Marks, BoneBoxes,
            "The boxes that a BonesPro file has for its bones, as they were attached.";
        RestBones rest_bones: None, "Rest pose", false,
            Program, Marks, RestPose,
            "The skeleton outside any clip, as green lines beside the pose.";
        BindBones bind_bones: None, "Bind pose", false,
            Program, Marks, BindPose,
            "The skeleton of the inverse bind matrices, as magenta lines beside the pose.";
        Trail trail: None, "Trail of the bone", false,
            Program, Marks, SelectedBone,
            "The path of the selected bone through the clip, with its keys.";
        Grid grid: Some("grid"), "Ground", true,
            Document, Pass("grid"), Nothing,
            "A grid on the ground.";
        Axes axes: Some("axes"), "Compass", true,
            Document, Pass("axes"), Nothing,
            "The axes in the corner of the view.";
        TwoSided two_sided: Some("two-sided"), "Two-sided light", false,
            Document, Shading, Nothing,
            "Back faces lit like front ones and not darkened.";
        Flat flat: Some("flat"), "Flat shading", false,
            Document, Shading, Nothing,
            "Every triangle flat, whatever its normals say.";
        Statistics statistics: None, "Statistics", false,
            Document, Text, Nothing,
            "Figures about the model and frame times in the corner of the view.";
    }
    colorings {
        InfluenceCounts: "influence-colors", "Influence counts", Some(1), Nothing,
            "A colour for how many bones move each vertex.", &[];
        Normals: "normal-colors", "Normals as colours", Some(4), Model,
            "The normal after skinning: red is +X, green +Y, blue +Z; black has none.",
            DIRECTIONS;
        Tangents: "tangent-colors", "Tangents as colours", Some(5), Model,
            "The tangent after skinning: red is +X, green +Y, blue +Z; black has none.",
            DIRECTIONS;
        Bitangents: "bitangent-colors", "Bitangents as colours", Some(6), Model,
            "Normal and tangent crossed, times the sign: red is +X, green +Y, blue +Z.",
            DIRECTIONS;
        TangentSign: "tangent-sign", "Tangent sign", Some(7), Model,
            "Green where the bitangent sign is +1, magenta where it is -1, grey where there is no tangent.",
            &[
                ([0.05, 0.40, 0.08], "+1"),
                ([0.45, 0.03, 0.40], "-1"),
                ([0.2, 0.2, 0.2], "no tangent"),
            ];
        Uv: "uv-colors", "Texture coordinates", Some(8), Model,
            "U is red and V is green; stripes where they leave 0 to 1.",
            &[
                ([1.0, 0.0, 0.0], "u"),
                ([0.0, 1.0, 0.0], "v"),
                ([0.6, 0.0, 0.8], "striped: out of 0 to 1"),
            ];
        MirroredUvs: "mirrored-uvs", "Mirrored UVs", Some(9), Model,
            "Blue where the texture lies as painted, orange where it is mirrored, red where its triangle has no area in the texture.",
            &[
                ([0.03, 0.14, 0.50], "as painted"),
                ([0.75, 0.25, 0.01], "mirrored"),
                ([0.60, 0.0, 0.0], "no area in the texture"),
            ];
        VertexOrder: "vertex-order", "Vertex order", Some(10), Model,
            "From dark blue at the first vertex of the file to yellow at the last.",
            &[
                ([0.06, 0.0, 0.09], "first"),
                ([0.02, 0.22, 0.26], "middle"),
                ([0.98, 0.80, 0.02], "last"),
            ];
        FaceOrientation: "face-orientation", "Face orientation", Some(11), Model,
            "Blue where the front of a triangle is seen, red where the back is.",
            &[([0.03, 0.12, 0.55], "front"), ([0.55, 0.03, 0.02], "back")];
        Matcap: "matcap", "Matcap", Some(12), Model,
            "A ball of clay in place of lights and materials, to see the shape.", &[];
        VertexColors: "vertex-colors", "Vertex colours", Some(13), Model,
            "The colours that the file gives its vertices, without light; grey where it gives none.",
            &[([0.2, 0.2, 0.2], "no colours")];
        BoneWeights: "bone-weights", "Weights of the bone", None, Skeleton,
            "How much the selected bone moves each vertex: blue is nothing, then green, yellow and red for all.",
            &[];
        BoneColors: "bone-colors", "Weights of all bones", None, Skeleton,
            "A colour for each bone, blended by weight.", &[];
    }
}
