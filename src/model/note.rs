//! Findings about a file: typed, counted, placed.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but is not what a good exporter writes.
    Warning,
    /// Wrong: something is left out or shown otherwise than meant.
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

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteGroup {
    /// The file, its parts and what lies beside it.
    File,
    /// Bones, and what they move.
    Skin,
    /// Vertices, triangles, subsets, materials.
    Mesh,
    /// Clips.
    Animation,
    /// Hulls, occluder, stored bounds.
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

/// One row of the table of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteInfo {
    /// Which finding.
    pub kind: NoteKind,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// What it is about.
    pub group: NoteGroup,
    /// What it means and what is done about it, as one phrase.
    pub meaning: &'static str,
    /// What whoever made the file can do about it, as one phrase.
    pub mend: &'static str,
}

macro_rules! notes {
    ($($kind:ident, $code:literal, $severity:ident, $group:ident, $meaning:literal, $mend:literal;)+) => {
        /// Every kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum NoteKind {
            $(#[doc = $meaning] $kind,)+
        }

        /// The table of findings, in the order of [`NoteKind`].
        pub const NOTES: &[NoteInfo] = &[
            $(NoteInfo {
                kind: NoteKind::$kind,
                code: $code,
                severity: Severity::$severity,
                group: NoteGroup::$group,
                meaning: $meaning,
                mend: $mend,
            },)+
        ];
    };
}

