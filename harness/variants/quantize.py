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
from harness.running.errands import Errands
from harness.sources import Sources, resolve
from harness.spec import BackendSpec, DatasetRef, ModelRef
from harness.variants.calibration import CalibrationChoice, calibration_for
from harness.variants.describing import Variant, variant_document
from harness.variants.refusals import refuse_early, refuse_foreign, refuse_lowered
from harness.variants.wanted import SOURCE_PRECISION, Wanted, recipe_for
from sut.quantization.recipes import Recipe

BATCH = 16
"""Samples of a batch in the comparison, where nothing else was asked for."""
SOFTWARE = ("loadproof", "onnxruntime", "onnxruntime-gpu", "onnx", "numpy")
"""Distributions whose versions a made file states."""
_CHORES = "harness.variants.chores"


@dataclass(frozen=True)
class Quantizing:
    """One request, on its way."""

    errands: Errands
    wanted: Wanted

    def run(self) -> dict[str, Any]:
        """The JSON form of what was made and found, schema ``quantization``."""
        errands, request = self.errands, self.errands.request
        how = recipe_for(request, self.wanted)
        refuse_early(errands, self._backend(SOURCE_PRECISION), how, self.wanted.target)
        errands.display.step("Finding the model and the dataset")
        sources = resolve(errands, None)
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
        made = self.errands.ask(
            f"{_CHORES}:make",
            {
                "benchmark": self.errands.request.benchmark,
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
            "making the variant",
        )
        return str(made["path"])

    def _check(self, sources: Sources, model: str | None) -> dict[str, Any]:
        """Both sides' scores and rates, over every sample of the dataset."""
        request = self.errands.request
        errands, fp32 = self.errands, self._backend(SOURCE_PRECISION)
        seen = errands.look(fp32, sources.model)
        dataset = errands.prepare(sources.dataset, seen.layout, seen.dtype)
        target = self._target(sources, dataset)
        errands.display.step("Answering every sample on both sides, batch by batch in turn")
        wanted = {
            "sides": [
                errands.opening(fp32, sources.model.path),
                errands.opening(self._backend(self.wanted.precision), model),
            ],
            "dataset": asdict(dataset),
            "threads": request.threads or usable_cores(),
            "batch": request.max_batch or BATCH,
            "target": target.document(),
        }
        doing = "comparing the variant with its source"
        return {**errands.ask(f"{_CHORES}:side_by_side", wanted, doing), "target": wanted["target"]}

    def _target(self, sources: Sources, dataset: DatasetRef) -> Target:
        request = self.errands.request
        benchmark = benchmark_named(request.benchmark)
        return target_for(benchmark, sources.model, dataset, load_round(request.round))

    def _backend(self, precision: str) -> BackendSpec:
        return replace(self.errands.request.runtime(), precision=precision)


@contextmanager
def nothing_left(variant: Variant) -> Iterator[None]:
    """Take the made file away where it can't be checked: nothing unchecked is left behind."""
    try:
        yield
    except LoadproofError:
        if variant.made is not None:
            Path(variant.made).unlink(missing_ok=True)
        raise
