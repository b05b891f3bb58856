"""Tests of the matching of vertices and points, with made-up poses."""

import numpy as np
import pytest

from trajectories import match, normal_deviation, size, unit

GENERATOR = np.random.default_rng(7)
POINTS = GENERATOR.normal(size=(4, 50, 3))
ALL = np.ones(50, bool)


def split(points):
    """The points in another order, some of them several times."""
    return points[:, np.concatenate([GENERATOR.permutation(50), [3, 3, 8]])]


def test_accepts_reordered_and_split_vertices():
    assert match(split(POINTS), POINTS, ALL).deviation == 0


def test_measures_the_deviation_of_one_vertex_in_one_pose():
    vertices = split(POINTS)
    vertices[2, 7] += (0.003, 0, 0)
    assert match(vertices, POINTS, ALL).deviation == pytest.approx(0.003)


def test_rejects_vertices_that_exchange_their_places():
    vertices = POINTS.copy()
    vertices[2, [4, 5]] = vertices[2, [5, 4]]
    assert match(vertices, POINTS, ALL).deviation > 0.1


def test_rejects_a_missing_vertex():
    assert match(POINTS[:, 1:], POINTS, ALL).deviation > 0.1


def test_accepts_a_missing_vertex_that_is_not_required():
    required = ALL.copy()
    required[0] = False
    assert match(POINTS[:, 1:], POINTS, required).deviation == 0


def test_rejects_an_additional_vertex():
    vertices = np.concatenate([POINTS, np.full((4, 1, 3), 9.0)], axis=1)
    assert match(vertices, POINTS, ALL).deviation > 1


def test_rejects_a_model_without_vertices():
    assert match(np.zeros((4, 0, 3)), POINTS, ALL).deviation == np.inf


def test_accepts_two_empty_models():
    assert match(np.zeros((4, 0, 3)), np.zeros((4, 0, 3)), np.zeros(0, bool)).deviation == 0


def test_size_is_the_diagonal_of_the_first_pose():
    assert size(np.array([[[0, 0, 0], [3, 4, 0]], [[0, 0, 0], [99, 0, 0]]])) == 5


def test_measures_the_angle_of_a_normal():
    normals = unit(GENERATOR.normal(size=(4, 50, 3)))
    turned = normals.copy()
    sideways = np.cross(normals[1, 6], (0, 0, 1))
    turned[1, 6] = normals[1, 6] * np.cos(0.2) + sideways / np.linalg.norm(sideways) * np.sin(0.2)
    assert normal_deviation(POINTS, turned, POINTS, normals, np.arange(50), 1e-6) == pytest.approx(0.2)


def test_accepts_any_normal_of_a_point():
    normals = unit(GENERATOR.normal(size=(4, 100, 3)))
    owners = np.arange(100) % 50
    assert normal_deviation(POINTS, normals[:, 50:], POINTS, normals, owners, 1e-6) == 0
