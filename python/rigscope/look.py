"""Looking at models that may still be files."""

from __future__ import annotations

from . import _rigscope
from .errors import RenderError


def validate(source, **options):
    """What is wrong with a model, worst first: what was found while it was read, then what all rules
    find. ``source`` is a model, a path, bytes, or a pair of name and bytes; ``options`` are those of
    :func:`open`.
    """
    if not isinstance(source, _rigscope.Model):
        source = _rigscope.open(source, **options)
    elif options:
        raise TypeError("options say how a file is opened, and this is a model")
    return source.validate()


def render(source, **options):
    """A picture of a model as an array of (height, width, 4) uint8: sRGB and straight alpha.

    :param source: a model, a path, bytes, or a pair of name and bytes
    :param size: width and height in pixels, 1280 x 800 by default
    :param clip: name or number
    :param time: seconds on the clip's own clock
    :param key: the number of a key, in place of ``time``
    :param sampling: ``"player"``, ``"step"``, ``"linear"`` or ``"decomposed"``
    :param angles: how far the camera goes round the model and up, degrees
    :param show: what is drawn, as ``rigscope render --show`` takes it: ``"surface,bones,grid"``
    :param transparent: nothing behind the model

    :raises rigscope.errors.RenderError: where nothing draws, not even in software
    """
    if not _rigscope.HAS_RENDER:
        raise RenderError("this build of the package does not draw", code="no-picture")
    return _rigscope.render(source, **options)
