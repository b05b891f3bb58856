"""Pose a file with Panda3D: python3 panda3d_engine.py FILE REQUEST.json"""

import importlib.metadata

import panda3d.core as p3d
from gltf import GltfSettings
from gltf._converter import Converter
from gltf.parseutils import parse_gltf_file

import engine_io


def load(path):
    """Load a file as `gltf.load_model` does, but keep the order of the file.

    The converter knows the node of each glTF mesh, the scene graph doesn't.
    """
    converter = Converter(path)
    converter.update(parse_gltf_file(path))
    return converter


def bind(scene):
    """Bind all clips of all characters, as Actor does."""
    controls = []
    for character in scene.find_all_matches("**/+Character"):
        collection = p3d.AnimControlCollection()
        p3d.auto_bind(character.node(), collection, ~0)
        controls.append((character.node(), collection))
    return controls


def pose_characters(controls, name, frame):
    found = False
    for character, collection in controls:
        control = collection.find_anim(name)
        if control:
            control.pose(frame)
            found = True
        character.force_update()
    if not found:
        raise RuntimeError(f"no clip {name!r} on any character")


def order_vertices(rows, primitive, converter, file):
    """Return the rows of a Geom in the order of the POSITION accessor.

    Without NORMAL, the converter writes one row per corner to get flat normals,
    but skinning doesn't depend on the corner.
    """
    count = file["accessors"][primitive["attributes"]["POSITION"]]["count"]
    if "NORMAL" in primitive["attributes"] or "indices" not in primitive:
        return rows
    ordered = [[None] * 3] * count
    indices = converter.get_buffer_from_accessor(file, primitive["indices"])
    for index, row in zip(indices, rows, strict=True):
        ordered[index] = row
    return ordered


def world_vertices(converter, scene, file):
    """Return the animated vertices, node by node in file order, y up.

    Vertices that no triangle uses may have nulls as coordinates.
    """
    thread = p3d.Thread.get_current_thread()
    vertices = []
    seen = {}
    for node in file.get("nodes", []):
        if "mesh" not in node:
            continue
        geom_node = converter.meshes[node["mesh"]]
        # A mesh of several nodes is one GeomNode below several parents.
        index = seen.get(node["mesh"], 0)
        seen[node["mesh"]] = index + 1
        paths = [
            path
            for path in scene.find_all_matches("**/+GeomNode")
            if path.node() == geom_node
        ]
        if index >= len(paths):
            raise RuntimeError("a mesh is not in the scene")
        matrix = paths[index].get_mat(scene)
        primitives = file["meshes"][node["mesh"]]["primitives"]
        for primitive, geom in zip(primitives, geom_node.get_geoms(), strict=True):
            data = geom.get_vertex_data().animate_vertices(True, thread)
            reader = p3d.GeomVertexReader(data, "vertex")
            rows = []
            while not reader.is_at_end():
                x, y, z = matrix.xform_point(reader.get_data3())
                rows.append([x, z, -y])
            vertices += order_vertices(rows, primitive, converter, file)
    return vertices


def pose_file(path, poses):
    file = engine_io.read_json(path)
    names = [
        clip.get("name", f"anim{i}") for i, clip in enumerate(file.get("animations", []))
    ]
    for pose in poses:
        # Sliders and joints that a clip doesn't touch keep their last value,
        # so a fresh scene keeps the poses independent.
        converter = load(path)
        scene = converter.active_scene
        controls = bind(scene)
        if pose["clip"] is not None:
            frame = pose["time"] * GltfSettings().animation_fps
            pose_characters(controls, names[pose["clip"]], frame)
        yield world_vertices(converter, scene, file)


if __name__ == "__main__":
    version = "{} with panda3d-gltf {}".format(
        p3d.PandaSystem.get_version_string(),
        importlib.metadata.version("panda3d-gltf"),
    )
    engine_io.run("Panda3D", version, pose_file)
