//! Reads a file: container, JSON, buffers, then nodes, materials, meshes and animations.

use gltf_json::Root;

use super::asset::Asset;
use super::buffers::Buffers;
use super::fault::unsupported_version;
use super::memory::Memory;
use super::mesh::Meshes;
use super::texture::ImageTable;
use super::write::MESH_NODES;
use super::{
    ID, animation, container, draco, extensions, json, material, nodes, stored_accessors,
    structure, vrm,
};
use crate::formats::{ReadError, ReadOptions, Source};
use rigscope_core::model::{Axes, Detail, Model, Preserved, Report, StoredScene};

/// Reads a whole file.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let mut parts = container::split(&source.content, &options.limits, report)?;
    let read = read_parts(source, &parts, options, report);
    match (parts.truncation.take(), read) {
        (_, Err(ReadError::Cancelled)) => Err(ReadError::Cancelled),
        // A truncated file is rejected even if some of it could be read.
        (Some(cut), _) => Err(cut),
        (None, read) => read.map(|model| Model { provenance: report.take_provenance(), ..model }),
    }
}

fn read_parts(
    source: &Source,
    parts: &container::ContainerParts,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let limits = &options.limits;
    report.progress("reading json", 0.05)?;
    let file = &source.content;
    let std::ops::Range { start, end } = parts.json;
    let text = file.part(start as u64..end as u64).map_err(ReadError::Io)?;
    let file_bytes = usize::try_from(file.len()).unwrap_or(usize::MAX);
    let mut document = json::parse(&text, start, file_bytes, report)?;
    check_version(&document.root)?;
    extensions::check_required(&document.root)?;
    extensions::report_unread(&document.root, report);
    let root = &mut document.root;
    let mut buffers = Buffers::load(root, source, parts, limits.max_alloc_bytes, report)?;
    let num_bytes = file.len().saturating_add(buffers.num_related_file_bytes);
    let mut memory = Memory::new(limits, num_bytes);
    let draco = draco::expand(root, &mut buffers, &mut memory, report)?;
    let mut asset = Asset::new(&document, buffers, memory, draco, report);
    let skeleton = nodes::skeleton(&asset, limits.max_bones)?;
    let nodes::Shown { is_shown, depth_first } = nodes::shown(&asset)?;
    let images = ImageTable::read(&mut asset)?;
    let materials = material::read(&mut asset, &images)?;
    let meshes = Meshes::read(&mut asset, &is_shown)?;
    let (clips, tracks) = animation::read(&mut asset, &meshes, &materials)?;
    structure::check(&asset, &skeleton, &is_shown, &meshes);
    let vrm = vrm::read(asset.root, &meshes);
    let mut details = details(asset.root);
    let faces_backward = vrm.as_ref().is_some_and(|vrm| vrm.faces_backward);
    let avatar = vrm.map(|vrm| {
        details.extend(vrm.details);
        Box::new(vrm.avatar)
    });
    let preserved = Preserved { format: ID, what: MESH_NODES, bytes: meshes.nodes() };
    Ok(Model {
        axes: Axes {
            // Section 3.4: metres.
            unit_meters: Some(1.0),
            faces_backward,
            ..Axes::default()
        },
        meshes: meshes.list.into(),
        materials: materials.into(),
        images: images.list.into(),
        skeleton,
        clips: clips.into(),
        copyright: asset.root.asset.copyright.clone(),
        details,
        avatar,
        stored: StoredScene {
            required_extensions: asset.root.extensions_required.clone(),
            used_extensions: asset.root.extensions_used.clone(),
            depth_first,
            pointer_tracks: tracks.by_pointer,
            integer_tracks: tracks.of_integers,
            repeated_tracks: tracks.repeated,
            unsorted_tracks: tracks.unsorted,
            has_pointer_channels: asset.unknown_paths.iter().any(json::UnknownPath::is_pointer),
            has_channels_without_node: asset.has_channels_without_node,
            has_interleaved_keys: stored_accessors::has_interleaved_keys(asset.root),
            has_sparse_accessors: stored_accessors::has_sparse(asset.root),
            raw_rotations: nodes::raw_rotations(&asset),
            fbx: None,
        },
        preserved: vec![preserved],
        related_bytes: asset.buffers.related(options.related_bytes, report),
        ..Model::default()
    })
}

/// Section 3.2: the major version decides, but a file may require a minor one.
fn check_version(root: &Root) -> Result<(), ReadError> {
    let asset = &root.asset;
    let needed = asset.min_version.as_deref().filter(|&v| v != "2.0");
    let version = needed.unwrap_or(&asset.version);
    if needed.is_none() && version.starts_with("2.") {
        Ok(())
    } else {
        Err(unsupported_version("asset", version))
    }
}

fn details(root: &Root) -> Vec<(&'static str, Detail)> {
    let text = |name, value: &Option<String>| {
        let value = value.as_ref()?;
        Some((name, Detail::Text(value.clone())))
    };
    let extensions = root.extensions_used.join(", ");
    let rows = [
        Some(("version", Detail::Text(root.asset.version.clone()))),
        text("generator", &root.asset.generator),
        text("copyright", &root.asset.copyright),
        (!extensions.is_empty()).then_some(("extensions", Detail::Text(extensions))),
    ];
    rows.into_iter().flatten().collect()
}
