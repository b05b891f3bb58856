//! The table: one row per switch and colouring. The switches, their defaults, the colourings and
//! the menu groups are generated from it.

use serde::{Deserialize, Serialize};

use super::{DrawnWith, Item, Needs, Scope, ShowInfo};
use crate::visual::{Light, USUAL_GLYPH_PERMILLE};

macro_rules! show {
    (
        switches {$($group:ident {$(
            $(#[$attribute:meta])?
            $switch:ident $field:ident [$($key:literal)?]: $word:expr, $label:literal, $is_on:literal,
            $scope:ident, $drawn_with:expr, $needs:ident, $help:literal $(, [$($legend:expr),+])?;
        )+})+}
        colorings {$($color_group:ident {$(
            $coloring:ident [$($color_key:literal)?]: $color_word:literal, $color_label:literal,
            $number:expr, $color_needs:ident, $color_help:literal, $color_legend:expr;
        )+})+}
    ) => {
        /// The visible parts of a model and how they are drawn.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Show {
            $($(#[doc = $help] $(#[$attribute])? pub $field: bool,)+)+
            /// Colours the surface by vertex data instead of materials.
            pub coloring: Option<Coloring>,
            /// Length of normal and tangent lines, in thousandths of the size of the model's box.
            pub glyph_permille: u16,
            /// How materials are lit.
            pub light: Light,
        }

        impl Show {
            /// Everything off.
            pub const NOTHING: Self = Self {
                $($($field: false,)+)+
                coloring: None,
                glyph_permille: USUAL_GLYPH_PERMILLE,
                light: Light::PLAIN,
            };

            /// Whether `switch` is on.
            pub fn get(&self, switch: Switch) -> bool {
                match switch {
                    $($(Switch::$switch => self.$field,)+)+
                }
            }

            pub(super) fn switch_mut(&mut self, switch: Switch) -> &mut bool {
                match switch {
                    $($(Switch::$switch => &mut self.$field,)+)+
                }
            }
        }

        impl Default for Show {
            /// The surface on a ground grid, with its textures or else subset colours: the default
            /// when a file is opened.
            fn default() -> Self {
                Self {
                    $($($field: $is_on,)+)+
                    light: Light::USUAL,
                    ..Self::NOTHING
                }
            }
        }

        /// A part of the display that can be switched on and off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Switch {
            $($(#[doc = $help] $switch,)+)+
        }

        pub(super) const NUM_SWITCHES: usize = [$($(Switch::$switch),+),+].len();

        /// A way to colour the surface by vertex data.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Coloring {
            $($(#[doc = $color_help] $coloring,)+)+
            /// Computed colours or values, see [`crate::visual::VertexPaint`]. Has no row, since
            /// only the code that computed them can show them. The last variant, so that the others
            /// match their rows.
            Paint,
        }

        /// Adjacent rows of a menu, in table order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[expect(missing_docs, reason = "named after their content")]
        pub enum ShowGroup {
            $($group,)+
            $($color_group,)+
        }

        /// The table: switches in the order of [`Switch`], then colourings in the order of
        /// [`Coloring`].
        pub const SHOW: &[ShowInfo] = &[
            $($(ShowInfo {
                item: Item::Switch(Switch::$switch),
                group: ShowGroup::$group,
                keys: &[$($key)?],
                word: $word,
                label: $label,
                help: $help,
                is_on: $is_on,
                scope: Scope::$scope,
                drawn_with: $drawn_with,
                needs: Needs::$needs,
                legend: &[$($($legend),+)?],
            },)+)+
            $($(ShowInfo {
                item: Item::Coloring(Coloring::$coloring),
                group: ShowGroup::$color_group,
                keys: &[$($color_key)?],
                word: Some($color_word),
                label: $color_label,
                help: $color_help,
                is_on: false,
                scope: Scope::Document,
                drawn_with: DrawnWith::Coloring($number),
                needs: Needs::$color_needs,
                legend: $color_legend,
            },)+)+
        ];
    };
}

use DrawnWith::{Marks, Pass, Shading, Text};

/// Linear RGB of flipped triangles.
pub(in crate::visual) const FLIPPED_COLOR: [f32; 3] = [0.90, 0.02, 0.60];
/// Linear RGB of degenerate triangles.
pub(in crate::visual) const DEGENERATE_COLOR: [f32; 3] = [1.0, 0.05, 0.02];

/// Linear RGB of the axis directions.
const DIRECTIONS: &[([f32; 3], &str)] = &[
    ([1.0, 0.21, 0.21], "+X"),
    ([0.21, 1.0, 0.21], "+Y"),
    ([0.21, 0.21, 1.0], "+Z"),
    ([0.0, 0.0, 0.0], "none"),
];

/// Switches that are on by default with a hardware GPU and off with software rendering, for which
/// they are slow.
pub const ON_HARDWARE: &[Switch] = &[Switch::GroundShadow, Switch::AmbientOcclusion];

// Menu groups. Switches: field, shortcut, name, label, default, scope, drawn with, needs, help,
// legend.
// Colourings: shortcut, name, label, number in the shaders (`None` if the paint determines it),
// needs, help, legend.
// Keep numbers in sync with `shaders/common.wgsl`, legend colours with `shaders/surface.wgsl`.
show! {
    switches {
        Surface {
            Surface surface ["S"]: Some("surface"), "Surface", true,
                Document, Pass("surface"), Nothing,
                "Draws the lit surface.";
            Textures textures ["M"]: Some("textures"), "Textures", true,
                Document, Pass("textured"), Nothing,
                "Shows materials with their textures, and vertex colours.";
            Checker checker ["U"]: Some("checker"), "Checker", false,
                Document, Pass("textured"), Nothing,
                "Shows a checker pattern on the UVs, which reveals stretching.";
            SubsetColors subset_colors ["C"]: Some("subset-colors"), "Subset colours", true,
                Document, Shading, Nothing,
                "Shows each subset in a different colour.";
            Wireframe wireframe ["W"]: Some("wireframe"), "Wireframe", false,
                Document, Pass("wireframe"), Nothing,
                "Draws the edges of all triangles.";
            Points points ["P"]: Some("points"), "Points", false,
                Document, Pass("points"), Nothing,
                "Draws vertices as points.";
        }
        Directions {
            Normals normals ["Alt+N"]: Some("normals"), "Normals", false,
                Document, Pass("glyphs"), Nothing,
                "Draws a blue line for each vertex's normal after skinning.",
                [([0.25, 0.45, 1.0], "normals")];
            Tangents tangents ["Alt+T"]: Some("tangents"), "Tangents", false,
                Document, Pass("glyphs"), Nothing,
                "Draws a red line for each vertex's tangent after skinning.",
                [([1.0, 0.2, 0.2], "tangents")];
            Bitangents bitangents ["Alt+Shift+T"]: Some("bitangents"), "Bitangents", false,
                Document, Pass("glyphs"), Nothing,
                "Draws a green line for each vertex's bitangent after skinning.",
                [([0.2, 0.85, 0.25], "bitangents")];
        }
        Faults {
            BadTriangles bad_triangles ["Alt+X"]: Some("bad-triangles"), "Mark bad triangles", false,
                Model, Marks, Model,
                "Marks triangles that face against their normals in magenta, and triangles without area in red.",
                [(DEGENERATE_COLOR, "without area"), (FLIPPED_COLOR, "flipped")];
        }
        Bones {
            Bones bones ["B"]: Some("bones"), "Bones", false,
                Document, Pass("bones"), Nothing,
                "Draws the skeleton.";
            BonesOnTop bones_on_top ["Shift+B"]: Some("bones-on-top"), "Bones on top", true,
                Document, Pass("bones"), Nothing,
                "Draws the skeleton even if the surface hides it.";
            BoneNames bone_names ["N"]: None, "Bone names", false,
                Document, Text, Nothing,
                "Shows names next to the bones.";
            BoneAxes bone_axes ["Shift+A"]: Some("bone-axes"), "Bone axes", false,
                Program, Marks, Skeleton,
                "Draws the axes of every bone: red is x, green y, blue z.";
            BoneBoxes bone_boxes []: None, "Bone boxes", false,
                Program, Marks, BoneBoxes,
                "Draws the bone boxes of a BonesPro file, as attached to the mesh.";
            Springs springs []: Some("springs"), "Spring bones", false,
                Program, Marks, Springs,
                "Draws the springs of an avatar (VRM) and the shapes that they don't enter; nothing is simulated.";
            RestBones rest_bones ["Shift+R"]: None, "Rest pose", false,
                Program, Marks, RestPose,
                "Draws the skeleton without any clip, as green lines in addition to the pose.";
            BindBones bind_bones []: None, "Bind pose", false,
                Program, Marks, BindPose,
                "Draws the skeleton of the inverse bind matrices, as magenta lines in addition to the pose.";
            #[serde(alias = "trail")]
            MotionPath motion_path ["Shift+T"]: None, "Motion path", false,
                Program, Marks, SelectedBone,
                "Draws the motion path of the selected bone over the clip, with its keyframes.";
        }
        Collision {
            Hulls hulls ["Alt+Shift+H"]: Some("hulls"), "Collision hulls", false,
                Document, Marks, Hulls,
                "Draws the convex hull of each set of collision points, in violet.";
            Occluder occluder ["Alt+Shift+O"]: Some("occluder"), "Occlusion mesh", false,
                Document, Marks, Occluder,
                "Draws the occlusion mesh in blue, with its edges. Runtimes draw it only into the depth buffer.";
            Silhouette silhouette ["Alt+D"]: None, "Occlusion silhouette", false,
                Document, Marks, Occluder,
                "Shows the silhouette in the depth buffer, and the model as a ghost around it.";
            StoredBounds stored_bounds ["Alt+S"]: Some("stored-bounds"), "Stored bounds", false,
                Document, Marks, StoredBounds,
                "Draws the box and the sphere stored in the file, in yellow.";
            TrueBounds true_bounds ["Alt+Shift+S"]: Some("true-bounds"), "Computed bounds", false,
                Model, Marks, Model,
                "Draws the box and the sphere around all vertices over all clips, in green.";
        }
        Scene {
            Grid grid ["G"]: Some("grid"), "Ground grid", true,
                Document, Pass("grid"), Nothing,
                "Draws a grid on the ground.";
            GroundShadow ground_shadow ["Shift+G"]: Some("ground-shadow"), "Ground shadow", false,
                Document, Pass("ground_shadow"), Nothing,
                "Draws a soft shadow of the surface on the ground, which shows ground contact.";
            Axes axes ["X"]: Some("axes"), "Compass", true,
                Document, Pass("axes"), Nothing,
                "Shows the axes in the corner of the view. Click an axis for its view, or drag to orbit.";
            Statistics statistics ["F3"]: None, "Statistics", false,
                Document, Text, Nothing,
                "Shows statistics of the model and frame times in the corner of the view.";
        }
        Light {
            TwoSided two_sided ["D"]: Some("two-sided"), "Two-sided light", false,
                Document, Shading, Nothing,
                "Lights back faces like front faces instead of darkening them.";
            Flat flat ["Shift+F"]: Some("flat"), "Flat shading", false,
                Document, Shading, Nothing,
                "Shades every triangle flat, regardless of its normals.";
            AmbientOcclusion ambient_occlusion ["Shift+O"]: Some("ambient-occlusion"), "Ambient occlusion", false,
                Document, Pass("ambient_occlusion"), Nothing,
                "Darkens the environment light in hollows, computed from the depth of the view.";
        }
    }
    colorings {
        Counts {
            InfluenceCounts ["Shift+C"]: "influence-colors", "Influence counts", Some(1), Nothing,
                "Colours vertices by their number of influences.", &[];
        }
        TangentSpace {
            Normals ["Ctrl+1"]: "normal-colors", "Normals as colours", Some(4), Model,
                "Shows the normal after skinning: red is +X, green +Y, blue +Z, black is missing.",
                DIRECTIONS;
            Tangents ["Ctrl+2"]: "tangent-colors", "Tangents as colours", Some(5), Model,
                "Shows the tangent after skinning: red is +X, green +Y, blue +Z, black is missing.",
                DIRECTIONS;
            Bitangents ["Ctrl+3"]: "bitangent-colors", "Bitangents as colours", Some(6), Model,
                "Shows the cross product of normal and tangent, times the sign: red is +X, green +Y, blue +Z.",
                DIRECTIONS;
            TangentSign ["Ctrl+4"]: "tangent-sign", "Tangent sign", Some(7), Model,
                "Shows the bitangent sign: green for +1, magenta for -1, grey without a tangent.",
                &[
                    ([0.05, 0.40, 0.08], "+1"),
                    ([0.45, 0.03, 0.40], "-1"),
                    ([0.2, 0.2, 0.2], "no tangent"),
                ];
        }
        Uvs {
            Uv ["Ctrl+5"]: "uv-colors", "UVs as colours", Some(8), Model,
                "Shows U as red and V as green, striped outside 0 to 1.",
                &[
                    ([1.0, 0.0, 0.0], "u"),
                    ([0.0, 1.0, 0.0], "v"),
                    ([0.6, 0.0, 0.8], "striped: outside 0 to 1"),
                ];
            MirroredUvs ["Ctrl+6"]: "mirrored-uvs", "Mirrored UVs", Some(9), Model,
                "Shows the orientation of the texture: blue as painted, orange mirrored, red if the triangle has no area in the texture.",
                &[
                    ([0.03, 0.14, 0.50], "as painted"),
                    ([0.75, 0.25, 0.01], "mirrored"),
                    ([0.60, 0.0, 0.0], "no area in the texture"),
                ];
        }
        Vertices {
            VertexColors ["Alt+Shift+C"]: "vertex-colors", "Vertex colours", Some(13), Model,
                "Shows the vertex colours in the file without lighting; grey if there are no colours.",
                &[([0.2, 0.2, 0.2], "no colours")];
            VertexOrder ["Ctrl+7"]: "vertex-order", "Vertex order", Some(10), Model,
                "Colours vertices by their order in the file, from dark blue for the first to yellow for the last.",
                &[
                    ([0.06, 0.0, 0.09], "first"),
                    ([0.02, 0.22, 0.26], "middle"),
                    ([0.98, 0.80, 0.02], "last"),
                ];
            FaceOrientation ["Ctrl+8"]: "face-orientation", "Face orientation", Some(11), Model,
                "Shows the front of each triangle in blue and its back in red.",
                &[([0.03, 0.12, 0.55], "front"), ([0.55, 0.03, 0.02], "back")];
            Matcap ["Ctrl+9"]: "matcap", "Matcap", Some(12), Model,
                "Shades the surface like clay instead of with lights and materials, to show its form.", &[];
        }
        Material {
            BaseColor []: "base-color", "Base colour", Some(14), Model,
                "Shows the colour of the material without lighting.", &[];
            Metallic []: "metallic", "Metallic", Some(15), Model,
                "Shows how metallic the material is: white is metal, black is dielectric.", &[];
            Roughness []: "roughness", "Roughness", Some(16), Model,
                "Shows the roughness of the material: white is rough, black is a mirror.", &[];
            MaterialNormals []: "material-normals", "Normals with normal map", Some(17), Model,
                "Shows the normal after the normal map: red is +X, green +Y, blue +Z.", DIRECTIONS;
            Occlusion []: "occlusion", "Occlusion", Some(18), Model,
                "Shows the fraction of ambient light that reaches the surface: white is all.", &[];
            Emissive []: "emissive", "Emissive", Some(19), Model,
                "Shows the light that the surface emits.", &[];
            DiffuseLight []: "diffuse-light", "Diffuse light", Some(20), Model,
                "Shows light from the environment that the surface scatters.", &[];
            SpecularLight []: "specular-light", "Specular light", Some(21), Model,
                "Shows light from the environment that the surface reflects.", &[];
        }
        BoneWeights {
            BoneWeights ["V"]: "bone-weights", "Bone weights", None, Skeleton,
                "Shows the weight of the selected bone per vertex: blue for 0, then green, yellow and red for 1.",
                &[];
        }
        BoneColors {
            BoneColors ["Alt+V"]: "bone-colors", "All bone weights", None, Skeleton,
                "Shows a colour per bone, blended by weight.", &[];
        }
    }
}
