//! Compares packed models with their source.

use crate::measure::{MeasureOptions, PerPair, VertexValues, measure, normals, uvs, weights};
use crate::model::testing::*;
use crate::model::{ClipId, MeshId};
use crate::pack::{PackOptions, Packing, pack};
use crate::pose::{PoseSpec, sample, skin_model};
use crate::reshape::fixture::bent_strip;

fn packed(model: &Model) -> Packing {
    pack(model, &PackOptions::default(), &Report::new()).unwrap()
}

fn positions_of(model: &Model, packing: &Packing) -> VertexValues {
    let job = packing.job(model);
    let measured = measure(
        &job,
        MeasureOptions { per_pair: PerPair::AtKeys, ..MeasureOptions::default() },
        &Report::new(),
    )
    .unwrap();
    VertexValues::of(&job, &measured.per_pair)
}

fn normals_of(model: &Model, packing: &Packing) -> VertexValues {
    let job = packing.job(model);
    let first = |model: &Model| {
        let spec = PoseSpec::at_key(None, 0);
        sample(model, &spec)
    };
    let made: Vec<_> = packing.parts.iter().map(|part| first(&part.model)).collect();
    VertexValues::of(&job, &normals(&job, &first(model), &made))
}

fn uvs_of(model: &Model, packing: &Packing) -> VertexValues {
    let job = packing.job(model);
    VertexValues::of(&job, &uvs(&job))
}

#[test]
fn deviations_are_within_rounding() {
    let model = bent_strip();
    let packing = packed(&model);
    let positions = positions_of(&model, &packing);
    assert_eq!((positions.of_source.len(), positions.of_parts[0].len()), (3, 3));
    assert!(positions.max < 1e-6, "{}", positions.max);
    // Ten bits per component, sixteen bits per coordinate, eight bits per weight.
    assert!(normals_of(&model, &packing).max < 0.3);
    let uv = uvs_of(&model, &packing);
    assert!(uv.max < 1e-4 && uv.of_source[0].is_finite());
    let job = packing.job(&model);
    let bones = packing.parts[0].origins.bones.as_ref().unwrap();
    let weight =
        VertexValues::of(&job, &weights(&job, |_, bone| bones[BoneId::from_index(bone.index())]));
    assert!(weight.max > 0.0 && weight.max < 0.005, "{}", weight.max);
    // A weight of one fifth is 51 of 255, up to rounding.
    assert_eq!(weight.worst, Some(VertexAt::new(0, 2)));
}

#[test]
fn vertex_moved_after_packing_is_found_in_both_models() {
    let model = bent_strip();
    let packing = packed(&model);
    let mut moved = model.clone();
    let streams = streams_mut(&mut moved.meshes[MeshId(0)]);
    streams.positions[1].z += 1.0;
    streams.uv_sets[0].coords[0].x += 0.25;
    streams.normals[2] = -streams.normals[2];
    let positions = positions_of(&moved, &packing);
    assert!((positions.max - 0.0254).abs() < 1e-5);
    assert_eq!(positions.worst, Some(VertexAt::new(0, 1)));
    let of_packed = positions.of_parts[0].iter().copied().fold(0.0, f32::max);
    assert_eq!(of_packed, positions.max);
    let uv = uvs_of(&moved, &packing);
    assert!((uv.of_source[0] - 0.25).abs() < 1e-4);
    assert!(uv.of_source[1] < 1e-4);
    assert!(normals_of(&moved, &packing).of_source[2] > 179.0);
}

/// Compares every vertex at `num` moments of the clip, without the measuring code.
fn brute_force(model: &Model, packing: &Packing, num: u32) -> f64 {
    let part = &packing.parts[0];
    let mut largest = 0.0f64;
    for step in 0..=num {
        let spec = PoseSpec::at_secs(ClipId(0), f64::from(step) / f64::from(num));
        let (source, made) = (skin_model(model, &spec), skin_model(&part.model, &spec));
        let display = model.axes.display_from_file();
        part.origins.meshes[0].for_each(made[0].positions.len(), |vertex, origin| {
            let from = origin.nearest().vertex.index();
            let wanted = display.transform_point3(source[0].positions[from]);
            let found = made[0].positions[vertex as usize];
            largest = largest.max(f64::from(wanted.distance(found)));
        });
    }
    largest
}

#[test]
fn deviation_between_keys_matches_a_brute_force_search() {
    let model = bent_strip();
    let packing = packed(&model);
    let measured =
        measure(&packing.job(&model), MeasureOptions::default(), &Report::new()).unwrap();
    assert!(measured.max_at_keys() < 1e-6);
    let key = packing.parts[0].model.clips[ClipId(0)].uniform_keys().unwrap();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    let steps = (8.0 / key.1).round() as u32;
    let found = brute_force(&model, &packing, steps);
    let ratio = measured.max() / found;
    assert!((0.95..1.05).contains(&ratio), "{} and {found}", measured.max());
    let worst = measured.worst.unwrap();
    assert_eq!((worst.clip, worst.key), (Some(ClipId(0)), None));
}

#[test]
fn unpacked_vertex_animation_counts_as_deviation() {
    let mut model = bent_strip();
    let far = glam::Vec3::new(0.0, 0.0, 10.0);
    model.clips[ClipId(0)].motion = Motion::VertexAnimation(VertexAnimation {
        is_blended: false,
        mesh: MeshId(0),
        times_secs: vec![0.0, 0.5, 1.0],
        positions: std::sync::Arc::new(
            [0.0, 1.0, 0.5].iter().flat_map(|share| (0..3).map(move |_| far * *share)).collect(),
        ),
    });
    model.clips[ClipId(0)].duration_secs = 1.0;
    let packing = packed(&model);
    let measured =
        measure(&packing.job(&model), MeasureOptions::default(), &Report::new()).unwrap();
    assert!(measured.max() > 0.2, "{}", measured.max());
    assert_eq!(measured.worst.unwrap().time_secs, 0.5);
}
