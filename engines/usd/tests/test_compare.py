"""Tests of the comparison with formats that Rigscope reads already."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from answers import answer
from compare import Expectation, deviations, outcome
from gltf_to_usd import with_unit_rotations, write_usd
from posing import Refusal, poses_of, stage_from_rigscope

SAMPLES = Path(os.environ.get("RIGSCOPE_SAMPLES", "/work/shared/samples"))
SIMPLE_SKIN = SAMPLES / "gltf/SimpleSkin.gltf"
BSM2 = Path(__file__).parents[3] / "assets/sample.bsm2"


@pytest.fixture
def gltf_path(tmp_path):
    """The sample `SimpleSkin` with unit quaternions."""
    if not SIMPLE_SKIN.exists():
        pytest.skip(f"{SIMPLE_SKIN} doesn't exist; set RIGSCOPE_SAMPLES")
    path = tmp_path / "simple_skin.gltf"
    path.write_text(json.dumps(with_unit_rotations(json.loads(SIMPLE_SKIN.read_text()))))
    return path


@pytest.fixture
def simple_skin(gltf_path):
    """Pixar's answer about the USD version of the file."""
    path = gltf_path.with_suffix(".usda")
    write_usd(json.loads(gltf_path.read_text()), path)
    return answer(path)


def test_gltf_agrees_with_pixar(rigscope, gltf_path, simple_skin):
    found = outcome(rigscope, gltf_path, simple_skin, Expectation(simple_skin))
    assert found.kind == "passes", found


def test_a_moved_point_deviates(rigscope, gltf_path, simple_skin):
    simple_skin["meshes"][0]["poses"][3]["points"][4][0] += 1e-3
    found = outcome(rigscope, gltf_path, simple_skin, Expectation(simple_skin))
    assert found.kind == "deviates", found


def test_another_unit_deviates(rigscope, gltf_path, simple_skin):
    simple_skin["meters_per_unit"] = 0.01
    assert outcome(rigscope, gltf_path, simple_skin, Expectation(simple_skin)).kind == "deviates"


def test_a_missing_mesh_deviates(rigscope, gltf_path, simple_skin):
    other = json.loads(json.dumps(simple_skin["meshes"][0]))
    for pose in other["poses"]:
        # The skeleton has no rest pose.
        pose["points"] = pose["points"] and [[x + 3, y, z] for x, y, z in pose["points"]]
    simple_skin["meshes"].append(other)
    expected = Expectation(simple_skin)
    assert outcome(rigscope, gltf_path, simple_skin, expected).kind == "deviates"
    for pose in other["poses"]:
        pose["shown"] = False
    assert outcome(rigscope, gltf_path, simple_skin, Expectation(simple_skin)).kind == "passes"


def test_a_file_agrees_with_itself(rigscope):
    requests = [["--time", "0.1"], ["--time", "0.3"]]
    poses = poses_of(rigscope, BSM2, requests, 1.0, "Y")
    expected = Expectation.__new__(Expectation)
    order = np.random.default_rng(1).permutation(poses.vertices.shape[1])
    expected.points, expected.normals = poses.vertices[:, order], poses.normals[:, order]
    expected.required = np.ones(len(order), bool)
    expected.point_of_normal = np.arange(len(order))
    assert deviations(poses, expected) == (0.0, 0.0)


def test_refusals_have_the_message_without_the_path(rigscope, tmp_path):
    path = tmp_path / "absent.glb"
    with pytest.raises(Refusal) as refusal:
        poses_of(rigscope, path, [[]], 1.0, "Y")
    assert str(path) not in str(refusal.value) and not refusal.value.is_crash


def test_metres_with_y_up_become_centimetres_with_z_up():
    info = {"unit_meters": 1.0, "axes": {"up": "y"}}
    matrix = stage_from_rigscope(info, 0.01, "Z")
    assert np.allclose(matrix @ (1, 2, 3), (100, -300, 200))
