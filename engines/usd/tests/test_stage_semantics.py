"""The behaviour of USD for units, times, transforms and composition, as measured with Pixar's library."""

import numpy as np
from pxr import Gf, Sdf, Usd, UsdUtils

from measured import same


def test_units_and_up_axis_have_fallbacks(measured):
    assert measured("missing-units").answer["meters_per_unit"] == 0.01
    assert measured("missing-up-axis").answer["up_axis"] == "Y"


def test_references_are_not_converted_to_the_units_and_the_axis_of_the_root_layer(measured):
    assert same(measured("reference-in-other-unit").points(), measured("skinned").points())


def test_frames_per_second_replace_missing_time_codes_per_second(measured):
    assert measured("only-frames-per-second").answer["time_codes_per_second"] == 48
    assert measured("no-rates").answer["time_codes_per_second"] == 24


def test_time_codes_of_a_reference_are_scaled_by_the_ratio_of_rates(measured):
    # At time code 12 of 24 per second, the referenced layer is at 24 of 48 per second, its last key.
    stage = measured("reference-at-other-rate")
    assert same(stage.points()[-1], measured("skinned").points()[-1])
    assert same(stage.points()[4], measured("skinned").points()[-1])


def test_offset_of_a_reference_is_added_after_its_scale(measured):
    stage = Usd.Stage.Open(str(measured("reference-with-offset").path))
    rotations = stage.GetPrimAtPath("/Model/Animation").GetAttribute("rotations")
    assert rotations.GetTimeSamples() == [6, 12, 18]


def test_modify_asset_paths_resets_offsets_of_sublayers():
    layer = Sdf.Layer.CreateAnonymous()
    layer.subLayerPaths.append("a.usda")
    layer.subLayerOffsets[0] = Sdf.LayerOffset(4, 0.75)
    UsdUtils.ModifyAssetPaths(layer, lambda path: "b.usda")
    assert layer.subLayerOffsets == [Sdf.LayerOffset()]


def test_operations_with_keys_only_have_no_effect_at_the_default_time(measured):
    stage = measured("animated-operations")
    assert same(stage.points("default"), stage.stored_points() + (0.5, -1, 2))


def test_matrices_are_interpolated_by_element_and_quaternions_spherically(measured):
    stage = Usd.Stage.Open(str(measured("animated-matrix").path))
    matrix = stage.GetPrimAtPath("/Model/Tube").GetAttribute("xformOp:transform")
    assert np.allclose(np.array(matrix.Get(3)), 0.75 * np.array(matrix.Get(0)) + 0.25 * np.array(matrix.Get(12)))
    stage = Usd.Stage.Open(str(measured("animated-orientation").path))
    orient = stage.GetPrimAtPath("/Model/Tube").GetAttribute("xformOp:orient")
    assert (orient.Get(4) - Gf.Slerp(0.5, orient.Get(0), orient.Get(8))).GetLength() < 1e-6


def test_points_whose_number_changes_hold(measured):
    stage = Usd.Stage.Open(str(measured("changing-topology").path))
    points = stage.GetPrimAtPath("/Model/Tube").GetAttribute("points")
    assert points.Get(11.9) == points.Get(8) and len(points.Get(12)) == 24


def test_time_samples_of_points_have_no_value_at_the_default_time(measured):
    assert measured("point-cache").failures("default") == {"there are no points at this time"}


def test_visibility_and_purpose_are_inherited(measured):
    hidden = {mesh["path"]: mesh["poses"][0]["shown"] for mesh in measured("visibility").meshes}
    assert hidden == {"/Model/Shown": True, "/Model/Hidden": False, "/Model/Group/Inner": False}
    purposes = {mesh["path"]: mesh["purpose"] for mesh in measured("inherited-purpose").meshes}
    assert purposes == {"/Model/Shown": "default", "/Model/Guides/Inner": "guide"}


def test_hidden_meshes_are_skinned(measured):
    assert all(mesh["skinned"] for mesh in measured("hidden-character").meshes)


def test_inactive_undefined_and_abstract_prims_are_not_part_of_the_scene(measured):
    for name in ("inactive-prims", "undefined-over", "class-prim"):
        assert len(measured(name).meshes) == 1, name


def test_broken_references_leave_the_rest_of_the_stage(measured):
    for name, message in (("reference-missing", "Could not open asset"), ("reference-loop", "Cycle detected"),
                          ("sublayer-missing", "Could not load sublayer")):
        stage = measured(name)
        assert len(stage.meshes) == 1 and message in stage.warnings[0], name


def test_unlisted_operations_have_no_effect(measured):
    stage = measured("unlisted-operation")
    assert same(stage.points("default"), stage.stored_points() + (1.5, -1, 2))


def test_animation_source_is_inherited_from_above_the_skel_root_and_the_skeleton_is_not(measured):
    assert same(measured("animation-source-above-skel-root").points(), measured("skinned").points())
    assert not measured("skeleton-bound-above-skel-root").meshes[0]["skinned"]


def test_half_precision_of_scales_is_kept_between_keys(measured):
    stage = Usd.Stage.Open(str(measured("animated-scale").path))
    scales = stage.GetPrimAtPath("/Model/Animation").GetAttribute("scales").Get(20)
    assert isinstance(scales[1], Gf.Vec3h)