notes! {
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
    VertexWithoutWeights, "vertex-without-weights", Warning, Skin, "a vertex has no weight; its first bone moves it alone",
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
    UnreferencedBone, "unreferenced-bone", Info, Skin, "a bone moves no vertex",
        "leave the bone out of the export where neither bones below it nor attachments need it";
    SeveralRoots, "several-roots", Info, Skin, "the skeleton has several roots",
        "put all roots under one bone";
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
    ZeroScaleBone, "zero-scale-bone", Info, Animation, "a bone is scaled to nothing in some key, which hides what it moves",
        "nothing where hiding is meant; else scale to a small number and not to 0";
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
        "save the image as PNG, JPEG, BMP, TGA or DDS";
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
    PoorFit, "poor-fit", Warning, File, "a file that goes with this one has bones of other lengths or in other places",
        "name the file that belongs to it with --with, or choose it in the list of companions";
    UnmatchedBones, "unmatched-bones", Warning, Animation, "bones of an added animation have no counterpart in the model; they are left out",
        "name bones alike in both files";
    AddedMeshes, "added-meshes", Info, File, "meshes of another file were put on the skeleton",
        "nothing";
    AddedClips, "added-clips", Info, Animation, "clips of another file were added",
        "nothing";
    ReaderWarning, "reader-warning", Warning, File, "the library that reads the format found something odd",
        "open the file in the program that it came from and export it again";
    Dropped, "dropped", Warning, File, "the file holds something that cannot be shown; it is left out",
        "export as something that the format's page lists as shown";
    ClipBeyondGpu, "clip-beyond-gpu", Info, Animation, "a clip's keys do not fit this GPU in one piece; its bones are posed on the CPU",
        "nothing; fewer keys or bones would play on the GPU";
    TimeIgnored, "time-ignored", Info, Animation, "the file has no clip, so the time is ignored",
        "leave the time out, or export a clip";
    UnusedCompanion, "unused-companion", Info, File, "a file given along with this one is of no use to its format",
        "leave the file out, or check that it is the one meant";
    ExtensionIgnored, "extension-ignored", Info, File, "the file needs an extension that changes only its look; it is ignored",
        "nothing where the look does not matter; else bake it into plain materials";
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
    RuntimeNormals, "runtime-normals", Warning, Skin, "a bone scales, shears or mirrors so that the format's own runtime turns a normal more than 5 degrees away from the surface, and light with it",
        "keep scales of bones even, or let the engine turn normals by the inverse transpose";
    BlendedNormals, "blended-normals", Info, Skin, "between bones that are turned far against each other, the format's own runtime turns a normal more than 5 degrees from where the inverse transpose would",
        "nothing; more bones in a joint that bends far make it less";
    UnusableFrameRate, "unusable-frame-rate", Warning, Animation, "a clip states no usable frame rate; 30 a second, or what was asked for, is taken",
        "write a frame rate above 0, or say it with --fps";
    ZeroDuration, "zero-duration", Warning, Animation, "a clip of several keys is said to last no time; players show one pose or divide by 0",
        "write (keys - 1) x interval as duration";
    ConstantClip, "constant-clip", Info, Animation, "nothing moves in a clip of several keys",
        "store one key, or check that the right take and range were exported";
    RepeatedKeys, "repeated-keys", Info, Animation, "a key is equal to the one before it in every bone",
        "nothing where a pose is held; else check that no frame was written twice";
    ConstantBone, "constant-bone", Info, Animation, "the keys of a bone are all the same in a clip that moves others",
        "nothing; formats that store keys by bone need only one";
    BoneNeverMoves, "bone-never-moves", Info, Animation, "a bone stays at one place against its parent in all clips",
        "nothing for bones that attach things; else leave it out, or check that its curves were exported";
    ScaledKey, "scaled-key", Info, Animation, "a key stretches or shrinks its bone",
        "nothing where it is meant; else freeze scales before export: players that take keys for rigid lose them";
    ShearedKey, "sheared-key", Warning, Animation, "a key shears its bone against its parent, which no translation, rotation and scale can",
        "keep scales of parents uniform, or bake the bones in model space";
    MirroredKey, "mirrored-key", Warning, Animation, "a key turns what its bone moves inside out",
        "freeze negative scales before the mesh is bound";
    QuaternionFlip, "quaternion-flip", Info, Animation, "neighbouring rotation keys have opposite signs; players that do not take the shorter way spin",
        "negate each rotation key that has a negative dot product with the one before";
    LoopGap, "loop-gap", Info, Animation, "the last key of a clip differs from its first; played in a loop it jumps",
        "nothing for clips that are played once";
    OpenLoop, "open-loop", Warning, Animation, "a clip returns nearly but not quite to its first key; played in a loop it jumps",
        "copy the first key to the end of the clip";
    BlendError, "blend-error", Info, Animation, "between keys, blended matrices lead vertices off the way that rotations would take",
        "nothing where keys are shown as they stand; else export keys closer together";
    CoarseKeys, "coarse-keys", Warning, Animation, "between keys, blended matrices lead vertices visibly off the way that rotations would take",
        "export keys closer together";
    ClipLeavesBounds, "clip-leaves-bounds", Warning, Collision, "stored bounds do not hold the vertices in all clips; what leaves them may vanish from the screen",
        "compute bounds over all keys of all clips";
    PointInsideHull, "point-inside-hull", Warning, Collision, "a point of a convex hull lies inside it and shapes nothing",
        "write only the corners of the hull";
    FlatHull, "flat-hull", Warning, Collision, "a convex hull has no volume; collision takes it for nothing",
        "give the hull four points or more that do not lie in one plane";
    OccluderOutside, "occluder-outside", Warning, Collision, "the occluder reaches out of the mesh and hides what is behind the air",
        "shrink the occluder until it lies inside the mesh in its default pose";
    TinyWeight, "tiny-weight", Info, Skin, "a weight is below 1/255 and vanishes where weights are bytes",
        "prune weights below 1/255 and normalise the rest before exporting";
    BonesBeyondBytes, "bones-beyond-bytes", Info, Skin, "one mesh follows more than 256 bones; indices of one byte cannot name them",
        "split the mesh, or leave out bones that move nothing of their own";
    SingularInverseBind, "singular-inverse-bind", Error, Skin, "an inverse bind matrix flattens what its bone moves",
        "bind the mesh again with no joint scaled to zero";
    MirroredInverseBind, "mirrored-inverse-bind", Warning, Skin, "an inverse bind matrix mirrors; players that keep rotation, scale and position apart show it wrong",
        "freeze negative scales of joints and mesh before binding";
    ShearedInverseBind, "sheared-inverse-bind", Warning, Skin, "an inverse bind matrix shears; players that keep rotation, scale and position apart show it wrong",
        "freeze scales of joints and mesh that differ by axis before binding";
    RestNotBindPose, "rest-not-bind-pose", Info, Skin, "the pose shown first is not the one that the mesh was bound in",
        "go to the bind pose before exporting, if the first pose is meant to be it";
    BakedKeysDiffer, "baked-keys-differ", Warning, Skin, "finished skinning matrices differ from what the local keys of the same motion give",
        "export both clips again from the same scene and frame range";
    ZeroAreaTriangle, "zero-area-triangle", Info, Mesh, "a triangle of three different vertices has no area",
        "merge vertices by distance and delete faces without area";
    DuplicateTriangle, "duplicate-triangle", Warning, Mesh, "a triangle occurs twice and is drawn twice",
        "delete duplicate faces";
    DoubleSidedPair, "double-sided-pair", Info, Mesh, "two triangles share their vertices back to back; one of them has its normals inside out",
        "give the back its own vertices and normals, or use a double-sided material";
    FlippedTriangle, "flipped-triangle", Warning, Mesh, "a triangle faces against the normals of its vertices",
        "recalculate normals outside, and flip the faces that remain";
    ReversedWinding, "reversed-winding", Error, Mesh, "nearly all triangles face against their normals; the mesh is culled or lit inside out",
        "reverse the winding in the exporter, or flip all normals";
    UnusedVertex, "unused-vertex", Warning, Mesh, "a vertex is in no triangle",
        "delete loose vertices";
    DuplicateVertex, "duplicate-vertex", Info, Mesh, "a vertex is the same as another in everything",
        "index the mesh: merge vertices that are equal in all attributes";
    SkewedTangent, "skewed-tangent", Warning, Mesh, "a tangent is not at a right angle to its normal; normal maps look skewed there",
        "recompute tangents after the last change of normals";
    TangentHandedness, "tangent-handedness", Warning, Mesh, "a triangle's bitangent sign contradicts its UVs; normal maps look inverted there",
        "recompute tangents from the exported UVs, and split vertices where mirrored UVs meet";
    ClampedUv, "clamped-uv", Warning, Mesh, "a triangle's UVs were cut off at the border of the texture",
        "move UVs into 0 to 1: the format cannot hold others";
    UvOutsideUnit, "uv-outside-unit", Info, Mesh, "a UV lies outside 0 to 1; packed formats cannot hold it",
        "move UVs into 0 to 1 where the texture need not repeat";
    IndexHeadroom, "index-headroom", Info, Mesh, "the vertices nearly fill what 16-bit indices can name",
        "split the mesh before it grows further";
    NonManifoldEdge, "non-manifold-edge", Info, Mesh, "more than two faces meet in an edge",
        "delete inner faces and separate parts that only touch";
    VertexCacheOrder, "vertex-cache-order", Info, Mesh, "the order of the triangles shades vertices more often than needed",
        "let the exporter optimise the index order for the vertex cache";
    OverdrawOrder, "overdraw-order", Info, Mesh, "the order of the triangles shades pixels more often than needed",
        "let the exporter optimise the index order for overdraw";
    VertexFetchOrder, "vertex-fetch-order", Info, Mesh, "the order of the vertices fetches memory more often than needed",
        "let the exporter order vertices by their first use";
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
    LookNotWritten, "look-not-written", Info, Mesh, "a material's way to be cut out, seen from both sides or placed cannot be stored; it is left out",
        "convert to a format that holds whole materials, such as glTF";
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

impl NoteKind {
    /// This kind's row in the table.
    pub fn info(self) -> &'static NoteInfo {
        &NOTES[self as usize]
    }

    /// Stable, kebab-case.
    pub fn code(self) -> &'static str {
        self.info().code
    }
}

