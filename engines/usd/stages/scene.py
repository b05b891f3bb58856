"""A test stage while it is being written, and the forms in which it is saved.

The functions of the other modules author .usda layers. `Scene.save` derives the other forms from them, so that all
forms have the same contents.
"""

import os
import struct
import zlib
from pathlib import Path

from pxr import Sdf, Usd, UsdGeom, UsdUtils

FORMS = ("usda", "usdc", "usdz")
# Packages store the time of modification of their files. 2000-01-01, 12:00 UTC, makes them deterministic.
MODIFIED_SECS = 946728000


class Scene:
    """A root layer with companion layers and textures in a separate folder.

    The root layer starts with Y up, metres, 24 time codes per second and the range 0 to 24. The default prim is
    </Model>, because references need one and `UsdValidation` reports its absence.
    """

    def __init__(self, folder, name, package_form="usdc"):
        self.folder = Path(folder) / name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.name = name
        self.package_form = package_form
        # Stages keep their layers alive.
        self.stages = []
        self.stage = self.companion(name)
        UsdGeom.SetStageUpAxis(self.stage, UsdGeom.Tokens.y)
        UsdGeom.SetStageMetersPerUnit(self.stage, 1)
        self.stage.SetTimeCodesPerSecond(24)
        self.stage.SetStartTimeCode(0)
        self.stage.SetEndTimeCode(24)

    def companion(self, name):
        """A stage for another layer in the folder. Its path relative to the root layer is `./name.usda`."""
        path = self.folder / f"{name}.usda"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        stage = Usd.Stage.CreateNew(str(path))
        stage.SetMetadata("metersPerUnit", 1.0)
        stage.SetMetadata("upAxis", UsdGeom.Tokens.y)
        self.stages.append(stage)
        return stage

    def texture(self, name, pixels):
        """Writes an 8-bit RGB or RGBA PNG from rows of tuples, and returns its path relative to the root layer."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(pixels))
        return f"./{name}"

    def save(self):
        """Saves all forms, and returns the paths of the root layers. A form that can't be written is left out."""
        if not self.stage.HasDefaultPrim() and self.stage.GetPrimAtPath("/Model"):
            self.stage.SetDefaultPrim(self.stage.GetPrimAtPath("/Model"))
        layers = [stage.GetRootLayer() for stage in self.stages]
        for layer in layers:
            layer.Save()
        for layer in layers:
            self._save_crate(layer)
        for path in self.folder.rglob("*.*"):
            os.utime(path, (MODIFIED_SECS, MODIFIED_SECS))
        paths = [self.folder / f"{self.name}.{form}" for form in FORMS]
        self._save_package(paths[-1])
        return [path for path in paths if path.exists()]

    def _save_crate(self, layer):
        path = Path(layer.realPath).with_suffix(".usdc")
        path.unlink(missing_ok=True)
        crate = Sdf.Layer.CreateNew(str(path))
        crate.TransferContent(layer)
        UsdUtils.ModifyAssetPaths(crate, lambda asset: asset.replace(".usda", ".usdc"), True)
        # `ModifyAssetPaths` of USD 26.11 resets the offsets of sublayers.
        for index, offset in enumerate(layer.subLayerOffsets):
            crate.subLayerOffsets[index] = offset
        crate.Save()

    def _save_package(self, path):
        path.unlink(missing_ok=True)
        root = path.with_suffix(f".{self.package_form}")
        UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(str(root)), str(path))


def png(rows):
    """The bytes of a PNG file (https://www.w3.org/TR/png-3/), with all rows unfiltered."""
    channels = len(rows[0][0])
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    data = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(data, 9))
            + _chunk(b"IEND", b""))


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
