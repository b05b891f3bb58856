"""External readers: `rigscope.reader`, and the readers of SMD, MD5, PSK and BVH that come with the package."""

import ctypes
import json
import os
import random
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from rigscope import reader, readers
from rigscope.reader.messages import take_warnings
from rigscope.readers import _math, bvh, md5, psk, smd

ROOT = Path(__file__).resolve().parents[2]
TURN = np.pi / 2


@pytest.fixture(autouse=True)
def no_leftover_warnings():
    take_warnings()
    yield
    take_warnings()


def close(a, b, tolerance=1e-6):
    return np.allclose(np.asarray(a, float), b, atol=tolerance)


def worlds(data, clip=None, key=0):
    """Matrices of bones in model space, at rest or at a key."""
    local = [rest_of(bone) for bone in data["bones"]]
    if clip is not None:
        tracks = clip.get("tracks") or [
            {"bone": bone, **{part: np.asarray(clip[part])[:, bone] for part in PARTS if part in clip}}
            for bone in range(len(local))
        ]
        for track in tracks:
            values = {part[:-1]: track[part][key] for part in PARTS if part in track}
            rest = local[track["bone"]]
            moved = rest_of({"translation": rest[:3, 3], **values})
            if "rotation" not in values:
                moved[:3, :3] = rest[:3, :3]
            local[track["bone"]] = moved
    return np.array(world_matrices([bone.get("parent") for bone in data["bones"]], local))


PARTS = ("translations", "rotations", "scales")


def rest_of(bone):
    """The matrix of a bone relative to its parent."""
    if "rest" in bone:
        return np.asarray(bone["rest"], float)
    x, y, z, w = np.asarray(bone.get("rotation", (0, 0, 0, 1)), float)
    s = 2 / (x * x + y * y + z * z + w * w)
    rest = np.eye(4)
    rest[:3, :3] = [
        [1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
        [s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)],
        [s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)],
    ]
    rest[:3, :3] *= np.asarray(bone.get("scale", (1, 1, 1)), float)
    rest[:3, 3] = bone.get("translation", 0)
    return rest


def world_matrices(parents, rests):
    def world(bone):
        return np.eye(4) if bone is None or bone < 0 else world(parents[bone]) @ rests[bone]

    return [world(bone) for bone in range(len(rests))]


def skinned(mesh, palette):
    first, joints, weights = mesh["influences"]
    vertex = np.repeat(np.arange(len(mesh["positions"])), np.diff(first))
    positions = np.asarray(mesh["positions"], float)[vertex]
    moved = np.einsum("nij,nj->ni", palette[joints][:, :3, :3], positions) + palette[joints][:, :3, 3]
    return np.stack([np.bincount(vertex, weights * moved[:, axis]) for axis in range(3)], axis=1)


def findings(data):
    return json.loads(reader.write(data)).get("findings", [])


# ---------------------------------------------------------------------------------------------------------------------
# The module `reader`


def test_bytes_reads_both_byte_orders():
    for big_endian, order in [(False, "<"), (True, ">")]:
        packed = struct.pack(
            order + "BbHhIiQfd8s", 200, -2, 60000, -3, 4_000_000_000, -4, 2**40, 1.5, -2.25, b"bone\0xyz"
        )
        data = reader.Bytes(packed + struct.pack(order + "6f", *range(6)), big_endian=big_endian)
        assert [data.u8(), data.i8(), data.u16(), data.i16(), data.u32(), data.i32()] == [
            200, -2, 60000, -3, 4_000_000_000, -4,
        ]  # fmt: skip
        assert (data.u64(), data.f32(), data.f64(), data.text(8)) == (2**40, 1.5, -2.25, "bone")
        vectors = data.array("f4", 2, 3)
        assert vectors.tolist() == [[0, 1, 2], [3, 4, 5]] and vectors.dtype == np.float32
        assert data.remaining == 0 and data.offset == data.size


def test_bytes_reads_structured_arrays_and_text():
    kind = np.dtype([("position", "f4", 3), ("joint", "u2")])
    data = reader.Bytes(struct.pack(">3fH", 1, 2, 3, 7) + b"caf\xe9\0end", big_endian=True)
    [vertex] = data.array(kind, 1)
    assert vertex["position"].tolist() == [1, 2, 3] and vertex["joint"] == 7
    assert data.text() == "café"
    with pytest.raises(reader.Error, match="zero byte"):
        data.text()


def test_bytes_checks_the_size_before_it_allocates():
    data = reader.Bytes(b"HERO" + bytes(11))
    data.expect(b"HERO")
    with pytest.raises(reader.Error, match="truncated at offset 0x4: 12 bytes needed, 11 left") as caught:
        data.array("f4", 1, 3)
    assert caught.value.offset == 4 and isinstance(caught.value, ValueError)
    for count in (2**31, 2**62):
        with pytest.raises(reader.Error, match="truncated"):
            data.array("f4", count, 3)
    with pytest.raises(reader.Error, match="negative"):
        data.array("f4", -1)
    with pytest.raises(reader.Error, match="outside the file"):
        data.seek(16)
    with pytest.raises(reader.Error, match=r"expected b'HERO' at offset 0x0, found b'GLTF'"):
        reader.Bytes(b"GLTF").expect(b"HERO")


def test_text_counts_lines_with_comments_and_any_line_ending():
    text = reader.Text(b"\xef\xbb\xbfone\r\n\r\n# two\rthree # more\nfour", comment="#")
    assert [(line, text.line) for line in text.rest()] == [("one", 1), ("three", 4), ("four", 5)]
    with pytest.raises(reader.Error, match="line 5: the file ends here"):
        text.next()
    with pytest.raises(reader.Error, match="line 5: expected 3 numbers, found 2"):
        text.numbers("1 2", 3)
    for wrong in ("1 x", "nan", "1e999"):
        with pytest.raises(reader.Error, match="line 5: "):
            text.numbers(wrong)


