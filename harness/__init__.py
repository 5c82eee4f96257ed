"""Makes evidence: plans runs, drives LoadGen in child processes, keeps what they leave."""
