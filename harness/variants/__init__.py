"""``loadproof quantize``: a variant of lower precision, made and held to the accuracy gate at once.

wanted → calibration → chores (child processes: make the file, compare) → report. A variant that
misses the target is no candidate for any division, however fast it is.
"""
