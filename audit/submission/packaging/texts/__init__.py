"""The words of a package: the README.md of an entry and of the code, and calibration.md."""
