"""Stages about UsdPreviewSurface materials and their textures."""

from pxr import Sdf, UsdGeom, UsdShade

from . import arm
from .meshes import add_material, bind_material, model
from .primvars import add_primvar, corner_uvs
from .registry import sound

CHECKER = [[(230, 60, 40), (40, 60, 230)], [(60, 220, 40), (240, 240, 240)]]
CUTOUT = [[(230, 60, 40, 255), (40, 60, 230, 0)], [(60, 220, 40, 128), (240, 240, 240, 255)]]
TYPES = {"file": "Asset", "st": "Float2", "wrapS": "Token", "wrapT": "Token", "scale": "Float4", "bias": "Float4",
         "fallback": "Float4", "sourceColorSpace": "Token", "in": "Float2", "rotation": "Float",
         "translation": "Float2", "varname": "String", "metallic": "Float", "roughness": "Float", "opacity": "Float",
         "ior": "Float",
         "opacityThreshold": "Float", "useSpecularWorkflow": "Int", "specularColor": "Color3f",
         "diffuseColor": "Color3f", "emissiveColor": "Color3f", "normal": "Normal3f", "occlusion": "Float",
         "clearcoat": "Float", "clearcoatRoughness": "Float", "displacement": "Float", "opacityMode": "Token"}


def add_shader(scene, path, identifier, **inputs):
    """Defines a shader. Inputs are values, or pairs of a shader and the name of its output."""
    shader = UsdShade.Shader.Define(scene.stage, path)
    shader.CreateIdAttr(identifier)
    for name, value in inputs.items():
        type_name = "Float2" if name == "scale" and identifier == "UsdTransform2d" else TYPES[name]
        created = shader.CreateInput(name, getattr(Sdf.ValueTypeNames, type_name))
        if isinstance(value, tuple) and isinstance(value[0], UsdShade.Shader):
            created.ConnectToSource(value[0].ConnectableAPI(), value[1])
        else:
            created.Set(value)
    return shader


def textured_tube(scene, **uv_sets):
    """A tube with a material, and the UV sets by name (by default `st`)."""
    model(scene)
    mesh = arm.add_tube(scene.stage, "/Model/Tube")
    for name, uvs in (uv_sets or {"st": corner_uvs()}).items():
        add_primvar(mesh, name, "TexCoord2fArray", UsdGeom.Tokens.faceVarying, uvs)
    material = UsdShade.Material.Define(scene.stage, "/Model/Looks/Paint")
    UsdGeom.Scope.Define(scene.stage, "/Model/Looks")
    bind_material(mesh, material)
    return material


def add_reader(scene, name="Reader", uv_set="st"):
    shader = add_shader(scene, f"/Model/Looks/Paint/{name}", "UsdPrimvarReader_float2", varname=uv_set)
    shader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    return shader, "result"


def add_texture(scene, path, source, name="Texture", **inputs):
    shader = add_shader(scene, f"/Model/Looks/Paint/{name}", "UsdUVTexture", file=Sdf.AssetPath(path), st=source,
                        **inputs)
    for output, type_name in (("rgb", "Float3"), ("r", "Float"), ("g", "Float"), ("b", "Float"), ("a", "Float")):
        shader.CreateOutput(output, getattr(Sdf.ValueTypeNames, type_name))
    return shader


def add_surface(scene, material, **inputs):
    shader = add_shader(scene, "/Model/Looks/Paint/Surface", "UsdPreviewSurface", **inputs)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")


@sound
def preview_surface(scene):
    """A UsdPreviewSurface of constants, with metallic workflow and clearcoat."""
    add_surface(scene, textured_tube(scene), diffuseColor=(0.8, 0.3, 0.1), metallic=0.7, roughness=0.3,
                emissiveColor=(0.1, 0, 0.2), opacity=0.9, ior=1.45, clearcoat=0.5, clearcoatRoughness=0.1)


@sound
def specular_workflow(scene):
    """A UsdPreviewSurface with specular workflow."""
    add_surface(scene, textured_tube(scene), diffuseColor=(0.2, 0.2, 0.6), useSpecularWorkflow=1,
                specularColor=(0.9, 0.8, 0.1), roughness=0.4)


@sound
def textured(scene):
    """A texture of the base colour, an embedded PNG in the .usdz form."""
    material = textured_tube(scene)
    texture = add_texture(scene, scene.texture("textures/checker.png", CHECKER), add_reader(scene),
                          sourceColorSpace="sRGB")
    add_surface(scene, material, diffuseColor=(texture, "rgb"))


@sound
def textured_character(scene):
    """A skinned character with a texture."""
    character = arm.Arm(scene.stage)
    add_primvar(character.mesh, "st", "TexCoord2fArray", UsdGeom.Tokens.faceVarying, corner_uvs())
    UsdGeom.Scope.Define(scene.stage, "/Model/Looks")
    material = UsdShade.Material.Define(scene.stage, "/Model/Looks/Paint")
    bind_material(character.mesh, material)
    texture = add_texture(scene, scene.texture("checker.png", CHECKER), add_reader(scene))
    add_surface(scene, material, diffuseColor=(texture, "rgb"))


