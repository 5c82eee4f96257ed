"""Trees whose files and folders are not what or where they should be."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace

from audit.submission.subject import DETAIL
from tests.audit.submission.negatives import breaks
from tests.audit.submission.trees import SampleTree, change_json, remove, write


@breaks("STR-001")
def empty(tree: SampleTree) -> None:
    remove(tree.root / "closed")


@breaks("STR-001")
def one_level_too_deep(tree: SampleTree) -> None:
    """Results that lie where systems do: all that is left of them is a file."""
    remove(tree.root / "closed")
    write(tree.root / "README.md", "x")


@breaks("STR-002", submitter="Exmaple")
def mistyped_submitter(tree: SampleTree) -> None:
    pass


@breaks("STR-003")
def unknown_division(tree: SampleTree) -> None:
    write(tree.root / "weird" / "notes.md", "x")


@breaks("STR-004")
def submitter_without_results(tree: SampleTree) -> None:
    other = tree.folder.parent / "Other"
    write(other / tree.layout.code / "README.md", "x")
    write(other / "calibration.md", "x")


@breaks("STR-005")
def no_code(tree: SampleTree) -> None:
    remove(tree.code)


@breaks("STR-006")
def no_calibration(tree: SampleTree) -> None:
    remove(tree.folder / "calibration.md")


@breaks("STR-007")
def folder_of_the_other_layout(tree: SampleTree) -> None:
    write(tree.folder / "measurements" / "README.md", "x")


@breaks("STR-008", division="open")
def mapping_cut(tree: SampleTree) -> None:
    write(tree.folder / "model_mapping.json", '{"mynet": "resnet"')


@breaks("STR-008", division="open")
def mapping_to_no_benchmark(tree: SampleTree) -> None:
    write(tree.folder / "model_mapping.json", '{"mynet": "alexnet"}')


@breaks("STR-010")
def space_in_a_name(tree: SampleTree) -> None:
    write(tree.code / "a b.txt", "x")


@breaks("STR-010")
def space_in_the_name_of_a_system(tree: SampleTree) -> None:
    results = tree.folder / "results"
    (results / tree.system).rename(results / "sample cpu")
    tree.description.rename(tree.description.with_name("sample cpu.json"))


@breaks("STR-011")
def hidden_file(tree: SampleTree) -> None:
    write(tree.code / ".hidden", "x")


@breaks("STR-012")
def empty_folder(tree: SampleTree) -> None:
    (tree.code / "empty").mkdir()


@breaks("STR-013")
def broken_link(tree: SampleTree) -> None:
    (tree.code / "dangling").symlink_to("nowhere")


@breaks("STR-014")
def readme_that_is_a_link(tree: SampleTree) -> None:
    remove(tree.measurements() / "README.md")
    (tree.measurements() / "README.md").symlink_to("../SingleStream/README.md")


@breaks("STR-015")
def file_of_51_mib(tree: SampleTree) -> None:
    with (tree.code / "big.bin").open("wb") as file:
        file.truncate(51 * 1024 * 1024)


@breaks("STR-016")
def path_of_205_characters(tree: SampleTree) -> None:
    folder = tree.code.relative_to(tree.root).as_posix()
    write(tree.code / ("n" * (204 - len(folder))), "x")


@breaks("STR-017")
def name_that_is_no_text(tree: SampleTree) -> None:
    write(tree.code / "a\udcff.txt", "x")


@breaks("STR-017")
def name_with_a_line_feed(tree: SampleTree) -> None:
    write(tree.code / "a\nb.txt", "x")


@breaks("STR-018", also=("STR-016",))
def folder_too_deep_to_be_listed(tree: SampleTree) -> None:
    """Its path is longer than the system can open; so a folder without permission is read."""
    step, at = "n" * 250, os.open(tree.code, os.O_RDONLY)
    for _ in range(20):
        os.mkdir(step, dir_fd=at)
        below = os.open(step, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)


@breaks("STR-019")
def named_pipe(tree: SampleTree) -> None:
    os.mkfifo(tree.code / "pipe")


@breaks("STR-020")
def system_without_description(tree: SampleTree) -> None:
    remove(tree.description)
    write(tree.description.parent / "README.md", "x")


@breaks("STR-021")
def description_without_results(tree: SampleTree) -> None:
    shutil.copy(tree.description, tree.description.with_name("other.json"))


@breaks("STR-022")
def benchmark_without_scenarios(tree: SampleTree) -> None:
    write(tree.results().parent.parent / "bert-99.9" / "README.md", "x")


@breaks("STR-022")
def system_without_benchmarks(tree: SampleTree) -> None:
    shutil.copy(tree.description, tree.description.with_name("other.json"))
    write(tree.folder / "results" / "other" / "README.md", "x")


@breaks("STR-023", round_name="v5.1")
def measurements_of_another_system(tree: SampleTree) -> None:
    write(tree.folder / "measurements" / "other" / "resnet50" / "Offline" / "user.conf", "x")


@breaks("STR-023", round_name="v5.1")
def measurements_of_another_scenario(tree: SampleTree) -> None:
    shutil.copytree(tree.measurements(), tree.measurements("Server"))


@breaks("STR-024", round_name="v5.1")
def tests_without_results(tree: SampleTree) -> None:
    shutil.copytree(tree.test("TEST01"), tree.test("TEST01", "Server"))


@breaks("STR-025")
def scenario_in_two_cases(tree: SampleTree) -> None:
    shutil.copytree(tree.results(), tree.results("offline"))


@breaks("STR-026")
def benchmark_by_both_its_names(tree: SampleTree) -> None:
    for part in (tree.results(), tree.code / "resnet50"):
        folder = part.parent if part.name == "Offline" else part
        shutil.copytree(folder, folder.with_name("resnet"))


@breaks("STR-027")
def link_to_the_folder_above(tree: SampleTree) -> None:
    (tree.code / "loop").symlink_to("..")


@breaks("STR-028")
def mapping_in_closed(tree: SampleTree) -> None:
    write(tree.folder / "model_mapping.json", '{"mynet": "resnet"}')


@breaks("STR-030", also=("ENT-001",))
def unknown_benchmark(tree: SampleTree) -> None:
    tree.results().parent.rename(tree.results().parent.with_name("alexnet"))


@breaks("STR-030", also=("ENT-001",))
def model_of_the_open_division_in_closed(tree: SampleTree) -> None:
    tree.results().parent.rename(tree.results().parent.with_name("efficientnet_b0"))


@breaks("STR-030", division="open", also=("ENT-001",))
def own_model_that_is_not_mapped(tree: SampleTree) -> None:
    tree.results().parent.rename(tree.results().parent.with_name("mynet"))


@breaks("STR-031", also=("ENT-001",))
def unknown_scenario(tree: SampleTree) -> None:
    shutil.copytree(tree.results(), tree.results("Burst"))


@breaks("STR-032", also=("ACC-009", "PERF-027"))
def multistream_of_bert(tree: SampleTree) -> None:
    bert = tree.of("bert-99")
    shutil.copytree(bert.results("SingleStream"), bert.results("MultiStream"))


@breaks("STR-033")
def required_scenario_missing(tree: SampleTree) -> None:
    remove(tree.results("MultiStream"))


@breaks("STR-034")
def tests_alone(tree: SampleTree) -> None:
    remove(tree.accuracy())
    remove(tree.results() / "performance")


@breaks("STR-040")
def no_accuracy_run(tree: SampleTree) -> None:
    remove(tree.accuracy())


@breaks("STR-040")
def no_accuracy_of_test01(tree: SampleTree) -> None:
    remove(tree.test("TEST01") / "accuracy")


@breaks("STR-041")
def no_summary(tree: SampleTree) -> None:
    remove(tree.performance() / "mlperf_log_summary.txt")


@breaks("STR-041")
def no_verification_of_test04(tree: SampleTree) -> None:
    remove(tree.test("TEST04") / "verify_performance.txt")


@breaks("STR-042")
def stray_file_beside_a_log(tree: SampleTree) -> None:
    write(tree.performance() / "stray.txt", "x")


@breaks("STR-042")
def stray_file_in_a_test(tree: SampleTree) -> None:
    write(tree.test("TEST01") / "accuracy" / "stray.txt", "x")


@breaks("STR-043")
def second_run(tree: SampleTree) -> None:
    shutil.copytree(tree.performance(), tree.performance().with_name("run_2"))


@breaks("STR-043")
def stray_folder_of_an_entry(tree: SampleTree) -> None:
    write(tree.results() / "old" / "notes.txt", "x")


@breaks("STR-044")
def no_test04(tree: SampleTree) -> None:
    remove(tree.test("TEST04"))


@breaks("STR-044", round_name="v5.1")
def no_folder_of_tests(tree: SampleTree) -> None:
    remove(tree.test("TEST01").parent)


@breaks("STR-045")
def compliance_score_alone(tree: SampleTree) -> None:
    write(tree.test("TEST01") / "accuracy" / "compliance_accuracy.txt", "accuracy=76.0%\n")


@breaks("STR-046", also=("ENT-001",))
def endpoints_without_summary(tree: SampleTree) -> None:
    remove(tree.results() / "performance")
    remove(tree.accuracy())
    write(tree.results() / "config.yaml", "name: x\n")
    write(tree.accuracy() / "accuracy_results.json", "{}")


@breaks("STR-050")
def system_copied_under_another_name(tree: SampleTree) -> None:
    shutil.copytree(tree.folder / "results" / tree.system, tree.folder / "results" / "other")
    shutil.copy(tree.description, tree.description.with_name("other.json"))


@breaks("STR-050")
def submitter_copied_under_another_name(tree: SampleTree) -> None:
    other = tree.folder.with_name("Other")
    shutil.copytree(tree.folder, other)
    change_json(other / "systems" / tree.description.name, submitter="Other")


@breaks("STR-050")
def one_test_of_another_system(tree: SampleTree) -> None:
    system_copied_under_another_name(tree)
    for path in (tree.folder / "results" / "other").rglob(DETAIL):
        if path.parent != replace(tree, system="other").test_run("TEST04"):
            write(path, path.read_bytes() + b"\n")
