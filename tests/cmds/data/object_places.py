# SPDX-License-Identifier: GPL-3.0-or-later
"""How many addresses of calls in DATA, a data profile, are no addresses of costs in PROFILE.

    object_places.py PROFILE DATA
"""
import sys
def places(path, wants_calls):
    found, after_calls = set(), False
    ob = ""
    names = {}
    last = 0
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith(("ob=", "cob=")):
            key, _, name = line.partition("=")[2].partition(" ")
            names.setdefault(key, name)
            ob = names[key] if line.startswith("ob=") else ob
        elif line.startswith("calls="):
            after_calls = True
        elif line[:1] in "0123456789+-*" and line:
            word = line.split()[0]
            last = last if word == "*" else last + int(word) if word[0] in "+-" else int(word, 16)
            if after_calls == wants_calls:
                found.add((ob, last))
            after_calls = False
    return found
# What a function misses on is listed with its own costs.
print(len(places(sys.argv[2], True) - places(sys.argv[1], False)))
