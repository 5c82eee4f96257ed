"""The headings under which ``--help`` lists the commands."""

MEASURE = "Measure and judge"
SUBMIT = "Submit"
TUNE = "Find the best settings"
MACHINE = "Machine, models and data"
