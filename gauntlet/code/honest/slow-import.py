# Honest: Imports much.
# Expected: accepted.
import asyncio
import email
import http.client
import unittest


def add(x, y):
    return x + y
