//! The aspects of weights that can be displayed.

/// An aspect of weights to display.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WeightsMode {
    /// The weights of the selected bone.
    #[default]
    Bone,
    /// The weights of the selected bone and the locked bone.
    Compare,
    /// A colour per bone.
    BoneColors,
    /// Vertices whose weights don't sum to 1.
    Sums,
    /// The weight lost when packing to four influences of eight bits.
    Packing,
}

impl WeightsMode {
    /// All modes, in the order of the pane.
    pub const ALL: [Self; 5] =
        [Self::Bone, Self::Compare, Self::BoneColors, Self::Sums, Self::Packing];

    /// The label of its button.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bone => "Bone",
            Self::Compare => "Two bones",
            Self::BoneColors => "All bones",
            Self::Sums => "Sums",
            Self::Packing => "Packing",
        }
    }
}