def test_json_begins_with_the_schema_and_keeps_every_value():
    reader.warn("two\nlines")
    mesh = {
        "name": 'a "name"',
        "positions": np.array([[0.1, 0, 0], [1, 1e-9, 0], [0, 1, 3e9]], np.float32),
        "triangles": [(0, 1, 2)],
        "influences": (np.array([0, 1, 1, 3]), np.array([0, 1, 0]), np.array([1, 0.25, 0.75])),
        "more_uvs": [np.zeros((3, 2)), [[1, 2]] * 3],
        "colors": np.empty((0, 4)),
        "attached_to": np.int64(1),
        "subsets": [[0, 1, None]],
    }
    written = reader.write(
        {"meshes": [mesh], "unit_meters": None, "materials": [{"textures": {"normal": Path("a/b.png")}}]}
    )
    assert written.startswith(b'{"schema":"rigscope.model/1",')
    data = json.loads(written)
    assert data["findings"] == ["two lines"] and data["materials"][0]["textures"] == {"normal": "a/b.png"}
    [read] = data["meshes"]
    assert (np.array(read["positions"], np.float32) == mesh["positions"]).all()
    assert read["joints"] == [[0], [], [1, 0]] and read["weights"] == [[1], [], [0.25, 0.75]]
    assert read["more_uvs"] == [[[0, 0]] * 3, [[1, 2]] * 3] and read["colors"] == [] and read["attached_to"] == 1
    assert read["name"] == mesh["name"] and read["subsets"] == [[0, 1, None]] and "influences" not in read


def test_json_names_the_value_that_cannot_be_stored():
    for values in (np.array([[0, np.nan, 0]]), [[0, float("inf"), 0]]):
        with pytest.raises(reader.Error, match=r"meshes\[0\]\.positions(\[0\]\[1\])?: a number isn't finite"):
            reader.write({"meshes": [{"positions": values}]})
    with pytest.raises(TypeError, match=r"name: object"):
        reader.write({"name": object()})


def test_build_completes_what_the_arrays_leave_out():
    model = reader.build(
        {
            "bones": [
                {"name": "lower", "translation": [0, 1, 0]},
                {
                    "name": "upper",
                    "parent": 0,
                    "rotation": [0, 0, np.sin(TURN / 2), np.cos(TURN / 2)],
                    "scale": [2, 2, 2],
                },
            ],
            "meshes": [
                {
                    "positions": [[0, 1, 0], [1, 1, 0], [0, 2, 0]],
                    "triangles": [[0, 1, 2]],
                    "uvs": [[0, 0], [1, 0], [0, 1]],
                    "more_uvs": [[[0, 0], [2, 0], [0, 2]]],
                    "joints": [[0], [1], [0, 1]],
                    "weights": [[1], [1], [0.5, 0.5]],
                }
            ],
            "clips": [
                {
                    "name": "turn",
                    "times": [0, 1],
                    "tracks": [
                        {"bone": 0, "translations": [[0, 1, 0], [0, 3, 0]]},
                        {"bone": 1, "times": [0, 0.5, 1], "rotations": [[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 1, 0]]},
                    ],
                }
            ],
        }
    )
    [mesh] = model.meshes
    assert len(mesh.uvs) == 2 and close(mesh.uvs[1][2], [0, 2])
    assert close(model.pose()[0].positions, mesh.positions)
    sample = model.clips[0].sample(0.25)
    assert close(sample.model_from_bone[0][:3, 3], [0, 1.5, 0])
    assert close(np.abs(sample.model_from_bone[1][:2, :2]), [[0, 2], [2, 0]])


def test_build_rejects_cycles_and_unknown_schemas():
    with pytest.raises(reader.Error, match="bone 0 is its own ancestor"):
        reader.build({"bones": [{"parent": 1}, {"parent": 0}]})
    with pytest.raises(reader.Error, match="parent 5 of bone 0"):
        reader.build({"bones": [{"parent": 5}]})
    with pytest.raises(reader.Error, match="schema"):
        reader.build({"schema": "rigscope.model/9"})
    with pytest.warns(UserWarning, match="a problem"):
        reader.build({"findings": ["a problem"]})


# ---------------------------------------------------------------------------------------------------------------------
# Readers as programs

HERO = """\
import struct
from rigscope import reader

def read(path):
    \"\"\"Reads a HERO file.\"\"\"
    data = reader.Bytes(path.read_bytes())
    data.expect(b"HERO")
    vertices = data.array("f4", data.u32(), 3)
    reader.warn("a warning")
    CODE
    return {"meshes": [{"positions": vertices, "triangles": data.array("u4", data.u32(), 3)}]}

reader.run(read)
"""
TRIANGLE = b"HERO" + struct.pack("<I9fI3I", 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 2)


def program(tmp_path, code="pass", content=TRIANGLE, options=()):
    (tmp_path / "read_hero.py").write_text(HERO.replace("CODE", code))
    (tmp_path / "hero.hero").write_bytes(content)
    return run_python(tmp_path, "read_hero.py", "hero.hero", *options)


def run_python(folder, *arguments):
    package = str(Path(reader.__file__).parents[2])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        timeout=120,
    )


