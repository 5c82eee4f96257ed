"""What the harness left of its runs, and whether it is still that and agrees with itself.

folder first: it reads all evidence and judges none. Then recorded (what was noted of each run),
sealed (sealing: checksums, which the harness writes), attempts (the runs before it) and conditions
(whether the machine was quiet).
"""
