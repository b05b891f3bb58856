//! A file being read: its JSON, its buffers, and how much it may still ask for.

use std::collections::HashSet;

use bytemuck::Zeroable;
use gltf_json::Root;

use super::buffers::{Buffers, Stretch};
use super::fault::{malformed, nth, over_limit};
use super::meshopt;
use crate::formats::{Budget, Limits, ReadError};
use rigscope_core::model::{ByteView, Element, Report, Span, numbered};

/// A file may ask for this many times its size …
const MEMORY_FACTOR: u64 = 12;
/// … and this much besides.
const MEMORY_ROOM_BYTES: u64 = 32 << 20;
/// Compressed bytes count as this many times as much at most: more is seen in made-up files only.
const MAX_COMPRESSION: u64 = 16;

/// What all parts of the reader share.
pub(super) struct Asset<'a> {
    /// The JSON.
    pub(super) root: &'a Root,
    /// Names of the morph targets of each mesh.
    pub(super) target_names: &'a [Vec<String>],
    /// Where notes go.
    pub(super) report: &'a Report,
    buffers: Buffers,
    /// Decompressed buffer views, by number.
    decoded: Vec<Option<ByteView>>,
    /// Accessors whose values have been judged: several meshes may share one.
    judged: HashSet<usize>,
    budget: Budget,
    /// Bytes left of what a file of this size may ask for. The budget alone would let a small
    /// file fill the machine by naming one mesh from many nodes.
    left_bytes: u64,
    /// Bytes by which compression may still raise that.
    left_gain: u64,
}

/// A buffer view's bytes.
pub(super) struct View {
    pub(super) bytes: Stretch,
    /// Bytes from one element to the next, where the view states it.
    pub(super) stride: Option<usize>,
}

impl<'a> Asset<'a> {
    pub(super) fn new(
        root: &'a Root,
        target_names: &'a [Vec<String>],
        buffers: Buffers,
        file_bytes: u64,
        limits: &Limits,
        report: &'a Report,
    ) -> Self {
        let num_bytes = file_bytes.saturating_add(buffers.num_bytes_beside);
        Self {
            root,
            target_names,
            report,
            decoded: Vec::new(),
            judged: HashSet::new(),
            budget: Budget::new(limits),
            left_bytes: num_bytes.saturating_mul(MEMORY_FACTOR).saturating_add(MEMORY_ROOM_BYTES),
            left_gain: num_bytes.saturating_mul(MAX_COMPRESSION),
            buffers,
        }
    }

    /// A node with its name, for messages.
    pub(super) fn node_name(&self, node: usize) -> String {
        let stored = self.root.nodes.get(node);
        numbered("node", node, stored.and_then(|node| node.name.as_deref()).unwrap_or_default())
    }

    /// A mesh of the file with its name, for messages.
    pub(super) fn mesh_name(&self, mesh: usize) -> String {
        let stored = self.root.meshes.get(mesh);
        numbered("mesh", mesh, stored.and_then(|mesh| mesh.name.as_deref()).unwrap_or_default())
    }

    /// Whether the values of an accessor haven't been judged yet, so that each fault counts once.
    pub(super) fn is_first_look(&mut self, accessor: usize) -> bool {
        self.judged.insert(accessor)
    }

    /// Pays for `num` values of `T`.
    pub(super) fn charge<T>(&mut self, num: usize, field: &'static str) -> Result<(), ReadError> {
        let wanted = (num as u64).saturating_mul(size_of::<T>() as u64);
        let left = self.left_bytes.checked_sub(wanted);
        match (self.budget.take::<T>(num), left) {
            (Ok(()), Some(left)) => {
                self.left_bytes = left;
                Ok(())
            }
            _ => {
                let what = format!("{field} {num} needs more memory than a file of this size may");
                Err(over_limit(field, what))
            }
        }
    }

    /// An empty vector with room for `num` values, paid.
    pub(super) fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        self.charge::<T>(num, field)?;
        let mut list = Vec::new();
        match list.try_reserve_exact(num) {
            Ok(()) => Ok(list),
            Err(_) => Err(over_limit(field, format!("{field} {num} does not fit"))),
        }
    }

    /// `num` zeros, paid. Who writes them first takes their memory.
    pub(super) fn zeros<T: Zeroable>(
        &mut self,
        num: usize,
        field: &'static str,
    ) -> Result<Vec<T>, ReadError> {
        self.charge::<T>(num, field)?;
        let zeros = bytemuck::allocation::try_zeroed_vec(num);
        zeros.map_err(|()| over_limit(field, format!("{field} {num} does not fit")))
    }

    /// First byte and length of a view in the file; `None` where it is elsewhere or compressed.
    pub(super) fn place_of_view(&self, index: usize) -> Option<(usize, usize)> {
        let view = self.root.buffer_views.get(index)?;
        if !matches!(meshopt::Compressed::of(view), Ok(None)) {
            return None;
        }
        let offset = view.byte_offset.map_or(0, |offset| offset.0);
        let buffer = view.buffer.value();
        let place = self.buffers.place_in_file(buffer, offset, view.byte_length.0)?;
        Some((place.start, place.len()))
    }

    /// Buffer view `index`, decompressed where it must be.
    pub(super) fn view(&mut self, index: usize) -> Result<View, ReadError> {
        let view = nth(&self.root.buffer_views, index, "bufferView")?;
        let Some(packed) = meshopt::Compressed::of(view)? else {
            let offset = view.byte_offset.map_or(0, |offset| offset.0);
            let bytes = self.buffers.view(view.buffer.value(), offset, view.byte_length.0)?;
            // A stride of 0 is written for "none" by exporters of the first days.
            let stride = view.byte_stride.map(|stride| stride.0).filter(|&s| s > 0);
            return Ok(View { bytes, stride });
        };
        let stride = Some(packed.stride);
        if let Some(Some(bytes)) = self.decoded.get(index) {
            return Ok(View { bytes: Stretch::of(bytes), stride });
        }
        let encoded = self.buffers.view(packed.buffer, packed.offset, packed.len)?;
        let (buffer, offset, len) = (packed.buffer, packed.offset, packed.len);
        if let Some(place) = self.buffers.place_in_file(buffer, offset, len) {
            let (start, len) = (place.start, place.len());
            self.report.span(Span::new(Element::Compressed, start, len, 1));
        }
        let num_bytes = packed.num_bytes()?;
        if (num_bytes as u64) < view.byte_length.0 {
            let what = format!("bufferView {index} decompresses to {num_bytes} bytes only");
            return Err(malformed("bufferViews", what));
        }
        // The file counts as if it were not compressed.
        let gain = (num_bytes as u64).min(self.left_gain);
        self.left_gain -= gain;
        self.left_bytes = self.left_bytes.saturating_add(gain.saturating_mul(MEMORY_FACTOR));
        // Once as decoded and once as bytes.
        self.charge::<[u8; 2]>(num_bytes, "bufferView")?;
        let bytes = ByteView::whole(packed.decode(&encoded.part(0..encoded.len())?)?);
        if self.decoded.is_empty() {
            let num_views = self.root.buffer_views.len();
            self.decoded = self.vec(num_views, "bufferViews")?;
            self.decoded.resize(num_views, None);
        }
        if let Some(slot) = self.decoded.get_mut(index) {
            *slot = Some(bytes.clone());
        }
        Ok(View { bytes: Stretch::of(&bytes), stride })
    }
}
