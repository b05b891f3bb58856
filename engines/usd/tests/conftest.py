"""Fixtures of all tests: the modules of the parent folder, and the program to test."""

import os
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent
sys.path.insert(0, str(FOLDER))


@pytest.fixture(scope="session")
def rigscope():
    """The path of Rigscope: $RIGSCOPE, or the debug build."""
    path = Path(os.environ.get("RIGSCOPE", FOLDER.parent.parent / "target/debug/rigscope"))
    if not path.exists():
        pytest.skip(f"{path} doesn't exist; build it or set RIGSCOPE")
    return str(path)


@pytest.fixture
def measured(tmp_path):
    """A function that returns the `Measured` stage of a name."""
    # The import needs the path that this module adds.
    from measured import Measured
    return lambda name: Measured(tmp_path, name)
