"""The behaviour of UsdSkel for skeletons and animations, as measured with Pixar's library.

These tests document the answers; they fail if a new version of the library behaves differently.
"""

import numpy as np
from pxr import Gf, Usd, UsdSkel, Vt

from measured import same


def test_default_time_shows_the_rest_pose_if_there_are_only_keys(measured):
    stage = measured("rest-differs-from-bind")
    assert same(stage.points("default"), stage.points("rest"))
    assert not same(stage.points("rest"), stage.points("bind"))


def test_keys_win_over_default_values_at_every_time_code(measured):
    stage = measured("default-values-and-keys")
    assert same(stage.points(), measured("skinned").points())
    assert not same(stage.points("default"), stage.points("rest"))


def test_single_key_holds_at_all_times_but_not_at_the_default_time(measured):
    stage = measured("single-key")
    assert same(stage.points(), stage.points()[:1])
    assert same(stage.points("default"), stage.points("rest"))


def test_without_animation_the_rest_pose_applies(measured):
    stage = measured("without-animation")
    assert same(stage.points("default"), stage.points("rest"))
    assert not same(stage.points("default"), stage.points("bind"))


def test_rest_pose_is_not_needed_under_an_animation_of_all_joints(measured):
    stage = measured("rest-missing-under-full-animation")
    assert same(stage.points(), measured("skinned").points())
    assert stage.failures("rest") == stage.failures("default") == {"the skeleton has no pose"}


def test_sparse_animation_without_rest_pose_poses_nothing(measured):
    stage = measured("rest-missing-under-sparse-animation")
    assert stage.failures() == {"the skeleton has no pose"}
    assert same(stage.baked_points(), stage.stored_points())


def test_sparse_animation_keeps_the_rest_pose_of_other_joints(measured):
    stage = measured("sparse-animation")
    assert same(stage.points()[0], stage.points("rest")[0])
    assert not same(stage.points()[0], stage.points("bind")[0])


def test_unknown_joint_of_an_animation_is_ignored(measured):
    stage = measured("animation-joint-unknown")
    assert stage.warnings == []
    assert not same(stage.points(), measured("skinned").points())
    assert stage.failures() == {None}


def test_joints_out_of_order_make_the_skeleton_invalid(measured):
    stage = measured("joints-out-of-order")
    assert stage.failures() == {"the skeleton has no pose"}
    assert "invalid topology" in stage.warnings[0]
    assert same(stage.baked_points(), stage.stored_points())


def test_parent_is_the_nearest_listed_ancestor_and_ill_formed_paths_are_roots():
    joints = ["A", "A/B/C", "X/Y", "rig:A", "rig:A/B"]
    assert list(UsdSkel.Topology(Vt.TokenArray(joints)).GetParentIndices()) == [-1, 0, -1, -1, -1]


def test_duplicate_joints_are_a_valid_topology():
    topology = UsdSkel.Topology(Vt.TokenArray(["A", "A/B", "A/B"]))
    assert topology.Validate()[0] and list(topology.GetParentIndices()) == [-1, 0, 0]


def test_bind_pose_of_another_size_poses_nothing(measured):
    for name in ("bind-transforms-missing", "bind-transforms-too-short"):
        stage = measured(name)
        assert stage.failures() == {"the skeleton has no pose"}
        assert same(stage.baked_points(), stage.stored_points())


def test_python_returns_joint_transforms_as_skinning_transforms_without_a_bind_pose(measured):
    stage = Usd.Stage.Open(str(measured("bind-transforms-missing").path))
    query = UsdSkel.Cache().GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Model/Skeleton")))
    assert query.ComputeSkinningTransforms(0) == query.ComputeJointSkelTransforms(0)


def test_incomplete_animations_are_ignored(measured):
    rest = measured("skinned").points("rest")
    for name in ("scales-missing", "translations-too-short", "blocked-keys"):
        assert same(measured(name).points(), rest), name
    assert same(measured("inactive-animation").points("default"), rest)


