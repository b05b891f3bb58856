"""Processes that are started after models were opened, by every method."""

import subprocess
import sys
from pathlib import Path

import pytest

import rigscope
from test_build import arm

ROOT = Path(__file__).resolve().parents[2]
#: Seconds that a script needs at most; a pool that waits for threads that it doesn't have would wait for ever.
LIMIT_SECS = 240

#: Functions that compute on several threads, for one of each kind of pool.
SCRIPT = """
import multiprocessing, os, sys, warnings
from concurrent.futures import ProcessPoolExecutor
import numpy as np
import rigscope

# Python 3.12 warns about every fork of a process with threads.
warnings.simplefilter("ignore", DeprecationWarning)

def checked(path):
    return len(rigscope.validate(path))

def validated(model):
    return model.validate()

def converted(model):
    return rigscope.convert(model, "model.glb", save=False)

def compared(model):
    return rigscope.diff(model, model).is_equal

def posed(model):
    return model.pose("bend", np.linspace(0, 0.2, 20))[0].positions.mean()

def height(model):
    return max(mesh.positions[:, 1].max() for mesh in model.pose())

def diagnosed(model):
    return rigscope.diagnose(model)

def in_a_child(model):
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("fork")) as pool:
        return pool.submit(checked, sys.argv[1]).result()

FUNCTIONS = [validated, converted, compared, posed, height, diagnosed]

def main():
    path, kind = sys.argv[1:]
    model = rigscope.open(path)
    # The threads of this process exist from here on.
    own = [function(model) for function in FUNCTIONS]
    start = multiprocessing.get_context("fork" if kind in ("fork", "mp", "nested") else kind)
    if kind == "mp":
        with start.Pool(2) as pool:
            others = [pool.apply(function, (model,)) for function in FUNCTIONS]
    else:
        with ProcessPoolExecutor(2, mp_context=start) as pool:
            others = [pool.submit(function, model).result() for function in FUNCTIONS]
            if kind == "nested":
                assert pool.submit(in_a_child, model).result() == len(own[0])
            assert list(pool.map(rigscope.validate, [path] * 4)) == [own[0]] * 4
    assert own == others, (own, others)
    assert others[1].data == own[1].data and others[1].origin is None

if __name__ == "__main__":
    main()
"""


def starts():
    if sys.platform == "win32":
        return ["spawn"]
    return ["fork", "mp", "nested", "spawn", "forkserver"] if sys.platform == "linux" else ["spawn", "forkserver"]


@pytest.fixture(scope="module")
def large_path(tmp_path_factory):
    """A model with enough vertices for computations on several threads."""
    path = tmp_path_factory.mktemp("large") / "arm.glb"
    rigscope.convert(rigscope.build(**arm(200, 100)), path, check=False)
    return path


@pytest.mark.parametrize("start", starts())
def test_pools_compute_after_models_were_opened(start, large_path, tmp_path):
    script = tmp_path / "pool.py"
    script.write_text(SCRIPT)
    environment = {"PYTHONPATH": str(ROOT / "python"), "PATH": ""}
    command = [sys.executable, str(script), str(large_path), start]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_SECS)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.skipif(not rigscope.HAS_RENDER, reason="built without rendering")
def test_a_forked_process_renders(sample, sample_path, tmp_path):
    try:
        rigscope.render(sample, size=(16, 16))
    except rigscope.errors.RenderError as error:
        pytest.skip(f"no device for rendering: {error}")
    script = tmp_path / "render.py"
    script.write_text(
        "import multiprocessing, sys, rigscope\n"
        "def drawn(path):\n"
        "    return rigscope.render(path, size=(64, 48))[..., 3].sum()\n"
        "if __name__ == '__main__':\n"
        "    own = drawn(sys.argv[1])\n"
        "    with multiprocessing.get_context('fork').Pool(1) as pool:\n"
        "        assert pool.apply(drawn, sys.argv[1:]) == own\n"
    )
    command = [sys.executable, str(script), str(sample_path)]
    environment = {"PYTHONPATH": str(ROOT / "python"), "PATH": ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT_SECS)
    assert done.returncode == 0, done.stdout + done.stderr
