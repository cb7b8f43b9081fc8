import collections, json, os, re, math, random, string, functools, itertools, heapq, threading, typing, io, time, datetime, decimal
for m in collections, json, os, re, math, random, string, functools, itertools, heapq, threading, typing, io, time, datetime, decimal:
    print(m.__name__, sorted(dir(m)))
