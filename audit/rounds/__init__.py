"""The rules of each round of MLPerf Inference, as data: one file a round, and what all share."""
