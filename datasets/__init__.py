"""Datasets as the benchmarks define them: sources, reading, preprocessing, prepared samples.

    where files come from   sources, fetching/, wheel (pip_download); checksum, kept, cache, lock
    ImageNet                imagenet: image_tree (image_archives), label_files (labels, synsets) or
                            class_folders; images (image_bytes) → image_decoding → image_store
    SQuAD                   squad → documents (wordpiece), windows → features → feature_store;
                            back from logits to text: answers
    prepared samples        store (row_writer, checkpoints) → prepared → library (row_reader,
                            resident, room)
    made by loadproof       embedded/, simulated, calibration, subset

Imports nothing else of loadproof. The name is also that of a well-known library, so
:data:`IS_LOADPROOF` lets the command line tell ours from a foreign package that shadows it.
"""

IS_LOADPROOF = True
