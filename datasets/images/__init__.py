"""ResNet50's data: images with a label for each, and the input that a model sees.

imagenet first: it joins tree (archives, extent, expected), which finds the images, with label_files
(labels, synsets) or class_folders, which say what they show. Then from one file to all of them:
complete → preprocessing → decoding → preparing.
"""
