//! Writing: a packed model is written byte for byte; any other is packed first.

use std::collections::BTreeSet;

use super::ID;
use super::layout::{ClipHead, Header, InverseBind, MAX_NAMED_BONES, MAX_VERTICES, SubsetRecord};
use crate::formats::added_bones::{SECOND_BIND, WITHOUT_WEIGHTS, report_added_bone};
use crate::formats::record::Record;
use crate::formats::related_images::{MaterialImages, material_images, used_materials};
use crate::formats::rigged_model::report_mirrored;
use crate::formats::{OutputFile, OutputPlace, WriteError, WriteOptions};
use rigscope_core::model::{
    BoneId, FindingKind, Indices, Influences, KeySpace, Mesh, Model, Motion, Origins,
    PackedVertices, Place, Report, SampledMotion, Skin, Subset, VertexData, as_u32, counted,
    numbers,
};
use rigscope_core::pack::{PackOptions, Packing, pack};
use rigscope_core::reshape::ReshapeError;

pub(super) fn write(
    model: &Model,
    options: &WriteOptions,
    report: &Report,
) -> Result<Vec<OutputFile>, WriteError> {
    report.progress("writing", 0.0)?;
    if model.num_vertices() == 0 {
        return Err(WriteError::NothingToWrite { format: ID, what: "vertices" });
    }
    if let Some((mesh, vertices)) = verbatim(model, options) {
        let main = OutputFile::main(encode(model, mesh, vertices)?);
        let mut files = vec![main.of(Origins::same(model))];
        files.extend(images(model, options).files(model, &options.images, report));
        report.progress("writing", 1.0)?;
        return Ok(files);
    }
    let bake = PackOptions {
        hierarchy: options.hierarchy,
        last_bones: options.last_bones,
        rate: options.rate,
        never_split: options.never_split,
        ..PackOptions::default()
    };
    let packing = pack(model, &bake, report).map_err(write_error)?;
    report_packing(&packing, report);
    let num_parts = packing.parts.len();
    let mut files = Vec::with_capacity(num_parts);
    for (number, part) in packing.parts.iter().enumerate() {
        let (mesh, vertices) =
            packed_mesh(&part.model).ok_or(WriteError::ReadOnly { format: ID })?;
        files.push(OutputFile {
            place: match num_parts {
                1 => OutputPlace::Main,
                _ => OutputPlace::Suffix(format!(".{number}")),
            },
            bytes: encode(&part.model, mesh, vertices)?,
            is_related_file: false,
            origins: part.origins.clone(),
        });
    }
    files.extend(images(model, options).files(model, &options.images, report));
    report.progress("writing", 1.0)?;
    Ok(files)
}

/// The images that are found by the names of written materials.
pub(super) fn images(model: &Model, options: &WriteOptions) -> MaterialImages {
    let is_verbatim = verbatim(model, options).is_some();
    let materials = used_materials(model).map(|(id, material)| {
        let name = if material.name.is_empty() && !is_verbatim {
            // The same name as in `pack::pack`.
            format!("material {}", id.0)
        } else {
            material.name.clone()
        };
        (name, material)
    });
    material_images(model, materials, false)
}

fn write_error(error: ReshapeError) -> WriteError {
    match error {
        ReshapeError::TooMany { what, count, limit } => {
            WriteError::TooMany { format: ID, what, count: count as u64, limit: limit as u64 }
        }
        ReshapeError::Cancelled => WriteError::Cancelled,
        source => WriteError::Bake { format: ID, source },
    }
}

