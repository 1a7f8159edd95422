# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes COUNT damaged copies of an object into a folder, the same in each run.

    damaged_copies.py OBJECT FOLDER COUNT
"""
import random
import struct
import sys

source, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(source, "rb") as file:
    whole = file.read()
chance = random.Random(8)
for i in range(count):
    data = bytearray(whole)
    if chance.randrange(4) == 0:
        data = data[:chance.randrange(len(data))]
    for _ in range(chance.choice((1, 2, 5, 20, 100))):
        if len(data) < 16:
            break
        size = chance.choice((1, 2, 4, 8))
        at = chance.randrange(len(data) - 8)
        if chance.random() < 0.5:
            at = at // 4 * 4
        value = chance.choice((0, 1, 0x7f, 0x80, 0xff, 0xffffffff, 2**63 - 1, 2**64 - 1, len(whole),
                               chance.getrandbits(64)))
        data[at:at + size] = struct.pack("<Q", value)[:size]
    with open(f"{folder}/{i:05}", "wb") as file:
        file.write(data)
