"""Sensors: what the machine did while a run was measured.

The supervisor samples them, never the process that is measured. A sensor that the machine lacks is
absent from the record, never zero; one that fails or hangs costs its own readings and nothing else.
"""
