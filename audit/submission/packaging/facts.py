"""What evidence tells of the system that it was measured on, in the fields of its description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from audit.submission.packaging import wording
from audit.submission.packaging.choosing import Chosen
from audit.submission.packaging.description import fields_known, fields_without_accelerators
from audit.submission.packaging.own_fields import Value


def system_title(chosen: Chosen) -> str:
    """What a system is called if nobody names it: its processor or accelerators, the backend and
    the kind of device. Empty where the machine is not known."""
    backend = chosen.spec["backend"]
    machine = _machine(_host(chosen), backend)
    return f"{machine} {backend['name']} {backend['device']}" if machine else ""


def _machine(host: Mapping[str, Any], backend: Mapping[str, Any]) -> str:
    if backend["device"] != "gpu":
        return str(host["cpu_model"])
    models = _gpus(host, backend)
    return f"{len(models)}x {models[0]['name']}" if models else ""


def system_facts(chosen: Chosen) -> dict[str, Value]:
    """The fields that the evidence tells; empty text where it could and doesn't."""
    return {**fields_known(), **dict(_facts(chosen))}


def _facts(chosen: Chosen) -> Iterator[tuple[str, Value]]:
    host = _host(chosen)
    yield "host_processor_model_name", host["cpu_model"]
    yield "host_memory_capacity", _gibibytes(host["memory_bytes"])
    yield from _accelerators(host, chosen.spec["backend"])
    yield "framework", _framework(chosen)
    yield "operating_system", ", ".join(filter(None, _operating_system(host)))
    yield "other_software_stack", wording.software(chosen)
    yield "sw_notes", f"measured with loadproof {wording.loadproof_version(chosen)}"


def _host(chosen: Chosen) -> Mapping[str, Any]:
    system = chosen.audit.evidence.system
    host: Mapping[str, Any] = system["host"] if system else _NOWHERE
    return host


_NOWHERE: Mapping[str, Any] = {
    "cpu_model": "",
    "memory_bytes": 0,
    "distribution": "",
    "kernel": "",
    "gpus": (),
}
"""A machine that the evidence has lost the description of."""


def _accelerators(
    host: Mapping[str, Any], backend: Mapping[str, Any]
) -> Iterator[tuple[str, Value]]:
    if backend["device"] != "gpu":
        yield from fields_without_accelerators().items()
        return
    yield "accelerators_per_node", len(backend["devices"])
    used = _gpus(host, backend)
    yield "accelerator_model_name", ", ".join(dict.fromkeys(gpu["name"] for gpu in used))
    yield "accelerator_memory_capacity", ", ".join(dict.fromkeys(gpu["memory"] for gpu in used))


def _gpus(host: Mapping[str, Any], backend: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """Those that ran, as far as the machine's description lists them."""
    listed = host["gpus"]
    return [listed[index] for index in backend["devices"] if index < len(listed)]


def _gibibytes(count: int) -> str:
    return f"{count / 2**30:.3g} GiB" if count else ""


def _framework(chosen: Chosen) -> str:
    """The backend with the version that it had in the run."""
    name = chosen.spec["backend"]["name"]
    for package, version in chosen.record["software"].items():
        if package == name or package.startswith(f"{name}-"):
            return f"{package} {version}"
    return str(name)


def _operating_system(host: Mapping[str, Any]) -> tuple[str, str]:
    return host["distribution"], f"Linux {host['kernel']}" if host["kernel"] else ""
