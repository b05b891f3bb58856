//! Verifies the postcondition of [`super::check`].
//!
//! For: debug builds, tests and fuzzing. Not for: fixing models; nothing downstream needs this.

use glam::Vec3;

use crate::model::{
    Environment, Influences, Interpolation, KEY_STRIDE_BYTES, Mesh, Model, MorphTarget, Motion,
    PackedVertex, SampledMotion, Skin, Streams, Track, VertexData,
};

/// Checks that a model satisfies the postcondition of `check`.
///
/// | part | conditions |
/// |---|---|
/// | vertices | numbers are finite; every attribute is empty or as long as the positions |
/// | triangles, lines, points | every index refers to a vertex, even outside subsets; subsets are within the list, consist of whole triangles and have materials that exist |
/// | skins | slots, rows and bones exist; weights are finite and not negative; matrices are finite |
/// | morph targets | vertices exist and ascend; offsets and weights are finite; shapes ascend by weight |
/// | clips | bones, meshes and targets exist; times are finite and ascend; values are finite and complete; keys are empty or have all bones |
/// | others | rest transforms, hulls, the occlusion mesh, bounds and surface properties are finite; images of textures and of the environment exist, and materials of an effect's images |
///
/// # Errors
/// The first condition that isn't met.
pub fn verify(model: &Model) -> Result<(), String> {
    let num_bones = model.skeleton.len();
    for (number, mesh) in model.meshes.iter().enumerate() {
        verify_mesh(mesh, num_bones, model.materials.len())
            .map_err(|what| format!("mesh {number}: {what}"))?;
    }
    for (number, clip) in model.clips.iter().enumerate() {
        let in_clip = |what: String| format!("clip {number}: {what}");
        let times = [clip.start_secs, clip.duration_secs];
        let times = times.iter().chain(clip.events.iter().map(|event| &event.time_secs));
        ensure(times.copied().all(f64::is_finite), "times").map_err(in_clip)?;
        let mut bones = clip.events.iter().filter_map(|event| event.bone);
        ensure(bones.all(|bone| bone.index() < num_bones), "events").map_err(in_clip)?;
        verify_motion(&clip.motion, model).map_err(in_clip)?;
        for track in &clip.morph_tracks {
            let mesh = model.meshes.get(track.mesh);
            let exists = mesh.is_some_and(|mesh| track.target < mesh.morph_targets.len());
            ensure(exists, "morph target of a track").map_err(in_clip)?;
            verify_track(&track.weights, |weight| weight.is_finite()).map_err(in_clip)?;
        }
        for track in &clip.material_tracks {
            let exists = track.material.index() < model.materials.len();
            ensure(exists, "material of a track").map_err(in_clip)?;
            verify_track(&track.values, |value| value.is_finite()).map_err(in_clip)?;
        }
    }
    let mut rest = model.skeleton.bones().iter().map(|bone| &bone.rest_local);
    ensure(rest.all(|rest| rest.to_affine().is_finite()), "rest transforms")?;
    let mut hulls = model.hulls.iter().flat_map(|hull| &hull.points);
    ensure(hulls.all(|point| point.is_finite()), "hulls")?;
    if let Some(occluder) = &model.occluder {
        let num = occluder.positions.len();
        ensure(are_finite(&occluder.positions), "occlusion mesh")?;
        ensure(occluder.indices.len().is_multiple_of(3), "triangles of the occlusion mesh")?;
        let mut indices = occluder.indices.iter();
        ensure(indices.all(|&index| (index as usize) < num), "indices of the occlusion mesh")?;
    }
    if let Some(bounds) = &model.stored_bounds {
        ensure(bounds.is_finite(), "stored bounds")?;
    }
    for material in &model.materials {
        let mut images = material.textures.iter().filter_map(|texture| texture.image);
        ensure(images.all(|image| image.index() < model.images.len()), "images")?;
        let mut placed = material.textures.iter().filter_map(|t| t.texture_from_uv.as_ref());
        ensure(placed.all(|placed| placed.is_finite()), "placed textures")?;
        let colors = material.look.as_ref().map(|look| look.base_color);
        ensure(colors.is_none_or(|color| color.is_finite()), "colours")?;
    }
    if let Some(Environment { irradiance, prefiltered, split_sum }) = model.environment {
        let mut images = [irradiance, prefiltered, split_sum].into_iter().flatten();
        ensure(images.all(|image| image.index() < model.images.len()), "environment")?;
    }
    if let Some(effect) = &model.effect {
        let of_images = effect.images.iter().map(|image| image.material);
        let mut used = of_images.chain(effect.unlisted_images.iter().map(|image| image.material));
        ensure(used.all(|id| id.index() < model.materials.len()), "materials of an effect")?;
    }
    let unit = model.axes.unit_meters;
    ensure(unit.is_none_or(|unit| unit.is_finite() && unit > 0.0), "unit")
}

