"""What is checked of a submission: one module for each part of it."""
