"""Systems under test: runtimes behind one seam, models, batching. No LoadGen, no run folders.

the seam     backend: arrays in, arrays out; found by plugins, ours in backends/
samples      adapter, adapters/: batches from samples and answers from outputs; bound to a
             session by predictor, called by streams/ when it is time
where        devices, threads
models       zoo (known by name), model_file, inspection/; made here: embedded/, quantization/
"""
