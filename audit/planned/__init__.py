"""What was asked for, as plan and specs say it: what a run's log and record are held against.

plan holds the runs that were to be made, asked is one of them, and effective what LoadGen's log
must then report. nearby finds a plan for a user who named the folder above it.
"""
