"""Copies of models, and models in other processes."""

import copy
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import rigscope
from test_build import arm


def posed(model):
    return model.pose(model.clips[0].name, 0.1)[0].positions.copy()


def is_same(model, again):
    comparison = rigscope.diff(model, again)
    return comparison.is_equal and again.name == model.name and np.array_equal(posed(model), posed(again))


@pytest.fixture(params=["path", "text", "bytes", "named bytes", "companions", "built"])
def model(request, sample, sample_path, tmp_path):
    if request.param == "path":
        return sample
    if request.param == "text":
        return rigscope.open(str(sample_path), up="z")
    if request.param == "bytes":
        return rigscope.open(sample_path.read_bytes())
    if request.param == "named bytes":
        return rigscope.open(("hero.bsm2", sample_path.read_bytes()))
    if request.param == "built":
        return rigscope.build(**arm())
    files = [(path.name, data) for path, data in rigscope.convert(sample, "a.ozz", save=False, check=False).files]
    return rigscope.open(files[-1], companions=files[:-1])


def test_pickled_and_copied_models_are_the_same(model):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert is_same(model, pickle.loads(pickle.dumps(model, protocol)))
    for again in (copy.copy(model), copy.deepcopy(model), copy.deepcopy([model])[0]):
        assert is_same(model, again)
    again = pickle.loads(pickle.dumps(model))
    assert again.up == model.up and is_same(model, pickle.loads(pickle.dumps(again)))


def test_pickled_files_are_small(sample):
    assert len(pickle.dumps(sample)) < 2000


def test_other_processes_get_models(sample, sample_path):
    models = [sample, rigscope.open(("hero.bsm2", sample_path.read_bytes())), rigscope.build(**arm())]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for own, other in zip(map(posed, models), pool.map(posed, models)):
            assert np.array_equal(own, other)


def test_joblib_sends_models(sample):
    joblib = pytest.importorskip("joblib")
    models = [sample, rigscope.build(**arm())]
    found = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(posed)(model) for model in models)
    assert all(np.array_equal(own, other) for own, other in zip(map(posed, models), found))


def test_relative_paths_work_in_other_folders(sample_path, tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    (tmp_path / "hero.bsm2").write_bytes(sample_path.read_bytes())
    monkeypatch.chdir(tmp_path)
    model = rigscope.open("hero.bsm2")
    data = pickle.dumps(model)
    monkeypatch.chdir(tmp_path / "other")
    assert is_same(model, pickle.loads(data))


def test_related_files_are_found_again(sample, tmp_path, monkeypatch):
    made = rigscope.convert(sample, tmp_path / "s.ozz", check=False).paths
    (tmp_path / "related").mkdir()
    related = [path.rename(tmp_path / "related" / path.name) for path in made[:-1]]
    monkeypatch.chdir(tmp_path)
    model = rigscope.open("s.ozz", companions=["related", related[0]])
    assert len(model.clips) == 2
    data = pickle.dumps(model)
    monkeypatch.chdir(tmp_path / "related")
    assert is_same(model, pickle.loads(data))
    with related[0].open("ab") as file:
        file.write(b"more")
    with pytest.raises(rigscope.errors.UnreadableError, match="the file has changed") as changed:
        pickle.loads(data)
    assert changed.value.path == str(related[0])


def test_a_changed_file_is_an_error(sample_path, tmp_path):
    path = tmp_path / "hero.bsm2"
    path.write_bytes(sample_path.read_bytes())
    data = pickle.dumps(rigscope.open(path))
    os.utime(path, ns=(1, 1))
    with pytest.raises(OSError, match="hero.bsm2: the file has changed since the model was opened"):
        pickle.loads(data)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="hero.bsm2"):
        pickle.loads(data)


def test_built_models_do_not_follow_their_arrays():
    given = arm()
    model = rigscope.build(**given)
    before = posed(model)
    given["meshes"][0]["positions"][:] = 7
    given["meshes"][0].pop("triangles")
    given["clips"].clear()
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(posed(again), before) and np.array_equal(posed(model), before)
