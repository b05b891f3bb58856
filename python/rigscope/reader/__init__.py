"""Reads your own file format into Rigscope, as a reader for the program or in Python.

A reader is a function from a path to a dictionary with the arguments of :func:`rigscope.build`. :func:`run` turns it
into a program that Rigscope starts for files of the format:

>>> from rigscope import reader
>>> def read(path):
...     data = reader.Bytes(path.read_bytes())
...     data.expect(b"HERO")
...     vertices = data.array("f4", data.u32(), 3)
...     triangles = data.array("u4", data.u32(), 3)
...     return {"meshes": [{"positions": vertices, "triangles": triangles}]}
>>> if __name__ == "__main__":
...     reader.run(read)

The dictionary has the keys of the JSON format ``rigscope.model/1``: ``name``, ``up``, ``handedness``,
``unit_meters``, ``findings``, ``bones``, ``materials``, ``meshes`` and ``clips``. Arrays can be lists, tuples or
NumPy arrays. The chapter "Your own format" of the book describes every key.
"""

from __future__ import annotations

from .cursors import Bytes, Text, decode, shortened
from .messages import Error, warn
from .models import SCHEMA, Data, build, open
from .output import write
from .program import run

__all__ = ["SCHEMA", "Bytes", "Data", "Error", "Text", "build", "decode", "open", "run", "shortened", "warn", "write"]
