"""Functions that accept a model or a file."""

from __future__ import annotations

from . import _rigscope
from .errors import RenderError


def validate(source, *, rules=None, allow=None, **options):
    """Findings about a model, most severe first: those from reading the file, and those of all rules.

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param rules: findings to check for, as in :meth:`Model.validate`
    :param allow: codes of findings to leave out
    :param options: those of :func:`open`
    """
    if not isinstance(source, _rigscope.Model):
        source = _rigscope.open(source, **options)
    elif options:
        raise TypeError("options are for opening a file, but the source is a model")
    return source.validate(rules=rules, allow=allow)


def render(source, **options):
    """Renders a model to an array of (height, width, 4) uint8: sRGB with straight alpha.

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param size: width and height in pixels, 1280 x 800 by default
    :param clip: name or number
    :param time: seconds on the time axis of the clip
    :param key: the number of a key, instead of ``time``
    :param sampling: ``"player"``, ``"step"``, ``"linear"`` or ``"decomposed"``
    :param angles: yaw and pitch of the camera in degrees
    :param show: elements to draw, as in ``rigscope render --show``: ``"surface,bones,grid"``
    :param transparent: use a transparent background

    :raises rigscope.errors.RenderError: if there is no GPU or software renderer
    """
    if not _rigscope.HAS_RENDER:
        raise RenderError("this build of the package cannot render", code="no-picture")
    return _rigscope.render(source, **options)
