"""Rendering, if a device is available."""

import os

import numpy as np
import pytest

import rigscope

pytestmark = pytest.mark.skipif(not rigscope.HAS_RENDER, reason="built without rendering")


def drawn(*args, **options):
    try:
        return rigscope.render(*args, **options)
    except rigscope.errors.RenderError as error:
        pytest.skip(f"no device for rendering: {error}")


def test_a_picture_shows_the_model_upright(sample):
    picture = drawn(sample, size=(120, 160), transparent=True, angles=(0, 0), show="surface")
    assert picture.shape == (160, 120, 4) and picture.dtype == np.uint8
    rows = np.nonzero(picture[..., 3].any(axis=1))[0]
    columns = np.nonzero(picture[..., 3].any(axis=0))[0]
    assert np.ptp(rows) > np.ptp(columns) > 10
    assert picture[0, 0, 3] == 0


def test_a_pose_changes_the_picture_and_the_same_one_does_not(sample, sample_path):
    options = dict(size=(80, 80), clip="wave", show="surface")
    first = drawn(sample, time=0.2, **options)
    assert np.array_equal(first, drawn(sample_path, time=0.2, **options))
    assert not np.array_equal(first, drawn(sample, time=1.0, **options))
    with pytest.raises(rigscope.errors.OptionError):
        drawn(sample, show="nonsense")


def test_drawing_prints_nothing_without_a_session(sample, monkeypatch, capfd):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    drawn(sample, size=(16, 16))
    assert capfd.readouterr().err == ""
    assert "XDG_RUNTIME_DIR" not in os.environ