def test_a_program_writes_the_model(tmp_path):
    done = program(tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    data = json.loads(done.stdout)
    assert data["findings"] == ["a warning"] and data["meshes"][0]["triangles"] == [[0, 1, 2]]
    shown = program(tmp_path, options=["--summary"]).stdout.decode()
    assert "3 vertices, 1 triangle" in shown and "warning: a warning" in shown
    assert b"Reads a HERO file." in program(tmp_path, options=["-h"]).stdout


def test_a_program_reports_errors_in_one_line(tmp_path):
    for code, content, message in [
        ("pass", TRIANGLE[:30], "truncated at offset 0x8: 36 bytes needed, 22 left"),
        ("raise data.error('unknown version 7')", TRIANGLE, "unknown version 7 at offset 0x2c"),
        ("struct.unpack('<I', b'')", TRIANGLE, "truncated (unpack requires a buffer of 4 bytes)"),
        ("raise EOFError", TRIANGLE, "truncated"),
        ("open('missing')", TRIANGLE, "missing: No such file or directory"),
    ]:
        done = program(tmp_path, code, content)
        assert (done.returncode, done.stdout) == (1, b"")
        assert done.stderr.decode().splitlines() == [message]
    done = program(tmp_path, "unknown")
    assert done.returncode == 1 and b"Traceback" in done.stderr and b"NameError" in done.stderr


def test_a_program_writes_glb_for_models_and_bytes(tmp_path):
    model = "import rigscope; model = rigscope.build([dict(positions=vertices, triangles=[[0, 1, 2]])])"
    done = program(tmp_path, f"{model}; return model")
    assert done.returncode == 0 and done.stdout.startswith(b"glTF") and done.stderr == b"a warning\n", done.stderr
    assert program(tmp_path, 'return b"glTF..."').stdout == b"glTF..."


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX shells")
def test_a_closed_pipe_is_not_an_error(tmp_path):
    program(tmp_path)
    python = f"PYTHONPATH='{Path(reader.__file__).parents[2]}' '{sys.executable}'"
    code = "return {'name': 'x' * 1_000_000}"
    (tmp_path / "read_hero.py").write_text(HERO.replace("CODE", code))
    command = f"set -o pipefail; {python} read_hero.py hero.hero | head -c 10"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, b'{"schema":', b"")


def test_the_package_lists_its_readers_and_prints_settings(tmp_path):
    listed = run_python(tmp_path, "-m", "rigscope.readers").stdout.decode()
    assert all(f".{extension}" in listed for extension in ("smd", "md5mesh", "md5anim", "psk", "psa", "bvh"))
    (tmp_path / "run.bvh").write_bytes(BVH)
    done = run_python(tmp_path, "-m", "rigscope.readers", "bvh", "run.bvh")
    assert done.returncode == 0 and json.loads(done.stdout)["clips"][0]["name"] == "run"
    done = run_python(tmp_path, "-m", "rigscope.readers", "bvh", "missing.bvh")
    assert (done.returncode, done.stderr) == (1, f"missing.bvh: No such file or directory{os.linesep}".encode())
    text = readers.settings('/a "b"/python')
    assert '["/a \\"b\\"/python", "-m", "rigscope.readers", "psk", "{file}"]' in text
    assert "[readers.psa]" in text and 'magic = "ANIMHEAD"' in text
    if sys.version_info >= (3, 11):
        import tomllib

        tables = tomllib.loads(text)["readers"]
        assert tables["psk"] == {
            "command": ['/a "b"/python', "-m", "rigscope.readers", "psk", "{file}"],
            "extensions": ["psk", "pskx"],
            "magic": "ACTRHEAD",
        }


# ---------------------------------------------------------------------------------------------------------------------
# Formats

SMD = b"""version 1
// a comment
nodes
  0 "root" -1
  7 "upper arm" 0
end
skeleton
time 5
  0 0 0 1 0 0 0
  7 0 0 2 0.1 0.2 0.3
time 8
  7 0 0 2 1.5707963267948966 0 1.5707963267948966
end
triangles
skin.tga
0 0 0 1  0 0 1  0 0
0 1 0 1  0 0 1  1 0
7 0 1 1  0 0 1  0 1 2 0 0.25 7 0.75
eyes
0 0 0 1  0 0 1  0 0
0 1 0 1  0 0 1  1 0
7 9 9 9  0 1 0  0 0.25 0
end
"""


def test_smd_has_bones_vertices_links_and_keys():
    data = smd.parse(SMD, "hero")
    root, arm = data["bones"]
    assert (data["up"], data["handedness"]) == ("z", "right")
    assert (arm["name"], arm["parent"], root["parent"]) == ("upper arm", 0, -1)
    [mesh] = data["meshes"]
    assert close(mesh["positions"], [[0, 0, 1], [1, 0, 1], [0, 1, 1], [9, 9, 9]])
    assert close(mesh["uvs"], [[0, 1], [1, 1], [0, 0], [0, 0.75]]), "v is inverted"
    assert mesh["triangles"].tolist() == [[0, 1, 2], [0, 1, 3]] and mesh["subsets"] == [[0, 1, 0], [1, 1, 1]]
    assert data["materials"] == [{"name": "skin.tga", "textures": {"base-color": "skin.tga"}}, {"name": "eyes"}]
    first, joints, weights = mesh["influences"]
    assert (first.tolist(), joints.tolist(), weights.tolist()) == (
        [0, 1, 2, 4, 5],
        [0, 0, 0, 1, 1],
        [1, 1, 0.25, 0.75, 1],
    )
    [clip] = data["clips"]
    assert close(clip["times"], [0, 0.1])
    # Rotated about x by 90°, then about z by 90°: y becomes z, and x becomes y.
    world = worlds(data, clip, 1)[1]
    assert close(world, [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 3], [0, 0, 0, 1]])
    assert findings(data) == []


