//! Findings about a file, each with a kind, a count and places.

use super::Place;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but a good exporter writes something else.
    Warning,
    /// Wrong: something is left out or shown differently than intended.
    Error,
}

impl Severity {
    /// Lower-case word, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The part of a model that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingGroup {
    /// The file, its parts and its related files.
    File,
    /// Bones and skinning.
    Skin,
    /// Vertices, triangles, subsets, materials.
    Mesh,
    /// Clips.
    Animation,
    /// Hulls, occlusion mesh, stored bounds.
    Collision,
}

impl FindingGroup {
    /// In the order in which they are listed.
    pub const ALL: [Self; 5] =
        [Self::File, Self::Skin, Self::Mesh, Self::Animation, Self::Collision];

    /// Lower-case word, as in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Skin => "skin",
            Self::Mesh => "mesh",
            Self::Animation => "animation",
            Self::Collision => "collision",
        }
    }
}

/// Description of a kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct FindingInfo {
    /// Stable kebab-case identifier.
    pub code: &'static str,
    /// The severity of every finding of this kind.
    pub severity: Severity,
    /// The part of the model that it is about.
    pub group: FindingGroup,
    /// The meaning and consequence, as one phrase.
    pub meaning: &'static str,
    /// How to fix it in the exporting program, as one phrase.
    pub fix: &'static str,
}

/// A kind of finding: a row of a table declared by `findings!`.
#[derive(Clone, Copy)]
pub struct FindingKind(pub &'static FindingInfo);

impl FindingKind {
    /// The description of this kind.
    pub fn info(self) -> &'static FindingInfo {
        self.0
    }

    /// Stable kebab-case identifier.
    pub fn code(self) -> &'static str {
        self.0.code
    }
}

impl PartialEq for FindingKind {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for FindingKind {}

impl std::fmt::Debug for FindingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.code)
    }
}

