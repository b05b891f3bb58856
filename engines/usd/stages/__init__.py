"""The test stages, by subject. Importing the package registers all of them in `registry.STAGES`."""

from . import (animation, bindings, blend_shapes, caches, characters, composition, faults, materials, meshes, primvars,
               scenes, skeletons, transforms, units)
from .registry import SOUND, STAGES
from .scene import FORMS, Scene

MODULES = (meshes, primvars, transforms, units, skeletons, bindings, animation, blend_shapes, characters, materials,
           composition, caches, scenes, faults)

__all__ = ["FORMS", "MODULES", "SOUND", "STAGES", "Scene"]
