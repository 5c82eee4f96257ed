"""What is to be run: specs from a request, what a survey of the system found, and the rules."""
