"""Datasets as the benchmarks define them: sources, reading, preprocessing, prepared samples.

    fetching/    where files come from: sources, and bringing each once, whole and as promised
    images/      ResNet50: images and their labels → the model's input
    questions/   BERT: SQuAD's questions → the model's input, and its answers back to text
    samples/     what both become: prepared on disk once, loaded and batched in a run
    embedded/    small data that comes with loadproof: digits and questions
    disk/        files on this machine: writing, reading, locking, the cache

Beside them lie what all share (errors; listing; cores, by sysfs) and what chooses among samples
(calibration, subset). Rooms lean on others one way only: images on fetching, images and questions
on samples, all of them on disk.

Imports nothing else of loadproof. The name is also that of a well-known library, so
:data:`IS_LOADPROOF` lets the command line tell ours from a foreign package that shadows it.
"""

IS_LOADPROOF = True
