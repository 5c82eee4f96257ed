"""LoadGen's settings as the lines of a user.conf."""

from __future__ import annotations

from harness.spec import LoadGenSettings

_NS_PER_MS = 1_000_000


def render(settings: LoadGenSettings) -> str:
    """The user.conf that asks for ``settings``, as a submission carries it."""
    keys: dict[str, float | int | None] = {
        "target_qps": settings.target_qps,
        "target_latency": _milliseconds(
            settings.target_latency_ns
            if settings.scenario == "Server"
            else settings.expected_latency_ns
        ),
        "min_duration": settings.min_duration_ms,
        "min_query_count": settings.min_query_count,
    }
    lines = [
        f"*.{settings.scenario}.{key} = {value:.12g}\n"
        for key, value in keys.items()
        if value is not None
    ]
    return "".join(lines)


def _milliseconds(nanoseconds: int | None) -> float | None:
    return None if nanoseconds is None else nanoseconds / _NS_PER_MS
