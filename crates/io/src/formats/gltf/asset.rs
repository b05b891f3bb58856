//! A file being read: its JSON, its buffers and its remaining memory budget.

use std::collections::HashSet;

use bytemuck::Zeroable;
use gltf_json::Root;

use super::buffers::{Buffers, LazyBytes};
use super::fault::{malformed, nth, over_limit};
use super::meshopt;
use crate::formats::{Budget, Limits, ReadError};
use rigscope_core::model::{ByteView, Element, Report, Span, numbered};

/// Memory that a file may need, as a multiple of its size …
const MEMORY_FACTOR: u64 = 12;
/// … plus this constant.
const MEMORY_ROOM_BYTES: u64 = 32 << 20;
/// Highest compression ratio that raises the budget; only contrived files exceed it.
const MAX_COMPRESSION: u64 = 16;

/// State shared by all parts of the reader.
pub(super) struct Asset<'a> {
    pub(super) root: &'a Root,
    /// Names of the morph targets of each mesh.
    pub(super) target_names: &'a [Vec<String>],
    /// Receives the findings.
    pub(super) report: &'a Report,
    buffers: Buffers,
    /// Decompressed buffer views, by index.
    decoded: Vec<Option<ByteView>>,
    /// Accessors whose values were already checked; several meshes may share one.
    checked: HashSet<usize>,
    budget: Budget,
    /// Bytes left of the amount allowed for a file of this size. With only the budget, a small file
    /// could exhaust memory by using one mesh in many nodes.
    left_bytes: u64,
    /// Bytes by which compressed views may still raise `left_bytes`.
    left_gain: u64,
}

pub(super) struct View {
    pub(super) bytes: LazyBytes,
    /// Distance between elements in bytes, if the view states it.
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
        let num_bytes = file_bytes.saturating_add(buffers.num_companion_bytes);
        Self {
            root,
            target_names,
            report,
            decoded: Vec::new(),
            checked: HashSet::new(),
            budget: Budget::new(limits),
            left_bytes: num_bytes.saturating_mul(MEMORY_FACTOR).saturating_add(MEMORY_ROOM_BYTES),
            left_gain: num_bytes.saturating_mul(MAX_COMPRESSION),
            buffers,
        }
    }

    /// Number and name of a node, for messages.
    pub(super) fn node_name(&self, node: usize) -> String {
        let stored = self.root.nodes.get(node);
        numbered("node", node, stored.and_then(|node| node.name.as_deref()).unwrap_or_default())
    }

    /// Number and name of a mesh, for messages.
    pub(super) fn mesh_name(&self, mesh: usize) -> String {
        let stored = self.root.meshes.get(mesh);
        numbered("mesh", mesh, stored.and_then(|mesh| mesh.name.as_deref()).unwrap_or_default())
    }

    /// Whether this is the first check of an accessor, so that each finding is counted once.
    pub(super) fn is_first_check(&mut self, accessor: usize) -> bool {
        self.checked.insert(accessor)
    }

    /// Charges `num` values of `T` to the budget.
    pub(super) fn charge<T>(&mut self, num: usize, field: &'static str) -> Result<(), ReadError> {
        let wanted = (num as u64).saturating_mul(size_of::<T>() as u64);
        let left = self.left_bytes.checked_sub(wanted);
        match (self.budget.take::<T>(num), left) {
            (Ok(()), Some(left)) => {
                self.left_bytes = left;
                Ok(())
            }
            _ => {
                let what =
                    format!("{field} {num} needs more memory than a file of this size may use");
                Err(over_limit(field, what))
            }
        }
    }

    /// An empty vector with capacity for `num` values, charged to the budget.
    pub(super) fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        self.charge::<T>(num, field)?;
        let mut list = Vec::new();
        match list.try_reserve_exact(num) {
            Ok(()) => Ok(list),
            Err(_) => Err(over_limit(field, format!("{field} {num} does not fit"))),
        }
    }

    /// `num` zeros, charged to the budget. Physical memory is only committed when they are first
    /// written.
    pub(super) fn zeros<T: Zeroable>(
        &mut self,
        num: usize,
        field: &'static str,
    ) -> Result<Vec<T>, ReadError> {
        self.charge::<T>(num, field)?;
        let zeros = bytemuck::allocation::try_zeroed_vec(num);
        zeros.map_err(|()| over_limit(field, format!("{field} {num} does not fit")))
    }

    /// Offset and length of a view in the file; `None` if it is elsewhere or compressed.
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

    /// Buffer view `index`, decompressed if necessary.
    pub(super) fn view(&mut self, index: usize) -> Result<View, ReadError> {
        let view = nth(&self.root.buffer_views, index, "bufferView")?;
        let Some(packed) = meshopt::Compressed::of(view)? else {
            let offset = view.byte_offset.map_or(0, |offset| offset.0);
            let bytes = self.buffers.view(view.buffer.value(), offset, view.byte_length.0)?;
            // Early exporters wrote a stride of 0 for "none".
            let stride = view.byte_stride.map(|stride| stride.0).filter(|&s| s > 0);
            return Ok(View { bytes, stride });
        };
        let stride = Some(packed.stride);
        if let Some(Some(bytes)) = self.decoded.get(index) {
            return Ok(View { bytes: LazyBytes::of(bytes), stride });
        }
        let encoded = self.buffers.view(packed.buffer, packed.offset, packed.len)?;
        let (buffer, offset, len) = (packed.buffer, packed.offset, packed.len);
        if let Some(place) = self.buffers.place_in_file(buffer, offset, len) {
            let (start, len) = (place.start, place.len());
            self.report.span(Span::new(Element::Compressed, start, len, 1));
        }
        let num_bytes = packed.num_bytes()?;
        if (num_bytes as u64) < view.byte_length.0 {
            let what = format!("bufferView {index} decompresses to only {num_bytes} bytes");
            return Err(malformed("bufferViews", what));
        }
        // Raise the budget as if the file were uncompressed.
        let gain = (num_bytes as u64).min(self.left_gain);
        self.left_gain -= gain;
        self.left_bytes = self.left_bytes.saturating_add(gain.saturating_mul(MEMORY_FACTOR));
        // Twice: the decoded values and their bytes.
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
        Ok(View { bytes: LazyBytes::of(&bytes), stride })
    }
}
