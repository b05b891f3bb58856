"""Pose a glTF, FBX or OBJ file with Blender: python3 blender_engine.py FILE REQUEST.json"""

from importlib.metadata import version

import engine_io


def pose_file(path, poses):
    # Blender starts threads when it is imported, which a fork would lose. Without
    # them it hangs on large meshes, so it is imported in the child process.
    import blender_poses

    return blender_poses.pose_file(path, poses)


if __name__ == "__main__":
    engine_io.run("Blender", version("bpy"), pose_file)
