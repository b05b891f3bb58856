//! Index newtypes, so that a bone index is never mistaken for a vertex index.

use super::Id;

/// A number of items or a position as 32 bits; saturates, since no list of a model is that long.
pub fn as_u32(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

macro_rules! index_newtype {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the model's list.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of list position `index`; saturates, since no list of a model is that long.
            pub fn from_index(index: usize) -> Self {
                Self(as_u32(index))
            }
        }

        impl Id for $name {
            fn index(self) -> usize {
                self.index()
            }

            fn from_index(index: usize) -> Self {
                Self::from_index(index)
            }
        }
    )+};
}

index_newtype!(
    /// Position in [`super::Skeleton::bones`].
    BoneId,
    /// Position in a mesh's vertex data.
    VertexId,
    /// Position in [`super::Model::meshes`].
    MeshId,
    /// Position among a mesh's parts: its subsets, then its loose geometry.
    PartId,
    /// Position in [`super::Model::materials`].
    MaterialId,
    /// Position in [`super::Model::clips`].
    ClipId,
    /// Position in [`super::Model::images`].
    ImageId,
);
