"""Rewrites the glTF sample `SimpleSkin` as USD, as far as that file needs it.

Rigscope reads glTF already, so its poses of the glTF file can be compared with Pixar's poses of the USD file. That
tests the whole comparison before Rigscope reads USD.
"""

import base64

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

TYPES = {5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
JOINTS = ["Lower", "Lower/Upper"]


class Gltf:
    """The accessors of a glTF file whose buffers are embedded."""

    def __init__(self, json):
        self.json = json
        self.buffers = [base64.b64decode(buffer["uri"].split(",", 1)[1]) for buffer in json["buffers"]]

    def values(self, index):
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        dtype, width = np.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        stride = view.get("byteStride", dtype.itemsize * width)
        first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        data = self.buffers[view["buffer"]]
        rows = [np.frombuffer(data, dtype, width, first + stride * row) for row in range(accessor["count"])]
        return np.array(rows)


def with_unit_rotations(json):
    """A copy of the file whose rotation keys are normalised.

    The sample has 0.707 instead of the square root of 0.5. glTF readers normalise such keys, and UsdSkel doesn't.
    """
    gltf = Gltf(json)
    accessor = json["accessors"][json["animations"][0]["samplers"][0]["output"]]
    view = json["bufferViews"][accessor["bufferView"]]
    rotations = gltf.values(json["animations"][0]["samplers"][0]["output"])
    rotations = (rotations / np.linalg.norm(rotations, axis=1)[:, None]).astype(np.float32).tobytes()
    data = bytearray(gltf.buffers[view["buffer"]])
    first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
    data[first:first + len(rotations)] = rotations
    buffers = [dict(buffer) for buffer in json["buffers"]]
    buffers[view["buffer"]]["uri"] = "data:application/gltf-buffer;base64," + base64.b64encode(data).decode()
    return json | {"buffers": buffers}


def write_usd(json, path):
    """Writes the mesh, its two joints and the animation of the second one. Time codes are seconds."""
    gltf = Gltf(json)
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageMetersPerUnit(stage, 1)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    stage.SetTimeCodesPerSecond(1)
    UsdSkel.Root.Define(stage, "/Model")
    skin = json["skins"][0]
    skeleton = UsdSkel.Skeleton.Define(stage, "/Model/Skeleton")
    skeleton.CreateJointsAttr(JOINTS)
    # Both formats store the same numbers: glTF column by column, USD row by row and transposed.
    inverse_binds = gltf.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).astype(float)
    skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray([Gf.Matrix4d(matrix.tolist()).GetInverse()
                                                        for matrix in inverse_binds]))
    translations = Vt.Vec3fArray([Gf.Vec3f(*json["nodes"][node].get("translation", (0, 0, 0)))
                                  for node in skin["joints"]])
    _add_mesh(gltf, json["meshes"][0]["primitives"][0], stage)
    _add_animation(gltf, json["animations"][0], stage, translations)
    stage.Save()


def _add_mesh(gltf, primitive, stage):
    attributes = {name: gltf.values(index) for name, index in primitive["attributes"].items()}
    mesh = UsdGeom.Mesh.Define(stage, "/Model/Mesh")
    corners = gltf.values(primitive["indices"]).ravel().astype(np.int32)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(attributes["POSITION"]))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(corners))
    mesh.CreateFaceVertexCountsAttr([3] * (len(corners) // 3))
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets(["/Model/Skeleton"])
    binding.CreateJointIndicesPrimvar(False, 4).Set(
        Vt.IntArray.FromNumpy(attributes["JOINTS_0"].astype(np.int32).ravel()))
    binding.CreateJointWeightsPrimvar(False, 4).Set(Vt.FloatArray.FromNumpy(attributes["WEIGHTS_0"].ravel()))


def _add_animation(gltf, animation, stage, translations):
    (channel,) = animation["channels"]
    sampler = animation["samplers"][channel["sampler"]]
    assert channel["target"]["path"] == "rotation"
    target = UsdSkel.Animation.Define(stage, "/Model/Animation")
    target.CreateJointsAttr(JOINTS)
    target.CreateTranslationsAttr(translations)
    target.CreateScalesAttr(Vt.Vec3hArray([Gf.Vec3h(1, 1, 1)] * 2))
    rotations = target.CreateRotationsAttr()
    for (time,), (x, y, z, w) in zip(gltf.values(sampler["input"]).tolist(), gltf.values(sampler["output"]).tolist()):
        rotations.Set(Vt.QuatfArray([Gf.Quatf(1), Gf.Quatf(w, x, y, z)]), time)
    binding = UsdSkel.BindingAPI.Apply(stage.GetPrimAtPath("/Model/Skeleton"))
    binding.CreateAnimationSourceRel().SetTargets(["/Model/Animation"])
