import enum, sys
class Code(enum.IntEnum):
    BAD = 7
sys.exit(Code.BAD)
