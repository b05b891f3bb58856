"""Stages about the topology of unskinned meshes: faces, orientation, holes, subdivision and subsets."""

from pxr import Sdf, UsdGeom, UsdShade, Vt

from . import arm
from .registry import sound, sound_with_text_package


def model(scene):
    """The default prim of stages without a skeleton."""
    return UsdGeom.Xform.Define(scene.stage, "/Model")


def polygons(scene, path, points, faces):
    """Defines a mesh from lists of points and of faces."""
    mesh = UsdGeom.Mesh.Define(scene.stage, path)
    mesh.CreatePointsAttr(points)
    mesh.CreateFaceVertexCountsAttr([len(face) for face in faces])
    mesh.CreateFaceVertexIndicesAttr([index for face in faces for index in face])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    return mesh


@sound_with_text_package
def triangles(scene):
    """A mesh of triangles."""
    model(scene)
    faces = [half for a, b, c, d in arm.quads() for half in ((a, b, c), (a, c, d))]
    polygons(scene, "/Model/Tube", arm.points(), faces)


@sound
def quads(scene):
    """A mesh of quads."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube")


@sound
def polygons_of_mixed_size(scene):
    """A mesh of a triangle, a quad, a concave pentagon and a hexagon."""
    model(scene)
    points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0.5), (2.5, 2, 0.2), (0.4, 1.1, 0), (-1, 2, 1),
              (-1, 0.5, 1), (-2, 0, 1), (-2, -1, 1), (-1, -1.5, 1)]
    faces = [(0, 1, 2, 3), (1, 4, 2), (3, 2, 6, 5, 7), (0, 3, 8, 9, 10, 11)]
    polygons(scene, "/Model/Mesh", points, faces)


@sound
def left_handed(scene):
    """A mesh of left-handed orientation: its faces are clockwise as seen from the side of the normals."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube")
    mesh.CreateFaceVertexIndicesAttr([index for face in arm.quads() for index in reversed(face)])
    mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)


@sound
def left_handed_without_normals(scene):
    """A mesh of left-handed orientation whose normals have to be computed."""
    left_handed(scene)
    UsdGeom.Mesh.Get(scene.stage, "/Model/Tube").GetPrim().RemoveProperty("normals")


@sound
def holes(scene):
    """A mesh with two hole faces, which aren't drawn."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube").CreateHoleIndicesAttr([0, 7])


@sound
def unused_points(scene):
    """A mesh whose last two points aren't part of any face."""
    model(scene)
    points = Vt.Vec3fArray([*arm.points(), (9, 9, 9), (-9, 9, 9)])
    arm.add_tube(scene.stage, "/Model/Tube", points, with_normals=False)


@sound
def subdivision_surface(scene):
    """A Catmull-Clark surface with creases and corners. Points are those of the control cage."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube", with_normals=False)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.catmullClark)
    mesh.CreateCreaseIndicesAttr([0, 1, 2])
    mesh.CreateCreaseLengthsAttr([3])
    mesh.CreateCreaseSharpnessesAttr([2.5])
    mesh.CreateCornerIndicesAttr([5])
    mesh.CreateCornerSharpnessesAttr([10])
    mesh.CreateInterpolateBoundaryAttr(UsdGeom.Tokens.edgeAndCorner)


@sound
def default_subdivision(scene):
    """A mesh that doesn't author its subdivision scheme, which is catmullClark by default."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube", with_normals=False).GetPrim().RemoveProperty("subdivisionScheme")


@sound
def double_sided(scene):
    """A double-sided mesh next to a single-sided one."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Double").CreateDoubleSidedAttr(True)
    arm.add_tube(scene.stage, "/Model/Single", arm.points(offset=(2, 0, 0))).CreateDoubleSidedAttr(False)


@sound
def empty_mesh(scene):
    """A mesh without points or faces next to an ordinary one."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube")
    polygons(scene, "/Model/Empty", [], [])


def add_material(scene, path, color):
    """Defines a material with a diffuse colour."""
    material = UsdShade.Material.Define(scene.stage, path)
    shader = UsdShade.Shader.Define(scene.stage, f"{path}/Surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(color)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    return material


def bind_material(prim, material):
    UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(material)


def add_subsets(scene, mesh, family_type, by_name):
    """Defines subsets of the family `materialBind` from pairs of face indices and a colour, by name."""
    binding = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim())
    for name, (faces, color) in by_name.items():
        subset = binding.CreateMaterialBindSubset(name, Vt.IntArray(faces))
        bind_material(subset, add_material(scene, f"/Model/Looks/{name}", color))
    binding.SetMaterialBindSubsetsFamilyType(family_type)


@sound
def material_subsets(scene):
    """Two subsets with materials that partition the faces."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube")
    UsdGeom.Scope.Define(scene.stage, "/Model/Looks")
    add_subsets(scene, mesh, UsdGeom.Tokens.partition,
                {"Lower": (range(18), (1, 0.2, 0.1)), "Upper": (range(18, 36), (0.1, 0.2, 1))})


@sound
def material_subset_and_rest(scene):
    """A subset with a material; the other faces have the material of the mesh."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube")
    UsdGeom.Scope.Define(scene.stage, "/Model/Looks")
    bind_material(mesh, add_material(scene, "/Model/Looks/Rest", (0.5, 0.5, 0.5)))
    add_subsets(scene, mesh, UsdGeom.Tokens.nonOverlapping, {"Band": (range(12, 18), (0, 1, 0))})


@sound
def other_subset_families(scene):
    """Subsets of other families than materialBind, which overlap and have no materials."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube")
    for name, element, indices, family in (("Front", "face", range(9), "regions"),
                                           ("Middle", "face", range(6, 20), "regions"),
                                           ("Rim", "point", range(6), "selections")):
        UsdGeom.Subset.CreateGeomSubset(mesh, name, element, Vt.IntArray(indices), family, "unrestricted")


@sound
def skinned_subsets(scene):
    """A skinned mesh with two material subsets."""
    character = arm.Arm(scene.stage)
    UsdGeom.Scope.Define(scene.stage, "/Model/Looks")
    add_subsets(scene, character.mesh, UsdGeom.Tokens.partition,
                {"Lower": (range(18), (1, 0.2, 0.1)), "Upper": (range(18, 36), (0.1, 0.2, 1))})
