"""Makes models of lower precision from ONNX models, with the tools of the runtime itself.

A recipe says how a benchmark's models are made smaller; what comes out carries in its own metadata
what it was made from. Whether it is any good, only its accuracy and its speed can tell: nothing
here measures. The same inputs and versions give the same bytes on the same machine.
"""
