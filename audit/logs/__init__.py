"""What LoadGen wrote, as it really is: its logs read, nothing judged.

log_entry → log_lines → loadgen_log: one line, a file of lines, the detail log by key. numbers and
window read what its values can mean. accuracy_log holds the answers.
"""
