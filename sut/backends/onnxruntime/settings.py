"""What a session is asked to be: a request's device and options, read into one frozen value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from datasets.errors import DeviceError, UsageError
from sut.backend import OpenRequest
from sut.backends.choices import choice, pairs

OPTIONS: Mapping[str, str] = MappingProxyType(
    {
        "provider": "execution provider: CPU, CUDA, TensorRT, OpenVINO, … or its full name "
        "(default: CPU on cpu, CUDA on gpu)",
        "optimization": "graph optimisation: all (default), extended, basic, disable",
        "arena": "memory arena of the CPU: on (default) or off; off uses less memory",
        "spinning": "threads wait for work by spinning: on (default) or off",
        "cpu_fallback": "parts of the model that the provider can't run may run on the CPU: "
        "allow (default) or forbid",
        "provider_options": "the provider's own options, KEY:VALUE,KEY:VALUE",
    }
)
_SUFFIX = "ExecutionProvider"
CPU, _CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"
_TENSORRT, _OPENVINO = "TensorrtExecutionProvider", "OpenVINOExecutionProvider"
_ALIASES = {
    "cpu": CPU,
    "cuda": _CUDA,
    "tensorrt": _TENSORRT,
    "openvino": _OPENVINO,
    "rocm": "ROCMExecutionProvider",
    "migraphx": "MIGraphXExecutionProvider",
    "directml": "DmlExecutionProvider",
    "dnnl": "DnnlExecutionProvider",
    "xnnpack": "XnnpackExecutionProvider",
}
_DRIVES = {
    "cpu": ("cpu", "dnnl", "xnnpack"),
    "gpu": ("cuda", "tensorrt", "rocm", "migraphx", "directml"),
}
"""Providers that can drive one kind of device only."""


@dataclass(frozen=True)
class Settings:
    """How to build a session."""

    provider: str
    """Full name of the execution provider asked for."""
    provider_options: Mapping[str, str]
    optimization: str
    threads: int
    arena: bool
    spinning: bool
    cpu_fallback: bool

    @property
    def asked_for(self) -> str:
        """The provider in people's words: ``CUDA``."""
        return self.provider.removesuffix(_SUFFIX)

    @property
    def chain(self) -> list[tuple[str, dict[str, str]]]:
        """Providers in order of preference. TensorRT leaves what it can't run to CUDA."""
        first = (self.provider, dict(self.provider_options))
        if self.provider != _TENSORRT:
            return [first]
        return [first, (_CUDA, {"device_id": self.provider_options["device_id"]})]


def read_settings(request: OpenRequest) -> Settings:
    """Settings of a request. Raises UsageError for unknown values."""
    options = request.options
    provider = _provider(request)
    return Settings(
        provider=provider,
        provider_options=_provider_options(provider, request),
        optimization=choice(options, "optimization", ("all", "extended", "basic", "disable")),
        threads=request.threads,
        arena=choice(options, "arena", ("on", "off")) == "on",
        spinning=choice(options, "spinning", ("on", "off")) == "on",
        cpu_fallback=choice(options, "cpu_fallback", ("allow", "forbid")) == "allow",
    )


def check_kind(settings: Settings, device: str) -> None:
    """DeviceError where the provider can't drive the kind of device asked for."""
    for drives, names in _DRIVES.items():
        if drives != device and settings.provider in (_ALIASES[name] for name in names):
            raise DeviceError(
                f"Asked for the device {device} and the provider {settings.asked_for}, which "
                f"drives a {drives} only; ask for --device {drives} or for another provider."
            )


def check_offered(settings: Settings, offered: Sequence[str]) -> None:
    """DeviceError where the installed build has not the provider that was asked for."""
    if settings.provider not in offered:
        names = ", ".join(name.removesuffix(_SUFFIX) for name in offered)
        raise not_the_device(
            settings,
            CPU,
            f"this build of ONNX Runtime offers only {names}: install one that has it "
            "(for CUDA and TensorRT, loadproof's extra gpu in place of cpu)",
        )


def not_the_device(settings: Settings, used: str, remedy: str) -> DeviceError:
    """What is raised where the provider ``used`` would stand in for the one asked for."""
    return DeviceError(
        f"Asked for {settings.asked_for}, the session would use {used.removesuffix(_SUFFIX)}; "
        f"{remedy}."
    )


def _provider(request: OpenRequest) -> str:
    name = request.options.get("provider", "CUDA" if request.device == "gpu" else "CPU")
    if name.endswith(_SUFFIX):
        return name
    if name.lower() not in _ALIASES:
        raise UsageError(
            f"There is no execution provider called {name!r}; use one of "
            f"{', '.join(_ALIASES)}, or a full name that ends in {_SUFFIX}."
        )
    return _ALIASES[name.lower()]


def _provider_options(provider: str, request: OpenRequest) -> dict[str, str]:
    """Where to run, and the provider's options as given, which may not say that again."""
    place, given = _place(provider, request), pairs(request.options, "provider_options")
    for name in place.keys() & given.keys():
        raise UsageError(
            f"Option provider_options sets {name}, by which --device and --devices choose the "
            "device; leave it out and name the device there."
        )
    return place | given


def _place(provider: str, request: OpenRequest) -> dict[str, str]:
    """The option by which each provider is told which device to use."""
    if provider == _OPENVINO:
        return {"device_type": f"GPU.{request.index}" if request.device == "gpu" else "CPU"}
    return {"device_id": str(request.index)} if request.device == "gpu" else {}
