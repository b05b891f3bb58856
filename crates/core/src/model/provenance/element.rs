//! Kinds of records and their names.

/// The kind of a span's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// The file's header.
    Header,
    /// The header of a part of the file: a chunk, or an object with its tag and counts.
    ChunkHeader,
    /// Number of the records that follow.
    Count,
    /// A JSON document.
    Json,
    /// Consecutive texts of any kind.
    Text,
    /// Vertices of a mesh, or one of their attributes.
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
    /// Offsets of a morph target, one record per vertex.
    Morph {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
        /// Position in the mesh's morph targets.
        target: u32,
    },
    /// Points as numbered in the file, before they become vertices.
    ControlPoint,
    /// Normals and texture coordinates that faces refer to by index.
    Attribute,
    /// Polygons as numbered in the file.
    Face,
    /// Descriptions of vertex arrays: offset, type and so on.
    VertexArray,
    /// Weights of a second bone per vertex.
    Blend,
    /// Vertex positions relative to a second bone.
    BlendVertex,
    /// A character's outfit.
    Suit,
    /// Keys of tracks that aren't bone transforms.
    ValueKey,
    /// An animation and the bones that it moves.
    Skill,
    /// Vertex ranges per bone.
    Binding,
    /// Material names, one per record.
    MaterialName,
    /// An encoded image.
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
    /// Keys of a clip. In a baked file a record is one bone in one key, bone by bone; in other
    /// formats it is a key in file order.
    Key {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Times shared by keys of a clip.
    KeyTime {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Seek table of a clip's keys.
    KeySeek {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// Keys of one bone in a clip, or their times.
    BoneKey {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
        /// Position in the skeleton.
        bone: u32,
    },
    /// Keys of morph weights in a clip, or their times.
    MorphKey {
        /// Position in [`crate::model::Model::clips`].
        clip: u32,
    },
    /// The transforms at one frame; clips refer to frames by index.
    Frame,
    /// Transforms per frame, one record per bone.
    Pose,
    /// Bones, each with all of its data.
    Bone,
    /// Parent indices, one record per bone.
    BoneParent,
    /// Inverse bind matrices, one record per bone.
    BoneInverseBind,
    /// Bone names, one per record.
    BoneName,
    /// Rest transforms in blocks of four bones, one record per block.
    BoneRest,
    /// The bones that a mesh's influence slots refer to.
    SkinBone {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Inverse bind matrices of a mesh's influence slots.
    SkinInverseBind {
        /// Position in [`crate::model::Model::meshes`].
        mesh: u32,
    },
    /// Points of convex hulls.
    HullPoint,
    /// Point ranges, one record per hull.
    Hull,
    /// Vertices of the occlusion mesh.
    OccluderVertex,
    /// Indices of the occlusion mesh.
    OccluderIndex,
    /// Bounds per frame, or of the whole file.
    Bounds,
    /// Comments.
    Comment,
    /// Compressed arrays, whose bytes can't be assigned to records.
    Compressed,
    /// Application-specific extension data.
    Extension,
    /// Files in an archive.
    Entry,
    /// Directory of an archive, one record per file.
    EntryName,
    /// Bytes that the reader ignores.
    Unread,
    /// Bytes past the end of the format's data.
    Trailing,
}

impl Element {
    /// Name of one record, for users.
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

    /// The element that a record with the same index describes: a bone's name, parent and inverse
    /// bind describe the bone. Other elements are their own subject.
    #[must_use]
    pub const fn subject(self) -> Self {
        match self {
            Self::BoneParent | Self::BoneInverseBind | Self::BoneName | Self::Pose => Self::Bone,
            Self::ClipName { clip } => Self::ClipHeader { clip },
            other => other,
        }
    }
}
