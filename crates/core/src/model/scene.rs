//! The model, the root of all other types here.

use super::{
    Avatar, Axes, ByteView, Clip, ClipBlending, ClipId, EffectFacts, Environment, Hull, Image,
    ImageId, LooseKind, Material, MaterialId, Mesh, MeshId, NormalMatrix, OcclusionMesh,
    Provenance, RelatedBytes, ScenePaths, Skeleton, StoredBounds, StoredScene, TextureRef,
    ValueTrack,
};
use crate::model::IdVec;

/// The contents of a file, as authored.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// File name without folder, or the effect's name, since the main file of every effect has the
    /// same name.
    pub name: String,
    /// Copyright notice from the file.
    pub copyright: Option<String>,
    /// The file's axes and unit.
    pub axes: Axes,
    /// Meshes in file order.
    pub meshes: IdVec<MeshId, Mesh>,
    /// Materials in file order.
    pub materials: IdVec<MaterialId, Material>,
    /// Images that textures are read from.
    pub images: IdVec<ImageId, Image>,
    /// Image-based lighting from the file.
    pub environment: Option<Environment>,
    /// All bones.
    pub skeleton: Skeleton,
    /// Clips in file order.
    pub clips: IdVec<ClipId, Clip>,
    /// Animated values that aren't bone transforms.
    pub value_tracks: Vec<ValueTrack>,
    /// Convex hulls.
    pub hulls: Vec<Hull>,
    /// Occlusion mesh, drawn only into the depth buffer.
    pub occluder: Option<OcclusionMesh>,
    /// Bounds as stored.
    pub stored_bounds: Option<StoredBounds>,
    /// The pose without a selected clip and time.
    pub default_pose: DefaultPose,
    /// The matrix that the format's runtime applies to normals and tangents.
    pub normal_matrix: NormalMatrix,
    /// How poses of several clips are combined.
    pub clip_blending: ClipBlending,
    /// Facts for runtimes, from glTF files.
    pub stored: StoredScene,
    /// Byte ranges of arrays in the file.
    pub provenance: Provenance,
    /// The same for bytes in addition to the main file.
    pub related_bytes: Vec<RelatedBytes>,
    /// Paths of parts in the file, if the format has paths.
    pub paths: Option<Box<ScenePaths>>,
    /// Human bones, expressions and springs of an avatar.
    pub avatar: Option<Box<Avatar>>,
    /// Facts that validation rules need about an effect with several files.
    pub effect: Option<Box<EffectFacts>>,
    /// Format-specific facts by name, for display only.
    pub details: Vec<(&'static str, Detail)>,
    /// Uninterpreted bytes that must survive a rewrite in the same format.
    pub preserved: Vec<Preserved>,
}

/// The pose shown without a selected clip and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DefaultPose {
    /// The skeleton's rest transforms.
    #[default]
    Rest,
    /// Key 0 of clip 0: formats whose keys carry the bind.
    FirstKey,
}

/// A fact that only one format has.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    /// Text.
    Text(String),
    /// A whole number.
    Int(i64),
    /// A boolean.
    Bool(bool),
}

/// Uninterpreted bytes, stored for rewriting.
#[derive(Clone, Debug, PartialEq)]
pub struct Preserved {
    /// The id of the format they belong to.
    pub format: &'static str,
    /// Identifies the bytes within the format.
    pub what: &'static str,
    /// The bytes.
    pub bytes: ByteView,
}

impl Model {
    /// Number of vertices in all meshes.
    pub fn num_vertices(&self) -> usize {
        self.meshes.iter().map(Mesh::num_vertices).sum()
    }

    /// Number of triangles in all meshes.
    pub fn num_triangles(&self) -> usize {
        self.meshes.iter().map(Mesh::num_triangles).sum()
    }

    /// Number of subsets in all meshes.
    pub fn num_subsets(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.subsets.len()).sum()
    }

    /// Number of subsets and loose geometries in all meshes.
    pub fn num_parts(&self) -> usize {
        self.meshes.iter().map(Mesh::num_parts).sum()
    }

    /// Number of lines or points outside triangles, in all meshes.
    pub fn num_loose(&self, kind: LooseKind) -> usize {
        self.meshes.iter().map(|mesh| mesh.num_loose(kind)).sum()
    }

    /// The mesh of an id that this model stores, such as the id in a morph track.
    ///
    /// # Panics
    /// If there is no such mesh; after [`check`](super::check::check), every stored id exists. Ids from
    /// elsewhere, such as user input or another model, need `get`. The same applies to materials, images and
    /// clips.
    pub fn mesh(&self, id: MeshId) -> &Mesh {
        &self.meshes[id]
    }

    /// The material of an id that this model stores, such as the id in a subset.
    ///
    /// # Panics
    /// As [`Self::mesh`].
    pub fn material(&self, id: MaterialId) -> &Material {
        &self.materials[id]
    }

    /// The image of an id that this model stores, such as the id in a texture.
    ///
    /// # Panics
    /// As [`Self::mesh`].
    pub fn image(&self, id: ImageId) -> &Image {
        &self.images[id]
    }

    /// The clip of an id of this model.
    ///
    /// # Panics
    /// As [`Self::mesh`].
    pub fn clip(&self, id: ClipId) -> &Clip {
        &self.clips[id]
    }

    /// The clip named `text`, or else with index `text`.
    pub fn find_clip(&self, text: &str) -> Option<ClipId> {
        let by_name = self.clips.iter().position(|clip| clip.name == text);
        let by_index = || text.parse().ok().filter(|&i: &usize| i < self.clips.len());
        by_name.or_else(by_index).map(ClipId::from_index)
    }

    /// The path of a texture as the file spells it, or the name of the embedded image.
    pub fn texture_name<'a>(&'a self, texture: &'a TextureRef) -> &'a str {
        let image = texture.image.and_then(|id| self.images.get(id));
        match image {
            Some(image) if texture.path.is_empty() => &image.name,
            _ => &texture.path,
        }
    }

    /// The bytes preserved by format `format` under `what`.
    pub fn preserved(&self, format: &str, what: &str) -> Option<&ByteView> {
        self.preserved
            .iter()
            .find(|kept| kept.format == format && kept.what == what)
            .map(|kept| &kept.bytes)
    }
}
