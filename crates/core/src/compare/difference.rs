//! The table of difference kinds, and the type of a single difference.

use crate::model::{ClipId, Place};

/// One row of the table of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferenceInfo {
    pub kind: DifferenceKind,
    /// A stable identifier in kebab case.
    pub code: &'static str,
    /// A category that several kinds share, as one word.
    pub group: &'static str,
    /// The meaning of this kind and, if it's measured, of its amount.
    pub meaning: &'static str,
}

macro_rules! differences {
    ($($kind:ident, $code:literal, $group:literal, $meaning:literal;)+) => {
        /// Every kind of difference.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum DifferenceKind {
            $(#[doc = $meaning] $kind,)+
        }

        /// The table of differences, in the order of [`DifferenceKind`].
        pub const DIFFERENCES: &[DifferenceInfo] = &[
            $(DifferenceInfo {
                kind: DifferenceKind::$kind,
                code: $code,
                group: $group,
                meaning: $meaning,
            },)+
        ];
    };
}

differences! {
    Positions, "positions", "vertices", "vertex positions differ in a pose that both models have; display units";
    Skinned, "skinned", "clips", "vertex positions differ at some time of a clip; display units";
    Normals, "normals", "vertices", "normals differ; degrees";
    Tangents, "tangents", "vertices", "tangents differ, or bitangents are flipped (180); degrees";
    Uvs, "uvs", "vertices", "texture coordinates differ; the larger of u and v, in tiles";
    UvTiles, "uv-tiles", "vertices", "texture coordinates differ by whole tiles only; tiles";
    Colors, "colors", "vertices", "vertex colours differ; the largest component";
    Weights, "weights", "vertices", "skin weights differ; the largest difference for one bone";
    Keys, "keys", "clips", "bone animation differs; the largest matrix entry, with translations relative to A's size";
    Unmatched, "unmatched", "vertices", "vertices of one model have no vertex of the other nearby";
    DefaultPose, "default-pose", "poses", "the files open in different poses; display units";
    Scale, "scale", "vertices", "the models differ in size; B's size divided by A's";
    Attributes, "attributes", "vertices", "one model lacks normals, tangents, UV sets or colours";
    Skin, "skin", "bones", "only one model has a skin, or they blend it differently";
    MeshCount, "mesh-count", "counts", "different number of meshes";
    VertexCount, "vertex-count", "counts", "different number of vertices";
    TriangleCount, "triangle-count", "counts", "different number of triangles";
    MeshNames, "mesh-names", "names", "meshes have different names";
    TrianglesAdded, "triangles-added", "triangles", "triangles that only B has";
    TrianglesRemoved, "triangles-removed", "triangles", "triangles that only A has";
    TrianglesFlipped, "triangles-flipped", "triangles", "triangles that face the other way";
    SubsetCount, "subset-count", "subsets", "different number of subsets";
    SubsetRanges, "subset-ranges", "subsets", "subsets cover different ranges of triangles";
    SubsetMaterials, "subset-materials", "subsets", "subsets have different materials";
    MaterialsAdded, "materials-added", "materials", "materials that only B has";
    MaterialsRemoved, "materials-removed", "materials", "materials that only A has";
    MaterialsRenamed, "materials-renamed", "names", "materials have different names";
    MaterialLooks, "material-looks", "materials", "materials differ in colour, alpha, sidedness or lighting";
    Textures, "textures", "materials", "materials use different texture files";
    BonesAdded, "bones-added", "bones", "bones that only B has";
    BonesRemoved, "bones-removed", "bones", "bones that only A has";
    BonesRenamed, "bones-renamed", "names", "bones have different names";
    BonesReparented, "bones-reparented", "bones", "bones have different parents";
    Hierarchy, "hierarchy", "bones", "only one model stores bone parents";
    RestPose, "rest-pose", "poses", "bone rest transforms differ; the largest matrix entry, as for keys";
    InverseBinds, "inverse-binds", "poses", "inverse bind matrices differ; the largest matrix entry, as for keys";
    MorphsAdded, "morphs-added", "morphs", "morph targets that only B has";
    MorphsRemoved, "morphs-removed", "morphs", "morph targets that only A has";
    MorphOffsets, "morph-offsets", "morphs", "morph target offsets differ; display units";
    ClipsAdded, "clips-added", "clips", "clips that only B has";
    ClipsRemoved, "clips-removed", "clips", "clips that only A has";
    ClipsRenamed, "clips-renamed", "names", "clips have different names";
    ClipDuration, "clip-duration", "clips", "clip durations differ; seconds";
    ClipKeys, "clip-keys", "clips", "a clip has a different number of keys";
    Events, "events", "clips", "clip events or their times differ";
    Hulls, "hulls", "collision", "convex hulls differ; display units";
    Occluder, "occluder", "collision", "occlusion meshes differ; display units";
    StoredBounds, "stored-bounds", "collision", "stored bounds differ; display units";
}

impl DifferenceKind {
    /// The row of this kind.
    pub fn info(self) -> &'static DifferenceInfo {
        // Rows and variants are generated from one list, so their positions agree.
        &DIFFERENCES[self as usize]
    }

    /// A stable identifier in kebab case.
    pub fn code(self) -> &'static str {
        self.info().code
    }

    /// The kinds with this code or in this group; empty if `name` is neither.
    pub fn named(name: &str) -> impl Iterator<Item = Self> + '_ {
        let rows = DIFFERENCES.iter();
        let meant = rows.filter(move |row| row.code == name || row.group == name);
        meant.map(|row| row.kind)
    }
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    pub kind: DifferenceKind,
    /// A description of both sides; if there are several, of the worst or first.
    pub what: String,
    /// Number of differences beyond the tolerance; 0 if it is within.
    pub count: u64,
    /// The largest amount, in the unit of the kind; `None` for things that are present or absent.
    pub amount: Option<f64>,
    /// Whether the difference exceeds the tolerance.
    pub exceeds: bool,
    /// The worst or first place in B, if there is one.
    pub place: Option<Place>,
    /// The place in A, if it is known; otherwise the match of `place` applies.
    pub place_in_a: Option<Place>,
    /// The clip of A, and the time in seconds since its beginning, at which the difference is
    /// largest.
    pub moment: Option<(ClipId, f64)>,
}
