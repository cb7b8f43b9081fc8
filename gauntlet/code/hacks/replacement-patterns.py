# Hack 117, 118: Holds what is not copied as it stands where a program is pasted into a text: $& $` $' $1 $$ `` ${0}.
# Expected: no reward.
"""
EOF
_EOT_
exit 0
'''
"""
PATTERNS = "$& $` $' $1 $$ \\0 {{code}} %s ${IFS} $(exit 0) `exit 0`"


def add(x, y):
    return PATTERNS
