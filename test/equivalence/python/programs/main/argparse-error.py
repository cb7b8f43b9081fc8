#: {"args": ["--nope"]}
import argparse
argparse.ArgumentParser(description='d').parse_args()
