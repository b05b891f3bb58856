//! What the records of a span are, and what each kind is called.

/// What the records of a span are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// The file's header.
    Header,
    /// The header of a part inside the file: a chunk, an object with its tag and counts.
    ChunkHeader,
    /// A number of records that follow.
    Count,
    /// JSON.
    Json,
    /// Texts of all kinds, one after another.
    Text,
    /// Vertices of a mesh.
    Vertex {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Indices of a mesh.
    Index {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Subsets of a mesh.
    Subset {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Offsets of a morph target, one record a vertex.
    Morph {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
        /// Position in the mesh's morph targets.
        target: u32,
    },
    /// Points as the file numbers them, before they become vertices.
    ControlPoint,
    /// Normals and texture coordinates that faces name by number.
    Attribute,
    /// Polygons as the file numbers them.
    Face,
    /// What says where the arrays of vertices lie.
    VertexArray,
    /// Shares of a second bone in a vertex.
    Blend,
    /// Vertices as a second bone sees them.
    BlendVertex,
    /// What a character wears.
    Suit,
    /// Keys of curves that move no bone.
    ValueKey,
    /// A motion and the bones that it moves.
    Skill,
    /// Ranges of vertices that one bone moves.
    Binding,
    /// Material names, a record each.
    MaterialName,
    /// Images.
    Image {
        /// Position in [`crate::model::Model::images`].
        image: u32,
    },
    /// Name of a clip.
    ClipName {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Times and counts of a clip.
    ClipHeader {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Keys of a clip. In a baked file a record is one bone in one key, bone after bone; elsewhere
    /// a key in the file's own order.
    Key {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Moments that keys of a clip share.
    KeyTime {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// What lets a player find keys of a clip.
    KeySeek {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Keys of one bone in a clip, or their moments.
    BoneKey {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
        /// Position in the skeleton.
        bone: u32,
    },
    /// Keys of morph weights in a clip, or their moments.
    MorphKey {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// All that moves at one frame, which clips name by number.
    Frame,
    /// How frames move a bone, one record a bone.
    Pose,
    /// Bones, all that is stored of one together.
    Bone,
    /// Parent indices, one record a bone.
    BoneParent,
    /// Inverse bind matrices, one record a bone.
    BoneInverseBind,
    /// Bone names, a record each.
    BoneName,
    /// Transforms at rest of four bones together, one record a block.
    BoneRest,
    /// Bones that the slots of a mesh's influences name.
    SkinBone {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Inverse bind matrices of the slots of a mesh's influences.
    SkinInverseBind {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Points of convex hulls.
    HullPoint,
    /// Ranges of points, one record a hull.
    Hull,
    /// Vertices of the occlusion mesh.
    OccluderVertex,
    /// Indices of the occlusion mesh.
    OccluderIndex,
    /// Bounds of each frame or of the file.
    Bounds,
    /// Comments.
    Comment,
    /// Compressed arrays, of which no byte is one record's.
    Compressed,
    /// What the format leaves to whoever extends it.
    Extension,
    /// Files in an archive.
    Entry,
    /// Where an archive's files lie, one record a file.
    EntryName,
    /// Bytes that nothing is made of.
    Unread,
    /// Bytes past the end of what the format defines.
    Trailing,
}

impl Element {
    /// What one record is, in plain words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::ChunkHeader => "chunk header",
            Self::Count => "count",
            Self::Json => "JSON",
            Self::Text => "text",
            Self::Vertex { .. } => "vertex",
            Self::Index { .. } => "index",
            Self::Subset { .. } => "subset",
            Self::Morph { .. } => "morph target",
            Self::ControlPoint => "control point",
            Self::Attribute => "attribute",
            Self::Face => "face",
            Self::VertexArray => "vertex array",
            Self::Blend => "blend",
            Self::BlendVertex => "blended vertex",
            Self::Suit => "suit",
            Self::Skill => "skill",
            Self::Binding => "binding",
            Self::MaterialName => "material name",
            Self::Image { .. } => "image",
            Self::ClipName { .. } => "clip name",
            Self::ClipHeader { .. } => "clip",
            Self::Key { .. } => "key",
            Self::KeyTime { .. } => "key time",
            Self::KeySeek { .. } => "seek table",
            Self::BoneKey { .. } => "bone key",
            Self::MorphKey { .. } => "morph key",
            Self::Frame => "frame",
            Self::Pose => "pose",
            Self::Bone => "bone",
            Self::BoneParent => "parent",
            Self::BoneInverseBind => "inverse bind",
            Self::BoneName => "bone name",
            Self::BoneRest => "rest pose",
            Self::SkinBone { .. } => "skin bone",
            Self::SkinInverseBind { .. } => "skin inverse bind",
            Self::HullPoint => "hull point",
            Self::Hull => "hull",
            Self::OccluderVertex => "occluder vertex",
            Self::OccluderIndex => "occluder index",
            Self::Bounds => "bounds",
            Self::Comment => "comment",
            Self::Compressed => "compressed array",
            Self::Extension => "extension",
            Self::ValueKey => "value keys",
            Self::Entry => "entry",
            Self::EntryName => "entry name",
            Self::Unread => "not read",
            Self::Trailing => "trailing bytes",
        }
    }

    /// What the record of the same number describes: a bone's name, parent and inverse bind describe
    /// the bone. Elements that describe nothing else are their own subject.
    #[must_use]
    pub const fn subject(self) -> Self {
        match self {
            Self::BoneParent | Self::BoneInverseBind | Self::BoneName | Self::Pose => Self::Bone,
            Self::ClipName { clip } => Self::ClipHeader { clip },
            other => other,
        }
    }
}
