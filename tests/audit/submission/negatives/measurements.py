"""Trees whose measurements are incomplete or say nothing."""

from __future__ import annotations

import math

from tests.audit.submission.negatives import breaks
from tests.audit.submission.trees import SampleTree, change_json, change_text, remove, write


@breaks("MEAS-001", round_name="v5.1")
def no_folder(tree: SampleTree) -> None:
    remove(tree.measurements())


@breaks("MEAS-002")
def no_user_conf(tree: SampleTree) -> None:
    remove(tree.measurements() / "user.conf")


@breaks("MEAS-002", round_name="v5.0")
def no_fields(tree: SampleTree) -> None:
    remove(tree.measurements_file())


@breaks("MEAS-003")
def cut(tree: SampleTree) -> None:
    write(tree.measurements_file(), '{"retraining": "no", ')


@breaks("MEAS-003")
def list_at_the_top(tree: SampleTree) -> None:
    write(tree.measurements_file(), "[]")


@breaks("MEAS-004")
def latin_1(tree: SampleTree) -> None:
    text = tree.measurements_file().read_text().replace("model.onnx", "modèle.onnx")
    write(tree.measurements_file(), text.encode("latin-1"))


@breaks("MEAS-005")
def member_twice(tree: SampleTree) -> None:
    change_text(
        tree.measurements_file(), '"retraining": "no"', '"retraining": "yes",\n"retraining": "no"'
    )


@breaks("MEAS-006")
def empty_user_conf(tree: SampleTree) -> None:
    write(tree.measurements() / "user.conf", "")


@breaks("MEAS-006")
def empty_readme(tree: SampleTree) -> None:
    write(tree.measurements() / "README.md", "")


@breaks("MEAS-007")
def no_retraining(tree: SampleTree) -> None:
    change_json(tree.measurements_file(), retraining=None)


@breaks("MEAS-006")
def user_conf_of_nothing_to_print(tree: SampleTree) -> None:
    write(tree.measurements() / "user.conf", b"\0" * 4096)


@breaks("MEAS-006")
def readme_of_blanks(tree: SampleTree) -> None:
    write(tree.measurements() / "README.md", "\ufeff \t\r\n\u00a0\n")


@breaks("MEAS-008")
def weights_by_number(tree: SampleTree) -> None:
    change_json(tree.measurements_file(), starting_weights_filename=0)


@breaks("MEAS-008")
def data_type_that_is_not_a_number(tree: SampleTree) -> None:
    change_json(tree.measurements_file(), weight_data_types=math.nan)


@breaks("MEAS-008")
def empty_weights(tree: SampleTree) -> None:
    change_json(tree.measurements_file(), starting_weights_filename="")


@breaks("MEAS-009")
def trained_again(tree: SampleTree) -> None:
    change_json(tree.measurements_file(), retraining="Yes (a link to a description)")
