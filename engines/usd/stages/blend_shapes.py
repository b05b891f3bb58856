"""Stages about blend shapes: offsets, in-betweens, sparse points and the order of weights."""

from pxr import UsdSkel, Vt

from . import arm
from .registry import fault, sound

NUM_POINTS = arm.SEGMENTS * arm.RINGS
WEIGHTS = ((0, (0, 0)), (8, (1, 0.25)), (16, (0.4, 1.5)), (24, (0, -0.5)))


def bulge(count=NUM_POINTS, amount=0.5):
    return Vt.Vec3fArray([(amount * (index % 3), 0.1 * amount * index / 10, -amount) for index in range(count)])


def lean(count=NUM_POINTS):
    return Vt.Vec3fArray([(0.02 * index, 0, 0.3 * (index % 2)) for index in range(count)])


def add_shape(mesh, name, offsets, **arrays):
    """Defines a blend shape below a mesh. `arrays` are `normals` and `indices`."""
    shape = UsdSkel.BlendShape.Define(mesh.GetPrim().GetStage(), mesh.GetPath().AppendChild(name))
    shape.CreateOffsetsAttr(offsets)
    # The schema marks normalOffsets as required (UsdSkelBlendShape::CreateNormalOffsetsAttr).
    shape.CreateNormalOffsetsAttr(arrays.get("normals", Vt.Vec3fArray(len(offsets))))
    if "indices" in arrays:
        shape.CreatePointIndicesAttr(Vt.IntArray(arrays["indices"]))
    return shape


def bind_shapes(character, names, shapes):
    character.binding.CreateBlendShapesAttr(names)
    character.binding.CreateBlendShapeTargetsRel().SetTargets([shape.GetPath() for shape in shapes])


def animate_weights(animation, names, keys=WEIGHTS):
    animation.CreateBlendShapesAttr(names)
    for time_code, weights in keys:
        attribute = animation.CreateBlendShapeWeightsAttr()
        values = Vt.FloatArray(list(weights))
        attribute.Set(values) if time_code is None else attribute.Set(values, time_code)


def morphing(scene, names=("Bulge", "Lean"), animation_names=("Bulge", "Lean"), keys=WEIGHTS, **arrays):
    """A skinned character with two blend shapes."""
    character = arm.Arm(scene.stage)
    shapes = {"Bulge": add_shape(character.mesh, "BulgeShape", bulge(), **arrays),
              "Lean": add_shape(character.mesh, "LeanShape", lean())}
    bind_shapes(character, names, [shapes[name] for name in names])
    animate_weights(character.animation, animation_names, keys)
    return character, shapes


@sound
def blend_shapes(scene):
    """Two blend shapes on a skinned mesh, with weights beyond 1 and below 0."""
    morphing(scene)


@sound
def blend_shape_normals(scene):
    """A blend shape with normalOffsets."""
    morphing(scene, normals=Vt.Vec3fArray([(0.5, 0, index / 40) for index in range(NUM_POINTS)]))


@sound
def blend_shape_sparse(scene):
    """A blend shape that moves the points of pointIndices, in descending order."""
    character = arm.Arm(scene.stage)
    indices = [41, 30, 17, 5, 2]
    shape = add_shape(character.mesh, "Shape", bulge(5, 1.0), indices=indices,
                      normals=Vt.Vec3fArray([(0, 0.5, 0)] * 5))
    bind_shapes(character, ["Shape"], [shape])
    animate_weights(character.animation, ["Shape"], [(time_code, weights[:1]) for time_code, weights in WEIGHTS])


@sound
def blend_shape_inbetweens(scene):
    """In-betweens at 0.25, 0.5 and -0.4, one of them with normal offsets."""
    _, shapes = morphing(scene, keys=((0, (-0.6, 0)), (12, (0.3, 0)), (24, (1.4, 0.5))))
    for name, weight, amount in (("Quarter", 0.25, -0.3), ("Half", 0.5, 0.8), ("Negative", -0.4, 0.2)):
        inbetween = shapes["Bulge"].CreateInbetween(name)
        inbetween.SetWeight(weight)
        inbetween.SetOffsets(bulge(amount=amount))
        if name == "Half":
            inbetween.CreateNormalOffsetsAttr(Vt.Vec3fArray([(0, 0.4, 0)] * NUM_POINTS))


