"""The XML tree of a COLLADA file: elements by id, numbers, and sources."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from .. import reader
from ._math import Floats

_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_DTD = re.compile(r"<!(DOCTYPE|ENTITY)")
_NOT_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def named(element: Element) -> str:
    """An element for a message."""
    name = element.get("id") or element.get("sid") or element.get("name") or element.get("target")
    return f"<{element.tag}> {reader.shortened(name)}" if name else f"<{element.tag}>"


def damaged(element: Element, message: str) -> reader.Error:
    place = named(element)
    return reader.Error(f"{place}: {message}; export the file again", place=place)


@dataclass(frozen=True)
class Source:
    """The rows of a `<source>`: numbers, or the first name of each row."""

    element: Element
    values: Floats
    names: list[str]
    is_idref: bool = False


class Document:
    """A COLLADA file, whose tags are stored without namespaces."""

    def __init__(self, data: bytes) -> None:
        self.root = _root(data)
        self.by_id: dict[str, Element] = {}
        for element in self.root.iter():
            if (identifier := element.get("id")) is not None:
                self.by_id.setdefault(identifier, element)
        self._sources: dict[Element, Source] = {}
        try:
            import collada.common
        except ImportError:
            raise reader.Error("COLLADA files need the package pycollada: pip install 'rigscope[dae]'") from None
        self.collada = collada.Collada()
        self.collada.tag = str
        self.collada.ignoreErrors(collada.common.DaeUnsupportedError)

    def load(self, loader: Callable[..., Any], element: Element) -> Any:
        """Loads an element with pycollada; all its exceptions become errors that name the element."""
        try:
            with warnings.catch_warnings():
                # Numbers that NumPy would leave out.
                warnings.filterwarnings("error", message="string or file could not be read")
                return loader(self.collada, {}, element)
        # pycollada raises its own errors, and ValueError, TypeError, AttributeError and others for malformed content.
        except Exception as error:
            if isinstance(error, MemoryError):
                raise
            text = getattr(error, "msg", None) or str(error) or type(error).__name__
            raise damaged(element, f"the content is malformed ({text})") from error

    def target(self, element: Element, attribute: str = "url", tag: str | None = None) -> Element:
        """The element that an attribute with a URL refers to."""
        url = element.get(attribute) or ""
        found = self.by_id.get(url[1:]) if url.startswith("#") else None
        if found is None or (tag is not None and found.tag != tag):
            if url and not url.startswith("#"):
                raise reader.Error(
                    f"{named(element)}: {reader.shortened(url)} is in another file; export a single file"
                )
            expected = f"no <{tag}>" if tag else "no element"
            raise damaged(element, f"{expected} has the id {reader.shortened(url.lstrip('#'))}")
        return found

    def inputs(self, element: Element, *required: str) -> dict[str, Source]:
        """The sources of the inputs of an element, by semantic."""
        found = {item.get("semantic") or "": self.source(self.target(item, "source")) for item in element.iter("input")}
        for semantic in required:
            if semantic not in found:
                raise damaged(element, f"there is no input {semantic}")
        return found

    def source(self, element: Element) -> Source:
        """Reads a source through its accessor."""
        if element not in self._sources:
            self._sources[element] = self._read_source(element)
        return self._sources[element]

    def _read_source(self, element: Element) -> Source:
        arrays = [child for child in element if child.tag.endswith("_array")]
        accessor = element.find("technique_common/accessor")
        if element.tag != "source" or (not arrays and accessor is None):
            raise damaged(element, "there is no array of values")
        array = arrays[0] if arrays or accessor is None else self.target(accessor, "source")
        words = (array.text or "").split()
        is_text = array.tag in ("Name_array", "IDREF_array")
        values = np.empty(0) if is_text else numbers(array)
        count = integer(array, "count", len(words))
        if count != len(words):
            raise damaged(array, f"the count is {count:,}, but there are {len(words):,} values")
        stride, offset, rows, columns = 1, 0, len(words), [0]
        if accessor is not None:
            params = accessor.findall("param")
            stride = integer(accessor, "stride", 1)
            offset = integer(accessor, "offset", 0)
            rows = integer(accessor, "count", 0)
            if stride < 1 or offset < 0 or rows < 0 or offset + rows * stride > len(words):
                wanted = f"{rows:,} rows of {stride} from value {offset:,}"
                raise damaged(element, f"the accessor needs {wanted}, but there are {len(words):,} values")
            # Columns without a name are skipped, unless no column has one.
            has_name = [param.get("name") is not None for param in params]
            usable = any(has_name) and len(params) <= stride and len(params) > 1
            columns = [at for at, is_named in enumerate(has_name) if is_named] if usable else list(range(stride))
        end = offset + rows * stride
        if is_text:
            return Source(element, np.empty((0, 1)), words[offset:end:stride], array.tag == "IDREF_array")
        return Source(element, values[offset:end].reshape(rows, stride)[:, columns], [])


def _root(data: bytes) -> Element:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")
    else:
        text = reader.decode(data.removeprefix(b"\xef\xbb\xbf"))
    text = text[declaration.end() :] if (declaration := _DECLARATION.match(text)) else text
    if not text.lstrip().startswith("<"):
        raise reader.Error("not a COLLADA file: it isn't XML")
    if found := _DTD.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise reader.Error(
            f"line {line}: document type definitions ({found.group()}) aren't supported, because their entities can "
            "exhaust memory; remove the definition or export the file again",
            place=f"line {line}",
        )
    if _NOT_IN_XML.search(text):
        raise reader.Error("the file has control characters, which XML doesn't allow; export the file again")
    try:
        root = ElementTree.fromstring(text.encode("utf-8", "replace"))
    except ElementTree.ParseError as error:
        raise reader.Error(f"the XML is damaged or truncated ({error}); export the file again") from None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    if root.tag != "COLLADA":
        raise reader.Error(f"not a COLLADA file: the root element is <{reader.shortened(root.tag)[1:-1]}>")
    return root


def numbers(element: Element, count: int | None = None) -> Floats:
    """The finite numbers in the text of an element."""
    words = (element.text or "").split()
    if element.tag == "bool_array":
        words = [{"true": "1", "false": "0"}.get(word, word) for word in words]
    try:
        values = np.fromiter(map(float, words), float, len(words))
    except ValueError as error:
        raise damaged(element, f"expected numbers ({reader.shortened(str(error), 90)[1:-1]})") from None
    if count is not None and len(values) != count:
        raise damaged(element, f"expected {count} numbers, found {len(values)}")
    finite = np.abs(values) < 3.4e38
    if not finite.all():
        at = int(np.argmin(finite))
        raise damaged(element, f"value {at:,} is {reader.shortened(words[at])}, which isn't a finite number")
    return values


def integers(element: Element) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The integers in the text of an element."""
    values = numbers(element)
    if (values != np.floor(values)).any() or (np.abs(values) > 2**31).any():
        raise damaged(element, "expected integers of 32 bits")
    return values.astype(np.int64)


def integer(element: Element, attribute: str, default: int) -> int:
    """An attribute that is an integer of 32 bits."""
    text = element.get(attribute)
    if text is None:
        return default
    try:
        value = int(text)
    except ValueError:
        value = 2**31
    if abs(value) >= 2**31:
        raise damaged(element, f"{attribute} is {reader.shortened(text)}, not an integer")
    return value
