//! Writes a model as one file or, as text, two.

use gltf_json::Buffer;
use serde_json::{Value, json};

use super::super::pointer::ANIMATION_POINTER;
use super::super::{ID, container};
use super::data::{FileData, PointerChannel};
use super::mesh;
use super::nodes::Nodes;
use super::{animation, material};
use crate::formats::content_name::content_name;
use crate::formats::record::list;
use crate::formats::{Limits, OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{Axes, BoneId, MeshId, MeshOrigins, Model, Origins, Report, check};
use rigscope_core::pose::{PoseSpec, sample};
use rigscope_core::reshape;

/// The part that is JSON with a separate `.bin`.
const TEXT_PART: &str = "gltf";
/// Name under which the reader preserves the node of each mesh.
pub(in super::super) const MESH_NODES: &str = "mesh-nodes";

pub(in super::super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    let wanted = mesh_nodes(model);
    let axes = Axes { unit_meters: Some(1.0), ..Axes::default() };
    let mut plain = reshape::in_axes(&reshape::plain(model, options.rate), &axes);
    // Huge numbers may have overflowed during baking, and JSON can't represent infinity.
    check::check(&mut plain, &report.quiet());
    let mut data = FileData::default();
    let mut nodes = Nodes::of_bones(&plain);
    let is_text = options.part.as_deref() == Some(TEXT_PART);
    let images = material::write(&plain, options, is_text, &mut data, report);
    let meshes = mesh::write(&plain, &wanted, &mut nodes, &mut data, report)?;
    // The same limit as for reading, since each node becomes a bone.
    let limit = Limits::default().max_bones;
    if nodes.len() > limit as usize {
        let count = nodes.len() as u64;
        return Err(WriteError::TooMany { format: ID, what: "nodes", count, limit: limit.into() });
    }
    let clips = animation::write(&plain, &meshes, nodes.len(), &mut data, report)?;
    let origins = Origins { meshes: in_order_of_nodes(&meshes), clips: Some(clips), bones: None };
    nodes.finish(&mut data);
    if !data.pointers.is_empty() {
        data.root.extensions_used.push(ANIMATION_POINTER.to_owned());
    }
    asset(&mut data.root, model);
    report.progress("writing", 0.95)?;
    let mut files = if is_text {
        text_files(data, &meshes.target_names, &options.stem)?
    } else {
        vec![OutputFile::main(binary_file(data, &meshes.target_names)?)]
    };
    if let Some(main) = files.first_mut() {
        main.origins = origins;
    }
    files.extend(images.files());
    report.progress("writing", 1.0)?;
    Ok(files)
}

/// Meshes in the order in which the reader will number them: by node.
fn in_order_of_nodes(meshes: &mesh::WrittenMeshes) -> Vec<MeshOrigins> {
    let nodes = meshes.node_of.iter().enumerate();
    let mut shown: Vec<(usize, usize)> =
        nodes.filter_map(|(at, node)| Some(((*node)?, at))).collect();
    shown.sort_unstable();
    let same = |(_, at)| MeshOrigins::Same(MeshId::from_index(at));
    shown.into_iter().map(same).collect()
}

/// The nodes that skinned meshes were read from, if the model has the meshes that were read.
/// Mirroring nodes are left out: viewers would flip the winding of triangles that are already
/// correct.
fn mesh_nodes(model: &Model) -> Vec<Option<usize>> {
    let rest = sample(model, &PoseSpec::default()).model_from_bone;
    let is_plain = |node: &usize| {
        let matrix = rest.get(BoneId::from_index(*node));
        matrix.is_none_or(|matrix| matrix.matrix3.determinant() >= 0.0)
    };
    let kept = model.preserved(ID, MESH_NODES);
    let numbers = list::<u32>(kept.map_or(&[][..], |bytes| bytes));
    if numbers.len() == model.meshes.len() {
        numbers
            .map(|number| usize::try_from(number).ok())
            .map(|node| node.filter(is_plain))
            .collect()
    } else {
        Vec::new()
    }
}

pub(super) fn asset(root: &mut gltf_json::Root, model: &Model) {
    root.asset.copyright.clone_from(&model.copyright);
    root.asset.generator = Some(concat!("Rigscope ", env!("CARGO_PKG_VERSION")).to_owned());
}

fn too_large(what: &'static str, count: usize) -> WriteError {
    WriteError::TooMany { format: ID, what, count: count as u64, limit: u64::from(u32::MAX) }
}

/// The JSON text. Names of morph targets go into `extras`, and channels of materials have pointers, both of which the
/// crate's types leave out.
fn json_text(data: &FileData, target_names: &[Vec<String>]) -> Result<Vec<u8>, WriteError> {
    let root = &data.root;
    // Maps with text keys, and finite numbers: JSON can represent all of it.
    let failed = |_| too_large("objects", root.accessors.len());
    if target_names.iter().flatten().all(String::is_empty) && data.pointers.is_empty() {
        return root.to_vec().map_err(failed);
    }
    let text = root.to_vec().map_err(failed)?;
    // Parse the text, because numbers then keep their short form.
    let mut tree: Value = serde_json::from_slice(&text).map_err(failed)?;
    let meshes = tree.get_mut("meshes").and_then(Value::as_array_mut);
    for (mesh, names) in meshes.into_iter().flatten().zip(target_names) {
        if let Some(mesh) = mesh.as_object_mut().filter(|_| !names.is_empty()) {
            mesh.insert("extras".to_owned(), json!({ "targetNames": names }));
        }
    }
    set_pointers(&mut tree, &data.pointers);
    serde_json::to_vec(&tree).map_err(failed)
}

/// Replaces the placeholders of channels that have a pointer (`KHR_animation_pointer`).
fn set_pointers(tree: &mut Value, channels: &[PointerChannel]) {
    for PointerChannel { animation, channel, pointer } in channels {
        let stored =
            tree.pointer_mut(&format!("/animations/{animation}/channels/{channel}/target"));
        if let Some(target) = stored {
            let extension = json!({ ANIMATION_POINTER: { "pointer": pointer } });
            *target = json!({ "path": "pointer", "extensions": extension });
        }
    }
}

fn set_buffer(data: &mut FileData, uri: Option<String>) {
    if data.bin.is_empty() {
        return;
    }
    data.root.buffers = vec![Buffer {
        byte_length: data.bin.len().into(),
        name: None,
        uri,
        extensions: None,
        extras: Default::default(),
    }];
}

pub(super) fn binary_file(
    mut data: FileData,
    target_names: &[Vec<String>],
) -> Result<Vec<u8>, WriteError> {
    set_buffer(&mut data, None);
    let json = json_text(&data, target_names)?;
    container::join(&json, &data.bin).ok_or_else(|| too_large("bytes", data.bin.len()))
}

fn text_files(
    mut data: FileData,
    target_names: &[Vec<String>],
    stem: &str,
) -> Result<Vec<OutputFile>, WriteError> {
    let bin_name = content_name(stem, "bin", &data.bin);
    set_buffer(&mut data, Some(super::super::uri::encode_path(&bin_name)));
    let mut files = vec![OutputFile::main(json_text(&data, target_names)?)];
    if !data.bin.is_empty() {
        files.push(OutputFile {
            place: OutputPlace::Named(bin_name),
            bytes: data.bin,
            is_related_file: true,
            origins: Origins::default(),
        });
    }
    Ok(files)
}
