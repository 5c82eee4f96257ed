"""The highest rate that a system holds, and what kept a run from a higher one."""
