"""The type stubs match the module, and every item has a docstring."""

import ast
import inspect
from pathlib import Path

import rigscope
from rigscope import _rigscope

STUB = ast.parse((Path(rigscope.__file__).parent / "_rigscope.pyi").read_text())


def members(cls):
    return {name for name in vars(cls) if not name.startswith("_")}


def test_stubs_match_the_module():
    classes = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
    functions = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
    for name, value in vars(_rigscope).items():
        if name.startswith("_"):
            continue
        if inspect.isclass(value):
            stub = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
            stub = {member for member in stub if not member.startswith("_")}
            assert stub == members(value), name
        elif callable(value):
            signature = inspect.signature(value)
            arguments = functions[name].args
            stub = [argument.arg for argument in arguments.args + arguments.kwonlyargs]
            parameters = signature.parameters.values()
            keywords = [p.name for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD]
            assert stub == keywords + _rigscope._option_names(name), name
    there = {name for name, value in vars(_rigscope).items() if callable(value)}
    typed = {name for name in classes if not name.endswith("Arrays")} | set(functions)
    assert typed - there <= {"render"}


def test_every_item_has_a_docstring():
    for name in rigscope.__all__:
        value = getattr(rigscope, name)
        if inspect.isclass(value) or inspect.isroutine(value):
            assert value.__doc__, name
        if inspect.isclass(value) and value.__module__ == "rigscope":
            for member in members(value):
                assert getattr(value, member).__doc__, f"{name}.{member}"
