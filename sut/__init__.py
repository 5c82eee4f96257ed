"""Systems under test: runtimes behind one seam, models, batching. No LoadGen, no run folders."""
