"""The runtime's own call, without anything of ours around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sut.backend import Arrays, Backend

Call = Callable[[Arrays], Any]
"""Runs one batch of feeds."""


def bare_call(backend: Backend, outputs: Sequence[str]) -> Call:
    """What a user's own loop would call on the session that ``backend`` holds."""
    session: Any = vars(backend).get("_session")
    if hasattr(session, "make_callable"):
        return _tensorflow(session, backend, outputs)
    if hasattr(session, "run"):
        names = list(outputs)
        return lambda feeds: session.run(names, feeds)
    return lambda feeds: backend.predict(feeds, outputs)


def _tensorflow(session: Any, backend: Backend, outputs: Sequence[str]) -> Call:
    def tensor(name: str) -> Any:
        return session.graph.get_tensor_by_name(name if ":" in name else f"{name}:0")

    fed = [tensor(each.name) for each in backend.inputs]
    call = session.make_callable([tensor(name) for name in outputs], fed)
    return lambda feeds: call(*(feeds[each.name] for each in backend.inputs))
