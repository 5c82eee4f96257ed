"""From what was wanted to a variant with its verdict.

The model and the data are found as a qualification finds them, so that the two sides are exactly
what ``qualify`` would run; the gate is the accuracy target that ``qualify`` would set.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.errors import BackendError, UsageError
from harness import child
from harness.benchmarks import benchmark_named
from harness.host.software import version_of
from harness.sources import SIMULATED, Sources, resolve
from harness.sources.errands import Errands
from harness.spec import BackendSpec, DatasetRef
from harness.system import Description
from harness.targets import target_for
from harness.variants.calibration import CalibrationChoice, calibration_for
from harness.variants.describing import calibration_document, division, qualify_command
from sut.backend import provider
from sut.inspection.onnx_file import read_onnx
from sut.quantization.gains import cpu_flags, expected_gain
from sut.quantization.provenance import provenance_facts
from sut.quantization.recipes import Recipe, recipe

BATCH = 16
"""Samples of a batch in the comparison, where nothing else was asked for."""
SOFTWARE = ("loadproof", "onnxruntime", "onnxruntime-gpu", "onnx", "numpy")
"""Distributions whose versions a made file states."""


@dataclass(frozen=True)
class Wanted:
    """What was asked for, besides the request that says which model and data."""

    precision: str
    target: Path | None = None
    """Where the made file goes; None for a name of our choice in the current folder."""
    calibration: str | None = None
    reduce_range: bool = False
    check: bool = True
    """Whether the variant is held to the gate at once."""


@dataclass(frozen=True)
class Variant:
    """What was made."""

    model: str
    """Its file; that of the source where the runtime makes the variant as it loads it."""
    recipe: Recipe | None
    calibration: CalibrationChoice | None


@dataclass(frozen=True)
class Quantizing:
    """One request, on its way."""

    errands: Errands
    wanted: Wanted

    def run(self) -> dict[str, Any]:
        """The JSON form of what was made and found, schema ``quantization``."""
        request, wanted = self.errands.request, self.wanted
        how = self._recipe()
        if how is not None and wanted.target is not None:
            refuse_foreign(wanted.target)
        self.errands.display.step("Finding the model and the dataset")
        log, stop, display = self.errands.log, self.errands.stop, self.errands.display
        sources = resolve(request, None, log, stop, display)
        variant = self._variant(sources, how)
        checked = self._check(sources, variant) if wanted.check else None
        gain = expected_gain(request.backend, wanted.precision, request.device, cpu_flags())
        return {
            "schema": "loadproof/quantization",
            "version": 1,
            "benchmark": request.benchmark,
            "backend": request.backend,
            "device": request.device,
            "precision": wanted.precision,
            "source": asdict(sources.model),
            "dataset": sources.dataset.name,
            "model": variant.model,
            "made": how is not None,
            "method": how.method
            if how
            else "the runtime lowers the precision as it loads the model",
            "calibration": calibration_document(variant.calibration),
            "division": division(sources, variant.calibration),
            "expected": gain.sentence if gain else "nothing is known of this processor",
            "check": checked,
            "qualify": qualify_command(
                request, sources, wanted.precision, variant.model if how else None
            ),
        }

    def _recipe(self) -> Recipe | None:
        """How the file is made; None where the runtime does it by itself. Refuses the rest."""
        request, precision = self.errands.request, self.wanted.precision
        runtime = provider(request.backend)
        seen = runtime.availability()
        if seen.version is None:
            raise BackendError(f"The backend {request.backend} can't be used here: {seen.reason}")
        if request.backend == SIMULATED or precision not in set(runtime.precisions) - {"fp32"}:
            raise UsageError(
                f"{request.backend} has no lower precision {precision!r}; ask for "
                f"{' or '.join(p for p in runtime.precisions if p != 'fp32') or 'another backend'}."
            )
        benchmark_named(request.benchmark)
        if ".onnx" in runtime.model_suffixes:
            return recipe(request.benchmark, precision)
        _refuse_makers_options(self.wanted, request.backend)
        return None

    def _variant(self, sources: Sources, how: Recipe | None) -> Variant:
        source = sources.model
        if how is None:
            return Variant(str(source.path), None, None)
        target = self.wanted.target or Path(f"{source.name}-{self.wanted.precision}.onnx")
        refuse_foreign(target)
        calibration = self._calibration(sources.dataset, how)
        self.errands.display.step(f"Making {target.name}: {how.method}")
        made = self._call(
            "make",
            {
                "precision": self.wanted.precision,
                "source": source.path,
                "source_name": source.name,
                "source_sha256": source.sha256,
                "target": str(target.absolute()),
                "calibration": _asked(calibration),
                "reduce_range": self.wanted.reduce_range,
                "cache": str(self.errands.request.cache),
                "software": {name: v for name in SOFTWARE if (v := version_of(name))},
            },
        )
        return Variant(made["path"], how, calibration)

    def _calibration(self, dataset: DatasetRef, how: Recipe) -> CalibrationChoice | None:
        benchmark, asked = self.errands.request.benchmark, self.wanted.calibration
        if how.calibrator is not None:
            return calibration_for(self.errands, benchmark, dataset, asked)
        if asked is not None:
            raise UsageError(f"--calibration would change nothing: {how.method}; leave it out.")
        return None

    def _check(self, sources: Sources, variant: Variant) -> dict[str, Any]:
        request = self.errands.request
        dataset = self._prepared(sources)
        rules = load_round(request.round)
        target = target_for(benchmark_named(request.benchmark), sources.model, dataset, rules)
        self.errands.display.step("Answering every sample on both sides, batch by batch in turn")
        sides = [
            (asdict(self._backend("fp32")), sources.model.path),
            (asdict(self._backend(self.wanted.precision)), variant.model),
        ]
        found: dict[str, Any] = self._call(
            "side_by_side",
            {
                "sides": sides,
                "dataset": asdict(dataset),
                "threads": request.threads or usable_cores(),
                "batch": request.max_batch or BATCH,
                "target": target.document(),
            },
        )
        return {**found, "target": target.document()}

    def _prepared(self, sources: Sources) -> DatasetRef:
        """The dataset with its samples as the source wants them, which the variant keeps."""
        backend = {"backend": asdict(self._backend("fp32")), "model": sources.model.path}
        look = Description(**self._call("look", backend, "harness.chores"))
        wanted = {
            "dataset": asdict(sources.dataset),
            "layout": look.layout,
            "dtype": look.dtype,
            "cache": str(self.errands.request.cache),
        }
        return replace(sources.dataset, **self._call("prepare", wanted, "harness.chores"))

    def _backend(self, precision: str) -> BackendSpec:
        request = self.errands.request
        return BackendSpec(
            request.backend, request.device, request.devices, precision, request.options
        )

    def _call(
        self, chore: str, wanted: dict[str, Any], module: str = "harness.variants.chores"
    ) -> Any:
        return child.call(
            f"{module}:{chore}",
            {"benchmark": self.errands.request.benchmark, **wanted},
            log=self.errands.log,
            stop=self.errands.stop,
            progress=lambda done, total: self.errands.display.count(done, total, "samples"),
        )


def refuse_foreign(target: Path) -> None:
    """UsageError where a file would be overwritten that no earlier command of ours has made."""
    if target.suffix != ".onnx":
        raise UsageError(f"{target} can't be the made model: its name must end in .onnx.")
    if target.exists() and not provenance_facts(read_onnx(target).metadata):
        raise UsageError(
            f"{target} is there already and was not made by `loadproof quantize`: move it away, or "
            "name another file with --to."
        )


def _refuse_makers_options(wanted: Wanted, backend: str) -> None:
    given = {
        "--to": wanted.target is not None,
        "--calibration": wanted.calibration is not None,
        "--reduce-range": wanted.reduce_range,
        "--no-check": not wanted.check,
    }
    for option, used in given.items():
        if used:
            raise UsageError(
                f"{option} makes no sense here: {backend} lowers the precision as it loads the "
                "model, so there is no file to make, only to check."
            )


def _asked(calibration: CalibrationChoice | None) -> dict[str, Any] | None:
    if calibration is None:
        return None
    return {
        "name": calibration.name,
        "path": str(calibration.path),
        "images": str(calibration.images),
        "labels": calibration.labels,
    }
