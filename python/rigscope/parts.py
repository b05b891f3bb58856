"""Lists of named parts: meshes, clips, bones, materials."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, SupportsIndex, TypeVar, overload

T = TypeVar("T")
#: Longer lists of names aren't printed in errors.
_MAX_NAMES = 12


class Parts(list[T]):
    """A list whose items can also be looked up by name: ``model.clips["walk"]``, ``"walk" in model.clips``.

    Several items may have the same name; the first is found.
    """

    __slots__ = ()

    @overload
    def __getitem__(self, key: SupportsIndex | str, /) -> T: ...
    @overload
    def __getitem__(self, key: slice, /) -> Parts[T]: ...
    def __getitem__(self, key: SupportsIndex | str | slice, /) -> T | Parts[T]:
        if isinstance(key, str):
            return self._named(key)
        if isinstance(key, slice):
            return Parts(list.__getitem__(self, key))
        return list.__getitem__(self, key)

    def __contains__(self, item: object) -> bool:
        if isinstance(item, str):
            return any(_name(own) == item for own in self)
        return list.__contains__(self, item)

    def names(self) -> list[str]:
        """The name of each item."""
        return [_name(item) for item in self]

    def _named(self, name: str) -> T:
        for item in self:
            if _name(item) == name:
                return item
        names = self.names()
        close = get_close_matches(name, names, 1)
        if close:
            hint = f"did you mean {close[0]!r}?"
        elif not names:
            hint = "the list is empty"
        else:
            hint = f"the names are {', '.join(map(repr, names[:_MAX_NAMES]))}"
            hint += f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
        raise KeyError(f"there is no {name!r}; {hint}")

    def __reduce__(self) -> Any:
        return Parts, (list(self),)


def _name(item: Any) -> str:
    name: str = item.name
    return name
