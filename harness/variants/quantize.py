"""From what was wanted to a variant with its verdict.

The model and the data are found as a qualification finds them, so that the two sides are exactly
what ``qualify`` would run; the gate is the accuracy target that ``qualify`` would set.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from audit.rules import load_round
from datasets.cores import usable_cores
from datasets.errors import LoadproofError
from harness.benchmarks import benchmark_named
from harness.host.software import version_of
from harness.planning.targets import Target, target_for
from harness.running import child
from harness.running.system import Description
from harness.sources import Sources, resolve
from harness.sources.errands import Errands
from harness.spec import BackendSpec, DatasetRef, ModelRef
from harness.variants.calibration import CalibrationChoice, calibration_for
from harness.variants.describing import Variant, variant_document
from harness.variants.early import refuse_early
from harness.variants.wanted import Wanted, recipe_for, refuse_foreign, refuse_lowered
from sut.quantization.recipes import Recipe

BATCH = 16
"""Samples of a batch in the comparison, where nothing else was asked for."""
SOFTWARE = ("loadproof", "onnxruntime", "onnxruntime-gpu", "onnx", "numpy")
"""Distributions whose versions a made file states."""
_CHORES, _SURVEY = "harness.variants.chores", "harness.running.chores"


_DOING = {
    "make": "making the variant",
    "side_by_side": "comparing the variant with its source",
    "look": "opening the source",
    "prepare": "preparing the samples",
}
"""What a child process does, in words, by its chore."""


@dataclass(frozen=True)
class Quantizing:
    """One request, on its way."""

    errands: Errands
    wanted: Wanted

    def run(self) -> dict[str, Any]:
        """The JSON form of what was made and found, schema ``quantization``."""
        request, errands = self.errands.request, self.errands
        how = recipe_for(request, self.wanted)
        refuse_early(errands, self._backend("fp32"), how, self.wanted.target)
        errands.display.step("Finding the model and the dataset")
        sources = resolve(request, None, errands.log, errands.stop, errands.display)
        variant = Variant(None, None, None) if how is None else self._variant(sources, how)
        model = variant.made or sources.model.path
        with nothing_left(variant):
            checked = self._check(sources, model) if self.wanted.check else None
        return variant_document(request, self.wanted, sources, variant, checked)

    def _variant(self, sources: Sources, how: Recipe) -> Variant:
        refuse_lowered(Path(str(sources.model.path)))
        name = f"{sources.model.name}-{self.wanted.precision}.onnx"
        target = self.wanted.target or Path(name)
        refuse_foreign(target)
        calibration = self._calibration(sources.dataset, how)
        return Variant(how, calibration, self._make(sources.model, target, how, calibration))

    def _calibration(self, dataset: DatasetRef, how: Recipe) -> CalibrationChoice | None:
        if how.calibrator is None:
            return None
        benchmark = self.errands.request.benchmark
        return calibration_for(self.errands, benchmark, dataset, self.wanted.calibration)

    def _make(
        self, source: ModelRef, target: Path, how: Recipe, calibration: CalibrationChoice | None
    ) -> str:
        """The path of the made file."""
        self.errands.display.step(f"Making {target.name}: {how.method}")
        made = self._call(
            _CHORES,
            "make",
            {
                "precision": self.wanted.precision,
                "source": source.path,
                "source_name": source.name,
                "source_sha256": source.sha256,
                "target": str(target.absolute()),
                "calibration": calibration.document() if calibration else None,
                "reduce_range": self.wanted.reduce_range,
                "cache": str(self.errands.request.cache),
                "software": {name: v for name in SOFTWARE if (v := version_of(name))},
            },
        )
        return str(made["path"])

    def _check(self, sources: Sources, model: str | None) -> dict[str, Any]:
        """Both sides' scores and rates, over every sample of the dataset."""
        request = self.errands.request
        source = {"backend": asdict(self._backend("fp32")), "model": sources.model.path}
        variant = {"backend": asdict(self._backend(self.wanted.precision)), "model": model}
        dataset = self._prepared(sources.dataset, source)
        target = self._target(sources, dataset)
        self.errands.display.step("Answering every sample on both sides, batch by batch in turn")
        wanted = {
            "sides": [source, variant],
            "dataset": asdict(dataset),
            "threads": request.threads or usable_cores(),
            "batch": request.max_batch or BATCH,
            "target": target.document(),
        }
        return {**self._call(_CHORES, "side_by_side", wanted), "target": target.document()}

    def _prepared(self, dataset: DatasetRef, source: dict[str, Any]) -> DatasetRef:
        """The dataset with its samples as the source wants them, which the variant keeps."""
        look = Description(**self._call(_SURVEY, "look", source))
        wanted = {
            "dataset": asdict(dataset),
            "layout": look.layout,
            "dtype": look.dtype,
            "cache": str(self.errands.request.cache),
        }
        return replace(dataset, **self._call(_SURVEY, "prepare", wanted))

    def _target(self, sources: Sources, dataset: DatasetRef) -> Target:
        request = self.errands.request
        benchmark = benchmark_named(request.benchmark)
        return target_for(benchmark, sources.model, dataset, load_round(request.round))

    def _backend(self, precision: str) -> BackendSpec:
        request = self.errands.request
        return BackendSpec(
            request.backend, request.device, request.devices, precision, request.options
        )

    def _call(self, module: str, chore: str, wanted: dict[str, Any]) -> Any:
        return child.call(
            f"{module}:{chore}",
            {"benchmark": self.errands.request.benchmark, **wanted},
            doing=_DOING[chore],
            log=self.errands.log,
            stop=self.errands.stop,
            progress=lambda done, total: self.errands.display.count(done, total, "samples"),
        )


@contextmanager
def nothing_left(variant: Variant) -> Iterator[None]:
    """Take the made file away where it can't be checked: nothing unchecked is left behind."""
    try:
        yield
    except LoadproofError:
        if variant.made is not None:
            Path(variant.made).unlink(missing_ok=True)
        raise
