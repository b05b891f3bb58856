"""The parts of assimp's C interface that assimp_engine.py needs, in version 5.2 (Debian package libassimp5).

Only pointers to these structures are used, so each ends with the last field that is read.
"""

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_double, c_float, c_uint, c_void_p

TRIANGULATE = 0x8

Vector = c_float * 3
Quaternion = c_float * 4  # w first
Matrix = c_float * 16  # row by row


class String(ctypes.Structure):
    _fields_ = [("length", c_uint), ("data", c_char * 1024)]

    def __str__(self):
        return self.data.decode(errors="replace")


class Node(ctypes.Structure):
    pass


Node._fields_ = [
    ("name", String),
    ("transformation", Matrix),
    ("parent", POINTER(Node)),
    ("num_children", c_uint),
    ("children", POINTER(POINTER(Node))),
    ("num_meshes", c_uint),
    ("meshes", POINTER(c_uint)),
]


class VertexWeight(ctypes.Structure):
    _fields_ = [("vertex", c_uint), ("weight", c_float)]


class Bone(ctypes.Structure):
    _fields_ = [
        ("name", String),
        ("num_weights", c_uint),
        ("armature", c_void_p),
        ("node", c_void_p),
        ("weights", POINTER(VertexWeight)),
        ("offset_matrix", Matrix),
    ]


class Mesh(ctypes.Structure):
    _fields_ = [
        ("primitive_types", c_uint),
        ("num_vertices", c_uint),
        ("num_faces", c_uint),
        ("vertices", POINTER(Vector)),
        ("normals_tangents_bitangents", c_void_p * 3),
        ("colors_and_uvs", c_void_p * 16),
        ("num_uv_components", c_uint * 8),
        ("faces", c_void_p),
        ("num_bones", c_uint),
        ("bones", POINTER(POINTER(Bone))),
    ]


class VectorKey(ctypes.Structure):
    _fields_ = [("time", c_double), ("value", Vector)]


class QuaternionKey(ctypes.Structure):
    _fields_ = [("time", c_double), ("value", Quaternion)]


class NodeAnim(ctypes.Structure):
    _fields_ = [
        ("name", String),
        ("num_positions", c_uint),
        ("positions", POINTER(VectorKey)),
        ("num_rotations", c_uint),
        ("rotations", POINTER(QuaternionKey)),
        ("num_scales", c_uint),
        ("scales", POINTER(VectorKey)),
    ]


class Animation(ctypes.Structure):
    _fields_ = [
        ("name", String),
        ("duration", c_double),
        ("ticks_per_second", c_double),
        ("num_channels", c_uint),
        ("channels", POINTER(POINTER(NodeAnim))),
    ]


class MetadataEntry(ctypes.Structure):
    _fields_ = [("type", c_uint), ("data", c_void_p)]


class Metadata(ctypes.Structure):
    _fields_ = [("num", c_uint), ("keys", POINTER(String)), ("values", POINTER(MetadataEntry))]


class Scene(ctypes.Structure):
    _fields_ = [
        ("flags", c_uint),
        ("root", POINTER(Node)),
        ("num_meshes", c_uint),
        ("meshes", POINTER(POINTER(Mesh))),
        ("num_materials", c_uint),
        ("materials", c_void_p),
        ("num_animations", c_uint),
        ("animations", POINTER(POINTER(Animation))),
        ("num_textures", c_uint),
        ("textures", c_void_p),
        ("num_lights", c_uint),
        ("lights", c_void_p),
        ("num_cameras", c_uint),
        ("cameras", c_void_p),
        ("metadata", POINTER(Metadata)),
    ]


library = ctypes.CDLL("libassimp.so.5")
library.aiImportFile.argtypes = [c_char_p, c_uint]
library.aiImportFile.restype = POINTER(Scene)
library.aiGetErrorString.restype = c_char_p


def version():
    return ".".join(str(getattr(library, f"aiGetVersion{part}")()) for part in ("Major", "Minor", "Patch"))


def load(path):
    """Load a file. It stays loaded until the program ends."""
    scene = library.aiImportFile(path.encode(), TRIANGULATE)
    if not scene:
        raise RuntimeError(library.aiGetErrorString().decode(errors="replace"))
    return scene.contents


def pointed(pointers, number):
    """Return the elements of an array of pointers."""
    return [pointers[index].contents for index in range(number)]


def metadata_number(scene, key):
    """Return a property of the file that is a number, or None."""
    types = {1: ctypes.c_int32, 3: c_float, 4: c_double}
    if scene.metadata:
        metadata = scene.metadata.contents
        for name, value in zip(metadata.keys[: metadata.num], metadata.values[: metadata.num]):
            if str(name) == key and value.type in types:
                return ctypes.cast(value.data, POINTER(types[value.type])).contents.value
    return None
