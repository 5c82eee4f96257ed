"""How far repeats may lie apart before a result is refused, as data: one file a policy."""
