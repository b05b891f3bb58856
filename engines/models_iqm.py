"""IQM files, each about one feature. A function returns the bytes.

Written from the description of the format, `iqm.txt` of the Inter-Quake Model Development Kit.
"""

import struct

import numpy as np

from builder import RING, tube, turn

FRAMES = 7
RATE = 10.0
# Types and formats of vertex arrays.
POSITION, NORMAL, BLEND_INDEXES, BLEND_WEIGHTS = 0, 2, 4, 5
UBYTE, FLOAT = 1, 7
MASK_OF_ALL = 0x3FF


def _chain(count=4):
    """Parents and rest transforms of joints along y: translation, rotation, scale."""
    return [(at - 1, [0, 1 if at else 0, 0, *turn((1, 0, 0), 0), 1, 1, 1]) for at in range(count)]


def _frames(change, joints):
    """The transforms of all joints in each frame; `change(transform, joint, share)` poses one in place."""
    frames = []
    for frame in range(FRAMES):
        pose = [np.array(transform, float) for _, transform in joints]
        for at, transform in enumerate(pose):
            change(transform, at, frame / (FRAMES - 1))
        frames.append(pose)
    return np.array(frames)


def _bend(degrees=50, axis=(1, 0.3, 0)):
    def change(transform, joint, share):
        if joint:
            transform[3:7] = turn(axis, degrees * share * (1 + 0.2 * joint))
    return change


def _default_weights(count):
    ring = np.repeat(np.arange(count), RING)
    below = np.maximum(ring - 1, 0)
    share = np.where(ring == 0, 255, 178)
    none = 0 * ring
    return np.stack([ring, below, none, none], 1), np.stack([share, 255 - share, none, none], 1)


class _Text:
    def __init__(self):
        self.bytes = bytearray(b"\0")

    def add(self, name):
        place = len(self.bytes)
        self.bytes += name.encode() + b"\0"
        return place


def _file(joints=(), clips=(), weights=None, rates=None):
    """A tube with a ring per joint. `clips` are arrays by frame, joint and channel."""
    positions, normals, indices = tube(max(len(joints), 4))
    text = _Text()
    mesh = struct.pack("<6I", text.add("tube"), text.add("material"), 0, len(positions), 0, len(indices) // 3)
    arrays = [(POSITION, FLOAT, 3, positions.astype("<f4")), (NORMAL, FLOAT, 3, normals.astype("<f4"))]
    if joints:
        bones, shares = weights or _default_weights(len(joints))
        arrays += [(BLEND_INDEXES, UBYTE, 4, bones.astype("u1")), (BLEND_WEIGHTS, UBYTE, 4, shares.astype("u1"))]
    joint_table = b"".join(struct.pack("<Ii10f", text.add(f"joint{at}"), parent, *transform)
                           for at, (parent, transform) in enumerate(joints))
    channels = np.concatenate(clips) if clips else np.zeros((0, len(joints), 10))
    lowest = channels.min(0) if clips else np.zeros((len(joints), 10))
    steps = np.float32((channels.max(0) - lowest) / 65535) if clips else lowest
    poses = b"".join(struct.pack("<iI20f", parent, MASK_OF_ALL, *lowest[at], *steps[at])
                     for at, (parent, _) in enumerate(joints)) if clips else b""
    quantized = np.divide(channels - lowest, steps, out=np.zeros_like(channels), where=steps > 0)
    frames = np.round(quantized).clip(0, 65535).astype("<u2").tobytes()
    anims, first = b"", 0
    for at, clip in enumerate(clips):
        anims += struct.pack("<3IfI", text.add(f"clip{at}"), first, len(clip), (rates or {}).get(at, RATE), 0)
        first += len(clip)
    triangles = np.array(indices, "<u4").reshape(-1, 3)[:, ::-1].tobytes()
    tables = _Tables()
    header = [2, 0, 0, *tables.add(len(text.bytes), bytes(text.bytes)), *tables.add(1, mesh)]
    places = [(kind, 0, dtype, width, tables.add(0, data.tobytes())[1]) for kind, dtype, width, data in arrays]
    array_table = b"".join(struct.pack("<5I", *place) for place in places)
    header += [len(arrays), len(positions), tables.add(0, array_table)[1]]
    header += [*tables.add(len(indices) // 3, triangles), 0]
    header += tables.add(len(joints), joint_table)
    header += tables.add(len(joints) if clips else 0, poses)
    header += tables.add(len(clips), anims)
    header += [len(channels), len(joints) * 10 if clips else 0, tables.add(0, frames)[1], 0]
    header += [0, 0, 0, 0]
    header[1] = _Tables.START + len(tables.data)
    return b"INTERQUAKEMODEL\0" + struct.pack(f"<{len(header)}I", *header) + bytes(tables.data)


class _Tables:
    START = 124

    def __init__(self):
        self.data = bytearray()

    def add(self, count, data):
        """The count and the file offset of a table."""
        self.data += b"\0" * (-len(self.data) % 4)
        place = self.START + len(self.data)
        self.data += data
        return [count, place if data else 0]


def without_joints():
    """A mesh only."""
    return _file()


def at_rest():
    """A skin without clips."""
    return _file(_chain())


def bent():
    """Rotations of up to 80° between a few frames."""
    joints = _chain()
    return _file(joints, [_frames(_bend(), joints)])


def nearly_still():
    """Rotations of a degree per frame."""
    joints = _chain()
    return _file(joints, [_frames(_bend(6), joints)])


def wide_turns():
    """Rotations of up to 50° per frame."""
    joints = _chain()
    return _file(joints, [_frames(_bend(180, (0, 1, 0.2)), joints)])


def translated():
    """Joints that move without turning."""
    joints = _chain()

    def change(transform, joint, share):
        transform[0:3] += [0.4 * share * joint, 0.2 * share, -0.3 * share]
    return _file(joints, [_frames(change, joints)])


def evenly_scaled():
    """Joints that grow evenly, one below the other."""
    joints = _chain()

    def change(transform, joint, share):
        transform[7:10] = 1 + 0.3 * share * (joint == 1) - 0.2 * share * (joint == 2)
    return _file(joints, [_frames(change, joints)])


def unevenly_scaled():
    """A turned joint below one that is scaled unevenly."""
    joints = _chain()

    def change(transform, joint, share):
        _bend()(transform, joint, share)
        if joint == 1:
            transform[7:10] = [1 + 0.5 * share, 1, 1 - 0.4 * share]
    return _file(joints, [_frames(change, joints)])


def two_clips():
    """Two clips of different rates."""
    joints = _chain()
    return _file(joints, [_frames(_bend(30), joints), _frames(_bend(-40, (0, 0, 1)), joints)], rates={1: 4.0})


def turned_rest():
    """Joints whose rest rotations differ."""
    joints = [(parent, [*transform[:3], *turn((0, 0, 1), 20 * at), *transform[7:]])
              for at, (parent, transform) in enumerate(_chain())]
    return _file(joints, [_frames(_bend(40), joints)])


def unnormalized_weights():
    """Weights that don't add up to 255."""
    joints = _chain()
    bones, shares = _default_weights(len(joints))
    return _file(joints, [_frames(_bend(), joints)], (bones, shares // 2))


def unweighted_vertices():
    """Vertices without weights."""
    joints = _chain()
    bones, shares = _default_weights(len(joints))
    shares[-RING:] = 0
    return _file(joints, [_frames(_bend(), joints)], (bones, shares))
