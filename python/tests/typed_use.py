"""Uses every public function with all its keywords. Type checkers check this file in strict mode, and a test runs it."""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rigscope
from rigscope import reader, readers
from rigscope.types import BoneArrays, ClipArrays, MaterialArrays, MeshArrays, Source


def opened(source: Source) -> rigscope.Model:
    return rigscope.open(source, companions=[], without=["other.png"], no_effect=False, fps=30, up="y", format="bsm2")


def built() -> rigscope.Model:
    mesh: MeshArrays = {
        "name": "triangle",
        "positions": np.zeros((3, 3), np.float32),
        "triangles": [[0, 1, 2]],
        "joints": [[0], [0], [1]],
        "weights": [[1.0], [1.0], [1.0]],
        "morph_targets": [{"name": "wide", "position_offsets": np.ones((3, 3))}],
    }
    bones: list[BoneArrays] = [
        {"name": "root", "translation": (0, 1, 0)},
        {"name": "tip", "parent": 0, "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)},
    ]
    clip: ClipArrays = {
        "name": "turn",
        "tracks": [{"bone": 1, "times": [0.0, 1.0], "rotations": [[0, 0, 0, 1], [0, 0, 1, 0]]}],
        "morph_tracks": [{"mesh": 0, "target": 0, "times": [0.0, 1.0], "weights": [0.0, 1.0]}],
        "loops": True,
        "step": False,
    }
    material: MaterialArrays = {"name": "skin", "base_color": (1, 1, 1, 1), "textures": {"normal": "normal.png"}}
    return rigscope.build(
        [mesh],
        bones=bones,
        clips=[clip],
        materials=[material],
        name="triangle",
        up="z",
        handedness="left",
        unit_meters=0.01,
    )


def checked(model: rigscope.Model, path: Path) -> list[str]:
    findings = rigscope.validate(model, rules=["skin", "animation"], allow="constant-bone", runtimes=None)
    findings += rigscope.validate(
        path, companions=(), without=None, no_effect=False, fps=None, up=None, format=None, rules="all"
    )
    comparison = rigscope.diff(
        model, path, tolerance=1e-4, match_by="index", ignore=["names"], only=None, max_moments=3
    )
    return [finding.message for finding in findings] + [difference.what for difference in comparison.differences]


def posed(model: rigscope.Model) -> NDArray[np.float32]:
    meshes = model.pose(np.int64(0), np.float32(0.3), sampling="linear", normals="exact", runtime=None)
    moving: list[rigscope.PosedMesh] = model.pose("walk", np.linspace(0, 1, 3))
    moving += model.pose("walk", [0.0, 1], key=None) + model.pose("walk", key=range(2))
    pose: rigscope.BonePose = model.sample(0, key=1, sampling="step")
    parents: NDArray[np.int64] = model.skeleton.parents
    assert pose.model_from_bone is not None and len(parents) == len(pose.model_from_bone)
    return meshes[0].positions


def written(model: rigscope.Model, folder: Path) -> Sequence[Path]:
    conversion = rigscope.convert(
        model,
        folder / "model.glb",
        to_format=None,
        save=True,
        overwrite=True,
        check=True,
        part=None,
        clip=None,
        rate=None,
        step_keys=False,
        scale=None,
        merge=False,
        weld=False,
        limit_influences=4,
        flip_v=False,
        hierarchy=False,
        last_bones=False,
        make_hulls=False,
        make_occluder=False,
        textures="copy",
    )
    rigscope.convert(model, io.BytesIO(), to_format="glb")
    fixed = rigscope.fix(
        folder / "model.glb",
        folder / "fixed.glb",
        to_format=None,
        rules=["weights-not-normalized"],
        causes=None,
        good=None,
        save=True,
        overwrite=True,
    )
    return [*conversion.paths, *fixed.paths]


def examined(model: rigscope.Model) -> list[dict[str, Any]]:
    clip: rigscope.Clip = model.clips["walk"]
    bone: rigscope.Bone = model.skeleton["pelvis"]
    names = [own.name for own in model.skeleton] + model.meshes.names() + [clip.name, bone.name]
    causes: list[rigscope.Cause] = rigscope.diagnose(model, good=None)
    tables = [*rigscope.rules(), *rigscope.causes(), *rigscope.runtimes(), *model.influence_table()]
    dictionaries = [cause.to_dict() for cause in causes] + model.validate().to_dicts()
    assert names and model.bounds is not None and model.meshes[0].num_influences.max() > 0
    return [*tables, *dictionaries, {"bones": model.unweighted_bones}]


def drawn(model: rigscope.Model) -> NDArray[np.uint8]:
    return rigscope.render(
        model,
        size=(64, 48),
        clip="walk",
        time=0.3,
        key=None,
        sampling="player",
        normals="runtime",
        runtime=None,
        angles=(30.0, 10.0),
        show="surface",
        transparent=True,
    )


def listed(path: Path) -> tuple[int, int]:
    row = rigscope.catalog_row(
        path, around=None, companions=[], without=None, no_effect=False, fps=None, up=None, format=None
    )
    return len(row), len(rigscope.catalog_columns()) + len(rigscope.formats())


def read(path: Path) -> reader.Data:
    data = reader.Bytes(path.read_bytes(), big_endian=False)
    data.expect(b"HERO")
    return {"meshes": [{"positions": data.array("f4", 3, columns=3)}]}


def main(path: Path, folder: Path) -> None:
    model = opened(path)
    again: rigscope.Model = pickle.loads(pickle.dumps(model))
    assert again.name == model.name and built().num_vertices == 3
    checked(model, path)
    posed(model)
    examined(model)
    for source in (bytearray(path.read_bytes()), memoryview(path.read_bytes()), io.BytesIO(path.read_bytes())):
        assert opened(source).num_vertices == model.num_vertices
    written(model, folder)
    listed(path)
    if rigscope.HAS_RENDER:
        try:
            drawn(model)
        except rigscope.errors.RenderError as error:
            print(error, error.code, error.path)
    hero = folder / "model.hero"
    hero.write_bytes(b"HERO" + bytes(36))
    assert reader.open(hero, read).num_vertices == 3 and "bvh" in readers.FORMATS
    page = model.view("walk", 0.3, height=360) if os.environ.get("RIGSCOPE_VIEWER") else None
    assert page is None or page.html


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
