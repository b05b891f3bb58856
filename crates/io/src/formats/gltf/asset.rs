//! A file being read: its JSON, its buffers and its remaining memory budget.

use std::collections::{BTreeSet, HashSet};

use bytemuck::Zeroable;
use gltf_json::Root;

use super::buffers::{Buffers, LazyBytes};
use super::fault::{malformed, nth};
use super::json::{ParsedJson, UnknownPath};
use super::memory::{Compression, Memory};
use super::pointer::MaterialChannel;
use super::{meshopt, visibility};
use crate::formats::ReadError;
use rigscope_core::model::{ByteView, Element, Report, numbered};

/// Views compressed by meshoptimizer, whose decoder writes the bytes directly.
const MESHOPT: Compression = Compression { max_ratio: 16, decoder_factor: 0 };

/// State shared by all parts of the reader.
pub(super) struct Asset<'a> {
    pub(super) root: &'a Root,
    /// Names of the morph targets of each mesh.
    pub(super) target_names: &'a [Vec<String>],
    /// Channels of material factors.
    pub(super) material_channels: &'a [MaterialChannel],
    pub(super) unknown_paths: &'a [UnknownPath],
    /// Whether a channel has no node.
    pub(super) has_channels_without_node: bool,
    pub(super) partly_read: &'a BTreeSet<usize>,
    channel_numbers: &'a [Vec<usize>],
    /// Receives the findings.
    pub(super) report: &'a Report,
    pub(super) buffers: Buffers,
    /// Decompressed buffer views, by index.
    decoded: Vec<Option<ByteView>>,
    /// Accessors whose values are decoded from Draco data, and therefore rounded.
    draco: HashSet<usize>,
    /// Accessors whose values were already checked; several meshes may share one.
    checked: HashSet<usize>,
    memory: Memory,
    /// Whether each node is hidden.
    hidden: Vec<bool>,
    /// Meshes that nodes with a skin and nodes without one show.
    mixed_meshes: HashSet<usize>,
}

pub(super) struct View {
    pub(super) bytes: LazyBytes,
    /// Distance between elements in bytes, if the view states it.
    pub(super) stride: Option<usize>,
}

impl<'a> Asset<'a> {
    pub(super) fn new(
        document: &'a ParsedJson,
        buffers: Buffers,
        memory: Memory,
        draco: HashSet<usize>,
        report: &'a Report,
    ) -> Self {
        let (decoded, checked) = (Vec::new(), HashSet::new());
        let root = &document.root;
        let hidden = visibility::hidden(root);
        Self {
            root,
            target_names: &document.target_names,
            material_channels: &document.material_channels,
            unknown_paths: &document.unknown_paths,
            has_channels_without_node: document.has_channels_without_node,
            partly_read: &document.partly_read,
            channel_numbers: &document.channel_numbers,
            report,
            decoded,
            checked,
            memory,
            draco,
            hidden,
            mixed_meshes: mixed_meshes(root),
            buffers,
        }
    }

    /// Whether a channel, by its number in the file, names its property by `KHR_animation_pointer`.
    pub(super) fn is_pointer_channel(&self, animation: usize, channel: usize) -> bool {
        let key = |path: &UnknownPath| (path.animation, path.channel);
        let found = self.unknown_paths.binary_search_by_key(&(animation, channel), key);
        found.ok().and_then(|at| self.unknown_paths.get(at)).is_some_and(UnknownPath::is_pointer)
    }

    /// The number in the file of a channel.
    pub(super) fn channel_number(&self, animation: usize, channel: usize) -> usize {
        let numbers = self.channel_numbers.get(animation);
        numbers.and_then(|numbers| numbers.get(channel)).copied().unwrap_or(channel)
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

    /// Whether a node or an ancestor of it is hidden.
    pub(super) fn is_hidden(&self, node: usize) -> bool {
        self.hidden.get(node).copied().unwrap_or(false)
    }

    /// Whether nodes with a skin and nodes without one show a mesh.
    pub(super) fn is_mixed(&self, mesh: usize) -> bool {
        self.mixed_meshes.contains(&mesh)
    }

    /// Whether this is the first check of an accessor, so that each finding is counted once.
    pub(super) fn is_first_check(&mut self, accessor: usize) -> bool {
        self.checked.insert(accessor)
    }

    /// Whether the accessor's values are decoded from Draco data.
    pub(super) fn is_draco(&self, accessor: usize) -> bool {
        self.draco.contains(&accessor)
    }

    /// Charges `num` values of `T` to the budget.
    pub(super) fn charge<T>(&mut self, num: usize, field: &'static str) -> Result<(), ReadError> {
        self.memory.charge::<T>(num, field)
    }

    /// An empty vector with capacity for `num` values, charged to the budget.
    pub(super) fn vec<T>(&mut self, num: usize, field: &'static str) -> Result<Vec<T>, ReadError> {
        self.memory.vec(num, field)
    }

    /// `num` zeros, charged to the budget. Physical memory is only committed when they are first
    /// written.
    pub(super) fn zeros<T: Zeroable>(
        &mut self,
        num: usize,
        field: &'static str,
    ) -> Result<Vec<T>, ReadError> {
        self.memory.zeros(num, field)
    }

    /// The place of a view; `None` if no file contains it or it is compressed.
    pub(super) fn place_of_view(&self, index: usize) -> Option<super::buffers::FilePlace> {
        let view = self.root.buffer_views.get(index)?;
        if !matches!(meshopt::Compressed::of(view), Ok(None)) {
            return None;
        }
        let offset = view.byte_offset.map_or(0, |offset| offset.0);
        let buffer = view.buffer.value();
        self.buffers.place(buffer, offset, view.byte_length.0)
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
        if let Some(place) = self.buffers.place(buffer, offset, len) {
            self.report.span(place.span(Element::Compressed));
        }
        let num_bytes = packed.num_bytes()?;
        if (num_bytes as u64) < view.byte_length.0 {
            let what = format!("bufferView {index} decompresses to only {num_bytes} bytes");
            return Err(malformed("bufferViews", what));
        }
        self.memory.raise(num_bytes, MESHOPT);
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

/// The meshes that nodes with a skin and nodes without one show.
fn mixed_meshes(root: &Root) -> HashSet<usize> {
    let of_nodes = |is_skinned: bool| -> HashSet<usize> {
        let nodes = root.nodes.iter().filter(|node| node.skin.is_some() == is_skinned);
        nodes.filter_map(|node| Some(node.mesh?.value())).collect()
    };
    let skinned = of_nodes(true);
    if skinned.is_empty() { skinned } else { &skinned & &of_nodes(false) }
}
