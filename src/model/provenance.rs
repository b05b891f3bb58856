//! Where each array lies in its file, so that a picked vertex can show its own bytes.

/// One array of equal records in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// What the records are.
    pub element: Element,
    /// File offset of the first record, in bytes.
    pub offset: u64,
    /// Bytes from one record to the next; for strings the length of the whole run.
    pub stride: u64,
    /// Number of records.
    pub count: u64,
    /// The fields of one record; empty where it is one value or text.
    pub fields: &'static [Field],
}

impl Span {
    /// The bytes of record `index`, as a file range.
    #[must_use]
    pub fn record(&self, index: u64) -> Option<std::ops::Range<u64>> {
        let start = self.offset + index * self.stride;
        (index < self.count).then(|| start..start + self.stride)
    }

    /// The file range of all records.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<u64> {
        self.offset..self.offset + self.stride * self.count
    }
}

/// What the records of a span are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// The file's header.
    Header,
    /// Vertices of a mesh.
    Vertex {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
    },
    /// Indices of a mesh.
    Index {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
    },
    /// Subsets of a mesh.
    Subset {
        /// Position in [`super::Model::meshes`].
        mesh: u32,
    },
    /// Material names, one after another.
    MaterialNames,
    /// Name and times of a clip.
    ClipHeader {
        /// Position in [`super::Model::clips`].
        clip: u32,
    },
    /// Matrices of a clip, one record a bone and key.
    Key {
        /// Position in [`super::Model::clips`].
        clip: u32,
    },
    /// Parent indices.
    BoneParent,
    /// Inverse bind matrices.
    BoneInverseBind,
    /// Bone names, one after another.
    BoneNames,
    /// Bytes past the end of what the format defines.
    Trailing,
}

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in the format's own words.
    pub name: &'static str,
    /// Bytes from the start of the record.
    pub offset: u8,
    /// Length in bytes.
    pub len: u8,
    /// Its type, as in `f32x3`.
    pub layout: &'static str,
}

/// All spans of a file, in file order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// Spans that do not overlap, by offset.
    pub spans: Vec<Span>,
}

impl Provenance {
    /// Brings spans into file order; those that are empty or begin inside an earlier one are left
    /// out.
    #[must_use]
    pub fn from_spans(mut spans: Vec<Span>) -> Self {
        spans.retain(|span| !span.range().is_empty());
        spans.sort_by_key(|span| span.offset);
        let mut end = 0;
        spans.retain(|span| {
            let is_apart = span.offset >= end;
            if is_apart {
                end = span.range().end;
            }
            is_apart
        });
        Self { spans }
    }

    /// The span of `element`, if the file has one.
    #[must_use]
    pub fn find(&self, element: Element) -> Option<&Span> {
        self.spans.iter().find(|span| span.element == element)
    }

    /// All spans of `element`, in the order of the file: one an attribute where attributes lie in
    /// arrays of their own.
    pub fn all(&self, element: Element) -> impl Iterator<Item = &Span> {
        self.spans
            .iter()
            .filter(move |span| span.element == element)
    }

    /// The span that holds file offset `at`.
    #[must_use]
    pub fn at(&self, at: u64) -> Option<&Span> {
        let next = self.spans.partition_point(|span| span.offset <= at);
        let span = self.spans.get(next.checked_sub(1)?)?;
        span.range().contains(&at).then_some(span)
    }
}
