"""The behaviour of UsdSkel for influences, blend shapes and normals, as measured with Pixar's library."""

import numpy as np
import pytest
from pxr import Gf, UsdSkel, Vt

from measured import same

IDENTITY = Gf.Matrix4d(1)


def skinned(method, transforms, weights, points=((1, 0, 0),)):
    """A point skinned by joints of the given transforms."""
    array = Vt.Vec3fArray([Gf.Vec3f(*point) for point in points])
    assert UsdSkel.SkinPoints(method, IDENTITY, Vt.Matrix4dArray(transforms), Vt.IntArray(range(len(transforms))),
                              Vt.FloatArray(weights), len(transforms), array)
    return np.array(array[0])


def rotated(degrees):
    return Gf.Matrix4d().SetRotate(Gf.Rotation(Gf.Vec3d(0, 0, 1), degrees))


def test_transform_of_a_skinned_mesh_has_no_effect(measured):
    for name in ("mesh-with-transform", "mesh-with-animated-transform"):
        assert same(measured(name).points(), measured("skinned").points()), name


def test_skeleton_joints_indices_weights_and_geom_bind_are_inherited(measured):
    stage = measured("bound-on-intermediate-xform")
    assert [mesh["skinned"] for mesh in stage.meshes] == [True, True]
    assert not same(stage.points(mesh=0), stage.stored_points())


def test_skinning_method_is_inherited(measured):
    inherited, linear = measured("dual-quaternion-inherited"), measured("skinned")
    assert same(inherited.points(), measured("dual-quaternion").points())
    assert not same(inherited.points(), linear.points(), 1e-2)


def test_binding_properties_need_the_api_schema(measured):
    stage = measured("binding-api-not-applied")
    assert not stage.meshes[0]["skinned"] and stage.warnings == []


def test_weights_are_not_normalised_by_linear_skinning():
    assert same(skinned("classicLinear", [IDENTITY, IDENTITY], [0.5, 0.25]), (0.75, 0, 0))


def test_weights_are_normalised_by_dual_quaternions_without_scale():
    assert same(skinned("dualQuaternion", [IDENTITY, IDENTITY], [0.5, 0.25]), (1, 0, 0))


def test_dual_quaternions_scale_linearly_before_they_rotate():
    scaled = Gf.Matrix4d().SetScale(Gf.Vec3d(3, 1, 1)) * rotated(90)
    half = skinned("dualQuaternion", [IDENTITY, scaled], [0.5, 0.5])
    assert same(half, (2 * np.sqrt(0.5), 2 * np.sqrt(0.5), 0))


def test_one_scaled_joint_brings_unnormalised_weights_back():
    scaled = Gf.Matrix4d().SetScale(Gf.Vec3d(2, 2, 2))
    assert same(skinned("dualQuaternion", [IDENTITY, scaled], [0.5, 0.0]), (0.5, 0, 0))


def test_points_without_weights_move_to_the_origin_of_the_skeleton(measured):
    assert same(measured("weights-zero").points()[:, :6], 0)


@pytest.mark.parametrize("name", ["joint-index-out-of-range", "joint-index-out-of-range-without-weight",
                                  "joint-index-negative", "element-size-does-not-divide", "element-size-missing",
                                  "influences-too-few", "weights-too-few"])
def test_invalid_influences_leave_the_mesh_unskinned(measured, name):
    stage = measured(name)
    assert stage.meshes[0]["skinned"] and stage.failures() == {"the influences are invalid"}
    assert same(stage.baked_points(), stage.stored_points())


def test_index_out_of_range_stops_in_the_middle_of_the_points():
    points = Vt.Vec3fArray([Gf.Vec3f(1, 0, 0)] * 3)
    assert not UsdSkel.SkinPoints("classicLinear", IDENTITY, Vt.Matrix4dArray([rotated(180)]), Vt.IntArray([0, 1, 0]),
                                  Vt.FloatArray([1, 0, 1]), 1, points)
    assert [point[0] for point in points] == pytest.approx([-1, 1, 1])


@pytest.mark.parametrize("name", ["element-size-differs", "influence-interpolation-invalid", "skeleton-target-invalid",
                                  "influences-without-skeleton"])
def test_invalid_bindings_are_ignored_so_that_the_transform_of_the_mesh_applies(measured, name):
    stage = measured(name)
    assert not stage.meshes[0]["skinned"]


def test_unknown_joint_of_a_mesh_has_two_answers(measured):
    stage = measured("binding-joint-unknown")
    assert not same(stage.points(), stage.baked_points(), 1e-2)


def test_nested_meshes_are_not_skinned(measured):
    assert [mesh["skinned"] for mesh in measured("mesh-below-skinned-mesh").meshes] == [True, False]


def test_blend_shapes_without_influences_keep_the_transform_of_the_mesh(measured):
    stage = measured("blend-shapes-without-influences")
    assert not stage.meshes[0]["skinned"]
    assert same(stage.points()[0], stage.stored_points() + (1, 2, 0))


def test_weights_of_blend_shapes_are_matched_by_name(measured):
    ordered, other = measured("blend-shapes"), measured("blend-shapes-in-other-order")
    assert same(ordered.points(), other.points())


def test_shape_that_the_animation_does_not_name_has_weight_0(measured):
    stage = measured("blend-shape-without-animation")
    assert stage.failures() == {None} and same(stage.points()[0], measured("skinned").points()[0])


def test_animation_without_joints_keeps_the_rest_pose(measured):
    stage = measured("blend-shapes-only")
    assert same(stage.points()[0], stage.points("rest")[0]) and not same(stage.points()[3], stage.points("rest")[0])


@pytest.mark.parametrize("name", ["blend-shape-index-out-of-range", "blend-shape-too-short",
                                  "blend-shape-target-missing"])
def test_invalid_blend_shapes_are_left_out_and_joints_still_apply(measured, name):
    stage = measured(name)
    assert same(stage.baked_points(), measured("skinned").points())


def test_inbetween_at_1_is_skipped(measured):
    assert same(measured("inbetween-at-one").points(), measured("blend-shapes").points())


def test_primvar_normals_win_over_normals(measured):
    assert not same(measured("normals-as-primvar").normals(), measured("skinned").normals(), 1e-2)


def test_orientation_does_not_change_normals(measured):
    assert same(measured("left-handed").normals("default"), measured("quads").normals("default"))


def test_skinned_normals_are_normalised():
    normals = Vt.Vec3fArray([Gf.Vec3f(1, 0, 0)])
    half = Gf.Matrix3d(0.5)
    assert UsdSkel.SkinNormals("classicLinear", half, Vt.Matrix3dArray([Gf.Matrix3d(1)]), Vt.IntArray([0]),
                               Vt.FloatArray([1]), 1, normals)
    assert np.linalg.norm(np.array(normals), axis=1) == pytest.approx(1)
