"""Signatures, types and docstrings of the public functions."""

import ast
import inspect
import os
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import pytest

import rigscope
import typed_use
from rigscope import _rigscope, reader, readers, types

PYTHON = Path(__file__).resolve().parents[1]
STUB = ast.parse((PYTHON / "rigscope" / "_rigscope.pyi").read_text())
FUNCTIONS = [getattr(rigscope, name) for name in rigscope.__all__ if inspect.isroutine(getattr(rigscope, name))]
#: Parameters of functions that aren't options of the command line.
OPEN = {"companions", "without", "no_effect", "fps", "up", "bones_by_order", "format"}
OWN = {
    "open": {"source", "companions"},
    "catalog_row": {"source", "companions", "around"},
    "validate": {"source"} | OPEN,
    "diff": {"a", "b"},
    "convert": {"source", "to", "to_format", "save", "overwrite", "check"},
}


def members(cls):
    return {name for name in vars(cls) if not name.startswith("_")}


def parameters(function):
    return inspect.signature(function).parameters


@pytest.mark.parametrize("name", OWN)
def test_keywords_are_the_options_of_the_library(name):
    keywords = set(parameters(getattr(rigscope, name)))
    assert keywords == set(_rigscope._option_names(name)) | OWN[name]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_parameters_are_named_and_have_visible_defaults(function):
    for parameter in parameters(function).values():
        assert parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD), parameter
        assert parameter.default is not ..., parameter


@pytest.mark.parametrize("name", ["pose", "sample", "view", "validate", "find_clip"])
def test_methods_have_the_parameters_of_their_stubs(name):
    stub = next(node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == "Model")
    arguments = next(node.args for node in stub.body if isinstance(node, ast.FunctionDef) and node.name == name)
    found = parameters(getattr(rigscope.Model, name)).values()
    assert [argument.arg for argument in arguments.args + arguments.kwonlyargs] == [own.name for own in found]
    assert all(parameter.default is not ... for parameter in found)


def test_types_exist_at_run_time():
    for function in FUNCTIONS:
        if function is not rigscope.formats:
            assert "return" in typing.get_type_hints(function), function
    for function in (reader.open, reader.build, reader.run, reader.write, readers.settings):
        assert "return" in typing.get_type_hints(function), function
    for name, value in vars(types).items():
        if name.endswith("Arrays"):
            assert typing.get_type_hints(value), name


def test_every_item_has_a_docstring():
    for name in rigscope.__all__:
        value = getattr(rigscope, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert value.__doc__, name
        if inspect.isclass(value) and value.__module__ == "rigscope":
            for member in members(value):
                assert getattr(value, member).__doc__, f"{name}.{member}"
    for module in (reader, readers):
        for name in module.__all__:
            value = getattr(module, name)
            assert value.__doc__ or not inspect.isroutine(value), name


def test_a_script_can_use_every_keyword(sample_path, tmp_path):
    typed_use.main(sample_path, tmp_path)


def check(*command):
    """Runs a type checker in the folder of pyproject.toml."""
    environment = {**os.environ, "PYTHONPATH": str(Path(rigscope.__file__).parents[1]), "MYPY_CACHE_DIR": str(PYTHON.parent / "target" / "mypy")}
    done = subprocess.run(command, cwd=PYTHON, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_finds_no_errors():
    pytest.importorskip("mypy")
    check(sys.executable, "-m", "mypy")
    check(sys.executable, "-m", "mypy", "--strict", "tests/typed_use.py")


def test_the_stub_matches_the_compiled_module():
    pytest.importorskip("mypy")
    options = ["--mypy-config-file", "pyproject.toml", "--allowlist", "tests/stubtest.txt", "--ignore-unused-allowlist"]
    check(sys.executable, "-m", "mypy.stubtest", "rigscope", *options)


def test_pyright_finds_no_errors():
    program = shutil.which("pyright", path=os.path.dirname(sys.executable)) or shutil.which("pyright")
    if program is None:
        pytest.skip("pyright isn't installed")
    check(program, "--pythonpath", sys.executable)
