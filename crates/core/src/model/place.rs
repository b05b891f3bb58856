//! Locations in a file or model, and their text form.

use super::BoneId;

/// Microseconds in a second.
pub const MICROS_PER_SEC: f64 = 1e6;

/// Where a finding is; ordered like the contents of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A byte offset.
    Offset(u64),
    /// A line of a text file, or a position on it.
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
        /// Index within the mesh.
        vertex: u32,
    },
    /// A subset of a mesh.
    Subset {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
        /// Index within the mesh.
        subset: u32,
    },
    /// A triangle of a mesh.
    Triangle {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
        /// Index in the triangle list.
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
    /// A bone at a key of a clip.
    Key {
        /// Position in [`super::Model::clips`].
        clip: u32,
        /// Index of the key.
        key: u32,
        /// Index of the bone.
        bone: u32,
    },
    /// A time in a clip: between keys, or at a key of a single curve, since clips of curves don't
    /// number keys.
    Moment {
        /// Position in [`super::Model::clips`].
        clip: u32,
        /// Microseconds since the start of the clip.
        micros: u64,
        /// Index of the bone; `None` for morph targets.
        bone: Option<u32>,
    },
}

impl Place {
    /// The moment `since_start_secs` seconds after the start of clip number `clip`; negative times
    /// become 0.
    #[must_use]
    pub fn moment(clip: u32, since_start_secs: f64, bone: Option<BoneId>) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
        #[expect(clippy::cast_sign_loss, reason = "float casts saturate")]
        let micros = (since_start_secs * MICROS_PER_SEC).round() as u64;
        Self::Moment { clip, micros, bone: bone.map(|bone| bone.0) }
    }

    /// A whole line of a text file, counted from 1.
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
            Self::Moment { clip, micros, bone: None } => {
                write!(f, "clips[{clip}].micros[{micros}]")
            }
            Self::Moment { clip, micros, bone: Some(bone) } => {
                write!(f, "clips[{clip}].micros[{micros}].bones[{bone}]")
            }
        }
    }
}

/// The text isn't a valid [`Place`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsePlaceError;

/// Splits `name[number]`.
fn split_index(part: &str) -> Option<(&str, u64)> {
    let (name, number) = part.strip_suffix(']')?.split_once('[')?;
    Some((name, number.parse().ok()?))
}

impl std::str::FromStr for Place {
    type Err = ParsePlaceError;

    /// Parses the [`std::fmt::Display`] form.
    fn from_str(text: &str) -> Result<Self, ParsePlaceError> {
        let number = |text: &str| text.parse().map_err(|_| ParsePlaceError);
        if text == "file" {
            return Ok(Self::File);
        }
        if let Some(at) = text.strip_prefix("offset 0x") {
            return u64::from_str_radix(at, 16).map(Self::Offset).map_err(|_| ParsePlaceError);
        }
        if let Some(line) = text.strip_prefix("line ") {
            return Ok(match line.split_once(", column ") {
                Some((line, column)) => {
                    Self::Line { line: number(line)?, column: Some(number(column)?) }
                }
                None => Self::line(number(line)?),
            });
        }
        let parts: Option<Vec<_>> = text.split('.').map(split_index).collect();
        let parts = parts.ok_or(ParsePlaceError)?;
        let index = |at: usize| u32::try_from(parts[at].1).map_err(|_| ParsePlaceError);
        let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
        Ok(match names[..] {
            ["meshes"] => Self::Mesh(index(0)?),
            ["meshes", "vertices"] => Self::Vertex { mesh: index(0)?, vertex: index(1)? },
            ["meshes", "subsets"] => Self::Subset { mesh: index(0)?, subset: index(1)? },
            ["meshes", "triangles"] => Self::Triangle { mesh: index(0)?, triangle: index(1)? },
            ["bones"] => Self::Bone(index(0)?),
            ["materials"] => Self::Material(index(0)?),
            ["clips"] => Self::Clip(index(0)?),
            ["clips", "keys", "bones"] => {
                Self::Key { clip: index(0)?, key: index(1)?, bone: index(2)? }
            }
            ["clips", "micros"] => Self::Moment { clip: index(0)?, micros: parts[1].1, bone: None },
            ["clips", "micros", "bones"] => {
                Self::Moment { clip: index(0)?, micros: parts[1].1, bone: Some(index(2)?) }
            }
            _ => return Err(ParsePlaceError),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_parse_round_trip() {
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
            Place::Moment { clip: 12, micros: u64::MAX, bone: None },
            Place::Moment { clip: 12, micros: 13, bone: Some(14) },
        ];
        for place in places {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        for text in [
            "",
            "line",
            "line x",
            "offset 12",
            "meshes[]",
            "meshes[1].bones[2]",
            "meshes[1",
            "bones[4294967296]",
        ] {
            assert_eq!(text.parse::<Place>(), Err(ParsePlaceError), "{text}");
        }
    }
}
