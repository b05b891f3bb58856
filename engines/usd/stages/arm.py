"""The skinned tube with three joints that most stages use.

The cross section is asymmetric and every joint of the bind pose is rotated, so that mirrored axes, transposed matrices
and a wrong order of multiplication all move points.
"""

import numpy as np
from pxr import Gf, UsdGeom, UsdSkel, Vt

JOINTS = ["Shoulder", "Shoulder/Elbow", "Shoulder/Elbow/Wrist"]
SEGMENTS = 6
RINGS = 7
HEIGHT = 3.0


def points(height=HEIGHT, offset=(0, 0, 0)):
    """The points of the tube along +Y, ring by ring."""
    rings = []
    for ring in range(RINGS):
        for corner in range(SEGMENTS):
            angle = 2 * np.pi * corner / SEGMENTS
            rings.append([0.4 * np.cos(angle) + 0.03 * corner, height * ring / (RINGS - 1), 0.25 * np.sin(angle)])
    return Vt.Vec3fArray.FromNumpy((np.array(rings) + offset).astype(np.float32))


def normals():
    """A unit normal per point, perpendicular to the ellipse of the cross section."""
    angles = [2 * np.pi * corner / SEGMENTS for corner in range(SEGMENTS)] * RINGS
    vectors = np.array([[np.cos(angle) / 0.4, 0.2, np.sin(angle) / 0.25] for angle in angles])
    return Vt.Vec3fArray.FromNumpy((vectors / np.linalg.norm(vectors, axis=1)[:, None]).astype(np.float32))


def quads():
    """The point indices of the faces, four per face, counterclockwise as seen from outside."""
    faces = []
    for ring in range(RINGS - 1):
        for corner in range(SEGMENTS):
            here, there = ring * SEGMENTS, (ring + 1) * SEGMENTS
            following = (corner + 1) % SEGMENTS
            faces.append([here + corner, there + corner, there + following, here + following])
    return faces


