//! What about weights can be shown.

/// What about weights is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WeightsMode {
    /// The weights of the selected bone.
    #[default]
    Bone,
    /// Those of the selected bone and of the locked one.
    Compare,
    /// A colour a bone.
    BoneColors,
    /// Where weights do not sum to 1.
    Sums,
    /// What is lost with four influences of eight bits.
    Packing,
}

impl WeightsMode {
    /// All of them, in the order of the pane.
    pub const ALL: [Self; 5] =
        [Self::Bone, Self::Compare, Self::BoneColors, Self::Sums, Self::Packing];

    /// A word for a button.
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