/// Where a finding is; ordered as a model is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte offset.
    Offset(u64),
    /// A line of a text, or a place on it.
    Line {
        /// Counted from 1.
        line: u32,
        /// In characters, counted from 1; `None` for the whole line.
        column: Option<u32>,
    },
    /// A vertex of a mesh.
    Vertex {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
        /// Its number in the mesh.
        vertex: u32,
    },
    /// A subset of a mesh.
    Subset {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
        /// Its number in the mesh.
        subset: u32,
    },
    /// A triangle of a mesh.
    Triangle {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
        /// Its number in the index list.
        triangle: u32,
    },
    /// A mesh.
    Mesh(u32),
    /// A bone.
    Bone(u32),
    /// A material.
    Material(u32),
    /// A clip.
    Clip(u32),
    /// A bone in a key of a clip.
    Key {
        /// Position in [`super::Model::clips`].
        clip: u32,
        /// The key.
        key: u32,
        /// The bone.
        bone: u32,
    },
}

impl Place {
    /// A whole line of a text, counted from 1.
    #[must_use]
    pub const fn line(line: u32) -> Self {
        Self::Line { line, column: None }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::File => f.write_str("file"),
            Self::Offset(at) => write!(f, "offset {at:#x}"),
            Self::Line { line, column: None } => write!(f, "line {line}"),
            Self::Line { line, column: Some(column) } => write!(f, "line {line}, column {column}"),
            Self::Vertex { mesh, vertex } => write!(f, "meshes[{mesh}].vertices[{vertex}]"),
            Self::Subset { mesh, subset } => write!(f, "meshes[{mesh}].subsets[{subset}]"),
            Self::Triangle { mesh, triangle } => write!(f, "meshes[{mesh}].triangles[{triangle}]"),
            Self::Mesh(mesh) => write!(f, "meshes[{mesh}]"),
            Self::Bone(bone) => write!(f, "bones[{bone}]"),
            Self::Material(material) => write!(f, "materials[{material}]"),
            Self::Clip(clip) => write!(f, "clips[{clip}]"),
            Self::Key { clip, key, bone } => write!(f, "clips[{clip}].keys[{key}].bones[{bone}]"),
        }
    }
}

/// One finding, counted over all places where it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What was found.
    pub kind: NoteKind,
    /// The first place.
    pub place: Place,
    /// What exactly, at the first place.
    pub message: String,
    /// In how many places.
    pub count: u64,
}

impl Note {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.kind.info().severity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_unique_and_in_order() {
        for (index, row) in NOTES.iter().enumerate() {
            assert_eq!(row.kind as usize, index);
            assert!(
                row.code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            );
            assert_eq!(NOTES.iter().filter(|r| r.code == row.code).count(), 1, "{}", row.code);
        }
    }

    #[test]
    fn every_row_says_what_it_means_and_how_to_mend_it() {
        for row in NOTES {
            for text in [row.meaning, row.mend] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{}", row.code);
                let is_sentence = text.starts_with(|c: char| c.is_ascii_uppercase());
                assert!(!is_sentence, "{} begins like a sentence", row.code);
            }
        }
    }
}