def test_missing_scales_cause_no_warning(measured):
    assert measured("scales-missing").warnings == []
    assert "failed composing transforms" in measured("translations-too-short").warnings[1]


def test_value_before_a_blocked_sample_holds_and_then_the_rest_pose_applies(measured):
    stage = measured("blocked-sample")
    times = np.array([facts["time_code"] for facts in stage.answer["poses"] if facts["kind"] == "clip"])
    is_rest = [same(points, stage.points("rest")[0]) for points in stage.points()]
    assert [bool(rest) for rest in is_rest] == [time == 0 or 12 <= time < 24 for time in times]


def test_animation_source_is_inherited_by_the_skeleton_and_not_taken_from_the_mesh(measured):
    assert same(measured("animation-source-on-skel-root").points(), measured("skinned").points())
    on_mesh = measured("animation-source-on-mesh")
    assert same(on_mesh.points(), on_mesh.points("rest"))


def test_nearest_animation_source_wins(measured):
    assert same(measured("animation-source-replaced-below").points(), measured("skinned").points())


def test_translations_and_scales_are_linear_and_rotations_spherical(measured):
    stage = Usd.Stage.Open(str(measured("wide-rotation").path))
    rotations = UsdSkel.Animation(stage.GetPrimAtPath("/Model/Animation")).GetRotationsAttr()
    first, last = rotations.Get(0)[1], rotations.Get(24)[1]
    assert (rotations.Get(6)[1] - Gf.Slerp(0.25, first, last)).GetLength() < 1e-6
    stage.SetInterpolationType(Usd.InterpolationTypeHeld)
    assert rotations.Get(6)[1] == first


def test_values_hold_outside_of_the_keys_and_the_range_of_the_layer_does_not_clamp(measured):
    stage = measured("range-beyond-keys")
    assert same(stage.points()[0], measured("skinned").points()[0])
    assert same(stage.points()[-1], measured("skinned").points()[-1])
    inner = Usd.Stage.Open(str(measured("range-within-keys").path))
    rotations = UsdSkel.Animation(inner.GetPrimAtPath("/Model/Animation")).GetRotationsAttr()
    assert rotations.Get(24) != rotations.Get(20)


def test_quaternions_are_not_normalised(measured):
    matrix = UsdSkel.MakeTransform(Gf.Vec3f(0), Gf.Quatf(0, 2, 0, 0), Gf.Vec3h(1, 1, 1))
    # A unit quaternion would give (1, 0, 0), (0, -1, 0), (0, 0, -1).
    assert np.allclose(np.array(matrix)[:3, :3], np.diag((1, -7, -7)))


def test_skeleton_outside_of_a_skel_root_works_and_a_mesh_outside_does_not(measured):
    skeleton = measured("skeleton-outside-skel-root")
    assert same(skeleton.points() - (0, 0, 1), measured("skinned").points(), 1e-5)
    for name in ("mesh-outside-skel-root", "no-skel-root"):
        stage = measured(name)
        assert not stage.meshes[0]["skinned"] and same(stage.points(), stage.stored_points())


def test_instances_have_their_own_animations(measured):
    stage = measured("instances-with-animations")
    assert [mesh["skeleton"] for mesh in stage.meshes] == ["/Model/Instance0/Skeleton", "/Model/Instance1/Skeleton"]
    assert not same(stage.points(mesh=0) + (3, 0, 0), stage.points(mesh=1))


def test_skeleton_query_of_an_instance_has_the_prim_of_the_prototype(measured):
    stage = Usd.Stage.Open(str(measured("instanced-characters").path))
    query = UsdSkel.Cache().GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Model/Instance1/Skeleton")))
    assert query.GetPrim().IsInPrototype()


def test_inverse_of_a_singular_bind_transform_is_a_huge_scale(measured):
    assert Gf.Matrix4d(0).GetInverse()[0][0] > 1e38
    assert measured("bind-singular").failures() == {"a bind transform has no inverse"}
