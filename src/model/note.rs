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
    #[must_use]
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
    #[must_use]
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
        "";
    IndexOutOfRange, "index-out-of-range", Error, Mesh, "a triangle names a vertex that does not exist; its subset is left out",
        "";
    SubsetOutOfRange, "subset-out-of-range", Error, Mesh, "a subset reaches past the index list; it is left out",
        "";
    SubsetNotTriangles, "subset-not-triangles", Error, Mesh, "a subset's index count is no multiple of 3; the rest is left out",
        "";
    MaterialOutOfRange, "material-out-of-range", Error, Mesh, "a subset names a material that does not exist; it is drawn without one",
        "";
    BoneOutOfRange, "bone-out-of-range", Error, Skin, "an influence names a bone that does not exist; it is left out",
        "";
    MorphOutOfRange, "morph-out-of-range", Error, Mesh, "a morph target moves a vertex that does not exist; the offset is left out",
        "";
    NotFinite, "not-finite", Error, File, "a number is infinite or not a number; it is read as 0",
        "";
    HugeCoordinate, "huge-coordinate", Warning, Mesh, "a coordinate is too large for single precision to pose well",
        "";
    WeightsNotNormalized, "weights-not-normalized", Warning, Skin, "the weights of a vertex do not sum to 1; they are scaled to do so",
        "";
    VertexWithoutWeights, "vertex-without-weights", Warning, Skin, "a vertex has no weight; its first bone moves it alone",
        "";
    WeightAfterZero, "weight-after-zero", Warning, Skin, "a weight follows an empty slot; players that stop at the first zero drop it",
        "";
    UnusedSlotOutOfRange, "unused-slot-out-of-range", Info, Skin, "an influence of weight 0 names a bone that does not exist; it is ignored",
        "";
    ZeroNormal, "zero-normal", Warning, Mesh, "a normal has no length; it is shaded flat",
        "";
    NonUnitNormal, "non-unit-normal", Info, Mesh, "a normal is not of unit length; it is normalised when drawn",
        "";
    ZeroTangent, "zero-tangent", Info, Mesh, "a tangent has no length",
        "";
    TangentSign, "tangent-sign", Warning, Mesh, "a tangent's bitangent sign is neither +1 nor -1",
        "";
    DegenerateTriangle, "degenerate-triangle", Info, Mesh, "a triangle names a vertex twice",
        "";
    OverlappingSubsets, "overlapping-subsets", Info, Mesh, "subsets cover the same triangles, as passes over one mesh do",
        "";
    UncoveredIndices, "uncovered-indices", Warning, Mesh, "triangles belong to no subset and are not drawn",
        "";
    UnreferencedBone, "unreferenced-bone", Info, Skin, "a bone moves no vertex",
        "";
    SeveralRoots, "several-roots", Info, Skin, "the skeleton has several roots",
        "";
    RootStoredAs255, "root-stored-as-255", Info, Skin, "a root's parent is stored as 255 and not as the root itself",
        "";
    ParentAfterChild, "parent-after-child", Warning, Skin, "a parent follows its child; bones are sorted",
        "";
    ParentOutOfRange, "parent-out-of-range", Warning, Skin, "a bone's parent does not exist; the bone is read as a root",
        "";
    InverseBindNotAffine, "inverse-bind-not-affine", Warning, Skin, "an inverse bind matrix has a last row other than 0 0 0 1; the row is ignored",
        "";
    BonesBeyondU8, "bones-beyond-u8", Warning, Skin, "there are more than 256 bones; vertices cannot name the rest",
        "";
    ZeroScaleBone, "zero-scale-bone", Info, Animation, "a bone is scaled to nothing in some key, which hides what it moves",
        "";
    BindPair, "bind-pair", Info, Skin, "the two keys are a bone matrix and its inverse bind, not a motion; their product is shown",
        "";
    PossibleBindPair, "possible-bind-pair", Info, Skin, "many of the two keys are a bone matrix and its inverse bind; the clip is shown as stored",
        "";
    NoClips, "no-clips", Info, Animation, "the file has no clip; the vertices are shown as stored",
        "";
    ClipWithoutKeys, "clip-without-keys", Warning, Animation, "a clip has no key; the vertices are shown as stored",
        "";
    ZeroInterval, "zero-interval", Warning, Animation, "a clip of several keys has no time between them; it is shown as one pose",
        "";
    DurationMismatch, "duration-mismatch", Warning, Animation, "a clip's duration differs from its keys by more than an interval",
        "";
    DuplicateName, "duplicate-name", Info, File, "two clips or bones have the same name",
        "";
    NameNotUtf8, "name-not-utf8", Warning, File, "a name is not UTF-8; what cannot be read is shown as a box",
        "";
    TrailingBytes, "trailing-bytes", Warning, File, "bytes follow the end of what the format defines; they are kept",
        "";
    EmptyMesh, "empty-mesh", Warning, Mesh, "a mesh has no vertices",
        "";
    NoTriangles, "no-triangles", Info, Mesh, "a mesh has no triangles; its points are shown",
        "";
    NoMesh, "no-mesh", Info, Mesh, "the file has no mesh; its skeleton is shown",
        "";
    BoundsMismatch, "bounds-mismatch", Warning, Collision, "stored bounds do not hold the vertices",
        "";
    MissingSkeleton, "missing-skeleton", Warning, Skin, "the file needs a skeleton that was not found",
        "";
    MissingTexture, "missing-texture", Warning, Mesh, "a texture's file was not found; a checker is shown in its place",
        "";
    UnreadableTexture, "unreadable-texture", Warning, Mesh, "a texture's image cannot be read; a checker is shown in its place",
        "";
    TextureTooLarge, "texture-too-large", Warning, Mesh, "a texture's image takes more than can be shown; a checker is shown in its place",
        "";
    SeveralUvSets, "several-uv-sets", Info, Mesh, "textures of one mesh lie on different UV sets; the first set places them all",
        "";
    OutsidePath, "outside-path", Info, File, "a path leads out of the model's folder; only the file's name is looked for",
        "";
    MissingCompanion, "missing-companion", Warning, File, "a file that this one names was not found",
        "";
    UnmatchedBones, "unmatched-bones", Warning, Animation, "bones of an added animation have no counterpart in the model; they are left out",
        "";
    AddedMeshes, "added-meshes", Info, File, "meshes of another file were put on the skeleton",
        "";
    AddedClips, "added-clips", Info, Animation, "clips of another file were added",
        "";
    ReaderWarning, "reader-warning", Warning, File, "the library that reads the format found something odd",
        "";
    Dropped, "dropped", Warning, File, "the file holds something that cannot be shown; it is left out",
        "";
    ClipBeyondGpu, "clip-beyond-gpu", Info, Animation, "a clip's keys do not fit this GPU in one piece; its bones are posed on the CPU",
        "";
    TimeIgnored, "time-ignored", Info, Animation, "the file has no clip, so the time is ignored",
        "";
    UnusedCompanion, "unused-companion", Info, File, "a file given along with this one is of no use to its format",
        "";
    ExtensionIgnored, "extension-ignored", Info, File, "the file needs an extension that changes only its look; it is ignored",
        "";
    UnknownVersion, "unknown-version", Warning, File, "the file states a version that is not known; it is read like the usual one",
        "";
    BrokenRecord, "broken-record", Error, File, "a record contradicts the file that it is in; it is left out or read as well as can be",
        "";
    BoneNotInSkeleton, "bone-not-in-skeleton", Warning, Skin, "a mesh names a bone that the skeleton does not have; the root carries it",
        "";
    PartShown, "part-shown", Info, File, "only a part of what the file holds is shown",
        "";
    AssumedFps, "assumed-fps", Info, Animation, "the file counts frames and does not say how fast they go; 30 a second are assumed",
        "";
    OtherConvention, "other-convention", Info, File, "another file shows that transforms are meant otherwise than documented; they are read so",
        "";
    BoxSizeVaries, "box-size-varies", Info, Animation, "a bone's box changes its size over time, which moves no vertex here",
        "";
    UnmatchedVertices, "unmatched-vertices", Warning, Mesh, "vertices of a file whose faces are borrowed have no counterpart here; triangles on them are left out",
        "";
    OverlappingArrays, "overlapping-arrays", Warning, File, "arrays of the file share bytes; each is read as it stands",
        "";
    PosesMismatch, "poses-mismatch", Warning, Skin, "a file's poses and joints differ in number or parents; those without counterpart rest or are left out",
        "";
    UnusableFrameRate, "unusable-frame-rate", Warning, Animation, "a clip does not say how fast its frames go; 30 a second, or what was asked for, is taken",
        "";
    ChangedName, "changed-name", Info, File, "a name cannot be written as it is; it is changed",
        "use names that are unique and of plain characters";
    Altered, "altered", Info, File, "something is changed into what the format can hold",
        "write another format where it must stay as it is";
    OtherFormats, "other-formats", Info, File, "other formats claim the file too",
        "";
}

impl NoteKind {
    /// This kind's row in the table.
    #[must_use]
    pub fn info(self) -> &'static NoteInfo {
        &NOTES[self as usize]
    }

    /// Stable, kebab-case.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.info().code
    }
}

/// Where a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte offset.
    Offset(u64),
    /// A line, counted from 1.
    Line(u32),
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

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::File => f.write_str("file"),
            Self::Offset(at) => write!(f, "offset {at:#x}"),
            Self::Line(line) => write!(f, "line {line}"),
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
    #[must_use]
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
                row.code
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
            );
            assert_eq!(
                NOTES.iter().filter(|r| r.code == row.code).count(),
                1,
                "{}",
                row.code
            );
        }
    }
}
