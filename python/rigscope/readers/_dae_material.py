"""Materials of COLLADA files: the common profile of effects."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from .. import reader
from ._dae_document import Document, named


class Materials:
    """Materials with the UV sets that instances bind to their textures."""

    def __init__(self, document: Document) -> None:
        from collada.material import CImage, Effect

        self.list: list[dict[str, Any]] = []
        self._document = document
        self._numbers: dict[tuple[Element, int], int] = {}
        self._effects: dict[Element, Any] = {}
        self._missing: dict[str, str] = {}
        self._loader = Effect.load
        for image in document.root.iter("image"):
            try:
                document.collada.images.append(document.load(CImage.load, image))
            except reader.Error as error:
                reader.warn(f"An image is skipped: {error}")

    def number(self, bindings: dict[str, Element], symbol: str, uv_sets: list[int]) -> int | None:
        """The number of the material that an instance binds to a symbol.

        :param bindings: `<instance_material>` elements by symbol
        :param uv_sets: numbers of the UV sets of the mesh
        """
        instance = bindings.get(symbol)
        if instance is None:
            # A symbol without a binding is often the id of the material.
            element = self._document.by_id.get(symbol)
            if element is None or element.tag != "material":
                return None
        else:
            try:
                element = self._document.target(instance, "target", "material")
            except reader.Error as error:
                self._missing.setdefault(instance.get("target") or "", str(error))
                return None
        effect = self._effect(element)
        uv_set = 0
        texcoord = getattr(getattr(effect, "diffuse", None), "texcoord", None)
        if instance is not None and texcoord is not None:
            for binding in instance.findall("bind_vertex_input"):
                if binding.get("semantic") == texcoord and (binding.get("input_set") or "0").isdigit():
                    number = int(binding.get("input_set") or "0")
                    uv_set = uv_sets.index(number) if number in uv_sets else 0
        key = (element, uv_set)
        if key not in self._numbers:
            self._numbers[key] = len(self.list)
            self.list.append(_material(element, effect, uv_set))
        return self._numbers[key]

    def warn_of_missing(self) -> None:
        """Reports references to materials that don't exist, once each."""
        for text in self._missing.values():
            reader.warn(f"A material is skipped: {text}")

    def _effect(self, material: Element) -> Any:
        instance = material.find("instance_effect")
        if instance is None:
            return None
        element = self._document.target(instance, tag="effect")
        if element not in self._effects:
            try:
                self._effects[element] = self._document.load(self._loader, element)
            except reader.Error as error:
                reader.warn(f"An effect is skipped: {error}")
                self._effects[element] = None
        return self._effects[element]


def _material(element: Element, effect: Any, uv_set: int) -> dict[str, Any]:
    result: dict[str, Any] = {"name": element.get("name") or element.get("id") or ""}
    if effect is None:
        return result
    is_unlit = effect.shadingtype == "constant"
    color = effect.emission if is_unlit else effect.diffuse
    alpha, is_blended = _alpha(element, effect)
    result["base_color"] = [*_rgb(color, (1.0, 1.0, 1.0)), alpha]
    result["metallic"] = 0.0
    shininess = effect.shininess
    is_glossy = effect.shadingtype in ("phong", "blinn") and isinstance(shininess, float) and shininess > 0
    result["roughness"] = (2 / (shininess + 2)) ** 0.5 if is_glossy else 1.0
    if is_blended:
        result["alpha"] = "blend"
    if is_unlit:
        result["unlit"] = True
    if effect.double_sided:
        result["two_sided"] = True
    roles = {"base-color": color}
    if not is_unlit:
        result["emissive"] = _rgb(effect.emission, (0.0, 0.0, 0.0))
        roles["emissive"] = effect.emission
        roles["normal"] = effect.bumpmap
    textures = []
    for role, texture in roles.items():
        if path := _path(texture):
            textures.append({"role": role, "path": path, "uv_set": uv_set})
            if role == "emissive":
                result["emissive"] = [1.0, 1.0, 1.0]
    if textures:
        result["textures"] = textures
    return result


def _alpha(element: Element, effect: Any) -> tuple[float, bool]:
    """The alpha of a material, and whether it is blended."""
    transparent, amount = effect.transparent, effect.transparency
    if hasattr(transparent, "sampler"):
        return 1.0, True
    is_stored = next(effect.xmlnode.iter("transparency"), None) is not None
    amount = amount if is_stored and isinstance(amount, float) else 1.0
    node = next(effect.xmlnode.iter("transparent"), None)
    mode = "A_ONE" if node is None else node.get("opaque", "A_ONE")
    red, green, blue, stored = (1.0, 1.0, 1.0, 1.0) if transparent is None else tuple(transparent)[:4]
    luminance = 0.212671 * red + 0.71516 * green + 0.072169 * blue
    opacity = {
        "A_ONE": stored * amount,
        "A_ZERO": 1 - stored * amount,
        "RGB_ZERO": 1 - luminance * amount,
        "RGB_ONE": luminance * amount,
    }.get(mode, 1.0)
    if opacity <= 0:
        # Exporters that store transparency instead of opacity write 0 for opaque materials.
        reader.warn(f"{named(element)} is fully transparent in mode {mode} and is shown opaque.")
        return 1.0, False
    return min(opacity, 1.0), opacity < 1


def _rgb(color: Any, default: tuple[float, float, float]) -> list[float]:
    values = list(color[:3]) if isinstance(color, (tuple, list)) and len(color) >= 3 else list(default)
    return [value if abs(value) < 3.4e38 else 0.0 for value in values]


def _path(texture: Any) -> str | None:
    """The path of a texture, from a URI."""
    if not hasattr(texture, "sampler"):
        return None
    image = texture.sampler.surface.image
    text = (image.path or "").strip() or (image.xmlnode.findtext("init_from/ref") or "").strip()
    if text.lower().startswith("file:"):
        text = text[5:]
        text = text.removeprefix("//") if text.startswith("///") else text
        # A drive letter: /C:/textures.
        text = text[1:] if text[2:3] == ":" else text
    return unquote(text).replace("\\", "/") or None