/// Reports changes, and dropped data that [`losses`](crate::formats::losses) don't measure.
pub fn report_packing(packing: &Packing, report: &Report) {
    let (dropped, changed) = (&packing.dropped, &packing.changed);
    let num_cut = dropped.num_cut_vertices as u64;
    report.add_places(FindingKind::InfluencesCut, 1, (num_cut > 0).then_some(Place::File), || {
        let vertices = counted(num_cut, "vertex");
        let share = numbers::up_to_percent(dropped.worst_share);
        let moved = numbers::number(dropped.displacement);
        format!(
            "influences beyond four of {vertices}: {share} of the weight, which moves a vertex by up to {moved} units"
        )
    });
    let tell = |kind, count: usize, what: &str| {
        report.add_many(kind, Place::File, count as u64, || what.to_owned());
    };
    let made = "normals were computed for meshes without normals";
    let num_made = changed.num_meshes_with_new_normals;
    tell(FindingKind::NormalsMade, num_made, made);
    report_mirrored(changed.num_reversed_meshes, report);
    let moved = "UVs were moved by whole tiles";
    tell(FindingKind::UvTilesMoved, changed.num_moved_uvs, moved);
    let cut = "triangles were cut at the borders of texture tiles";
    tell(FindingKind::UvTilesCut, changed.num_cut_triangles, cut);
    let clamped = "UVs outside 0 to 1 were clamped";
    tell(FindingKind::UvsClamped, dropped.num_clamped_uvs, clamped);
    let still = "vertices without weights were bound to a bone that doesn't move";
    tell(FindingKind::UnweightedOnStillBone, changed.num_unweighted, still);
    let doubled = "bones are stored once per bind pose";
    tell(FindingKind::BoneDoubled, changed.num_doubled_bones, doubled);
    report_added(packing, report);
    let of_source = packing.parts.first().and_then(|part| part.origins.clips.as_ref());
    let num_made = of_source.into_iter().flatten().filter(|clip| clip.is_none()).count();
    let made = "clip \"static\" was added, because the format has no rest pose";
    tell(FindingKind::ClipAdded, num_made, made);
    if packing.parts.len() > 1 {
        let text = format!("the model was split into {} files", packing.parts.len());
        report.add(FindingKind::SplitIntoFiles, Place::File, text);
    }
}

/// Reports the bones that no bone of the source moves, and copies of bones.
fn report_added(packing: &Packing, report: &Report) {
    let mut names = BTreeSet::new();
    for part in &packing.parts {
        let of_source: &[Option<BoneId>] = part.origins.bones.as_ref().map_or(&[], |list| list);
        let mut known = BTreeSet::new();
        for (bone, source) in part.model.skeleton.bones().iter().zip(of_source) {
            let (is_copy, is_still) = (!known.insert(*source), source.is_none());
            if (is_copy || is_still) && names.insert(&bone.name) {
                let reason = if is_still { WITHOUT_WEIGHTS } else { SECOND_BIND };
                report_added_bone(&bone.name, reason, report);
            }
        }
    }
}

/// The packed mesh of a model that is stored unchanged under these options.
pub(super) fn verbatim<'a>(
    model: &'a Model,
    options: &WriteOptions,
) -> Option<(&'a Mesh, &'a PackedVertices)> {
    let adds_hierarchy = options.hierarchy && !model.skeleton.has_hierarchy();
    let is_as_wanted = !adds_hierarchy && options.rate.is_none();
    packed_mesh(model).filter(|_| is_as_wanted)
}

/// The packed mesh of a model that can be stored unchanged.
fn packed_mesh(model: &Model) -> Option<(&Mesh, &PackedVertices)> {
    let [mesh] = &*model.meshes else { return None };
    let VertexData::Packed(vertices) = &mesh.vertices else { return None };
    let is_bound = match &mesh.skin {
        // The format has no slots: vertices refer to bones directly.
        Skin::InverseBind(skin) => {
            let num = as_u32(model.skeleton.len());
            matches!(skin.influences, Influences::InVertices)
                && skin.bones.iter().copied().eq((0..num).map(BoneId))
        }
        Skin::None => model.skeleton.is_empty(),
        Skin::BoneLocal(_) => false,
    };
    let space = if model.skeleton.has_hierarchy() { KeySpace::Local } else { KeySpace::Skin };
    let is_sampled = model.clips.iter().all(|clip| match &clip.motion {
        Motion::Sampled(motion) => {
            motion.space == space && motion.keys.num_bones() as usize == model.skeleton.len()
        }
        _ => false,
    });
    (is_bound && is_sampled && mesh.morph_targets.is_empty()).then_some((mesh, vertices))
}

/// A count as stored.
fn count(what: &'static str, num: usize, limit: u32) -> Result<u32, WriteError> {
    let count = u32::try_from(num).ok().filter(|&num| num <= limit);
    count.ok_or(WriteError::TooMany { format: ID, what, count: num as u64, limit: limit.into() })
}

