"""A test stage and Pixar's answer about it, for tests of the behaviour of UsdSkel."""

import numpy as np
from pxr import Usd, UsdGeom

from answers import answer
from baking import BakedMesh, baked_stage
from diagnostics import collected_warnings
from write_stages import write


class Measured:
    """The answer about one stage."""

    def __init__(self, folder, name):
        write(folder, [name])
        self.path = folder / name / f"{name}.usda"
        self.answer = answer(self.path)
        self.warnings = self.answer["warnings"]
        self.meshes = self.answer["meshes"]

    def poses(self, kind="clip", mesh=0):
        return [pose for facts, pose in zip(self.answer["poses"], self.meshes[mesh]["poses"]) if facts["kind"] == kind]

    def points(self, kind="clip", mesh=0):
        """The world-space points by pose, point and axis."""
        return np.array([pose["points"] for pose in self.poses(kind, mesh)], float)

    def normals(self, kind="clip", mesh=0):
        return np.array([pose["normals"] for pose in self.poses(kind, mesh)], float)

    def failures(self, kind="clip", mesh=0):
        return {pose["failure"] for pose in self.poses(kind, mesh)}

    def stored_points(self, mesh=0):
        """The points of the file, without any transform."""
        stage = Usd.Stage.Open(str(self.path))
        return np.array(UsdGeom.Mesh(stage.GetPrimAtPath(self.meshes[mesh]["path"])).GetPointsAttr().Get(), float)

    def baked_points(self, mesh=0):
        """The points of the clip as `BakeSkinning` computes them."""
        times = [facts["time_code"] for facts in self.answer["poses"] if facts["kind"] == "clip"]
        with collected_warnings():
            stage = baked_stage(self.path, times)
        baked = BakedMesh(stage, self.meshes[mesh]["path"])
        return np.array([baked.points(Usd.TimeCode(time)) for time in times])


def same(some, others, tolerance=1e-6):
    return bool(np.allclose(some, others, rtol=0, atol=tolerance))