@sound
def texture_transform(scene):
    """A UsdTransform2d: scale, then rotation, then translation of the UVs."""
    material = textured_tube(scene)
    transform = add_shader(scene, "/Model/Looks/Paint/Transform", "UsdTransform2d", rotation=30.0, scale=(2, 3),
                           translation=(0.1, 0.2), **{"in": add_reader(scene)})
    transform.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    texture = add_texture(scene, scene.texture("checker.png", CHECKER), (transform, "result"), wrapS="repeat",
                          wrapT="repeat")
    add_surface(scene, material, diffuseColor=(texture, "rgb"))


@sound
def two_uv_sets(scene):
    """Two UV sets that different textures use."""
    second = [(0.5 * u, 1 - v) for u, v in corner_uvs()]
    material = textured_tube(scene, st=corner_uvs(), lightmap=second)
    color = add_texture(scene, scene.texture("checker.png", CHECKER), add_reader(scene))
    occlusion = add_texture(scene, scene.texture("occlusion.png", [[(255, 0, 0), (128, 0, 0)]]),
                            add_reader(scene, "SecondReader", "lightmap"), "Occlusion", sourceColorSpace="raw")
    add_surface(scene, material, diffuseColor=(color, "rgb"), occlusion=(occlusion, "r"))


@sound
def wrap_modes(scene):
    """Different wrap modes in u and v: mirror and clamp."""
    material = textured_tube(scene, st=[(3 * u, 2 * v - 0.5) for u, v in corner_uvs()])
    texture = add_texture(scene, scene.texture("checker.png", CHECKER), add_reader(scene), wrapS="mirror",
                          wrapT="clamp")
    add_surface(scene, material, diffuseColor=(texture, "rgb"))


@sound
def black_border(scene):
    """The wrap mode black and the fallback value of a texture."""
    material = textured_tube(scene, st=[(2 * u - 0.5, v) for u, v in corner_uvs()])
    texture = add_texture(scene, scene.texture("checker.png", CHECKER), add_reader(scene), wrapS="black",
                          wrapT="useMetadata", fallback=(1, 0, 1, 1))
    add_surface(scene, material, diffuseColor=(texture, "rgb"))


@sound
def normal_map(scene):
    """A normal map, with the scale and bias that the specification of UsdPreviewSurface requires."""
    material = textured_tube(scene)
    texture = add_texture(scene, scene.texture("normal.png", [[(128, 128, 255), (160, 128, 240)]]),
                          add_reader(scene), scale=(2, 2, 2, 1), bias=(-1, -1, -1, 0), sourceColorSpace="raw")
    add_surface(scene, material, diffuseColor=(0.5, 0.5, 0.5), normal=(texture, "rgb"))


@sound
def scaled_texture(scene):
    """Scale and bias of a texture of the base colour."""
    material = textured_tube(scene)
    texture = add_texture(scene, scene.texture("checker.png", CHECKER), add_reader(scene), scale=(0.5, 1, 0.25, 1),
                          bias=(0.1, 0, 0.2, 0))
    add_surface(scene, material, diffuseColor=(texture, "rgb"))


@sound
def channels(scene):
    """Roughness and metallic from the channels g and b of one texture."""
    material = textured_tube(scene)
    texture = add_texture(scene, scene.texture("orm.png", CHECKER), add_reader(scene), sourceColorSpace="raw")
    add_surface(scene, material, roughness=(texture, "g"), metallic=(texture, "b"), occlusion=(texture, "r"))


@sound
def alpha_cutoff(scene):
    """Opacity from the alpha of a texture, with an opacityThreshold of 0.5."""
    material = textured_tube(scene)
    texture = add_texture(scene, scene.texture("cutout.png", CUTOUT), add_reader(scene))
    add_surface(scene, material, diffuseColor=(texture, "rgb"), opacity=(texture, "a"), opacityThreshold=0.5)


@sound
def alpha_blend(scene):
    """Opacity from the alpha of a texture without a threshold."""
    material = textured_tube(scene)
    texture = add_texture(scene, scene.texture("cutout.png", CUTOUT), add_reader(scene))
    add_surface(scene, material, diffuseColor=(texture, "rgb"), opacity=(texture, "a"))


@sound
def material_inputs(scene):
    """Shader inputs that are connected to the inputs of the material, which have the values."""
    material = textured_tube(scene)
    material.CreateInput("tint", Sdf.ValueTypeNames.Color3f).Set((0.1, 0.7, 0.3))
    add_surface(scene, material, roughness=0.2)
    shader = UsdShade.Shader.Get(scene.stage, "/Model/Looks/Paint/Surface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).ConnectToSource(material.GetInput("tint"))


@sound
def material_of_parent(scene):
    """A material bound to the parent of two meshes, and a stronger one on the second."""
    root = model(scene)
    UsdGeom.Scope.Define(scene.stage, "/Model/Looks")
    arm.add_tube(scene.stage, "/Model/First")
    second = arm.add_tube(scene.stage, "/Model/Second", arm.points(offset=(2, 0, 0)))
    bind_material(root, add_material(scene, "/Model/Looks/Red", (1, 0, 0)))
    bind_material(second, add_material(scene, "/Model/Looks/Blue", (0, 0, 1)))
