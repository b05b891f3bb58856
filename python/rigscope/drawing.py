"""Images without a window."""

from __future__ import annotations

from . import _rigscope, arguments
from ._rigscope import Model
from .errors import RenderError
from .opening import model_of
from .types import Bytes, Count, Names, Normals, Number, Sampling, Source


def render(
    source: Model | Source,
    *,
    size: tuple[Count, Count] = (1280, 800),
    clip: Count | str | None = None,
    time: Number | None = None,
    key: Count | None = None,
    sampling: Sampling = "player",
    normals: Normals = "runtime",
    runtime: str | None = None,
    angles: tuple[Number, Number] | None = None,
    show: Names | None = None,
    transparent: bool = False,
) -> Bytes:
    """Renders a model to an array of (height, width, 4) uint8: sRGB with straight alpha.

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param size: width and height in pixels
    :param clip: name or number
    :param time: seconds on the time axis of the clip
    :param key: the number of a key, instead of ``time``; the last one if there are fewer
    :param sampling: how keys are interpolated
    :param normals: ``"runtime"``: as computed by the runtime of the format; ``"exact"``: perpendicular to the surface
    :param runtime: id of the runtime to play the file as, such as ``"three.js"``
    :param angles: yaw and pitch of the camera in degrees
    :param show: elements to draw, as in ``rigscope render --show``: ``"surface,bones,grid"``, or a list of these
    :param transparent: use a transparent background

    :raises rigscope.errors.RenderError: if there is no GPU or software renderer
    """
    if not _rigscope.HAS_RENDER:
        raise RenderError("this build of the package cannot render", code="no-picture")
    width, height = arguments.pair("size", size, "two whole numbers")
    yaw_pitch = None if angles is None else arguments.pair("angles", angles, "two numbers")
    return _rigscope.render(
        model_of(source),
        size=(arguments.count("size", width), arguments.count("size", height)),
        clip=clip,
        time=None if time is None else arguments.number("time", time),
        key=None if key is None else arguments.count("key", key),
        sampling=arguments.text("sampling", sampling),
        normals=arguments.text("normals", normals),
        runtime=None if runtime is None else arguments.text("runtime", runtime),
        angles=yaw_pitch and (arguments.number("angles", yaw_pitch[0]), arguments.number("angles", yaw_pitch[1])),
        show=None if show is None else ",".join(arguments.names("show", show)),
        transparent=arguments.flag("transparent", transparent),
    )
