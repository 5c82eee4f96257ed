"""Trees whose description of the system is not what the rules want."""

from __future__ import annotations

from audit.rules import common_rules
from tests.audit.submission.negatives import breaks
from tests.audit.submission.negatives.power import measures_power
from tests.audit.submission.trees import SampleTree, change_json, change_text, write


@breaks("SYS-001")
def trailing_comma(tree: SampleTree) -> None:
    change_text(tree.description, '"sw_notes": ""', '"sw_notes": "",')


@breaks("SYS-001")
def list_at_the_top(tree: SampleTree) -> None:
    write(tree.description, f"[{tree.description.read_text()}]")


@breaks("SYS-002")
def latin_1(tree: SampleTree) -> None:
    write(tree.description, tree.description.read_text().replace("Sample", "Süd").encode("latin-1"))


@breaks("SYS-003")
def member_twice(tree: SampleTree) -> None:
    change_text(tree.description, '"cooling": "air"', '"cooling": "air",\n "cooling": "liquid"')


@breaks("SYS-004")
def no_status(tree: SampleTree) -> None:
    change_json(tree.description, status=None)


@breaks("SYS-004", division="network", also=("SYS-012",))
def no_fields_of_the_network(tree: SampleTree) -> None:
    """A good description is one of a system that is not driven over a network."""


@breaks("SYS-013")
def no_power_fields_where_power_was_measured(tree: SampleTree) -> None:
    measures_power(tree)
    change_json(tree.description, power_management=None)


@breaks("SYS-005")
def misspelt(tree: SampleTree) -> None:
    change_text(tree.description, "host_processor_model_name", "host_procesor_model_name")


@breaks("SYS-006")
def empty_framework(tree: SampleTree) -> None:
    change_json(tree.description, framework=" ")


@breaks("SYS-007")
def status_shipping(tree: SampleTree) -> None:
    change_json(tree.description, status="shipping")


@breaks("SYS-008")
def type_cloud(tree: SampleTree) -> None:
    change_json(tree.description, system_type="cloud")


@breaks("SYS-009")
def another_division(tree: SampleTree) -> None:
    change_json(tree.description, division="open")


@breaks("SYS-010")
def another_submitter(tree: SampleTree) -> None:
    change_json(tree.description, submitter="Another")


@breaks("SYS-011")
def accelerators_not_counted(tree: SampleTree) -> None:
    change_json(tree.description, accelerators_per_node="N/A")


@breaks("SYS-011")
def nodes_in_words(tree: SampleTree) -> None:
    change_json(tree.description, number_of_nodes="two")


@breaks("SYS-012")
def network_in_closed(tree: SampleTree) -> None:
    change_json(tree.description, is_network=True)


@breaks("SYS-012")
def network_in_closed_as_text(tree: SampleTree) -> None:
    change_json(tree.description, is_network="true")


@breaks("SYS-012", division="network")
def no_network_in_the_network_division(tree: SampleTree) -> None:
    fields = dict.fromkeys(common_rules()["system_fields_network"], "x")
    change_json(tree.description, **{**fields, "is_network": "false"})


@breaks("SYS-014")
def no_node(tree: SampleTree) -> None:
    change_json(tree.description, number_of_nodes=0)


@breaks("SYS-014")
def no_node_in_words(tree: SampleTree) -> None:
    change_json(tree.description, number_of_nodes="00")
