//! The table of kinds of differences, and the type of a single difference.

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
    Positions, "positions", "vertices", "vertices lie elsewhere in a pose that both have; display units";
    Skinned, "skinned", "clips", "vertices lie elsewhere at some time of a clip; display units";
    Normals, "normals", "vertices", "normals point elsewhere; degrees";
    Tangents, "tangents", "vertices", "tangents point elsewhere, or bitangents the other way (180); degrees";
    Uvs, "uvs", "vertices", "texture coordinates differ; the larger of u and v, in tiles";
    UvTiles, "uv-tiles", "vertices", "texture coordinates differ by whole tiles only; tiles";
    Colors, "colors", "vertices", "vertex colours differ; the largest component";
    Weights, "weights", "vertices", "influences differ; the largest share of one bone";
    Keys, "keys", "clips", "bones move otherwise; the largest matrix entry, translations as parts of A's extent";
    Unmatched, "unmatched", "vertices", "vertices of one side have none near them on the other";
    DefaultPose, "default-pose", "poses", "the files open in different poses; display units";
    Scale, "scale", "vertices", "one model is larger than the other; B's extent over A's";
    Attributes, "attributes", "vertices", "one side lacks normals, tangents, UV sets or colours";
    Skin, "skin", "bones", "one side has a skin and the other none, or blends it otherwise";
    MeshCount, "mesh-count", "counts", "another number of meshes";
    VertexCount, "vertex-count", "counts", "another number of vertices";
    TriangleCount, "triangle-count", "counts", "another number of triangles";
    MeshNames, "mesh-names", "names", "meshes have other names";
    TrianglesAdded, "triangles-added", "triangles", "triangles of B that A has not";
    TrianglesRemoved, "triangles-removed", "triangles", "triangles of A that B has not";
    TrianglesFlipped, "triangles-flipped", "triangles", "triangles that show their other side";
    SubsetCount, "subset-count", "subsets", "another number of subsets";
    SubsetRanges, "subset-ranges", "subsets", "subsets cover other parts of the triangle list";
    SubsetMaterials, "subset-materials", "subsets", "subsets have other materials";
    MaterialsAdded, "materials-added", "materials", "materials of B that A has not";
    MaterialsRemoved, "materials-removed", "materials", "materials of A that B has not";
    MaterialsRenamed, "materials-renamed", "names", "materials have other names";
    MaterialLooks, "material-looks", "materials", "materials have another colour, alpha, sidedness or light";
    Textures, "textures", "materials", "materials name other texture files";
    BonesAdded, "bones-added", "bones", "bones of B that A has not";
    BonesRemoved, "bones-removed", "bones", "bones of A that B has not";
    BonesRenamed, "bones-renamed", "names", "bones have other names";
    BonesReparented, "bones-reparented", "bones", "bones have other parents";
    Hierarchy, "hierarchy", "bones", "one side stores parents of bones and the other none";
    RestPose, "rest-pose", "poses", "bones rest elsewhere; matrix entries as those of keys";
    InverseBinds, "inverse-binds", "poses", "bones are bound elsewhere; matrix entries as those of keys";
    MorphsAdded, "morphs-added", "morphs", "morph targets of B that A has not";
    MorphsRemoved, "morphs-removed", "morphs", "morph targets of A that B has not";
    MorphOffsets, "morph-offsets", "morphs", "morph targets move vertices otherwise; display units";
    ClipsAdded, "clips-added", "clips", "clips of B that A has not";
    ClipsRemoved, "clips-removed", "clips", "clips of A that B has not";
    ClipsRenamed, "clips-renamed", "names", "clips have other names";
    ClipDuration, "clip-duration", "clips", "a clip is longer or shorter; seconds";
    ClipKeys, "clip-keys", "clips", "a clip has another number of keys";
    Events, "events", "clips", "other things happen in a clip, or at other times";
    Hulls, "hulls", "collision", "convex hulls differ; display units";
    Occluder, "occluder", "collision", "the occluder differs; display units";
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
