//! The model itself.

use super::{
    Axes, ByteView, Clip, ClipId, EffectFacts, Environment, Hull, Image, LooseKind, Material, Mesh,
    NormalMatrix, Occluder, Provenance, Skeleton, StoredBounds, TextureRef, ValueTrack,
};

/// Everything a file holds, as authored.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The file's name without folder; what an effect is called, whose main file has the name of all.
    pub name: String,
    /// Whose it is, as the file says.
    pub copyright: Option<String>,
    /// How to show the file's coordinates.
    pub axes: Axes,
    /// Meshes in file order.
    pub meshes: Vec<Mesh>,
    /// Materials in file order.
    pub materials: Vec<Material>,
    /// Images that textures are read from.
    pub images: Vec<Image>,
    /// Its own light.
    pub environment: Option<Environment>,
    /// All bones.
    pub skeleton: Skeleton,
    /// Clips in file order.
    pub clips: Vec<Clip>,
    /// Curves of values that move no bone.
    pub value_tracks: Vec<ValueTrack>,
    /// Convex hulls.
    pub hulls: Vec<Hull>,
    /// Mesh drawn for depth only.
    pub occluder: Option<Occluder>,
    /// Bounds as stored.
    pub stored_bounds: Option<StoredBounds>,
    /// What is shown when no clip and time are asked for.
    pub default_pose: DefaultPose,
    /// What turns normals and tangents where the format's own runtime shows the file.
    pub normal_matrix: NormalMatrix,
    /// Where arrays lie in the file.
    pub provenance: Provenance,
    /// What rules want to know of an effect of several files.
    pub effect: Option<Box<EffectFacts>>,
    /// What only this format has, by name: to be shown, and read by nothing.
    pub details: Vec<(&'static str, Detail)>,
    /// Bytes that mean nothing here and must survive a rewrite in the same format.
    pub preserved: Vec<Preserved>,
}

/// The pose shown when none is asked for.
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
    /// Yes or no.
    Bool(bool),
}

/// Bytes kept for writing back.
#[derive(Clone, Debug, PartialEq)]
pub struct Preserved {
    /// The id of the format that understands them.
    pub format: &'static str,
    /// What they are.
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

    /// Number of subsets and of lists of loose things in all meshes.
    pub fn num_parts(&self) -> usize {
        self.meshes.iter().map(Mesh::num_parts).sum()
    }

    /// Number of lines or points that belong to no triangle, in all meshes.
    pub fn num_loose(&self, kind: LooseKind) -> usize {
        self.meshes.iter().map(|mesh| mesh.num_loose(kind)).sum()
    }

    /// The clip that `text` names: by name, else by position.
    pub fn find_clip(&self, text: &str) -> Option<ClipId> {
        let by_name = self.clips.iter().position(|clip| clip.name == text);
        let by_index = || text.parse().ok().filter(|&i: &usize| i < self.clips.len());
        by_name.or_else(by_index).map(ClipId::from_index)
    }

    /// The path of a texture as the file spells it, or the name of the image inside the file.
    pub fn texture_name<'a>(&'a self, texture: &'a TextureRef) -> &'a str {
        let image = texture.image.and_then(|id| self.images.get(id.index()));
        match image {
            Some(image) if texture.path.is_empty() => &image.name,
            _ => &texture.path,
        }
    }

    /// Bytes kept by format `format` under `what`.
    pub fn preserved(&self, format: &str, what: &str) -> Option<&ByteView> {
        self.preserved
            .iter()
            .find(|kept| kept.format == format && kept.what == what)
            .map(|kept| &kept.bytes)
    }
}