fn ensure(is_met: bool, what: &str) -> Result<(), String> {
    is_met.then_some(()).ok_or_else(|| what.to_owned())
}

fn are_finite(list: &[Vec3]) -> bool {
    list.iter().all(|value| value.is_finite())
}

fn verify_mesh(mesh: &Mesh, num_bones: usize, num_materials: usize) -> Result<(), String> {
    let num = mesh.num_vertices();
    match &mesh.vertices {
        VertexData::Streams(streams) => verify_streams(streams)?,
        VertexData::Packed(packed) => {
            ensure(packed.iter().all(|v| v.position.is_finite()), "positions")?;
        }
    }
    let mut indices = mesh.indices.iter();
    ensure(indices.all(|index| (index as usize) < num), "indices")?;
    for subset in &mesh.subsets {
        let is_inside = subset.range().end <= mesh.indices.len();
        ensure(is_inside && subset.index_count.is_multiple_of(3), "subsets")?;
        let material = subset.material;
        ensure(material.is_none_or(|id| id.index() < num_materials), "materials")?;
    }
    for loose in &mesh.loose {
        let mut indices = loose.indices.iter();
        ensure(indices.all(|&index| (index as usize) < num), "indices of lines or points")?;
        let is_whole = loose.indices.len().is_multiple_of(loose.kind.num_corners());
        ensure(is_whole && !loose.is_empty(), "lines or points")?;
        let material = loose.material;
        ensure(
            material.is_none_or(|id| id.index() < num_materials),
            "materials of lines or points",
        )?;
    }
    let attached_to = mesh.attached_to;
    ensure(attached_to.is_none_or(|bone| bone.index() < num_bones), "attached")?;
    verify_skin(mesh, num_bones)?;
    mesh.morph_targets.iter().try_for_each(|target| verify_target(target, num))
}

fn verify_streams(streams: &Streams) -> Result<(), String> {
    let num = streams.positions.len();
    let fits = |len: usize| len == 0 || len == num;
    let uvs = &streams.uv_sets;
    ensure(
        fits(streams.normals.len()) && fits(streams.tangents.len()) && fits(streams.colors.len()),
        "lengths of attributes",
    )?;
    ensure(uvs.iter().all(|set| set.coords.len() == num), "lengths of uv sets")?;
    let mut fours = streams.tangents.iter().chain(&streams.colors);
    let mut twos = uvs.iter().flat_map(|set| &set.coords);
    ensure(
        are_finite(&streams.positions)
            && are_finite(&streams.normals)
            && fours.all(|value| value.is_finite())
            && twos.all(|value| value.is_finite()),
        "attributes",
    )
}

fn verify_skin(mesh: &Mesh, num_bones: usize) -> Result<(), String> {
    let num = mesh.num_vertices();
    let are_rows = |first: &[u32], num_entries: usize| {
        first.len() == num + 1
            && first.is_sorted()
            && first.first() == Some(&0)
            && first.last().is_some_and(|&last| last as usize == num_entries)
    };
    match &mesh.skin {
        Skin::None => Ok(()),
        Skin::InverseBind(skin) => {
            let mut bones = skin.bones.iter();
            ensure(bones.all(|bone| bone.index() < num_bones), "bones of slots")?;
            let num_matrices = skin.bone_from_mesh.len();
            let num_slots = skin.bones.len();
            ensure(num_matrices == 0 || num_matrices == num_slots, "inverse binds")?;
            let mut matrices = skin.bone_from_mesh.iter();
            ensure(matrices.all(|matrix| matrix.is_finite()), "inverse binds")?;
            match &skin.influences {
                Influences::InVertices => {
                    let VertexData::Packed(packed) = &mesh.vertices else {
                        return Err("influences in vertices that are not packed".to_owned());
                    };
                    let exists = |(slot, _)| usize::from(slot) < num_slots;
                    let is_sound = |vertex: PackedVertex| vertex.influences().all(exists);
                    ensure(packed.iter().all(is_sound), "influences")
                }
                Influences::Rows { first, slots, weights } => {
                    let num_entries = slots.len();
                    ensure(are_rows(first, num_entries), "rows of influences")?;
                    ensure(weights.len() == num_entries, "weights")?;
                    let exists = |&slot: &u32| (slot as usize) < num_slots;
                    ensure(slots.iter().all(exists), "slots")?;
                    let is_sound = |weight: &f32| weight.is_finite() && *weight >= 0.0;
                    ensure(weights.iter().all(is_sound), "weights")
                }
            }
        }
        Skin::BoneLocal(skin) => {
            let num_entries = skin.influences.len();
            ensure(are_rows(&skin.first, num_entries), "rows of influences")?;
            let mut influences = skin.influences.iter();
            let is_sound = influences.all(|influence| {
                influence.bone.index() < num_bones
                    && influence.weight.is_finite()
                    && influence.position.is_finite()
                    && influence.normal.is_finite()
            });
            ensure(is_sound, "influences")
        }
    }
}