fn any_count(what: &'static str, num: usize) -> Result<u32, WriteError> {
    count(what, num, u32::MAX)
}

fn string(out: &mut Vec<u8>, text: &str) -> Result<(), WriteError> {
    any_count("bytes of a name", text.len())?.put(out);
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

fn encode(model: &Model, mesh: &Mesh, vertices: &PackedVertices) -> Result<Vec<u8>, WriteError> {
    // A subset without material needs one to refer to.
    let needs_material = mesh.subsets.iter().any(|s| s.material.is_none());
    let added_material = needs_material.then_some(model.materials.len());
    let num_materials = model.materials.len() + usize::from(needs_material);

    let max_bones = if model.skeleton.has_hierarchy() { MAX_NAMED_BONES } else { u32::MAX };
    let header = Header {
        num_vertices: any_count("vertices", vertices.len())?,
        num_indices: any_count("indices", mesh.indices.len())?,
        num_subsets: any_count("subsets", mesh.subsets.len())?,
        num_bones: count("bones", model.skeleton.len(), max_bones)?,
        num_materials: any_count("materials", num_materials)?,
        num_clips: any_count("clips", model.clips.len())?,
    };
    let mut out = Vec::new();
    header.put(&mut out);
    out.extend_from_slice(vertices.bytes());
    indices(&mut out, &mesh.indices)?;
    for &Subset { first_index, index_count, material } in &mesh.subsets {
        let material = material.map(|m| m.index()).or(added_material).unwrap_or_default();
        let material = any_count("materials", material)?;
        SubsetRecord { first_index, index_count, material }.put(&mut out);
    }
    for material in &model.materials {
        string(&mut out, &material.name)?;
    }
    if needs_material {
        string(&mut out, "default")?;
    }
    for clip in &model.clips {
        let Motion::Sampled(motion) = &clip.motion else { continue };
        string(&mut out, &clip.name)?;
        let &SampledMotion { duration_ns, interval_ns, ref keys, .. } = motion;
        let num_keys = any_count("keys", keys.num_keys())?;
        ClipHead { duration_ns, interval_ns, num_keys }.put(&mut out);
        out.extend_from_slice(keys.bytes());
    }
    if model.skeleton.has_hierarchy() {
        hierarchy(&mut out, model, mesh)?;
    }
    if let Some(trailing) = model.preserved(ID, "trailing") {
        out.extend_from_slice(trailing);
    }
    Ok(out)
}

fn indices(out: &mut Vec<u8>, indices: &Indices) -> Result<(), WriteError> {
    match indices {
        Indices::U16(bytes) => out.extend_from_slice(bytes),
        Indices::U32(list) => {
            for &index in list {
                let short = u16::try_from(index).map_err(|_| WriteError::TooMany {
                    format: ID,
                    what: "vertices",
                    count: u64::from(index) + 1,
                    limit: MAX_VERTICES as u64,
                })?;
                short.put(out);
            }
        }
    }
    Ok(())
}

fn hierarchy(out: &mut Vec<u8>, model: &Model, mesh: &Mesh) -> Result<(), WriteError> {
    let bones = model.skeleton.bones();
    match model.preserved(ID, "parents") {
        Some(bytes) if bytes.len() == bones.len() => out.extend_from_slice(bytes),
        _ => {
            for (index, bone) in bones.iter().enumerate() {
                let parent = bone.parent.map_or(index, |parent| parent.index());
                // The number of bones was checked above.
                out.push(u8::try_from(parent).unwrap_or(u8::MAX));
            }
        }
    }
    let binds = match &mesh.skin {
        Skin::InverseBind(skin) => skin.bone_from_mesh.as_slice(),
        _ => &[],
    };
    for bone in 0..bones.len() {
        let bind = binds.get(bone).copied().unwrap_or(glam::Mat4::IDENTITY);
        let glam::Mat4 { x_axis: x, y_axis: y, z_axis: z, w_axis: w } = bind;
        InverseBind { x, y, z, w }.put(out);
    }
    for bone in bones {
        string(out, &bone.name)?;
    }
    Ok(())
}