@sound
def blend_shape_sparse_inbetween(scene):
    """An in-between of a sparse shape, which shares its pointIndices."""
    character = arm.Arm(scene.stage)
    shape = add_shape(character.mesh, "Shape", bulge(4), indices=[3, 9, 15, 40])
    inbetween = shape.CreateInbetween("Half")
    inbetween.SetWeight(0.5)
    inbetween.SetOffsets(bulge(4, -1.0))
    bind_shapes(character, ["Shape"], [shape])
    animate_weights(character.animation, ["Shape"], ((0, (0,)), (24, (1,))))


@sound
def blend_shapes_in_other_order(scene):
    """skel:blendShapes in another order than the animation, which has a shape more."""
    keys = [(time_code, (0.9, *weights)) for time_code, weights in WEIGHTS]
    morphing(scene, names=("Lean", "Bulge"), animation_names=("Other", "Bulge", "Lean"), keys=keys)


@sound
def blend_shape_without_animation(scene):
    """A shape that the animation doesn't name, so that its weight is 0."""
    morphing(scene, animation_names=("Lean",), keys=((0, (0,)), (24, (1,))))


@sound
def blend_shapes_with_static_weights(scene):
    """Blend shape weights as default values."""
    morphing(scene, keys=((None, (0.5, 0.25)),))


@sound
def blend_shapes_without_influences(scene):
    """A mesh with blend shapes and a skeleton, but without influences: its transform applies."""
    character, _ = morphing(scene)
    for name in ("primvars:skel:jointIndices", "primvars:skel:jointWeights"):
        character.mesh.GetPrim().RemoveProperty(name)
    character.mesh.AddTranslateOp().Set((1, 2, 0))
    character.skeleton.AddTranslateOp().Set((0, 0, 9))


@sound
def blend_shapes_only(scene):
    """An animation without joints: blend shapes move, and the joints keep the rest pose."""
    character, _ = morphing(scene)
    for name in ("joints", "translations", "rotations", "scales"):
        character.animation.GetPrim().RemoveProperty(name)
    rest = arm.rest_transforms()
    rest[1] = arm.rotation((0, 0, 1), 40) * rest[1]
    character.skeleton.GetRestTransformsAttr().Set(rest)


@sound
def blend_shapes_on_two_meshes(scene):
    """Two meshes whose blend shapes have the same name, and thus the same weight."""
    character, _ = morphing(scene)
    second = arm.add_tube(scene.stage, "/Model/Second", arm.points(offset=(2, 0, 0)))
    binding = arm.bind(second, character.skeleton)
    shape = add_shape(second, "Shape", lean())
    binding.CreateBlendShapesAttr(["Bulge"])
    binding.CreateBlendShapeTargetsRel().SetTargets([shape.GetPath()])


@sound
def blend_shapes_on_rigid_mesh(scene):
    """Blend shapes on a mesh with constant influences."""
    character, _ = morphing(scene)
    character.rebind(1, [1], [1.0], "constant")


@fault("blend-shape-index-out-of-range")
def blend_shape_index_out_of_range(scene):
    """pointIndices that refer to a point beyond the last."""
    character = arm.Arm(scene.stage)
    shape = add_shape(character.mesh, "Shape", bulge(3), indices=[0, 1, NUM_POINTS])
    bind_shapes(character, ["Shape"], [shape])
    animate_weights(character.animation, ["Shape"], ((0, (0,)), (24, (1,))))


@fault("blend-shape-size-mismatch")
def blend_shape_too_short(scene):
    """A blend shape without pointIndices that has fewer offsets than the mesh has points."""
    character = arm.Arm(scene.stage)
    shape = add_shape(character.mesh, "Shape", bulge(10))
    bind_shapes(character, ["Shape"], [shape])
    animate_weights(character.animation, ["Shape"], ((0, (0,)), (24, (1,))))


@fault("blend-shape-targets-mismatch")
def blend_shape_target_missing(scene):
    """Two names in skel:blendShapes, but one target."""
    character, shapes = morphing(scene)
    character.binding.GetBlendShapeTargetsRel().SetTargets([shapes["Bulge"].GetPath()])


@fault("inbetween-weight-invalid")
def inbetween_at_one(scene):
    """An in-between at weight 1, which UsdSkel ignores."""
    _, shapes = morphing(scene)
    inbetween = shapes["Bulge"].CreateInbetween("Full")
    inbetween.SetWeight(1.0)
    inbetween.SetOffsets(bulge(amount=3))
