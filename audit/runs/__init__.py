"""Whether the log of one run bears out what LoadGen said of it, what was asked for, and itself.

validity first: it joins all others but these two. LoadGen's verdict: invalid (stopping_needs, by
early_stopping) says why not, claims and words whether it could say so. The numbers: recomputed,
latencies, elapsed. What was asked for: settings, modes, and a round's demands. Apart stand summary
(the text that people read) and too_short (runs that may be made again).
"""
