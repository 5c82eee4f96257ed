"""Setting results against each other: whether they may be compared, how far they lie apart, and
what else differs between the machines and the software that they were measured with."""
