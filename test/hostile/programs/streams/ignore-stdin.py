# How: never reads its 5 MB of input, which does not fit any pipe.
# Expected: exited 0 with its output at once; the feeder of stdin neither blocks nor fails.
print("done")
