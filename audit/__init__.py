"""Judges evidence: pure functions from parsed files and rules to findings. Runs nothing.

    evidence/ → run_verdict → scenario_verdict → assess → judge → documents: audit.json, result.json

What a run is held to, each room leaning only on those above it:

    logs/          what LoadGen wrote, as it really is
    accuracy/      the right answers, and the score of those that a log holds
    planned/       what was asked for
    runs/          whether one run's log bears out LoadGen's verdict, what was asked, and itself
    evidence/      whether all that the harness left agrees with itself and is as it was left
    consistency/   whether repeats tell the same (spread, representative), by a policy of policies/
    compliance/    whether the tests of compliance_tests are passed

A round's demands stand in rules (rounds/), a buyer's in requirements. scoring and metric take the
number that counts from a run.

Other ways in are logs_only/ (runs of another harness), comparison/ (results beside each other) and
submission/ (trees for MLPerf). A finding's words stand in findings.json (quantities and brevity say
how values look in them), a file's form in schemas/ (schema; strict_json and regular_file read).
"""
