"""BERT's data: SQuAD's questions, the input that a model sees, and the text that it answers with.

squad reads the file; wordpiece → documents → windows → features make token ids of it, and preparing
keeps those of all questions. answers goes the way back, from logits to text.
"""
