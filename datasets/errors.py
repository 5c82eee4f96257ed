"""Everything that loadproof refuses with a sentence.

    LoadproofError        root; never raised itself
    ├── UsageError        what was asked makes no sense
    ├── DataError         a dataset, or a file of it, is not what it should be
    ├── FetchError        a file could not be had, or is not the file that was promised
    ├── ModelError        a model file is not what it should be, or can't be driven
    ├── BackendError      a runtime is missing or refuses
    ├── DeviceError       the device asked for is not the device that would be used
    ├── EvidenceError     files of a run can't be read as evidence
    └── StorageError      the operating system refuses to read or write somewhere

A message is one sentence: what was found, where, and what to do. Exit codes belong to the
command line alone.
"""

from __future__ import annotations


class LoadproofError(Exception):
    """A problem that a sentence explains."""


class UsageError(LoadproofError):
    """What was asked makes no sense."""


class DataError(LoadproofError):
    """A dataset, or a file of it, is not what it should be."""


class FetchError(LoadproofError):
    """A file could not be had, or is not the file that was promised."""


class ModelError(LoadproofError):
    """A model file is not what it should be, or can't be driven."""


class BackendError(LoadproofError):
    """A runtime is missing or refuses."""


class DeviceError(LoadproofError):
    """The device asked for is not the device that would be used."""


class EvidenceError(LoadproofError):
    """Files of a run can't be read as evidence."""


class StorageError(LoadproofError):
    """The operating system refuses to read or write somewhere."""
