"""Stages about composition arcs: sublayers, references, payloads, variants, inherits and specializes."""

from pxr import Sdf, Usd, UsdGeom

from . import arm
from .meshes import model
from .registry import fault, sound


def companion_character(scene, name="character"):
    """A layer with a character at </Model>, its default prim."""
    stage = scene.companion(name)
    stage.SetTimeCodesPerSecond(24)
    character = arm.Arm(stage)
    stage.SetDefaultPrim(stage.GetPrimAtPath("/Model"))
    return character


@sound
def reference(scene):
    """A reference to the default prim of another layer, with a stronger transform."""
    companion_character(scene)
    prim = scene.stage.DefinePrim("/Model")
    prim.GetReferences().AddReference("./character.usda")
    UsdGeom.Xformable(prim).AddTranslateOp().Set((1, 0, 0))


@sound
def reference_to_prim_in_folder(scene):
    """A reference to a prim other than the default one, in a layer of a subfolder. Its paths are remapped."""
    stage = scene.companion("parts/limbs")
    arm.Arm(stage, "/Limbs/Arm")
    scene.stage.DefinePrim("/Model", "Xform")
    scene.stage.DefinePrim("/Model/Left").GetReferences().AddReference("./parts/limbs.usda", "/Limbs/Arm")


@sound
def reference_chain(scene):
    """A reference to a layer that itself references a third one."""
    companion_character(scene, "inner")
    middle = scene.companion("middle")
    middle.SetTimeCodesPerSecond(24)
    prim = middle.DefinePrim("/Model")
    prim.GetReferences().AddReference("./inner.usda")
    middle.SetDefaultPrim(prim)
    UsdGeom.Xformable(middle.OverridePrim("/Model/Skeleton")).AddTranslateOp().Set((0, 0, 1))
    scene.stage.DefinePrim("/Model").GetReferences().AddReference("./middle.usda")


@sound
def reference_with_offset(scene):
    """A reference with a time offset of 6 and a scale of 0.5."""
    companion_character(scene)
    scene.stage.DefinePrim("/Model").GetReferences().AddReference("./character.usda", Sdf.LayerOffset(6, 0.5))


@sound
def reference_at_other_rate(scene):
    """A reference to a layer of 48 time codes per second from one of 24, so that USD halves its time codes."""
    companion_character(scene).stage.SetTimeCodesPerSecond(48)
    scene.stage.DefinePrim("/Model").GetReferences().AddReference("./character.usda")


@sound
def reference_in_other_unit(scene):
    """A reference to a layer in centimetres with Z up. USD converts neither unit nor axis."""
    stage = companion_character(scene).stage
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    scene.stage.DefinePrim("/Model").GetReferences().AddReference("./character.usda")


@sound
def payload(scene):
    """A payload."""
    companion_character(scene)
    scene.stage.DefinePrim("/Model").GetPayloads().AddPayload("./character.usda")


@sound
def animation_in_other_layer(scene):
    """A character that references its animation from another layer."""
    clip = scene.companion("clip")
    clip.SetTimeCodesPerSecond(24)
    clip.SetDefaultPrim(arm.add_animation(clip, "/Bend").GetPrim())
    character = arm.Arm(scene.stage, animated=False)
    animation = scene.stage.DefinePrim("/Model/Animation")
    animation.GetReferences().AddReference("./clip.usda")
    arm.bind_animation(character.skeleton, animation)


@sound
def sublayers(scene):
    """Two sublayers, the stronger of which overrides the animation of the weaker."""
    companion_character(scene, "weak")
    strong = scene.companion("strong")
    strong.OverridePrim("/Model")
    animation = arm.add_animation(strong, "/Model/Animation", ((0, 0), (24, 140)))
    animation.GetPrim().SetSpecifier(Sdf.SpecifierOver)
    scene.stage.GetRootLayer().subLayerPaths[:] = ["./strong.usda", "./weak.usda"]


@sound
def sublayer_with_offset(scene):
    """A sublayer with a time offset of 4 and a scale of 0.75."""
    companion_character(scene)
    layer = scene.stage.GetRootLayer()
    layer.subLayerPaths.append("./character.usda")
    layer.subLayerOffsets[0] = Sdf.LayerOffset(4, 0.75)


@sound
def variants(scene):
    """Two variant sets; the selections choose a mesh and an animation."""
    character = arm.Arm(scene.stage, animated=False)
    arm.bind_animation(character.skeleton, scene.stage.DefinePrim("/Model/Animation", "SkelAnimation"))
    for number, (set_name, names) in enumerate((("body", ("thin", "thick")), ("clip", ("calm", "wild")))):
        variant_set = character.root.GetPrim().GetVariantSets().AddVariantSet(set_name)
        for strength, name in enumerate(names, 1):
            variant_set.AddVariant(name)
            variant_set.SetVariantSelection(name)
            with variant_set.GetVariantEditContext():
                if number:
                    arm.add_animation(scene.stage, "/Model/Animation", ((0, 0), (24, 60 * strength)))
                else:
                    mesh = arm.add_tube(scene.stage, f"/Model/{name.title()}", arm.points(offset=(0, 0, strength)))
                    arm.bind(mesh, character.skeleton)