fn verify_target(target: &MorphTarget, num_vertices: usize) -> Result<(), String> {
    ensure(target.default_weight.is_finite(), "weight of a morph target")?;
    let full = |shape: &crate::model::MorphShape| shape.full_weight;
    let are_sorted = target.shapes.is_sorted_by(|a, b| full(a) <= full(b));
    ensure(are_sorted, "order of shapes")?;
    target.shapes.iter().try_for_each(|shape| {
        let num = shape.vertices.len();
        let num_normals = shape.normal_offsets.len();
        let last = shape.vertices.last();
        ensure(
            shape.full_weight.is_finite()
                && shape.position_offsets.len() == num
                && (num_normals == 0 || num_normals == num)
                && shape.vertices.is_sorted()
                && last.is_none_or(|last| last.index() < num_vertices)
                && are_finite(&shape.position_offsets)
                && are_finite(&shape.normal_offsets),
            "shape",
        )
    })
}

fn verify_motion(motion: &Motion, model: &Model) -> Result<(), String> {
    let num_bones = model.skeleton.len();
    match motion {
        Motion::Sampled(motion) => verify_keys(motion, num_bones),
        Motion::Tracks(tracks) => tracks.iter().try_for_each(|track| {
            ensure(track.bone.index() < num_bones, "bone of a track")?;
            let mut vectors = [&track.translation, &track.scale].into_iter().flatten();
            vectors.try_for_each(|track| verify_track(track, |value| value.is_finite()))?;
            let rotation = track.rotation.as_ref();
            rotation.map_or(Ok(()), |track| verify_track(track, |value| value.is_finite()))
        }),
        // Checked by the library that evaluates them.
        Motion::Curves(_) => Ok(()),
        Motion::VertexAnimation(cache) => {
            let mesh = model.meshes.get(cache.mesh);
            let num = mesh.ok_or("mesh of a vertex cache")?.num_vertices();
            let times = &cache.times_secs;
            let is_ordered = times.iter().all(|time| time.is_finite()) && times.is_sorted();
            ensure(is_ordered, "times of a vertex cache")?;
            let is_whole = times.len().checked_mul(num) == Some(cache.positions.len());
            ensure(is_whole && are_finite(&cache.positions), "vertex cache")
        }
    }
}

fn verify_keys(motion: &SampledMotion, num_bones: usize) -> Result<(), String> {
    let keys = &motion.keys;
    ensure(keys.num_bones() as usize == num_bones, "bones of keys")?;
    let (records, _) = keys.bytes().as_chunks::<KEY_STRIDE_BYTES>();
    let mut floats = records.iter().flat_map(|record| record.as_chunks::<4>().0);
    ensure(floats.all(|&float| f32::from_le_bytes(float).is_finite()), "keys")
}

fn verify_track<T>(track: &Track<T>, is_sound: impl Fn(&T) -> bool) -> Result<(), String> {
    let times = &track.times_secs;
    let num_values = match track.interpolation {
        Interpolation::Cubic => 3 * times.len(),
        _ => times.len(),
    };
    let is_ordered = times.iter().all(|time| time.is_finite()) && times.is_sorted();
    ensure(is_ordered && !times.is_empty(), "times of a track")?;
    let values = &track.values;
    ensure(values.len() == num_values && values.iter().all(is_sound), "values of a track")
}
