# Hack 20, 92: Ends without a word, so that what judges it finds the end of its input.
# Expected: no reward.
