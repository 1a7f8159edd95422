# SPDX-License-Identifier: GPL-3.0-or-later
"""What a profile says about an environment: about what "env -0" prints, on standard input, as FNV-1a chained."""
import sys

data = sys.stdin.buffer.read()
value, n = 0, 0
for variable in data.split(b"\0")[:-1]:
    n += 1
    value ^= 0xcbf29ce484222325
    for byte in variable + b"\0":
        value = (value ^ byte) * 0x100000001b3 % 2**64
print("%d variables, %d bytes, %016x" % (n, len(data), value))
