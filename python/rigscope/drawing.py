"""Images without a window."""

from __future__ import annotations

from . import _rigscope
from ._rigscope import Model
from .errors import RenderError
from .types import Bytes, Normals, Sampling, Source


def render(
    source: Model | Source,
    *,
    size: tuple[int, int] = (1280, 800),
    clip: int | str | None = None,
    time: float | None = None,
    key: int | None = None,
    sampling: Sampling = "player",
    normals: Normals = "runtime",
    runtime: str | None = None,
    angles: tuple[float, float] | None = None,
    show: str | None = None,
    transparent: bool = False,
) -> Bytes:
    """Renders a model to an array of (height, width, 4) uint8: sRGB with straight alpha.

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param size: width and height in pixels
    :param clip: name or number
    :param time: seconds on the time axis of the clip
    :param key: the number of a key, instead of ``time``
    :param sampling: how keys are interpolated
    :param normals: ``"runtime"``: as computed by the runtime of the format; ``"exact"``: perpendicular to the surface
    :param runtime: id of the runtime to play the file as, such as ``"three.js"``
    :param angles: yaw and pitch of the camera in degrees
    :param show: elements to draw, as in ``rigscope render --show``: ``"surface,bones,grid"``
    :param transparent: use a transparent background

    :raises rigscope.errors.RenderError: if there is no GPU or software renderer
    """
    if not _rigscope.HAS_RENDER:
        raise RenderError("this build of the package cannot render", code="no-picture")
    return _rigscope.render(
        source,
        size=size,
        clip=clip,
        time=time,
        key=key,
        sampling=sampling,
        normals=normals,
        runtime=runtime,
        angles=angles,
        show=show,
        transparent=transparent,
    )
