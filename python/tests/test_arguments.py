"""Errors of wrong arguments name the argument."""

import inspect

import numpy as np
import pytest

import rigscope


class Unknown:
    """Of no type that any argument has."""


#: Arguments that are correct, for each function.
FUNCTIONS = {
    "open": lambda sample, path, folder: dict(source=path),
    "validate": lambda sample, path, folder: dict(source=path),
    "diff": lambda sample, path, folder: dict(a=sample, b=sample),
    "convert": lambda sample, path, folder: dict(source=sample, to=folder / "a.glb", save=False),
    "fix": lambda sample, path, folder: dict(source=path, to=folder / "a.bsm2", save=False),
    "render": lambda sample, path, folder: dict(source=sample),
    "catalog_row": lambda sample, path, folder: dict(source=path),
    "build": lambda sample, path, folder: {},
}
METHODS = {"pose": {}, "sample": {}, "validate": {}, "view": {}, "find_clip": {}}
#: Arguments that are files; the message describes a file instead of naming the argument.
FILES = {"source", "a", "b", "good"}


def check(function, given, name, value=None):
    with pytest.raises(TypeError) as caught:
        function(**{**given, name: Unknown() if value is None else value})
    message = str(caught.value)
    assert ("a file must be" in message) if name in FILES else message.startswith(name), message
    assert ("Unknown" in message or "object at" in message) if value is None else True, message
    assert "instance of" not in message and "extract" not in message, message


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_name_the_argument(function, sample, sample_path, tmp_path):
    given = FUNCTIONS[function](sample, sample_path, tmp_path)
    for name in inspect.signature(getattr(rigscope, function)).parameters:
        if name == "around" or (function == "render" and not rigscope.HAS_RENDER):
            continue
        check(getattr(rigscope, function), given, name)


@pytest.mark.parametrize("method", METHODS)
def test_methods_name_the_argument(method, sample):
    for name in inspect.signature(getattr(rigscope.Model, method)).parameters:
        if name != "self":
            check(getattr(sample, method), METHODS[method], name)


def test_parts_of_models_name_the_argument(sample):
    check(sample.clips[0].sample, {}, "time")
    check(sample.clips[0].sample, dict(time=0.1), "sampling")
    check(sample.sample().model_from_mesh, {}, "mesh")


def test_similar_types_are_not_confused(sample, sample_path, tmp_path):
    with pytest.raises(TypeError, match="companions must be a list of paths"):
        rigscope.open(sample_path, companions="texture.png")
    with pytest.raises(TypeError, match=r"companions\[1\] must be a path or a pair of name and bytes, not bytes"):
        rigscope.open(sample_path, companions=["texture.png", b"bytes"])
    with pytest.raises(TypeError, match=r"meshes\[0\] must be a dictionary, not str"):
        rigscope.build(["positions"])
    with pytest.raises(TypeError, match="bones must be a list of dictionaries, not dict"):
        rigscope.build(bones=dict(name="root"))
    with pytest.raises(TypeError, match="clip must be the name or number of a clip, not bool"):
        sample.pose(True)
    with pytest.raises(ValueError, match="unit_meters must be more than 0"):
        rigscope.build(unit_meters=0)
    with pytest.raises(ValueError, match="unit_meters must be a finite number"):
        rigscope.build(unit_meters=float("nan"))
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        rigscope.open(sample_path, colour="red")
    many = rigscope.fix(sample_path, tmp_path / "a.bsm2", rules="weights-not-normalized,not-finite", save=False)
    assert many.paths == []


@pytest.mark.skipif(not rigscope.HAS_RENDER, reason="built without rendering")
def test_sizes_and_angles_may_be_lists(sample):
    with pytest.raises(TypeError, match="size must be two whole numbers, not int"):
        rigscope.render(sample, size=64)
    with pytest.raises(TypeError, match="size must be a whole number, not float"):
        rigscope.render(sample, size=(64.5, 64))
    with pytest.raises(ValueError, match="angles must be a finite number, not nan"):
        rigscope.render(sample, angles=(np.nan, 0))
    try:
        image = rigscope.render(sample, size=[16, 8], angles=np.array([10.0, 20.0]), show=["surface", "bones"])
    except rigscope.errors.RenderError as error:
        pytest.skip(f"no device for rendering: {error}")
    assert image.shape == (8, 16, 4)
