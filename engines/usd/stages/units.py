"""Stages about the metadata of the layer: units, up axis and time codes."""

from pxr import UsdGeom

from . import arm
from .registry import fault, sound


@sound
def centimetres(scene):
    """A skinned character in centimetres (metersPerUnit = 0.01)."""
    UsdGeom.SetStageMetersPerUnit(scene.stage, 0.01)
    arm.Arm(scene.stage)


@sound
def inches(scene):
    """A skinned character in inches (metersPerUnit = 0.0254)."""
    UsdGeom.SetStageMetersPerUnit(scene.stage, 0.0254)
    arm.Arm(scene.stage)


@sound
def z_up(scene):
    """A skinned character with Z up, which a rotation of the SkelRoot turns upright."""
    UsdGeom.SetStageUpAxis(scene.stage, UsdGeom.Tokens.z)
    arm.Arm(scene.stage).root.AddRotateXOp().Set(90)


@sound
def thirty_time_codes_per_second(scene):
    """30 time codes per second, which determine the duration, and 60 frames per second, which have no effect."""
    scene.stage.SetTimeCodesPerSecond(30)
    scene.stage.SetFramesPerSecond(60)
    arm.Arm(scene.stage)


@sound
def only_frames_per_second(scene):
    """framesPerSecond without timeCodesPerSecond, for which it is the fallback."""
    scene.stage.ClearMetadata("timeCodesPerSecond")
    scene.stage.SetFramesPerSecond(48)
    arm.Arm(scene.stage)


@sound
def no_rates(scene):
    """Neither rate; the default is 24 time codes per second."""
    scene.stage.ClearMetadata("timeCodesPerSecond")
    arm.Arm(scene.stage)


@sound
def range_within_keys(scene):
    """A time range that begins after the first key and ends before the last."""
    scene.stage.SetStartTimeCode(5)
    scene.stage.SetEndTimeCode(20)
    arm.Arm(scene.stage)


@sound
def range_beyond_keys(scene):
    """A time range that begins before the first key and ends after the last. The first and the last value continue."""
    scene.stage.SetStartTimeCode(-12)
    scene.stage.SetEndTimeCode(36)
    arm.Arm(scene.stage)


@sound
def late_range(scene):
    """Keys and a time range from 1001 to 1025, as in film production."""
    scene.stage.SetStartTimeCode(1001)
    scene.stage.SetEndTimeCode(1025)
    character = arm.Arm(scene.stage, animated=False)
    animation = arm.add_animation(scene.stage, "/Model/Animation", ((1001, 0), (1013, 70), (1025, -40)))
    arm.bind_animation(character.skeleton, animation)


@sound
def no_range(scene):
    """An animated character without a time range."""
    scene.stage.ClearMetadata("startTimeCode")
    scene.stage.ClearMetadata("endTimeCode")
    arm.Arm(scene.stage)


@fault("missing-units")
def missing_units(scene):
    """A stage without metersPerUnit, which is 0.01 by default."""
    scene.stage.ClearMetadata("metersPerUnit")
    arm.Arm(scene.stage)


@fault("missing-up-axis")
def missing_up_axis(scene):
    """A stage without upAxis, which is Y by default."""
    scene.stage.ClearMetadata("upAxis")
    arm.Arm(scene.stage)


@fault("missing-default-prim")
def missing_default_prim(scene):
    """A stage without a default prim, which references need."""
    arm.Arm(scene.stage, "/Character")
