"""What may be typed: commands, options, and reading them. ``app`` holds all of it."""