def test_smd_animations_have_no_mesh():
    data = smd.parse(SMD[: SMD.index(b"triangles")], "run")
    assert "meshes" not in data and data["clips"][0]["name"] == "run"
    model = reader.build(data)
    assert model.skeleton.names == ["root", "upper arm"] and model.clips[0].duration == pytest.approx(0.1)


def test_smd_errors_name_the_line():
    for old, new, message in [
        (b"version 1", b"version 2", "line 1: version '2' isn't supported"),
        (b"version 1\n", b"\x89PNG\n", 'line 1: expected "version 1"'),
        (b"time 8", b"time 5", "line 11: frame 5 follows frame 5"),
        (b"time 8", b"time", 'line 11: expected a frame number after "time"'),
        (b"  7 0 0 2 0.1 0.2 0.3", b"  7 0 0 2 0.1 0.2", "line 10: expected a bone and 6 numbers"),
        (b"  7 0 0 2 0.1 0.2 0.3", b"  7 0 0 2 0.1 x 0.3", "line 10: expected numbers"),
        (b"  7 0 0 2 0.1 0.2 0.3", b"  6 0 0 2 0.1 0.2 0.3", "line 10: there is no bone 6"),
        (b'7 "upper arm" 0', b'7 "upper arm" 3', "line 5: there is no bone 3"),
        (b'0 "root" -1', b'0 "root" 7', "cycle"),
        (b'7 "upper arm" 0', b'0 "upper arm" 0', "line 5: a second bone with the number 0"),
        (b"7 9 9 9  0 1 0", b"7 9 nan 9  0 1 0", "line 22: a number isn't finite"),
        (b"7 9 9 9  0 1 0", b"3 9 9 9  0 1 0", "line 22: there is no bone '3'"),
        (b"2 0 0.25 7 0.75", b"2 0 0.25 5 0.75", "line 18: a link to bone 5"),
        (b"2 0 0.25 7 0.75", b"3 0 0.25 7 0.75", "line 18: expected links"),
        (b"end\n", b"", "line "),
    ]:
        assert old in SMD
        with pytest.raises(reader.Error) as caught:
            smd.parse(SMD.replace(old, new, 1))
        assert message in str(caught.value)
    smd.parse(SMD.replace(b"7 0.75", b"7 0.5"))
    assert "weights of 1 vertices" in take_warnings()[0]


# A joint is turned by 90° about z in the bind pose, and its child is 2 units along its x, which is the model's y.
HALF = np.sqrt(0.5)
MD5_MESH = f"""MD5Version 10
commandline "made by // a test"
numJoints 2
numMeshes 1
joints {{
  "origin" -1 ( 1 0 0 ) ( 0 0 {-HALF:.10f} )  // the root
  "tip" 0 ( 1 2 0 ) ( 0 0 0 )
}}
mesh {{
  shader "textures/skin.tga"
  numverts 3
  vert 0 ( 0 0.25 ) 0 1
  vert 1 ( 1 0 ) 1 2
  vert 2 ( 0 1 ) 3 1
  numtris 1
  tri 0 0 1 2
  numweights 4
  weight 0 0 1 ( 1 0 0 )
  weight 1 0 0.75 ( 2 1 0 )
  weight 2 1 0.25 ( -1 0 0 )
  weight 3 1 1 ( 0 0 3 )
}}
""".encode()
MD5_ANIM = f"""MD5Version 10
commandline ""
numFrames 2
numJoints 2
frameRate 10
numAnimatedComponents 2
hierarchy {{
  "origin" -1 0 0
  "tip" 0 34 0 // y and qz
}}
bounds {{
  ( 0 0 0 ) ( 1 1 1 )
  ( 0 0 0 ) ( 1 1 1 )
}}
baseframe {{
  ( 1 0 0 ) ( 0 0 {-HALF:.10f} )
  ( 2 9 0 ) ( 0 0 0 )
}}
frame 0 {{
  0 0
}}
frame 1 {{
  -1 {-HALF:.10f}
}}
""".encode()


def test_md5_meshes_get_positions_from_weights():
    data = md5.parse(MD5_MESH, "hero")
    [mesh] = data["meshes"]
    assert close(worlds(data)[:, :3, 3], [[1, 0, 0], [1, 2, 0]])
    assert close(data["bones"][1]["translation"], [2, 0, 0])
    assert close(mesh["positions"], [[1, 1, 0], [0, 2, 0], [1, 2, 3]])
    assert mesh["triangles"].tolist() == [[2, 1, 0]], "clockwise triangles are reversed"
    assert close(mesh["uvs"], [[0, 0.25], [1, 0], [0, 1]])
    assert data["materials"] == [{"name": "textures/skin.tga", "textures": {"base-color": "textures/skin.tga"}}]
    assert findings(data) == []
    model = reader.build(data)
    assert close(model.meshes[0].positions, mesh["positions"])
    assert {note.code for note in model.notes} <= {"no-clips"}


def test_md5_animations_change_the_flagged_components():
    data = md5.parse(MD5_ANIM, "run")
    [clip] = data["clips"]
    assert close(clip["times"], [0, 0.1])
    assert close(clip["translations"][:, 1], [[2, 0, 0], [2, -1, 0]])
    mesh = md5.parse(MD5_MESH)
    assert [bone["name"] for bone in mesh["bones"]] == [bone["name"] for bone in data["bones"]]
    palette = worlds(data, clip, 1) @ np.linalg.inv(worlds(mesh))
    # The tip is at (2, -1) in the turned origin, that is at (1 + 1, 2), and turned by 180°.
    assert close(worlds(data, clip, 1)[1], [[-1, 0, 0, 2], [0, -1, 0, 2], [0, 0, 1, 0], [0, 0, 0, 1]])
    assert close(skinned(mesh["meshes"][0], palette)[2], [2, 2, 3])


