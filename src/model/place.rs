//! Where in a file or model something is, also as text and back.

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

/// A text names no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPlace;

/// A name and the number in brackets behind it.
fn numbered(part: &str) -> Option<(&str, u32)> {
    let (name, number) = part.strip_suffix(']')?.split_once('[')?;
    Some((name, number.parse().ok()?))
}

impl std::str::FromStr for Place {
    type Err = NoPlace;

    /// What [`std::fmt::Display`] writes.
    fn from_str(text: &str) -> Result<Self, NoPlace> {
        let number = |text: &str| text.parse().map_err(|_| NoPlace);
        if text == "file" {
            return Ok(Self::File);
        }
        if let Some(at) = text.strip_prefix("offset 0x") {
            return u64::from_str_radix(at, 16).map(Self::Offset).map_err(|_| NoPlace);
        }
        if let Some(line) = text.strip_prefix("line ") {
            return Ok(match line.split_once(", column ") {
                Some((line, column)) => {
                    Self::Line { line: number(line)?, column: Some(number(column)?) }
                }
                None => Self::line(number(line)?),
            });
        }
        let parts: Option<Vec<_>> = text.split('.').map(numbered).collect();
        Ok(match parts.ok_or(NoPlace)?[..] {
            [("meshes", mesh)] => Self::Mesh(mesh),
            [("meshes", mesh), ("vertices", vertex)] => Self::Vertex { mesh, vertex },
            [("meshes", mesh), ("subsets", subset)] => Self::Subset { mesh, subset },
            [("meshes", mesh), ("triangles", triangle)] => Self::Triangle { mesh, triangle },
            [("bones", bone)] => Self::Bone(bone),
            [("materials", material)] => Self::Material(material),
            [("clips", clip)] => Self::Clip(clip),
            [("clips", clip), ("keys", key), ("bones", bone)] => Self::Key { clip, key, bone },
            _ => return Err(NoPlace),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let places = [
            Place::File,
            Place::Offset(0xdead_beef_0042),
            Place::line(7),
            Place::Line { line: 7, column: Some(80) },
            Place::Vertex { mesh: 1, vertex: u32::MAX },
            Place::Subset { mesh: 0, subset: 2 },
            Place::Triangle { mesh: 3, triangle: 4 },
            Place::Mesh(5),
            Place::Bone(6),
            Place::Material(7),
            Place::Clip(8),
            Place::Key { clip: 9, key: 10, bone: 11 },
        ];
        for place in places {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in
            ["", "line", "line x", "offset 12", "meshes[]", "meshes[1].bones[2]", "meshes[1"]
        {
            assert_eq!(text.parse::<Place>(), Err(NoPlace), "{text}");
        }
    }
}
