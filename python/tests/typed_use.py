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
from rigscope.types import BoneArrays, ClipArrays, MaterialArrays, MeshArrays, ModelArrays, Source


def opened(source: Source) -> rigscope.Model:
    return rigscope.open(source, companions=[], without=["other.png"], no_effect=False, fps=30, up="y", format="bsm2")


def built() -> rigscope.Model:
    mesh: MeshArrays = {
        "name": "triangle",
        "positions": np.zeros((3, 3), np.float32),
        "uvs": [np.zeros((3, 2)), np.ones((3, 2))],
        "uv_names": ["map", "light"],
        "triangles": [[0, 1, 2]],
        "subsets": [(0, 1, 0)],
        "loose": [{"kind": "lines", "indices": [[0, 1]], "material": None}],
        "joints": [[0], [0], [1]],
        "weights": [[1.0], [1.0], [1.0]],
        "blending": "dual-quaternion",
        "hidden": True,
        "morph_targets": [
            {"name": "wide", "position_offsets": np.ones((3, 3))},
            {"name": "high", "shapes": [{"full_weight": 0.5, "vertices": [1], "position_offsets": [[0, 1, 0]]}]},
        ],
    }
    bones: list[BoneArrays] = [
        {"name": "root", "translation": (0, 1, 0)},
        {"name": "tip", "parent": 0, "rotation": (0, 0, 0, 1), "scale": (1, 1, 1), "kind": "helper"},
    ]
    clip: ClipArrays = {
        "name": "turn",
        "start": 0.0,
        "duration": 1.0,
        "tracks": [
            {"bone": 1, "times": [0.0, 1.0], "rotations": [[0, 0, 0, 1], [0, 0, 1, 0]], "interpolation": "nlerp"},
            {
                "bone": 1,
                "times": [0.0, 1.0],
                "scales": np.ones((2, 3)),
                "interpolation": "cubic",
                "in_tangents": np.zeros((2, 3)),
                "out_tangents": np.zeros((2, 3)),
            },
        ],
        "morph_tracks": [{"mesh": 0, "target": 0, "times": [0.0, 1.0], "weights": [0.0, 1.0]}],
        "material_tracks": [{"material": 0, "property": "roughness", "times": [0.0], "values": [1.0]}],
        "events": [{"time": 0.5, "name": "step", "value": "", "bone": None}],
        "loops": True,
        "step": False,
    }
    matrices: ClipArrays = {"name": "still", "times": [0.0], "local_matrices": np.tile(np.eye(4), (1, 2, 1, 1))}
    cached: ClipArrays = {"vertex_animation": {"mesh": 0, "times": [0.0], "positions": np.zeros((1, 3, 3))}}
    material: MaterialArrays = {"name": "skin", "base_color": (1, 1, 1, 1), "textures": {"normal": "normal.png"}}
    other: MaterialArrays = {
        "alpha": "mask",
        "alpha_cutoff": 0.25,
        "draw": {"order": 1, "tests_depth": True, "writes_depth": False},
        "textures": [{"role": "other", "image": 0, "wrap": ("clamp", "mirror"), "transform": np.eye(3)}],
    }
    return rigscope.build(
        [mesh],
        bones=bones,
        clips=[clip, matrices, cached],
        materials=[material, other],
        images=[{"name": "image", "data": b"PNG", "is_embedded": True}],
        name="triangle",
        copyright=None,
        up="z",
        handedness="left",
        winding="clockwise",
        faces_backward=False,
        unit_meters=0.01,
        has_hierarchy=True,
        default_pose="rest",
        normal_matrix="cofactor",
        hulls=[np.eye(3)],
        occluder=(np.eye(3), [[0, 1, 2]]),
        stored_bounds={"min": (0, 0, 0), "max": (1, 1, 1), "center": (0, 0, 0), "radius": 1.0},
        like=None,
    )


def edited(model: rigscope.Model) -> rigscope.Model:
    arrays: ModelArrays = model.to_arrays()
    for bone in arrays["bones"]:
        bone["name"] = "rig:" + bone["name"]
    for mesh in arrays["meshes"]:
        mesh["positions"] *= 2
    for track in model.clips[0].tracks + model.clips[0].morph_tracks:
        track["times"] *= 2
    matrices: NDArray[np.float32] | None = model.clips[0].matrices
    assert matrices is None or matrices.ndim == 4
    return rigscope.build(**arrays)


def checked(model: rigscope.Model, path: Path) -> list[str]:
    findings = rigscope.validate(model, rules=["skin", "animation"], allow="constant-bone", runtimes=None)
    findings += rigscope.validate(
        path, companions=(), without=None, no_effect=False, fps=None, up=None, format=None, rules="all"
    )
    comparison = rigscope.diff(
        model, path, tolerance=1e-4, match_by="index", ignore=["names"], only=None, max_moments=3
    )
    return [finding.message for finding in findings] + [difference.what for difference in comparison.differences]


def retargeted(model: rigscope.Model) -> rigscope.Model:
    names: dict[str, str | None] = {"pelvis": "pelvis", "head": None}
    matched: rigscope.BonePairs = rigscope.bones(model, model, bone_map=names)
    assert all(pair.certainty > 0 and pair.from_bone == pair.to_bone for pair in matched.pairs)
    done = rigscope.retarget([model], model, root="keep", feet=False, add=False, bone_map=None)
    clip: rigscope.RetargetedClip = done.files[0].clips[0]
    worst: rigscope.BoneAngle | None = clip.worst
    assert worst is None or worst.angle_deg < 1
    return done.model


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
    checked(edited(model), path)
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
