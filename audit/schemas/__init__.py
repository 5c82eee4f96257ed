"""The schema of every JSON file that loadproof writes or reads, as data."""