/// Declares findings: a [`FindingKind`] constant for each, and the list of all of them. A row consists
/// of the constant's name, the code, severity, group, meaning and fix.
///
/// Findings that only one rule of `validate` reports are declared next to that rule, all others
/// here.
macro_rules! findings {
    ($(#[doc = $doc:literal])* $vis:vis $list:ident: $($kind:ident, $code:literal, $severity:ident,
        $group:ident, $meaning:literal, $fix:literal;)+
    ) => {
        #[expect(non_upper_case_globals, reason = "they read as the variants of an enum")]
        impl $crate::model::FindingKind {
            $(#[doc = $meaning]
            pub const $kind: Self = Self(&$crate::model::FindingInfo {
                code: $code,
                severity: $crate::model::Severity::$severity,
                group: $crate::model::FindingGroup::$group,
                meaning: $meaning,
                fix: $fix,
            });)+
        }

        $(#[doc = $doc])*
        $vis const $list: &[$crate::model::FindingKind] = &[$($crate::model::FindingKind::$kind),+];
    };
}
pub(crate) use findings;

findings! {
    /// Findings of readers and of `model::check`.
    pub READING:
    Unreadable, "unreadable", Error, File, "the file can't be read completely",
        "export the file again, and check that it was copied completely";
    IndexOutOfRange, "index-out-of-range", Error, Mesh, "a triangle refers to a vertex that doesn't exist; its subset is left out",
        "export the triangles after vertices are merged or split, so that both use the same numbers";
    FaceLeftOut, "face-left-out", Error, Mesh, "a face, line or point has a corner that doesn't exist or can't be read; it is left out",
        "number the vertices from 1 over the whole file, and write faces after the v, vt and vn lines that they refer to";
    SubsetOutOfRange, "subset-out-of-range", Error, Mesh, "a subset extends past the end of the index list; it is left out",
        "store the first index and the count in indices, not in triangles or vertices";
    SubsetNotTriangles, "subset-not-triangles", Error, Mesh, "the index count of a subset isn't a multiple of 3; the remaining indices are left out",
        "triangulate the mesh before export";
    MaterialOutOfRange, "material-out-of-range", Error, Mesh, "a subset refers to a material that doesn't exist; it is drawn without a material",
        "export all materials that subsets refer to, numbered from 0";
    BoneOutOfRange, "bone-out-of-range", Error, Skin, "an influence refers to a bone that doesn't exist; the influence is left out",
        "export all bones that influences refer to, numbered in the order of the bone table";
    MorphOutOfRange, "morph-out-of-range", Error, Mesh, "a morph target moves a vertex that doesn't exist; the offset is left out",
        "export the morph targets from the same vertices as the mesh";
    NotFinite, "not-finite", Error, File, "a number is infinite or not a number (NaN); it is read as 0",
        "check the exporter for a division by a scale, length or weight of 0";
    HugeCoordinate, "huge-coordinate", Warning, Mesh, "a vertex is so far from the origin that single precision can't pose it accurately",
        "move the model to the origin, and check its unit";
    WeightsNotNormalized, "weights-not-normalized", Warning, Skin, "the weights of a vertex don't sum to 1; they are scaled so that they do",
        "normalize the weights after limiting the number of influences; weights stored as bytes should sum to 255";
    VertexWithoutWeights, "vertex-without-weights", Warning, Skin, "a vertex has no weights; it stays where it is stored, or follows the first bone in its list in formats that define this (BSM2, IQM)",
        "bind every vertex to a bone before export";
    WeightAfterZero, "weight-after-zero", Warning, Skin, "a weight follows an empty influence slot; runtimes that stop at the first empty slot ignore the weight",
        "sort the influences of each vertex by weight, largest first";
    UnusedSlotOutOfRange, "unused-slot-out-of-range", Info, Skin, "an influence with a weight of 0 refers to a bone that doesn't exist; it is ignored",
        "write bone 0 into slots with a weight of 0";
    ZeroNormal, "zero-normal", Warning, Mesh, "a normal has a length of 0; the surface is shaded flat there",
        "recompute the normals, and remove triangles without area";
    NonUnitNormal, "non-unit-normal", Info, Mesh, "the length of a normal isn't 1; it is normalized for drawing",
        "normalize the normals before export";
    ZeroTangent, "zero-tangent", Info, Mesh, "a tangent has a length of 0, so it defines no direction for normal maps",
        "give every triangle of the mesh an area in its UVs, and compute the tangents again";
    TangentSign, "tangent-sign", Warning, Mesh, "the bitangent sign of a tangent is neither +1 nor -1",
        "write +1 or -1 into the w component of each tangent";
    DegenerateTriangle, "degenerate-triangle", Info, Mesh, "a triangle has the same vertex at two corners, so it has no area",
        "remove triangles that lost a corner when vertices were merged";
    PolygonNotSimple, "polygon-not-simple", Warning, Mesh, "a polygon with many corners intersects itself, or is too convoluted to be triangulated exactly; some of its triangles may overlap",
        "triangulate the mesh before export, and remove faces that intersect themselves";
    OverlappingSubsets, "overlapping-subsets", Info, Mesh, "several subsets cover the same triangles, as in a mesh that is drawn in several passes",
        "no action needed if several passes are intended; otherwise, assign each triangle to one subset";
    UncoveredIndices, "uncovered-indices", Warning, Mesh, "some triangles belong to no subset; they aren't drawn",
        "assign a material to every face, or delete the faces";
    UnreferencedBone, "unreferenced-bone", Info, Skin, "neither the bone nor any bone below it moves a vertex",
        "leave the bone out of the export, unless the application attaches something to it";
    SeveralRoots, "several-roots", Info, Skin, "the bones of a mesh have no common root; some runtimes load only the first root and the bones below it",
        "put all bones of the mesh under one root bone";
    RootStoredAs255, "root-stored-as-255", Info, Skin, "the parent of a root bone is stored as 255 instead of the bone's own number",
        "write a root's own number as its parent, as the exporter's documentation specifies";
    ParentAfterChild, "parent-after-child", Warning, Skin, "a parent follows its child in the list of bones; the bones are sorted",
        "write parents before their children";
    ParentOutOfRange, "parent-out-of-range", Warning, Skin, "the parent of a bone doesn't exist; the bone is read as a root",
        "export all ancestors of the bone, or mark it as a root";
    InverseBindNotAffine, "inverse-bind-not-affine", Warning, Skin, "the last row of an inverse bind matrix isn't 0 0 0 1; the row is ignored",
        "check whether the exporter writes its matrices transposed";
    BonesBeyondU8, "bones-beyond-u8", Warning, Skin, "the file has more than 256 bones; its vertices can only refer to the first 256",
        "remove bones that move no vertices, or split the mesh";
    ZeroScaleBone, "zero-scale-bone", Info, Animation, "a bone is scaled to 0 at rest or in a key, which hides its vertices",
        "no action needed if the part should be hidden; otherwise, restore the scale before export";
    BindPair, "bind-pair", Info, Skin, "the two keys of a clip are bone matrices and their inverse bind matrices instead of a motion; their product is shown",
        "no action needed; such files store a single pose";
    PossibleBindPair, "possible-bind-pair", Info, Skin, "for many bones, the two keys of a clip are a bone matrix and its inverse bind matrix; the clip is shown as stored",
        "export either a motion without its bind pose, or only the bind pose";
    NoClips, "no-clips", Info, Animation, "the file has no clips; the vertices are shown as stored",
        "no action needed for static models; otherwise, select a take or a frame range for export";
    ClipWithoutKeys, "clip-without-keys", Warning, Animation, "a clip has no keys; the vertices are shown as stored",
        "export at least one frame of the clip, or leave it out";
    ZeroInterval, "zero-interval", Warning, Animation, "the keys of a clip all have the same time; the clip is shown as a single pose",
        "write the time between keys: 1 s divided by the frame rate";
    DurationMismatch, "duration-mismatch", Warning, Animation, "the duration of a clip differs from the time of its last key by more than one interval",
        "write (keys - 1) x interval as the duration, or keys x interval if the last key leads back to the first";
    DuplicateName, "duplicate-name", Info, File, "two clips or two bones have the same name; programs that search by name find only one of them",
        "give every clip and every bone a unique name";
    NameNotUtf8, "name-not-utf8", Warning, File, "a name isn't valid UTF-8; the invalid bytes are shown as replacement characters",
        "write names as UTF-8, or use only ASCII characters in them";
    TrailingBytes, "trailing-bytes", Warning, File, "the file continues after the end of its format's data; the extra bytes are preserved",
        "write to a new file instead of over a longer one";
    EmptyMesh, "empty-mesh", Warning, Mesh, "a mesh has no vertices",
        "leave meshes without vertices out of the export";
    NoTriangles, "no-triangles", Info, Mesh, "a mesh has no triangles; its points are shown",
        "no action needed for point clouds; otherwise, export the faces too";
    NoMesh, "no-mesh", Info, Mesh, "the file has no mesh; its skeleton is shown",
        "no action needed for skeletons and animations; otherwise, select the mesh before export";
    BoundsMismatch, "bounds-mismatch", Warning, Collision, "stored bounds don't contain the vertices; runtimes that cull by them may hide visible parts",
        "compute the bounds from the exported vertices, in the same space and unit";
    MissingSkeleton, "missing-skeleton", Warning, Skin, "the file needs a skeleton that wasn't found",
        "put the skeleton file into the same folder, or name it with --with";
    MissingTexture, "missing-texture", Warning, Mesh, "the file of a texture wasn't found; a checker pattern is shown instead",
        "put the texture next to the model, and refer to it by a relative path";
    UnreadableTexture, "unreadable-texture", Warning, Mesh, "the image of a texture can't be read; a checker pattern is shown instead",
        "save the image as PNG, JPEG, WebP, TGA, BMP, DDS, KTX, KTX2, HDR or EXR";
    ReducedTexture, "reduced-texture", Info, Mesh, "a texture is shown at a reduced size, so that all textures fit into memory",
        "no action needed to view the model; for a runtime, scale the images down";
    TextureTooLarge, "texture-too-large", Warning, Mesh, "the image of a texture is too large to be shown; a checker pattern is shown instead",
        "scale the image down";
    SeveralUvSets, "several-uv-sets", Info, Mesh, "the textures of a mesh use different UV sets; all of them are shown with the first set",
        "use the same UV set for all textures of a mesh";
    OutsidePath, "outside-path", Info, File, "a path leads outside the model's folder; a file with the same name is searched for in the folder",
        "use paths relative to the model's folder";
    MissingCompanion, "missing-companion", Warning, File, "a file that this one refers to wasn't found",
        "put the file into the same folder, or name it with --with";
    CompanionUnreadable, "companion-unreadable", Warning, File, "a file that this one refers to can't be read; its content is left out",
        "export that file again, or remove the reference to it";
    BuiltInMesh, "built-in-mesh", Info, File, "the effect refers to meshes that the SDK generates, such as the tracked face; they are skipped",
        "no action needed";
    MaterialNotInEffect, "material-not-in-effect", Info, Mesh, "the effect has no material with the same name as the mesh's material, which is shown without textures",
        "in the config, name the material like the mesh's material, after the prefix shaders/";
    DressedByEffect, "dressed-by-effect", Info, File, "the file belongs to an effect, and is shown with the materials of that effect",
        "no action needed; --no-effect shows only the mesh";
    PoorFit, "poor-fit", Warning, File, "the bones of a related file differ from those of the model in length or position",
        "name the matching file with --with, or choose it in the list of related files";
    UnmatchedBones, "unmatched-bones", Warning, Animation, "some bones of an added animation have no counterpart in the model; they are left out",
        "use the same bone names in both files";
    AddedMeshes, "added-meshes", Info, File, "meshes of another file were added to the skeleton",
        "no action needed";
    AddedClips, "added-clips", Info, Animation, "clips of another file were added",
        "no action needed";
    Dropped, "dropped", Warning, File, "the file contains data that isn't shown; it is left out",
        "export the data in a form that the documentation of the format lists as shown";
    ClipBeyondGpu, "clip-beyond-gpu", Info, Animation, "the keys of a clip don't fit into GPU memory; they are uploaded during playback",
        "no action needed; the clip plays as usual";
    TimeIgnored, "time-ignored", Info, Animation, "the file has no clips, so the requested time is ignored",
        "leave the time out, or export a clip";
    UnusedCompanion, "unused-companion", Info, File, "a file that was given along with the model isn't used",
        "leave the file out, or check that it is the intended one";
    ExtensionIgnored, "extension-ignored", Info, File, "the file uses an extension that only changes its appearance or adds data that isn't drawn; the extension is ignored",
        "no action needed if the model looks right; otherwise, bake the extension into standard materials";
    UnknownVersion, "unknown-version", Warning, File, "the version of the format is unknown; the file is read like the usual version",
        "export with a known version of the format";
    BrokenRecord, "broken-record", Error, File, "a record contradicts the rest of the file; it is left out, or read as far as possible",
        "export the file again, so that its counts match its data";
    BoneNotInSkeleton, "bone-not-in-skeleton", Warning, Skin, "a mesh refers to a bone that isn't in the skeleton; its vertices follow the root bone",
        "export mesh and skeleton from the same rig";
    PartShown, "part-shown", Info, File, "only a part of the file is shown",
        "no action needed; to see everything, save each part as a separate file";
    AssumedFps, "assumed-fps", Info, Animation, "the file counts frames without stating a frame rate; 30 frames per second are assumed",
        "set the frame rate with --fps";
    OtherConvention, "other-convention", Info, File, "another file shows that the transforms don't follow the documented convention; they are read accordingly",
        "no action needed; select the documented convention in the next export";
    BoxSizeVaries, "box-size-varies", Info, Animation, "the size of a bone's box changes over time, which moves no vertices here",
        "no action needed; apply the scale of the bones to avoid it";
    UnmatchedVertices, "unmatched-vertices", Warning, Mesh, "some vertices have no counterpart in the file that provides the faces; triangles with such vertices are left out",
        "use the faces of the exported mesh itself, before it is edited or merged";
    OverlappingArrays, "overlapping-arrays", Warning, File, "arrays of the file share bytes; each one is read as stored",
        "write each array to a separate range of bytes";
    PosesMismatch, "poses-mismatch", Warning, Skin, "the poses and joints of the file differ in number or parents; joints without a pose stay at rest, and poses without a joint are left out",
        "export mesh and animation from the same skeleton";
}

findings! {
    /// Findings about frame rates, listed after those about normals.
    pub FRAME_RATE:
    UnusableFrameRate, "unusable-frame-rate", Warning, Animation, "the frame rate of a clip is unusable; the requested one is used instead, or 30 frames per second",
        "write a frame rate above 0, or set one with --fps";
}

findings! {
    /// Findings reported when a model is changed or written.
    pub WRITING:
    RestNotStored, "rest-not-stored", Info, Skin, "the bones' rest pose differs from their bind pose; the written file rests in the bind pose",
        "use the bind pose as the rest pose";
    ShearedBind, "sheared-bind", Warning, Skin, "the bind transform of a bone has shear, which the format can't store; the vertices of the bone deviate",
        "bind bones without non-uniform scales above them";
    ChangedName, "changed-name", Info, File, "the format can't store a name as it is; the name is changed",
        "use unique names without special characters";
    NotWritten, "not-written", Warning, File, "data that is specific to the original file isn't written",
        "keep the original file, or write a format that can store the data";
    FrameRateNotWritten, "frame-rate-not-written", Info, Animation, "the written file doesn't store its frame rate, which must be given to read it",
        "read the file with the frame rate in the message";
    NoBones, "no-bones", Info, Skin, "the format requires a bone; everything is attached to a bone that doesn't move",
        "no action needed; bind the mesh to a bone if it should move";
    TextureUnfit, "texture-unfit", Info, Mesh, "the format has one colour texture, a BMP file named without folder and extension; other textures are renamed or left out",
        "put a .bmp file with that name next to the written file";
    LongerClip, "longer-clip", Info, Animation, "a clip that doesn't end with its first pose becomes longer, because its last pose needs an additional frame",
        "end the clip with its first pose, or accept the additional frame";
    UvTilesMoved, "uv-tiles-moved", Info, Mesh, "the UVs outside 0 to 1 were moved by whole tiles, which doesn't change the appearance of repeating textures",
        "move UVs into 0 to 1 if the texture needn't repeat";
    UvTilesCut, "uv-tiles-cut", Info, Mesh, "a triangle that spans several tiles of its texture was split at the tile borders",
        "split faces where the texture repeats, or scale the texture instead";
    UvsClamped, "uvs-clamped", Warning, Mesh, "a UV outside 0 to 1 was clamped; the texture is smeared there",
        "move UVs into 0 to 1";
    UnweightedOnStillBone, "unweighted-on-still-bone", Info, Skin, "a vertex has no weights; it was bound to a bone that doesn't move",
        "bind every vertex to a bone before export";
    MirroredMesh, "mirrored-mesh", Info, Mesh, "a mesh is attached to a mirrored node, which the format can't store; its triangles and bitangents are flipped to keep its appearance",
        "no action needed; to store the mesh as it is shown, apply the negative scale before export";
    MirroredSkin, "mirrored-skin", Info, Skin, "a skin mirrors its mesh; the mirrored triangles and bitangents are flipped, so that front faces match the normals",
        "no action needed; to avoid it, apply the negative scale before binding";
    BoneDoubled, "bone-doubled", Info, Skin, "meshes bind the same bone in different poses; the bone is stored once for each pose",
        "bind all meshes in the same pose";
    SplitIntoFiles, "split-into-files", Warning, File, "the model is too large for one file; it was split into several",
        "reduce the number of vertices or bones, or load all files together";
    LeftOut, "left-out", Warning, File, "the format can't store a part of the model; it is left out",
        "write another format, or remove the part from the model";
    Altered, "altered", Info, File, "something is changed, because the format can't store it as it is",
        "write another format if it must stay unchanged";
    MadeDirection, "made-direction", Info, Mesh, "a normal or tangent has a length of 0; it is replaced, because the format requires a direction",
        "give every vertex a normal, and either all vertices or no vertex a tangent";
    NormalsMade, "normals-made", Info, Mesh, "a mesh has no normals; they are computed, smooth across edges of less than 60°",
        "export the normals to preserve hard and smooth edges";
    HullWithoutVolume, "hull-without-volume", Info, Collision, "the points of a convex hull span no volume; all distinct points are stored",
        "give the collision mesh some thickness";
    OccluderMade, "occluder-made", Info, Collision, "an occlusion mesh was made by reducing the triangles of the mesh; its vertices are vertices of the mesh",
        "to use another occlusion mesh, add one whose name begins with \"occlusion\"";
    UncoveredNotWritten, "uncovered-not-written", Warning, Mesh, "some triangles belong to no subset; they aren't drawn, and they aren't written",
        "assign a material to the triangles";
    AlphaNotWritten, "alpha-not-written", Warning, Mesh, "the format can't store the alpha of vertex colours; it is left out",
        "convert to a format that stores colours with alpha, such as glTF";
    LookNotWritten, "look-not-written", Info, Mesh, "the format can't store some properties of a material (such as alpha, double sides, shininess, emission or texture transforms); they are left out",
        "convert to a format that stores complete materials, such as glTF";
    JoinedImages, "joined-images", Info, Mesh, "the images of metallic, roughness and occlusion are combined into one, as the format requires; smaller images are scaled to the largest",
        "no action needed; to avoid scaling, use images of the same size";
    ImageBeside, "image-beside", Info, Mesh, "images are written as separate files next to the model",
        "no action needed; keep the files together";
    ImageNotWritten, "image-not-written", Info, Mesh, "the format stores only the names of materials, and no name leads to the image; the image isn't written",
        "give the material a name that is valid as a file name, or convert to a format that refers to images";
    NameCut, "name-cut", Warning, File, "a name is longer than the format allows; its end is left out",
        "shorten the name";
    NameRespelled, "name-respelled", Info, File, "a name is changed to follow the rules of the format",
        "use a unique name of one word";
    OtherExtension, "other-extension", Info, File, "the file has the extension of another format; the format is determined by the content",
        "rename the file to the extension of its format, so that other programs open it too";
    OtherFormats, "other-formats", Info, File, "the file could also be in another format",
        "no action needed; --format selects one of them";
}

/// One finding, counted over all places where it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The first place, or the worst.
    pub place: Place,
    /// Details at that place.
    pub message: String,
    /// Number of occurrences.
    pub count: u64,
    /// The known places, starting with `place`: at most [`MAX_PLACES`], and fewer than `count` if
    /// the rule doesn't list all of them.
    pub places: Vec<Place>,
}

/// Places that are stored per finding; a broken file has one per vertex.
pub const MAX_PLACES: usize = 1000;

impl Finding {
    /// A finding with `count` occurrences, of which one place is known.
    #[must_use]
    pub fn new(kind: FindingKind, place: Place, message: String, count: u64) -> Self {
        Self { kind, place, message, count, places: vec![place] }
    }

    /// Adds places of further occurrences, without counting them.
    pub(super) fn add_places(&mut self, places: impl IntoIterator<Item = Place>) {
        for place in places {
            if self.places.len() >= MAX_PLACES {
                return;
            }
            // An element may have several faults of one kind.
            if place != self.place && self.places.last() != Some(&place) {
                self.places.push(place);
            }
        }
    }

    /// The severity of its kind.
    pub fn severity(&self) -> Severity {
        self.kind.info().severity
    }
}
