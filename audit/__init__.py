"""Judges evidence: pure functions from parsed files and rules to findings. Runs nothing.

    evidence → run_verdict → scenario_verdict → assess → judge → documents: audit.json, result.json

What a run is held to:

    files that can be read   loadgen_log (log_lines, log_entry), accuracy_log, summary
    LoadGen's own verdict    validity, and invalid: why it said INVALID
    the rest of its log      recomputed, latencies, elapsed (window), words
    what was asked for       plan, asked, settings, effective, modes
    what the harness says    recorded, sealed (sealing), attempts, conditions
    a round                  rules (rounds/), demands, early_stopping, compliance/
    the right answers        scoring, accuracy/
    its repeats              consistency/, by a policy of policies/
    what a buyer demands     requirements

Other ways in are logs_only/ (runs of another harness), comparison/ (results beside each other) and
submission/ (trees for MLPerf). A finding's words stand in findings.json, a file's form in schemas/.
"""
