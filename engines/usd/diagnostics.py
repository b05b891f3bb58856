"""Collects the warnings and errors that Pixar's library reports, instead of printing them."""

from contextlib import contextmanager

from pxr import UsdUtils


@contextmanager
def collected_warnings():
    """Yields a list that has the distinct messages once the block is left."""
    messages = []
    delegate = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        yield messages
    finally:
        for item in delegate.TakeUncoalescedDiagnostics():
            if item.commentary not in messages:
                messages.append(item.commentary)
        del delegate
