"""What is found out about TensorFlow's models, with and without TensorFlow."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from datasets.errors import ModelError
from sut.backend import Tensor, provider
from sut.inspection import inspect_model
from sut.inspection.driving import Driving
from tests.sut.models import bert_frozen, relu_onnx, resnet50_frozen

pytestmark = pytest.mark.skipif(
    provider("tensorflow").availability().version is None, reason="TensorFlow is not installed"
)


@pytest.fixture(scope="module", autouse=True)
def tensorflow() -> Iterator[Any]:
    """TensorFlow, imported as the backend does it, but for warnings that are its own affair."""
    from sut.backends.tensorflow.runtime import load_runtime

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield load_runtime()


def entry(driving: tuple[Driving, ...], benchmark: str) -> Driving:
    return next(entry for entry in driving if entry.benchmark == benchmark)


def test_a_frozen_resnet50_is_driven_with_nhwc_images(tmp_path: Path) -> None:
    found = inspect_model(resnet50_frozen(tmp_path / "model.pb"))
    assert found.form == "frozen TensorFlow graph"
    assert found.opened.runtime.backend == "tensorflow"
    assert found.opened.runtime.precision == "fp32"
    assert found.declared.producer.startswith("TensorFlow, graph version ")
    assert found.declared.inputs == (Tensor("input_tensor:0", "float32", (None, 224, 224, 3)),)
    facts = entry(found.driving, "resnet50").facts
    assert (facts["layout"], facts["answer"]) == ("NHWC", "ArgMax:0")
    assert facts["label_offset"] == "1: the model has 1001 classes"
    assert "input_tensor:0 float32" in entry(found.driving, "bert").reason


def test_a_frozen_bert_is_driven_by_its_joined_logits(tmp_path: Path) -> None:
    found = inspect_model(bert_frozen(tmp_path / "model.pb"))
    assert entry(found.driving, "bert").facts["answer"] == "logits:0"


def test_without_opening_a_graph_does_not_tell_its_inputs(tmp_path: Path) -> None:
    found = inspect_model(resnet50_frozen(tmp_path / "model.pb"), opening=False)
    assert found.declared.inputs is None
    assert found.driving == ()
    assert found.identity.size_bytes > 0


def test_a_saved_model_is_the_folder_whichever_of_both_is_named(
    tensorflow: Any, tmp_path: Path
) -> None:
    class Classifier(tensorflow.Module):  # type: ignore[misc]
        @tensorflow.function(  # type: ignore[untyped-decorator]
            input_signature=[tensorflow.TensorSpec([1, 224, 224, 3], tensorflow.float32)]
        )
        def classify(self, image: Any) -> Any:
            means = tensorflow.reduce_mean(image, [1, 2])
            return {"scores": tensorflow.concat([means, tensorflow.zeros([1, 997])], 1)}

    module, folder = Classifier(), tmp_path / "saved"
    tensorflow.saved_model.save(module, folder, {"serving_default": module.classify})
    found = inspect_model(folder)
    assert found == inspect_model(folder / "saved_model.pb")
    assert (found.form, found.path) == ("TensorFlow SavedModel", folder)
    assert found.declared.producer == f"TensorFlow {tensorflow.__version__}"
    assert found.declared.inputs == (Tensor("image", "float32", (1, 224, 224, 3)),)
    assert entry(found.driving, "resnet50").facts["batch"] == "fixed at 1 by the model"
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    assert found.identity.size_bytes == sum(sizes)
    assert found.identity.md5 is None
    (folder / "assets" / "labels.txt").write_text("cat\n")
    assert inspect_model(folder, opening=False).identity.sha256 != found.identity.sha256


def test_a_model_under_the_ending_of_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no ONNX model: it has no graph"):
        inspect_model(resnet50_frozen(tmp_path / "model.onnx"))
    with pytest.raises(ModelError, match="stop making sense as protobuf at byte 1"):
        inspect_model(relu_onnx(tmp_path / "model.pb"))


def test_an_operator_that_tensorflow_does_not_know_is_named(
    tensorflow: Any, tmp_path: Path
) -> None:
    path = resnet50_frozen(tmp_path / "model.pb")
    graph = tensorflow.compat.v1.GraphDef.FromString(path.read_bytes())
    graph.node.add(name="odd", op="Frobnicate")
    path.write_bytes(graph.SerializeToString())
    with pytest.raises(ModelError, match="uses the operator Frobnicate"):
        inspect_model(path)
