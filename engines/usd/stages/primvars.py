"""Stages about primvars: UVs, colours and normals in every interpolation."""

from pxr import Gf, Sdf, UsdGeom, Vt

from . import arm
from .meshes import model
from .registry import sound

NUM_FACES = len(arm.quads())
NUM_CORNERS = 4 * NUM_FACES
NUM_POINTS = arm.SEGMENTS * arm.RINGS


def add_primvar(prim, name, type_name, interpolation, values, indices=None):
    """Creates a primvar, which is indexed if indices are given."""
    primvar = UsdGeom.PrimvarsAPI(prim.GetPrim()).CreatePrimvar(name, getattr(Sdf.ValueTypeNames, type_name),
                                                                interpolation)
    primvar.Set(values)
    if indices is not None:
        primvar.SetIndices(Vt.IntArray(indices))
    return primvar


def corner_uvs():
    """A UV per face corner with a seam: the last column of faces ends at u = 1."""
    uvs = []
    for face in range(NUM_FACES):
        ring, corner = divmod(face, arm.SEGMENTS)
        left, right = corner / arm.SEGMENTS, (corner + 1) / arm.SEGMENTS
        bottom, top = ring / (arm.RINGS - 1), (ring + 1) / (arm.RINGS - 1)
        uvs += [(left, bottom), (left, top), (right, top), (right, bottom)]
    return uvs


def indexed(values):
    """The distinct values, and the index of each."""
    distinct = sorted(set(values))
    return distinct, [distinct.index(value) for value in values]


def colors(count):
    return [(index / count, 1 - index / count, 0.25 + 0.5 * (index % 2)) for index in range(count)]


def tilted_normals(count):
    """Unit normals that all differ."""
    vectors = [Gf.Vec3f(1 + index % 5, index % 3 - 1, 0.1 * index) for index in range(count)]
    return Vt.Vec3fArray([vector.GetNormalized() for vector in vectors])


def tube(scene, with_normals=False):
    model(scene)
    return arm.add_tube(scene.stage, "/Model/Tube", with_normals=with_normals)


@sound
def uvs_per_corner(scene):
    """UVs of faceVarying interpolation with a seam."""
    add_primvar(tube(scene), "st", "TexCoord2fArray", UsdGeom.Tokens.faceVarying, corner_uvs())


@sound
def uvs_per_corner_indexed(scene):
    """Indexed UVs of faceVarying interpolation with a seam."""
    add_primvar(tube(scene), "st", "TexCoord2fArray", UsdGeom.Tokens.faceVarying, *indexed(corner_uvs()))


@sound
def uvs_per_vertex(scene):
    """UVs of vertex interpolation, stored as float2[] instead of texCoord2f[]."""
    uvs = [(point % 6 / 6, point // 6 / 6) for point in range(NUM_POINTS)]
    add_primvar(tube(scene), "st", "Float2Array", UsdGeom.Tokens.vertex, uvs)


@sound
def uvs_varying(scene):
    """UVs of varying interpolation, which is the same as vertex interpolation on a mesh without subdivision."""
    uvs = [(point % 6 / 6, point // 6 / 6) for point in range(NUM_POINTS)]
    add_primvar(tube(scene), "st", "TexCoord2fArray", UsdGeom.Tokens.varying, uvs)


@sound
def color_constant(scene):
    """One displayColor and displayOpacity for the mesh."""
    mesh = tube(scene)
    add_primvar(mesh, "displayColor", "Color3fArray", UsdGeom.Tokens.constant, [(1, 0.5, 0)])
    add_primvar(mesh, "displayOpacity", "FloatArray", UsdGeom.Tokens.constant, [0.5])


@sound
def color_uniform(scene):
    """A displayColor per face."""
    add_primvar(tube(scene), "displayColor", "Color3fArray", UsdGeom.Tokens.uniform, colors(NUM_FACES))


@sound
def color_vertex(scene):
    """A displayColor per vertex."""
    add_primvar(tube(scene), "displayColor", "Color3fArray", UsdGeom.Tokens.vertex, colors(NUM_POINTS))


@sound
def color_per_corner_indexed(scene):
    """An indexed displayColor per face corner, so that vertices have several colours."""
    add_primvar(tube(scene), "displayColor", "Color3fArray", UsdGeom.Tokens.faceVarying, colors(3),
                [corner % 3 for corner in range(NUM_CORNERS)])


@sound
def color_inherited(scene):
    """A constant displayColor on the parent of the mesh, which the mesh inherits."""
    tube(scene)
    add_primvar(scene.stage.GetPrimAtPath("/Model"), "displayColor", "Color3fArray", UsdGeom.Tokens.constant,
                [(0, 1, 1)])


@sound
def normals_per_corner(scene):
    """Normals of faceVarying interpolation on a skinned mesh."""
    mesh = arm.Arm(scene.stage).mesh
    mesh.GetNormalsAttr().Set(tilted_normals(NUM_CORNERS))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)


@sound
def normals_per_face(scene):
    """Normals of uniform interpolation."""
    mesh = tube(scene, with_normals=True)
    mesh.GetNormalsAttr().Set(tilted_normals(NUM_FACES))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.uniform)


@sound
def normals_varying(scene):
    """Normals of varying interpolation on a skinned mesh."""
    arm.Arm(scene.stage).mesh.SetNormalsInterpolation(UsdGeom.Tokens.varying)


@sound
def normals_as_primvar(scene):
    """Both `normals` and `primvars:normals`, of which the latter takes precedence, on a skinned mesh."""
    mesh = arm.Arm(scene.stage).mesh
    add_primvar(mesh, "normals", "Normal3fArray", UsdGeom.Tokens.vertex, tilted_normals(NUM_POINTS))


@sound
def normals_indexed(scene):
    """An indexed `primvars:normals` of faceVarying interpolation on a skinned mesh."""
    mesh = arm.Arm(scene.stage).mesh
    mesh.GetPrim().RemoveProperty("normals")
    add_primvar(mesh, "normals", "Normal3fArray", UsdGeom.Tokens.faceVarying, tilted_normals(7),
                [corner % 7 for corner in range(NUM_CORNERS)])


@sound
def normals_missing(scene):
    """A skinned mesh without normals."""
    arm.Arm(scene.stage).mesh.GetPrim().RemoveProperty("normals")
