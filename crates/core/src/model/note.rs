//! Findings about a file, each with a kind, a count and places.

use super::Place;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but isn't what a good exporter writes.
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
pub enum NoteGroup {
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

impl NoteGroup {
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
pub struct NoteInfo {
    /// Stable kebab-case identifier.
    pub code: &'static str,
    /// The severity of all findings of this kind.
    pub severity: Severity,
    /// The part of the model that it is about.
    pub group: NoteGroup,
    /// The meaning and consequence, as one phrase.
    pub meaning: &'static str,
    /// How to fix it in the exporting program, as one phrase.
    pub mend: &'static str,
}

/// A kind of finding: a row of a table declared by `notes!`.
#[derive(Clone, Copy)]
pub struct NoteKind(pub &'static NoteInfo);

impl NoteKind {
    /// The description of this kind.
    pub fn info(self) -> &'static NoteInfo {
        self.0
    }

    /// Stable kebab-case identifier.
    pub fn code(self) -> &'static str {
        self.0.code
    }
}

impl PartialEq for NoteKind {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for NoteKind {}

impl std::fmt::Debug for NoteKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.code)
    }
}

/// Declares findings: a [`NoteKind`] constant for each, and the list of all of them. A row consists
/// of the constant's name, the code, severity, group, meaning and fix.
///
/// Findings that only one rule of `validate` reports are declared next to that rule, all others
/// here.
macro_rules! notes {
    ($(#[doc = $doc:literal])* $vis:vis $list:ident: $($kind:ident, $code:literal, $severity:ident,
        $group:ident, $meaning:literal, $mend:literal;)+
    ) => {
        #[expect(non_upper_case_globals, reason = "they read as the variants of an enum")]
        impl $crate::model::NoteKind {
            $(#[doc = $meaning]
            pub const $kind: Self = Self(&$crate::model::NoteInfo {
                code: $code,
                severity: $crate::model::Severity::$severity,
                group: $crate::model::NoteGroup::$group,
                meaning: $meaning,
                mend: $mend,
            });)+
        }

        $(#[doc = $doc])*
        $vis const $list: &[$crate::model::NoteKind] = &[$($crate::model::NoteKind::$kind),+];
    };
}
pub(crate) use notes;

notes! {
    /// Findings of readers and of `model::check`.
    pub READING:
    Unreadable, "unreadable", Error, File, "the file could not be read to its end",
        "export the file again and compare its length with what the exporter wrote";
    IndexOutOfRange, "index-out-of-range", Error, Mesh, "a triangle names a vertex that does not exist; its subset is left out",
        "write triangles after vertices are merged or split, and number both the same way";
    FaceLeftOut, "face-left-out", Error, Mesh, "a face, line or point names a corner that does not exist or cannot be read; it is left out",
        "count corners from 1 over the whole file, and write faces after the lines that they number";
    SubsetOutOfRange, "subset-out-of-range", Error, Mesh, "a subset reaches past the index list; it is left out",
        "write first index and count in indices, not in triangles or vertices";
    SubsetNotTriangles, "subset-not-triangles", Error, Mesh, "a subset's index count is no multiple of 3; the rest is left out",
        "triangulate before export";
    MaterialOutOfRange, "material-out-of-range", Error, Mesh, "a subset names a material that does not exist; it is drawn without one",
        "write all materials that subsets name, and count them from 0";
    BoneOutOfRange, "bone-out-of-range", Error, Skin, "an influence names a bone that does not exist; it is left out",
        "write all bones that influences name, and number them in the order of the bone table";
    MorphOutOfRange, "morph-out-of-range", Error, Mesh, "a morph target moves a vertex that does not exist; the offset is left out",
        "export morph targets from the same vertices as the mesh";
    NotFinite, "not-finite", Error, File, "a number is infinite or not a number; it is read as 0",
        "look for a division by a zero scale, length or weight in the exporter";
    HugeCoordinate, "huge-coordinate", Warning, Mesh, "a coordinate is too large for single precision to pose well",
        "move the model to the origin and check the unit";
    WeightsNotNormalized, "weights-not-normalized", Warning, Skin, "the weights of a vertex do not sum to 1; they are scaled to do so",
        "normalise weights after the last influence was dropped, and round so that their bytes sum to 255";
    VertexWithoutWeights, "vertex-without-weights", Warning, Skin, "a vertex has no weight; it stays where it is stored, or follows the first bone it names in formats that define so (BSM2, IQM)",
        "bind every vertex to a bone before export";
    WeightAfterZero, "weight-after-zero", Warning, Skin, "a weight follows an empty slot; players that stop at the first zero drop it",
        "sort each vertex's influences by weight, largest first";
    UnusedSlotOutOfRange, "unused-slot-out-of-range", Info, Skin, "an influence of weight 0 names a bone that does not exist; it is ignored",
        "write bone 0 into slots without weight";
    ZeroNormal, "zero-normal", Warning, Mesh, "a normal has no length; it is shaded flat",
        "recompute normals, and remove triangles without area";
    NonUnitNormal, "non-unit-normal", Info, Mesh, "a normal is not of unit length; it is normalised when drawn",
        "normalise normals before they are written";
    ZeroTangent, "zero-tangent", Info, Mesh, "a tangent has no length",
        "give the mesh UVs without seams of no area, and compute tangents";
    TangentSign, "tangent-sign", Warning, Mesh, "a tangent's bitangent sign is neither +1 nor -1",
        "write +1 or -1 into a tangent's w";
    DegenerateTriangle, "degenerate-triangle", Info, Mesh, "a triangle names a vertex twice",
        "remove triangles that lost a corner when vertices were merged";
    PolygonNotSimple, "polygon-not-simple", Warning, Mesh, "a polygon of very many corners crosses itself, or is wound so much that not all of it could be cut exactly; some of its triangles may overlap",
        "triangulate before export, and remove faces that cross themselves";
    OverlappingSubsets, "overlapping-subsets", Info, Mesh, "subsets cover the same triangles, as passes over one mesh do",
        "nothing where several passes are meant; else give each triangle to one subset";
    UncoveredIndices, "uncovered-indices", Warning, Mesh, "triangles belong to no subset and are not drawn",
        "assign a material to every face, or delete the faces";
    UnreferencedBone, "unreferenced-bone", Info, Skin, "a bone moves no vertex, and no bone below it does",
        "leave the bone out of the export, unless something is attached to it at run time";
    SeveralRoots, "several-roots", Info, Skin, "the bones of one mesh have no common root; some runtimes load only the first of their trees",
        "put the bones of the mesh under one root bone";
    RootStoredAs255, "root-stored-as-255", Info, Skin, "a root's parent is stored as 255 and not as the root itself",
        "write the root's own number as its parent, as the exporter's documentation says";
    ParentAfterChild, "parent-after-child", Warning, Skin, "a parent follows its child; bones are sorted",
        "write bones in an order in which parents come first";
    ParentOutOfRange, "parent-out-of-range", Warning, Skin, "a bone's parent does not exist; the bone is read as a root",
        "write the whole chain of parents, or mark the bone as a root";
    InverseBindNotAffine, "inverse-bind-not-affine", Warning, Skin, "an inverse bind matrix has a last row other than 0 0 0 1; the row is ignored",
        "write matrices in the order of rows that the format wants: this looks transposed";
    BonesBeyondU8, "bones-beyond-u8", Warning, Skin, "there are more than 256 bones; vertices cannot name the rest",
        "drop bones that move no vertex, or split the mesh";
    ZeroScaleBone, "zero-scale-bone", Info, Animation, "a bone is scaled to 0, at rest or in a key, which hides what it moves",
        "nothing if the part is meant to be hidden; else restore the scale before export";
    BindPair, "bind-pair", Info, Skin, "the two keys are a bone matrix and its inverse bind, not a motion; their product is shown",
        "nothing; such files hold one pose";
    PossibleBindPair, "possible-bind-pair", Info, Skin, "many of the two keys are a bone matrix and its inverse bind; the clip is shown as stored",
        "say which is meant: export a motion without its bind pose, or the bind pose alone";
    NoClips, "no-clips", Info, Animation, "the file has no clip; the vertices are shown as stored",
        "nothing for still models; else choose a take or a range of frames to export";
    ClipWithoutKeys, "clip-without-keys", Warning, Animation, "a clip has no key; the vertices are shown as stored",
        "export the clip with at least one frame, or leave it out";
    ZeroInterval, "zero-interval", Warning, Animation, "a clip of several keys has no time between them; it is shown as one pose",
        "write the time between keys, 1 / frames a second";
    DurationMismatch, "duration-mismatch", Warning, Animation, "a clip's duration differs from its keys by more than an interval",
        "write (keys - 1) x interval as duration, or keys x interval where the last one leads back to the first";
    DuplicateName, "duplicate-name", Info, File, "two clips or bones have the same name",
        "give every clip and bone a name of its own";
    NameNotUtf8, "name-not-utf8", Warning, File, "a name is not UTF-8; what cannot be read is shown as a box",
        "keep to plain letters in names, or write them as UTF-8";
    TrailingBytes, "trailing-bytes", Warning, File, "bytes follow the end of what the format defines; they are kept",
        "write the file anew and not over a longer one";
    EmptyMesh, "empty-mesh", Warning, Mesh, "a mesh has no vertices",
        "leave meshes without vertices out of the export";
    NoTriangles, "no-triangles", Info, Mesh, "a mesh has no triangles; its points are shown",
        "nothing for point clouds; else export faces too";
    NoMesh, "no-mesh", Info, Mesh, "the file has no mesh; its skeleton is shown",
        "nothing for skeletons and animations; else select the mesh before export";
    BoundsMismatch, "bounds-mismatch", Warning, Collision, "stored bounds do not hold the vertices",
        "compute bounds from the vertices that are written, in the same space and unit";
    MissingSkeleton, "missing-skeleton", Warning, Skin, "the file needs a skeleton that was not found",
        "put the skeleton's file beside this one, or name it with --with";
    MissingTexture, "missing-texture", Warning, Mesh, "a texture's file was not found; a checker is shown in its place",
        "put the texture beside the model, and name it by a relative path";
    UnreadableTexture, "unreadable-texture", Warning, Mesh, "a texture's image cannot be read; a checker is shown in its place",
        "save the image as PNG, JPEG, WebP, TGA, BMP, DDS, KTX, KTX2, HDR or EXR";
    ReducedTexture, "reduced-texture", Info, Mesh, "a texture is shown with fewer pixels than it has, so that all of them fit into memory",
        "nothing to see the model; scale images down that players must load";
    TextureTooLarge, "texture-too-large", Warning, Mesh, "a texture's image takes more than can be shown; a checker is shown in its place",
        "scale the image down";
    SeveralUvSets, "several-uv-sets", Info, Mesh, "textures of one mesh lie on different UV sets; the first set places them all",
        "bring all textures of a mesh onto one UV set";
    OutsidePath, "outside-path", Info, File, "a path leads out of the model's folder; only the file's name is looked for",
        "name files by paths relative to the model's folder";
    MissingCompanion, "missing-companion", Warning, File, "a file that this one names was not found",
        "put the file beside this one, or name it with --with";
    CompanionUnreadable, "companion-unreadable", Warning, File, "a file that this one names cannot be read; what it holds is left out",
        "export that file again, or take its name out of this one";
    BuiltInMesh, "built-in-mesh", Info, File, "the effect names meshes that the SDK makes, such as the tracked face; they are skipped",
        "nothing";
    MaterialNotInEffect, "material-not-in-effect", Info, Mesh, "a mesh's material has none of its name in the effect; it is shown without textures",
        "name the material in the config like the one of the mesh, behind shaders/";
    DressedByEffect, "dressed-by-effect", Info, File, "the file lies in an effect, whose materials are shown on it",
        "nothing; --no-effect shows the mesh alone";
    PoorFit, "poor-fit", Warning, File, "a file that goes with this one has bones of other lengths or in other places",
        "name the file that belongs to it with --with, or choose it in the list of companions";
    UnmatchedBones, "unmatched-bones", Warning, Animation, "bones of an added animation have no counterpart in the model; they are left out",
        "name bones alike in both files";
    AddedMeshes, "added-meshes", Info, File, "meshes of another file were put on the skeleton",
        "nothing";
    AddedClips, "added-clips", Info, Animation, "clips of another file were added",
        "nothing";
    Dropped, "dropped", Warning, File, "the file holds something that cannot be shown; it is left out",
        "export as something that the format's page lists as shown";
    ClipBeyondGpu, "clip-beyond-gpu", Info, Animation, "a clip's keys do not fit this GPU; those between which it plays are sent as it does",
        "nothing; the clip plays as others do";
    TimeIgnored, "time-ignored", Info, Animation, "the file has no clip, so the time is ignored",
        "leave the time out, or export a clip";
    UnusedCompanion, "unused-companion", Info, File, "a file given along with this one is of no use to its format",
        "leave the file out, or check that it is the one meant";
    ExtensionIgnored, "extension-ignored", Info, File, "the file uses an extension that changes only its look, or adds data that isn't drawn; it is ignored",
        "nothing if the model looks as it should; else bake the extension into plain materials";
    UnknownVersion, "unknown-version", Warning, File, "the file states a version that is not known; it is read like the usual one",
        "export with a known version of the format";
    BrokenRecord, "broken-record", Error, File, "a record contradicts the file that it is in; it is left out or read as well as can be",
        "export the file again; counts and what they count disagree";
    BoneNotInSkeleton, "bone-not-in-skeleton", Warning, Skin, "a mesh names a bone that the skeleton does not have; the root carries it",
        "export mesh and skeleton from the same rig";
    PartShown, "part-shown", Info, File, "only a part of what the file holds is shown",
        "nothing; put each part into a file of its own to see all";
    AssumedFps, "assumed-fps", Info, Animation, "the file counts frames and states no frame rate; 30 a second are assumed",
        "state the frame rate with --fps";
    OtherConvention, "other-convention", Info, File, "another file shows that transforms are meant otherwise than documented; they are read so",
        "nothing; choose the documented transforms when exporting again";
    BoxSizeVaries, "box-size-varies", Info, Animation, "a bone's box changes its size over time, which moves no vertex here",
        "nothing; freeze the scale of bones to be rid of it";
    UnmatchedVertices, "unmatched-vertices", Warning, Mesh, "vertices of a file whose faces are borrowed have no counterpart here; triangles on them are left out",
        "borrow faces from the very mesh that was exported, before it is changed or merged";
    OverlappingArrays, "overlapping-arrays", Warning, File, "arrays of the file share bytes; each is read as it stands",
        "write every array to bytes of its own";
    PosesMismatch, "poses-mismatch", Warning, Skin, "a file's poses and joints differ in number or parents; those without counterpart rest or are left out",
        "export mesh and animation from the same skeleton";
}

notes! {
    /// Findings about frame rates, listed after those about normals.
    pub FRAME_RATE:
    UnusableFrameRate, "unusable-frame-rate", Warning, Animation, "a clip states no usable frame rate; 30 a second, or what was asked for, is taken",
        "write a frame rate above 0, or say it with --fps";
}

notes! {
    /// Findings reported when a model is changed or written.
    pub WRITING:
    RestNotStored, "rest-not-stored", Info, Skin, "the bones rest elsewhere than where vertices are bound; the written file rests where these are bound",
        "let the bones rest where the vertices were bound";
    ShearedBind, "sheared-bind", Warning, Skin, "a bone is bound with shear, which the written file cannot hold; its vertices are off",
        "bind bones without scales that differ along axes above them";
    ChangedName, "changed-name", Info, File, "a name cannot be written as it is; it is changed",
        "use names that are unique and of plain characters";
    NotWritten, "not-written", Warning, File, "something that only the read file had is not written again",
        "keep the original file beside the new one, or write another format that holds it";
    FrameRateNotWritten, "frame-rate-not-written", Info, Animation, "the written file does not state its frame rate; whoever reads it has to know it",
        "read the file with the frames a second that the message names";
    NoBones, "no-bones", Info, Skin, "the written format needs a bone; one that does not move carries everything",
        "nothing; bind the mesh to a bone where one is wanted";
    TextureUnfit, "texture-unfit", Info, Mesh, "the format has one texture for colour, a BMP file named without folder and extension; others are renamed or left out",
        "put a .bmp of that name beside the written file";
    LongerClip, "longer-clip", Info, Animation, "a clip that does not lead back to its beginning is longer by a frame, which its last pose takes",
        "let the last key repeat the first, or accept a frame more";
    UvTilesMoved, "uv-tiles-moved", Info, Mesh, "texture coordinates outside 0 to 1 were moved by whole tiles, which shows the same where textures repeat",
        "lay texture coordinates into 0 to 1 where the texture need not repeat";
    UvTilesCut, "uv-tiles-cut", Info, Mesh, "a triangle over several tiles of its texture was cut where they meet",
        "cut faces where the texture repeats, or scale the texture instead";
    UvsClamped, "uvs-clamped", Warning, Mesh, "a texture coordinate outside 0 to 1 was clamped; the texture is smeared there",
        "lay texture coordinates into 0 to 1";
    UnweightedOnStillBone, "unweighted-on-still-bone", Info, Skin, "a vertex has no weight; it was put on a bone that does not move",
        "bind every vertex to a bone before export";
    MirroredMesh, "mirrored-mesh", Info, Mesh, "a mesh is attached to a mirrored node, which the written format cannot hold; its triangles and bitangents are turned, so that it shows the same",
        "nothing; apply the negative scale before export to have the mesh stored as it is seen";
    MirroredSkin, "mirrored-skin", Info, Skin, "a skin mirrors what it moves; triangles and bitangents there are turned, so that fronts are where the normals are",
        "nothing; apply the negative scale before export, then bind";
    BoneDoubled, "bone-doubled", Info, Skin, "meshes bind a bone differently; it was stored once for each of them",
        "bind all meshes in one pose";
    SplitIntoFiles, "split-into-files", Warning, File, "the model is too large for one file; it was split into several",
        "reduce vertices or bones, or load all files together";
    LeftOut, "left-out", Warning, File, "the format has no place for something that the model holds; it is left out",
        "write another format, or take it out of the model";
    Altered, "altered", Info, File, "something is changed into what the format can hold",
        "write another format where it must stay as it is";
    MadeDirection, "made-direction", Info, Mesh, "a normal or tangent without length gets a direction, as the format wants one",
        "give every vertex a normal, and tangents to all or none";
    NormalsMade, "normals-made", Info, Mesh, "a mesh has no normals; they are made, smooth where its faces meet at less than 60 degrees",
        "export normals, so that edges are as sharp as they were drawn";
    HullWithoutVolume, "hull-without-volume", Info, Collision, "points that a convex hull is made of span no volume; all different points are stored",
        "give the collision mesh some thickness";
    OccluderMade, "occluder-made", Info, Collision, "an occlusion mesh was made of the mesh with fewer triangles; all its corners are the mesh's own",
        "name a mesh of your own occlusion… to have it taken instead";
    UncoveredNotWritten, "uncovered-not-written", Warning, Mesh, "triangles that belong to no subset are not drawn and are not written",
        "give the triangles a material";
    AlphaNotWritten, "alpha-not-written", Warning, Mesh, "the alpha of vertex colours cannot be stored; it is left out",
        "convert to a format that holds colours with alpha, such as glTF";
    LookNotWritten, "look-not-written", Info, Mesh, "part of how a material looks cannot be stored (alpha, sides, shine, light, how textures are placed); it is left out",
        "convert to a format that holds whole materials, such as glTF";
    JoinedImages, "joined-images", Info, Mesh, "images of metallic, roughness or occlusion are written as one, as the format has them, the smaller ones scaled to the largest",
        "nothing; paint all of them in one size to have none scaled";
    ImageBeside, "image-beside", Info, Mesh, "images become files beside the written one",
        "nothing; keep the files together";
    ImageNotWritten, "image-not-written", Info, Mesh, "materials of the format are names alone, and no name leads to an image; it is not written",
        "give the material a name that can be that of a file, or convert to a format that names images";
    NameCut, "name-cut", Warning, File, "a name is longer than what can be stored; its end is left out",
        "shorten the name";
    NameRespelled, "name-respelled", Info, File, "a name is written otherwise, as the format allows it",
        "use one word for each name, and no name twice";
    OtherExtension, "other-extension", Info, File, "the file is named like one of another format; what it holds counts",
        "give the file the extension of its format, so that other programs open it too";
    OtherFormats, "other-formats", Info, File, "other formats claim the file too",
        "nothing; --format says which one is meant";
}

/// One finding, counted over all places where it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The kind of finding.
    pub kind: NoteKind,
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

impl Note {
    /// A finding with `count` occurrences, of which one place is known.
    #[must_use]
    pub fn new(kind: NoteKind, place: Place, message: String, count: u64) -> Self {
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
