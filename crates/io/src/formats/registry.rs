//! Choosing the format of a file.

use super::{Confidence, FORMATS, Format, ProbeInput, ReadError, ReadOptions, Source, foreign};
use rigscope_core::model::{FindingKind, Place, Report};

/// Extensions used by many other kinds of files. Such a file is only accepted if its content matches.
pub const COMMON_EXTENSIONS: &[&str] = &["txt", "json"];

/// Whether a folder search includes a file of that name: a readable format has its extension, and if the
/// extension is common, a format must also recognize its `front` (the first
/// [`PROBE_WINDOW_BYTES`](super::PROBE_WINDOW_BYTES) bytes).
pub fn is_model_file(name: &str, front: impl FnOnce() -> Option<Vec<u8>>) -> bool {
    let Some((_, extension)) = name.rsplit_once('.') else { return false };
    let extension = extension.to_ascii_lowercase();
    let mut readers = FORMATS.iter().filter(|format| format.info.can_read);
    if !readers.clone().any(|format| format.info.extensions.contains(&extension.as_str())) {
        return false;
    }
    let is_claimed = |front: Vec<u8>| {
        let input = ProbeInput::of(&front);
        readers.any(|format| (format.probe)(&input) > Confidence::No)
    };
    !COMMON_EXTENSIONS.contains(&extension.as_str()) || front().is_some_and(is_claimed)
}

/// A format that claims a file.
#[derive(Clone, Copy)]
pub struct Candidate {
    pub format: &'static Format,
    /// Confidence from the content.
    pub confidence: Confidence,
    /// Whether the format has the file's extension.
    pub has_extension: bool,
}

pub fn by_id(id: &str) -> Option<&'static Format> {
    let mut formats = FORMATS.iter().copied();
    formats.find(|format| format.info.id == id)
}

/// The formats that may read `source`, most likely first.
///
/// The content decides; a matching extension raises a weak claim and breaks ties. If no format recognizes the
/// content, the formats with that extension are returned, whose readers report the problem; except for
/// [`COMMON_EXTENSIONS`].
#[must_use]
pub fn candidates(source: &Source) -> Vec<Candidate> {
    candidates_of(&source.content.probe_input(), &source.extension())
}

/// The content of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// It has a mesh or, as far as its beginning shows, may have one.
    Model,
    /// It has a skeleton or animations, and no mesh.
    Bones,
}

/// The content of a file with that name, beginning and length; `None` if no format recognizes it.
#[must_use]
pub fn content_kind(name: &str, front: Vec<u8>, len: u64) -> Option<ContentKind> {
    let source = Source::new(name, front);
    let input = ProbeInput { len, ..source.content.probe_input() };
    let likeliest = candidates_of(&input, &source.extension());
    let format = likeliest.first()?.format;
    Some(match (format.reader.has_mesh)(&input) {
        Some(false) => ContentKind::Bones,
        Some(true) | None => ContentKind::Model,
    })
}

/// Whether a file with that beginning has a format that reads files part by part, so that it needn't be in
/// memory to be displayed.
#[must_use]
pub fn reads_parts(front: &[u8]) -> bool {
    FORMATS.iter().any(|format| (format.reader.reads_parts)(front))
}

/// As [`candidates`], for a file with that beginning and extension.
pub(super) fn candidates_of(input: &ProbeInput<'_>, extension: &str) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = FORMATS
        .iter()
        .filter(|format| format.info.can_read)
        .map(|&format| Candidate {
            format,
            confidence: (format.probe)(input),
            has_extension: format.info.extensions.contains(&extension),
        })
        .collect();
    let is_common = COMMON_EXTENSIONS.contains(&extension);
    let is_claimed = is_common || all.iter().any(|c| c.confidence > Confidence::No);
    all.retain(|c| c.confidence > Confidence::No || (!is_claimed && c.has_extension));
    let rank = |c: &Candidate| match c.confidence {
        Confidence::No => (0, u16::from(c.has_extension)),
        Confidence::Weak(share) => (1, u16::from(share) + if c.has_extension { 256 } else { 0 }),
        Confidence::Strong => (2, u16::from(c.has_extension)),
    };
    // The sort is stable, so that the order of the list breaks remaining ties.
    all.sort_by_key(|c| std::cmp::Reverse(rank(c)));
    all
}

/// The format to read `source` with: the requested one, or else the most likely.
///
/// # Errors
/// If no format can read it.
pub(super) fn choose(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<&'static Format, ReadError> {
    let unknown = || ReadError::UnknownFormat { advice: foreign::advice(&source.extension()) };
    if let Some(id) = &options.format {
        return by_id(id).ok_or_else(unknown);
    }
    let candidates = candidates(source);
    let (first, others) = candidates.split_first().ok_or_else(unknown)?;
    if others.iter().any(|other| other.confidence == first.confidence) {
        let ids: Vec<_> = others.iter().map(|other| other.format.info.id).collect();
        report.add(
            FindingKind::OtherFormats,
            Place::File,
            format!("the file could also be {}", ids.join(", ")),
        );
    }
    Ok(first.format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_extensions_are_lower_case() {
        for format in FORMATS {
            let info = &format.info;
            assert_eq!(FORMATS.iter().filter(|f| f.info.id == info.id).count(), 1);
            assert!(!info.extensions.is_empty() && !info.citation.is_empty());
            for extension in info.extensions {
                assert_eq!(*extension, extension.to_ascii_lowercase());
                assert!(!extension.starts_with('.'));
            }
            assert!(by_id(info.id).is_some());
        }
    }

    #[test]
    fn the_first_bytes_determine_the_content_kind() {
        let structure = b"1
1
<bone>
*
1 1 1
"
        .to_vec();
        let animation = b"1
1
1
Bones
Absolute
Matrix
"
        .to_vec();
        let archive = |tag: &str| [b"\x01", tag.as_bytes(), b"\0"].concat();
        for (name, front, known) in [
            ("a.txt", structure, Some(ContentKind::Model)),
            ("a.txt", animation, Some(ContentKind::Bones)),
            ("a.ozz", archive("ozz-sample-Mesh"), Some(ContentKind::Model)),
            ("a.ozz", archive("ozz-skeleton"), Some(ContentKind::Bones)),
            ("a.glb", b"glTF\x02\0\0\0".to_vec(), Some(ContentKind::Model)),
            ("a.txt", b"hello".to_vec(), None),
        ] {
            let len = front.len() as u64;
            assert_eq!(content_kind(name, front.clone(), len), known, "{name} {front:?}");
        }
    }

    #[test]
    fn unrecognized_bytes_are_read_by_extension() {
        let named = Source::new("cut.BSM2", vec![0; 7]);
        assert_eq!(candidates(&named).first().unwrap().format.info.id, "bsm2");
        assert!(candidates(&Source::new("cut.xyz", vec![0; 7])).is_empty());
        assert!(candidates(&Source::new("readme.txt", vec![0; 7])).is_empty());
    }
}
