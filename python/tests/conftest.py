import os
from pathlib import Path

import pytest

import rigscope

ROOT = Path(__file__).resolve().parents[2]


def samples_folder():
    """The folder of real samples, if it exists."""
    named = os.environ.get("RIGSCOPE_SAMPLES")
    folder = Path(named) if named else ROOT.parent / "shared" / "samples"
    return folder if folder.is_dir() else None


@pytest.fixture
def sample_path():
    return ROOT / "assets" / "sample.bsm2"


@pytest.fixture
def sample(sample_path):
    return rigscope.open(sample_path)


@pytest.fixture
def samples():
    folder = samples_folder()
    if folder is None:
        pytest.skip("no real samples: set RIGSCOPE_SAMPLES")
    return folder
