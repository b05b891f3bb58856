//! Icons of commands that have a button, drawn by `ui::icons`.

/// The icon of a button, shown with its name or instead of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "named after their pictograms")]
pub enum Icon {
    Folder,
    Again,
    Out,
    Photo,
    Solid,
    Wires,
    Dots,
    Bone,
    Name,
    Ground,
    Frame,
    Parallel,
    FrontFace,
    SideFace,
    TopFace,
    Corner,
    Pack,
    Pair,
    Search,
}

impl Icon {
    pub const ALL: [Self; 19] = [
        Self::Folder,
        Self::Again,
        Self::Out,
        Self::Photo,
        Self::Solid,
        Self::Wires,
        Self::Dots,
        Self::Bone,
        Self::Name,
        Self::Ground,
        Self::Frame,
        Self::Parallel,
        Self::FrontFace,
        Self::SideFace,
        Self::TopFace,
        Self::Corner,
        Self::Pack,
        Self::Pair,
        Self::Search,
    ];
}