@sound
def inherits(scene):
    """A class prim with a transform and a skeleton, which two prims inherit."""
    scene.stage.CreateClassPrim("/_Base")
    arm.Arm(scene.stage, "/_Base/Character")
    model(scene)
    for number in range(2):
        prim = scene.stage.DefinePrim(f"/Model/Copy{number}")
        prim.GetInherits().AddInherit("/_Base/Character")
        UsdGeom.Xformable(prim).AddTranslateOp().Set((3 * number, 0, 0))


@sound
def specializes(scene):
    """A prim that specializes another one; its reference is stronger than the specialized prim."""
    model(scene)
    base = arm.add_tube(scene.stage, "/Model/Base")
    base.CreateDisplayColorAttr([(1, 0, 0)])
    base.AddTranslateOp().Set((0, 0, 0))
    UsdGeom.Mesh.Define(scene.stage, "/Model/Middle").AddTranslateOp().Set((4, 0, 0))
    prim = scene.stage.DefinePrim("/Model/Special")
    prim.GetReferences().AddInternalReference("/Model/Middle")
    prim.GetSpecializes().AddSpecialize("/Model/Base")
    scene.stage.GetPrimAtPath("/Model/Middle").SetActive(False)
    prim.SetActive(True)


@sound
def undefined_over(scene):
    """An `over` without a definition, whose mesh isn't part of the scene."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube")
    mesh = arm.add_tube(scene.stage, "/Model/Ghost", arm.points(offset=(9, 0, 0)))
    mesh.GetPrim().SetSpecifier(Sdf.SpecifierOver)


@sound
def class_prim(scene):
    """A class prim, whose mesh isn't part of the scene."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube")
    scene.stage.CreateClassPrim("/Model/_Template")
    arm.add_tube(scene.stage, "/Model/_Template/Tube", arm.points(offset=(9, 0, 0)))


@sound
def deleted_reference(scene):
    """List operations: a sublayer adds two references, of which the root layer deletes the first."""
    companion_character(scene)
    other = scene.companion("other")
    other.SetDefaultPrim(UsdGeom.Xform.Define(other, "/Model").GetPrim())
    arm.add_tube(other, "/Model/Rock", arm.points(offset=(4, 0, 0)))
    weak = scene.companion("weak")
    references = weak.DefinePrim("/Model").GetReferences()
    references.AddReference("./character.usda")
    references.AddReference("./other.usda")
    scene.stage.GetRootLayer().subLayerPaths.append("./weak.usda")
    scene.stage.OverridePrim("/Model").GetReferences().RemoveReference(Sdf.Reference("./character.usda"))


@sound
def relocated(scene):
    """A relocate in the root layer, which renames a referenced mesh."""
    companion_character(scene)
    scene.stage.DefinePrim("/Model").GetReferences().AddReference("./character.usda")
    scene.stage.GetRootLayer().relocates = [(Sdf.Path("/Model/Tube"), Sdf.Path("/Model/Sleeve"))]


@sound
def value_clips(scene):
    """An animation from two value clips: the first until time code 12, then the second."""
    for name, bends in (("clip1", ((0, 0), (12, 70))), ("clip2", ((0, -20), (12, 50)))):
        arm.add_animation(scene.companion(name), "/Animation", bends)
    manifest = scene.companion("manifest")
    animation = manifest.DefinePrim("/Animation", "SkelAnimation")
    for name, type_name in (("translations", "Float3Array"), ("rotations", "QuatfArray"), ("scales", "Half3Array")):
        animation.CreateAttribute(name, getattr(Sdf.ValueTypeNames, type_name), False)
    character = arm.Arm(scene.stage, animated=False)
    bound = arm.add_animation(scene.stage, "/Model/Animation", ())
    arm.bind_animation(character.skeleton, bound)
    clips = Usd.ClipsAPI(bound.GetPrim())
    clips.SetClipAssetPaths([Sdf.AssetPath("./clip1.usda"), Sdf.AssetPath("./clip2.usda")])
    clips.SetClipManifestAssetPath(Sdf.AssetPath("./manifest.usda"))
    clips.SetClipPrimPath("/Animation")
    clips.SetClipActive([(0, 0), (12, 1)])
    clips.SetClipTimes([(0, 0), (12, 12), (12, 0), (24, 12)])


@fault("reference-missing")
def reference_missing(scene):
    """A reference to a file that doesn't exist, next to an ordinary mesh."""
    model(scene)
    arm.add_tube(scene.stage, "/Model/Tube")
    scene.stage.DefinePrim("/Model/Missing").GetReferences().AddReference("./absent.usda")


@fault("reference-loop")
def reference_loop(scene):
    """A layer that references a layer that references the first one."""
    other = scene.companion("other")
    prim = other.DefinePrim("/Model", "Xform")
    arm.add_tube(other, "/Model/Tube")
    other.SetDefaultPrim(prim)
    other.DefinePrim("/Model/Again").GetReferences().AddReference(f"./{scene.name}.usda")
    scene.stage.DefinePrim("/Model", "Xform").GetReferences().AddReference("./other.usda")
    scene.stage.SetDefaultPrim(scene.stage.GetPrimAtPath("/Model"))


@fault("sublayer-missing")
def sublayer_missing(scene):
    """A sublayer that doesn't exist."""
    arm.Arm(scene.stage)
    scene.stage.GetRootLayer().subLayerPaths.append("./absent.usda")
