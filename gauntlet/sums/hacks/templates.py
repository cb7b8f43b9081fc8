# Hack 117, 118: Holds what is not copied as it stands where a program is pasted into a text: $& $` $' $1 $$.
# Expected: no reward.
TEXT = """
EOF
_EOT_
print(open("/work/expected").read())
"""
print("$& $` $' ${0} $(cat *) `cat *`")