def test_md5_errors_name_the_line():
    for source, old, new, message in [
        (MD5_MESH, b"MD5Version 10", b"MD5Version 11", "line 1: MD5 version 11"),
        (MD5_MESH, b"MD5Version 10", b"OFF", "line 1: not an MD5 file"),
        (MD5_MESH, b"numJoints 2", b"numJoints 3", "line 8: numJoints is 3, but there are 2 joints"),
        (MD5_MESH, b"numJoints 2", b"numJoints 99999", "line 3: numJoints 99,999 exceeds"),
        (MD5_MESH, b'"origin" -1', b'"origin" 1', "cycle"),
        (MD5_MESH, b'"tip" 0', b'"tip" 2', "joint 1: there is no parent 2"),
        (MD5_MESH, b"vert 1 ( 1 0 ) 1 2", b"vert 1 ( 1 0 ) 1 9", "vertex 1"),
        (MD5_MESH, b"vert 1 ( 1 0 )", b"vert 1 ( 1 x )", "line 13: expected a number, found 'x'"),
        (MD5_MESH, b"vert 1 ( 1 0 )", b"vert 1 ( 1 nan )", "vertex 1 isn't finite"),
        (MD5_MESH, b"tri 0 0 1 2", b"tri 0 0 1 3", "triangle 0 refers to 3"),
        (MD5_MESH, b"weight 3 1 1", b"weight 3 -1 1", "weight 3 refers to -1"),
        (MD5_ANIM, b'"tip" 0 34 0', b'"tip" 0 34 1', "the components of joint 1"),
        (MD5_ANIM, b"frame 1", b"frame 0", "frame 0 is repeated"),
        (MD5_ANIM, b"numFrames 2", b"numFrames 3", "truncated"),
    ]:
        assert old in source
        with pytest.raises(reader.Error) as caught:
            md5.parse(source.replace(old, new, 1))
        assert message in str(caught.value)


def test_md5_weights_at_different_positions_are_reported():
    md5.parse(MD5_MESH.replace(b"( -1 0 0 )", b"( -1 1 0 )"))
    assert "the weights of 1 vertices have positions that differ" in take_warnings()[0]


def chunk(name, size=0, records=()):
    return struct.pack("<20sIII", name, 1999801, size, len(records)) + b"".join(records)


def psk_bone(name, parent, rotation, position):
    return struct.pack("<64sIIi11f", name, 0, 0, parent, *rotation, *position, 0, 0, 0, 0)


QUARTER = (0, 0, HALF, HALF)
PSK_BONES = [psk_bone(b"Root", 0, QUARTER, (0, 0, 1)), psk_bone(b"Arm\xe9\0junk", 0, QUARTER, (2, 0, 0))]
PSK_POINTS = [struct.pack("<3f", *point) for point in [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]]
PSK_WEDGES = [struct.pack("<HHffBBH", p, 0xCDCD, u, v, m, 0, 0) for p, u, v, m in
              [(0, 0, 0, 0), (1, 1, 0, 0), (2, 0, 1, 0), (3, 0.5, 0.25, 1), (0, 1, 1, 1)]]  # fmt: skip
PSK_FACES = [struct.pack("<3HBBI", *face) for face in [(4, 1, 3, 1, 0, 1), (0, 2, 1, 0, 0, 1)]]
PSK_WEIGHTS = [struct.pack("<fii", *weight) for weight in [(0.5, 3, 1), (1, 0, 0), (0.5, 3, 0), (1, 1, 1), (1, 2, 0)]]
PSK_CHUNKS = [
    chunk(b"ACTRHEAD"),
    chunk(b"PNTS0000", 12, PSK_POINTS),
    chunk(b"VTXW0000", 16, PSK_WEDGES),
    chunk(b"FACE0000", 12, PSK_FACES),
    chunk(b"MATT0000", 88, [struct.pack("<64s6i", name, *[0] * 6) for name in (b"skin", b"cloth")]),
    chunk(b"REFSKELT", 120, PSK_BONES),
    chunk(b"RAWWEIGHTS", 12, PSK_WEIGHTS),
    chunk(b"VTXNORMS", 12, [struct.pack("<3f", 0, 0, 1)] * 4),
    chunk(b"VERTEXCOLOR", 4, [bytes([255, 0, 188, 128])] * 5),
    chunk(b"EXTRAUVS0", 8, [struct.pack("<2f", 0.25 * n, 0) for n in range(5)]),
    chunk(b"MRPHINFO", 68, [struct.pack("<64si", b"smile", 1)]),
    chunk(b"MRPHDATA", 28, [struct.pack("<6fi", 1, 2, 3, 0, 1, 0, 0)]),
]
PSK = b"".join(PSK_CHUNKS)


def psa(frame_rate=20.0, first=0, keys=4):
    key = [(0, 0, 1, *QUARTER), (2, 0, 0, 0, 0, 0, 1), (0, 0, 2, *QUARTER), (2, 0, 0, *QUARTER)]
    return b"".join(
        [
            chunk(b"ANIMHEAD"),
            chunk(b"BONENAMES", 120, PSK_BONES),
            chunk(
                b"ANIMINFO",
                168,
                [struct.pack("<64s64s4i3f3i", b"Run", b"None", 2, 0, 0, 4, 0, 2, frame_rate, 0, first, 2)],
            ),
            chunk(b"ANIMKEYS", 32, [struct.pack("<8f", *values, 1) for values in key[:keys]]),
        ]
    )