def add_tube(stage, path, tube_points=None, with_normals=True):
    """Defines an unskinned tube."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    faces = quads()
    mesh.CreatePointsAttr(points() if tube_points is None else tube_points)
    mesh.CreateFaceVertexCountsAttr([4] * len(faces))
    mesh.CreateFaceVertexIndicesAttr([index for face in faces for index in face])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    if with_normals:
        mesh.CreateNormalsAttr(normals())
        mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    return mesh


def rotation(axis, degrees):
    return Gf.Matrix4d().SetRotate(Gf.Rotation(Gf.Vec3d(*axis), degrees))


def translation(*offset):
    return Gf.Matrix4d().SetTranslate(Gf.Vec3d(*offset))


def rest_transforms():
    """The joint-local transforms. Joints are at y = 0, 1 and 2 in the space of the skeleton."""
    bind = bind_transforms()
    return Vt.Matrix4dArray([bind[0], bind[1] * bind[0].GetInverse(), bind[2] * bind[1].GetInverse()])


def bind_transforms():
    """The transforms of the joints in world space at bind time. USD transforms row vectors, so rotations come first."""
    axes = [((1, 2, 0), 35), ((0, 1, 1), -50), ((1, 0, 3), 80)]
    return Vt.Matrix4dArray([rotation(*turn) * translation(0, height, 0) for height, turn in enumerate(axes)])


def add_skeleton(stage, path, joints=JOINTS, bind=None, rest=None):
    """Defines a skeleton with the same bind and rest pose. `rest=False` leaves out the rest pose."""
    skeleton = UsdSkel.Skeleton.Define(stage, path)
    skeleton.CreateJointsAttr(joints)
    skeleton.CreateBindTransformsAttr(bind_transforms() if bind is None else bind)
    if rest is not False:
        skeleton.CreateRestTransformsAttr(rest_transforms() if rest is None else rest)
    return skeleton


def influences(per_point):
    """Joint indices and weights, `per_point` of each per point, that blend from joint to joint along the tube."""
    indices, weights = [], []
    for point in points():
        distances = np.abs(point[1] - np.arange(len(JOINTS)))
        order = [joint % len(JOINTS) for joint in np.argsort(distances, kind="stable")]
        shares = np.array([1 / (0.2 + distances[joint]) ** 2 for joint in order])
        row = np.zeros(per_point)
        used = min(per_point, len(JOINTS))
        row[:used] = shares[:used] / shares[:used].sum()
        indices += [int(order[slot]) if slot < used else 0 for slot in range(per_point)]
        weights += [float(weight) for weight in row]
    return indices, weights


def bind(mesh, skeleton=None, per_point=2, weights=None, geom_bind=None, joints=None):
    """Applies SkelBindingAPI and authors the influences. `weights` replaces the pair of indices and weights."""
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    indices, shares = influences(per_point) if weights is None else weights
    binding.CreateJointIndicesPrimvar(False, per_point).Set(indices)
    binding.CreateJointWeightsPrimvar(False, per_point).Set(shares)
    if geom_bind is not None:
        binding.CreateGeomBindTransformAttr(geom_bind)
    if joints is not None:
        binding.CreateJointsAttr(joints)
    if skeleton is not None:
        binding.CreateSkeletonRel().SetTargets([skeleton.GetPath() if hasattr(skeleton, "GetPath") else skeleton])
    return binding


def quaternion(axis, degrees):
    rotated = Gf.Rotation(Gf.Vec3d(*axis), degrees).GetQuat()
    return Gf.Quatf(rotated.GetReal(), Gf.Vec3f(*rotated.GetImaginary()))


def pose(bend, joints=JOINTS, sway=0.0):
    """Translations, rotations and scales of a pose: the rest pose with elbow and wrist turned by `bend` degrees."""
    rest = dict(zip(JOINTS, rest_transforms()))
    turns = {"Shoulder": rotation((0, 1, 0), bend / 3), "Shoulder/Elbow": rotation((0, 0, 1), bend),
             "Shoulder/Elbow/Wrist": rotation((1, 0, 1), -bend / 2)}
    local = [turns[joint] * rest[joint] for joint in joints]
    translations, rotations, scales = UsdSkel.DecomposeTransforms(Vt.Matrix4dArray(local))
    if sway and "Shoulder" in joints:
        translations[joints.index("Shoulder")] += Gf.Vec3f(sway, 0, sway / 2)
    return translations, rotations, scales


def add_animation(stage, path, keys=((0, 0), (12, 70), (24, -40)), joints=JOINTS):
    """Defines an animation whose keys are pairs of a time code (None for the default value) and a bend in degrees."""
    animation = UsdSkel.Animation.Define(stage, path)
    animation.CreateJointsAttr(joints)
    attributes = (animation.CreateTranslationsAttr(), animation.CreateRotationsAttr(), animation.CreateScalesAttr())
    for time_code, bend in keys:
        for attribute, values in zip(attributes, pose(bend, joints, bend / 100)):
            attribute.Set(values) if time_code is None else attribute.Set(values, time_code)
    return animation


def bind_animation(prim, animation):
    binding = UsdSkel.BindingAPI.Apply(prim.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    return binding


class Arm:
    """A whole character: SkelRoot, skeleton, skinned mesh and animation below `path`."""

    def __init__(self, stage, path="/Model", animated=True, **bind_options):
        self.stage = stage
        self.root = UsdSkel.Root.Define(stage, path)
        self.skeleton = add_skeleton(stage, f"{path}/Skeleton")
        self.mesh = add_tube(stage, f"{path}/Tube")
        self.binding = bind(self.mesh, self.skeleton, **bind_options)
        self.animation = None
        if animated:
            self.animation = add_animation(stage, f"{path}/Animation")
            bind_animation(self.skeleton, self.animation)
        self.root.CreateExtentAttr([(-4, -4, -4), (4, 4, 4)])

    def rebind(self, per_point, indices, weights, interpolation=None):
        """Replaces the influences, with any sizes."""
        for primvar, values in ((self.binding.GetJointIndicesPrimvar(), indices),
                                (self.binding.GetJointWeightsPrimvar(), weights)):
            primvar.SetElementSize(per_point)
            primvar.Set(values)
            if interpolation:
                primvar.SetInterpolation(interpolation)