def test_psk_wedges_are_vertices():
    data = psk.parse(PSK, "hero")
    [mesh] = data["meshes"]
    assert (data["up"], data["handedness"]) == ("z", "right")
    assert close(mesh["positions"], [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert mesh["triangles"].tolist() == [[1, 2, 0], [3, 1, 4]], "sorted by material, clockwise triangles reversed"
    assert mesh["subsets"] == [[0, 1, 0], [1, 1, 1]]
    assert close(mesh["uvs"][3], [0.5, 0.25]) and close(mesh["more_uvs"][0][3], [0.75, 0])
    assert close(mesh["colors"][0], [1, 0, 0.5028865, 128 / 255]), "sRGB, with linear alpha"
    first, joints, weights = mesh["influences"]
    assert (first.tolist(), joints.tolist()) == ([0, 1, 2, 3, 5, 6], [0, 1, 0, 1, 0, 0])
    assert weights.tolist() == [1, 1, 1, 0.5, 0.5, 1]
    [target] = mesh["morph_targets"]
    assert target["name"] == "smile" and target["vertices"].tolist() == [0, 4]
    assert close(target["position_offsets"], [[1, -2, 3]] * 2)
    names = [bone["name"] for bone in data["bones"]]
    assert names == ["Root", "Armé"] and [bone["parent"] for bone in data["bones"]] == [-1, 0]
    # The root is turned by 90°, the arm by -90°, because rotations of children are stored inverted.
    assert close(worlds(data)[1], [[1, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 1], [0, 0, 0, 1]])
    assert findings(data) == []


def test_psk_smoothing_groups_split_vertices():
    chunks = [part for part in PSK_CHUNKS if not part.startswith((b"VTXNORMS", b"FACE"))]
    # Two triangles that share an edge, in different groups.
    for groups, num_vertices in [((1, 1), 5), ((1, 2), 7), ((0, 0), 5), ((0, 1), 7)]:
        faces = [struct.pack("<3HBBI", *wedges, 0, 0, group) for wedges, group in zip([(0, 2, 1), (0, 1, 3)], groups)]
        mesh = psk.parse(b"".join([*chunks, chunk(b"FACE0000", 12, faces)]))["meshes"][0]
        assert len(mesh["positions"]) == num_vertices == len(mesh["uvs"]) == len(mesh["colors"])
        flat = mesh["normals"][mesh["triangles"][0]]
        assert close(flat[0] @ [0, 0, 1], 1 if num_vertices == 7 else np.sqrt(0.5))


def test_psk_files_with_many_vertices_have_wide_indices():
    wide = struct.pack("<IffI", 70000, 0.5, 0.5, 0)
    points = PSK_POINTS[:1] * 70001
    faces = [struct.pack("<3IBBI", 0, 1, 2, 0, 0, 1)]
    chunks = [chunk(b"ACTRHEAD"), chunk(b"PNTS0000", 12, points), chunk(b"VTXW0000", 16, [wide] * 3)]
    mesh = psk.parse(b"".join([*chunks, chunk(b"FACE3200", 18, faces)]))["meshes"][0]
    assert mesh["triangles"].tolist() == [[2, 1, 0]]


def test_psa_has_clips_for_the_bones_of_a_psk():
    data = psk.parse(psa(), "run")
    assert "meshes" not in data
    [clip] = data["clips"]
    assert clip["name"] == "Run" and close(clip["times"], [0, 0.05])
    assert close(worlds(data), worlds(psk.parse(PSK)))
    assert close(worlds(data, clip, 1)[1], [[1, 0, 0, 0], [0, 1, 0, 2], [0, 0, 1, 2], [0, 0, 0, 1]])
    assert close(psk.parse(psa(first=7))["clips"][0]["times"], [0, 0.05])
    assert "begins at frame 7" in take_warnings()[0]
    psk.parse(psa(frame_rate=0))
    assert "frame rate 0" in take_warnings()[0]
    with pytest.raises(reader.Error, match="clip 'Run' has the keys 0 to 4, but the file has 3"):
        psk.parse(psa(keys=3))


def test_psk_errors_name_the_place():
    points, wedges, faces, bones = (PSK_CHUNKS[number] for number in (1, 2, 3, 5))
    for old, new, message in [
        (b"ACTRHEAD", b"PSSA\1\0\0\0", "not an ActorX file"),
        (points, points.replace(struct.pack("<II", 12, 4), struct.pack("<II", 12, 2**31)), "truncated at offset 0x20"),
        (points, points.replace(struct.pack("<II", 12, 4), struct.pack("<II", 24, 2)), "24 bytes, expected 12"),
        (points, points + points, "a second chunk PNTS0000"),
        (wedges, wedges.replace(PSK_WEDGES[1], struct.pack("<HHffI", 9, 0, 0, 0, 0)), "the point of wedge 1 is 9"),
        (faces, faces.replace(PSK_FACES[1], struct.pack("<3HHI", 0, 5, 1, 0, 1)), "a wedge of triangle 1 is 5"),
        (
            bones,
            bones.replace(PSK_BONES[1], psk_bone(b"Arm", 1, QUARTER, (0, 0, 0))),
            "bone 1: its parents form a cycle",
        ),
        (bones, bones.replace(PSK_BONES[1], psk_bone(b"Arm", 8, QUARTER, (0, 0, 0))), "bone 1: there is no parent 8"),
        (
            bones,
            bones.replace(PSK_BONES[1], psk_bone(b"Arm", 0, QUARTER, (0, np.nan, 0))),
            "position of bone 1 isn't finite",
        ),
    ]:
        assert old in PSK and old != new
        with pytest.raises(reader.Error) as caught:
            psk.parse(PSK.replace(old, new, 1))
        assert message in str(caught.value)
    psk.parse(PSK + chunk(b"SKELSOCK", 4, [b"abcd"]))
    assert take_warnings() == ["The chunk SKELSOCK with 1 records is skipped."]


BVH = b"""HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Zposition Yposition Xposition Zrotation Xrotation Yrotation
  JOINT Left Leg {
    OFFSET 0 -2 0
    CHANNELS 2 Yrotation Xrotation
    End Site
    {
      OFFSET 0 -3 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 2 3  0 0 0  0 0
4 5 6  90 0 90  0 90
"""


def test_bvh_reads_channels_in_any_order():
    data = bvh.parse(BVH, "run")
    assert [(bone["name"], bone["parent"]) for bone in data["bones"]] == [
        ("Hips", -1),
        ("Left Leg", 0),
        ("Left Leg_end", 1),
    ]
    [clip] = data["clips"]
    assert data["up"] == "y" and close(clip["times"], [0, 0.04]) and len(clip["tracks"]) == 2
    assert close(worlds(data)[:, :3, 3], [[0, 0, 0], [0, -2, 0], [0, -5, 0]])
    assert close(worlds(data, clip, 0)[:, :3, 3], [[3, 2, 1], [3, 0, 1], [3, -3, 1]])
    # About y by 90°, then z: (x, y, z) becomes (z, y, -x), then (-y, z, -x). The leg is turned about x: y becomes z.
    hips, leg, end = worlds(data, clip, 1)[:, :3, 3]
    assert close(hips, [6, 5, 4]) and close(leg, [6 + 2, 5, 4]) and close(end, [8, 5 - 3, 4])
    assert reader.build(data).clips[0].duration == pytest.approx(0.04)


def test_bvh_errors_name_the_line():
    for old, new, message in [
        (b"HIERARCHY", b"hello", "line 1: not a BVH file"),
        (b"OFFSET 0 -2 0", b"OFFSET 0 -2", "line 7: expected 3 numbers"),
        (b"    OFFSET 0 -2 0\n", b"", "has no OFFSET"),
        (b"Yrotation Xrotation", b"Yrotation Wrotation", "line 8: unknown channel 'Wrotation'"),
        (b"Yrotation Xrotation", b"Yrotation Yrotation", "line 8: the channel Yrotation occurs twice"),
        (b"CHANNELS 2", b"CHANNELS 3", "line 8: expected 3 channels, found 2"),
        (b"}\nMOTION", b"MOTION", "line 14: MOTION inside joint 'Hips'"),
        (b"Frames: 2", b"Frames 2", 'line 16: expected "Frames: number"'),
        (b"4 5 6", b"4 five 6", "line 19: expected numbers"),
        (b"4 5 6", b"4 nan 6", "isn't finite"),
        (b"90 0 90  0 90", b"90 0 90", "frame 1 has 6 of 8 values"),
    ]:
        assert old in BVH
        with pytest.raises(reader.Error) as caught:
            bvh.parse(BVH.replace(old, new, 1))
        assert message in str(caught.value)
    bvh.parse(BVH.replace(b"Frames: 2", b"Frames: 3"))
    assert "declares 3 frames and has 2" in take_warnings()[0]


# ---------------------------------------------------------------------------------------------------------------------
# Damaged files

SOURCES = [
    (smd.parse, SMD),
    (md5.parse, MD5_MESH),
    (md5.parse, MD5_ANIM),
    (psk.parse, PSK),
    (psk.parse, psa()),
    (bvh.parse, BVH),
]
SOURCE_IDS = ["smd", "md5mesh", "md5anim", "psk", "psa", "bvh"]


def read_anything(parse, data):
    """Reads and writes; errors must be `reader.Error`."""
    try:
        data = parse(data)
        reader.write(data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader.build(data)
    except reader.Error:
        pass


@pytest.mark.parametrize(("parse", "source"), SOURCES, ids=SOURCE_IDS)
def test_truncated_files_are_rejected_or_read(parse, source):
    for end in range(len(source)):
        read_anything(parse, source[:end])


@pytest.mark.parametrize(("parse", "source"), SOURCES, ids=SOURCE_IDS)
def test_damaged_files_are_rejected_or_read(parse, source):
    rng = random.Random(1)
    values = [b"-1", b"99999999999", b"nan", b"\n", b"{", b'"', b"\xff\xff\xff\xff", b"\0\0\0\x80", b"\0\0\xc0\x7f"]
    for _ in range(1500):
        data = bytearray(source)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            value = rng.choice(values)
            data[at : at + rng.choice([1, len(value)])] = value
        read_anything(parse, bytes(data))


def test_counts_do_not_exhaust_memory_or_time():
    for parse, data, message in [
        (md5.parse, MD5_ANIM.replace(b"numFrames 2", b"numFrames 2000000000"), "exceeds the size"),
        (md5.parse, MD5_MESH.replace(b"numweights 4", b"numweights 2000000000"), "exceeds the size"),
        (smd.parse, SMD.replace(b"2 0 0.25", b"2000000000 0 0.25"), "expected links"),
        (
            psk.parse,
            PSK.replace(struct.pack("<64si", b"smile", 1), struct.pack("<64si", b"smile", 2**30)),
            "morph target",
        ),
    ]:
        with pytest.raises(reader.Error, match=message):
            parse(data)


# ---------------------------------------------------------------------------------------------------------------------
# Compared with assimp


@pytest.fixture(scope="module")
def assimp():
    sys.path.insert(0, str(ROOT / "engines"))
    try:
        import assimp_library
    except OSError:
        pytest.skip("assimp isn't installed (Debian: libassimp5)")
    finally:
        sys.path.remove(str(ROOT / "engines"))
    return assimp_library


def assimp_poses(assimp, path, skeleton_path=None, key=None):
    """Positions of nodes, and triangles of all meshes, posed by the matrices and weights of assimp.

    The root node is left out, because assimp turns files of some formats with it.
    """
    scene = assimp.load(str(path))
    animated = {}
    if key is not None:
        clip = assimp.load(str(skeleton_path or path)).animations[0].contents
        for channel in assimp.pointed(clip.channels, clip.num_channels):
            w, x, y, z = channel.rotations[min(key, channel.num_rotations - 1)].value
            position = list(channel.positions[min(key, channel.num_positions - 1)].value)
            animated[str(channel.name)] = rest_of({"translation": position, "rotation": [x, y, z, w]})
    world = {}

    def walk(node, parent, is_root):
        matrix = np.array(node.transformation, float).reshape(4, 4)
        name = str(node.name)
        world[name] = parent @ animated.get(name, np.eye(4) if is_root else matrix)
        for child in assimp.pointed(node.children, node.num_children):
            walk(child, world[name], False)

    walk(scene.root.contents, np.eye(4), True)
    triangles = []
    for mesh in assimp.pointed(scene.meshes, scene.num_meshes):
        positions = np.array(np.ctypeslib.as_array(mesh.vertices, (mesh.num_vertices,)), float).reshape(-1, 3)
        posed = np.zeros_like(positions)
        for bone in assimp.pointed(mesh.bones, mesh.num_bones):
            matrix = world[str(bone.name)] @ np.array(bone.offset_matrix, float).reshape(4, 4)
            for weight in bone.weights[: bone.num_weights]:
                posed[weight.vertex] += weight.weight * (matrix[:3, :3] @ positions[weight.vertex] + matrix[:3, 3])
        faces = ctypes.cast(mesh.faces, ctypes.POINTER(AssimpFace))
        triangles += [posed[faces[number].indices[:3]] for number in range(mesh.num_faces)]
    return world, np.array(triangles)


class AssimpFace(ctypes.Structure):
    _fields_ = [("num", ctypes.c_uint), ("indices", ctypes.POINTER(ctypes.c_uint))]


def deviation(triangles, expected):
    """Of corners, for the best first corner of all triangles; the winding must be the same."""
    assert triangles.shape == expected.shape
    size = np.linalg.norm(np.ptp(expected.reshape(-1, 3), axis=0))
    return min(np.abs(np.roll(triangles, turn, axis=1) - expected).max() for turn in range(3)) / size


def posed_triangles(data, skeleton, clip=None, key=0):
    palette = worlds(skeleton, clip, key) @ np.linalg.inv(worlds(data))
    return np.concatenate([skinned(mesh, palette)[mesh["triangles"]] for mesh in data["meshes"]])


def test_smd_poses_match_assimp(assimp, tmp_path):
    rng = np.random.default_rng(1)
    lines = ["version 1", "nodes", *[f'{bone} "bone {bone}" {bone // 2 - 1}' for bone in range(8)], "end", "skeleton"]
    for frame in range(3):
        lines.append(f"time {frame}")
        lines += [f"{bone} " + " ".join(f"{value:.6f}" for value in rng.uniform(-3, 3, 6)) for bone in range(8)]
    lines += ["end", "triangles"]
    for triangle in range(60):
        lines.append(f"material_{triangle // 30}")
        for _ in range(3):
            numbers = " ".join(f"{value:.6f}" for value in rng.uniform(-9, 9, 8))
            a, b = rng.choice(8, 2, replace=False)
            # assimp leaves out the first bone if its weight is small.
            lines.append(f"{a} {numbers} 2 {a} 0.625 {b} 0.375")
    path = tmp_path / "random.smd"
    path.write_text("\n".join([*lines, "end", ""]))
    data = smd.read(path)
    for key in range(3):
        world, expected = assimp_poses(assimp, path, key=key)
        assert deviation(posed_triangles(data, data, data["clips"][0], key), expected) < 1e-5
        for bone, matrix in zip(data["bones"], worlds(data, data["clips"][0], key)):
            assert close(world[bone["name"]], matrix, 1e-4)


def test_md5_poses_match_assimp(assimp, tmp_path):
    mesh, anim = tmp_path / "hero.md5mesh", tmp_path / "run.md5anim"
    # assimp needs blank lines between the sections.
    mesh.write_bytes(MD5_MESH.replace(b"\n", b"\n\n"))
    anim.write_bytes(MD5_ANIM.replace(b"\n", b"\n\n"))
    data, run = md5.read(mesh), md5.read(anim)
    assert deviation(posed_triangles(data, data), assimp_poses(assimp, mesh)[1]) < 1e-5
    for key in range(2):
        expected = assimp_poses(assimp, mesh, anim, key)[1]
        assert deviation(posed_triangles(data, run, run["clips"][0], key), expected) < 1e-5


def test_bvh_poses_match_assimp(assimp, tmp_path):
    path = tmp_path / "run.bvh"
    path.write_bytes(BVH.replace(b"Left Leg {", b"LeftLeg\n{"))
    data = bvh.read(path)
    for key in range(2):
        world, _ = assimp_poses(assimp, path, key=key)
        for bone, matrix in list(zip(data["bones"], worlds(data, data["clips"][0], key)))[:2]:
            assert close(world[bone["name"]], matrix, 1e-5)


def test_euler_angles_are_applied_from_the_last_axis():
    turns = _math.about_axes(np.array([TURN, TURN]), (2, 0))
    # About x first: y becomes z, which the rotation about z keeps.
    assert close(_math.rotate(turns, np.array([0.0, 1.0, 0.0])), [0, 0, 1])
