# SPDX-License-Identifier: GPL-3.0-or-later
"""randoms.py SEED FILE: checks what tests/programs/machine.c prints of chance, in FILE, against
the sequence of the seed, which is worked out here a second time.  Prints what is wrong."""

import sys

MASK = (1 << 64) - 1


class Randoms:
    def __init__(self, seed, number=0):
        self.state = number
        self.state = self.next() ^ seed
        self.state = self.next()

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        word = self.state
        word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
        return word ^ word >> 31

    def bytes(self, n):
        words = b"".join(self.next().to_bytes(8, "little") for _ in range((n + 7) // 8))
        return words[:n].hex()

    def half(self):
        return self.next() & 0xFFFFFFFF


def uuid(text):
    """Version 4, variant of the RFC."""
    digits = list(text)
    digits[12] = "4"
    digits[16] = "%x" % (int(digits[16], 16) & 3 | 8)
    text = "".join(digits)
    return "-".join([text[:8], text[8:12], text[12:16], text[16:20], text[20:]])


def expected(seed, taken, with_rdrand, with_rdseed):
    randoms = Randoms(seed)
    yield "AT_RANDOM " + randoms.bytes(16)
    for _ in range(taken):
        randoms.next()
    yield "getrandom " + randoms.bytes(11)
    for name in "read", "dup", "pread":
        yield name + " " + randoms.bytes(9)
    yield "readv 11 " + randoms.bytes(5)
    yield " " + randoms.bytes(6)
    yield "/dev/random " + randoms.bytes(9)
    yield "/proc/sys/kernel/random/uuid: " + uuid(randoms.bytes(16))
    if with_rdrand:
        low, high, half = randoms.half(), randoms.half(), randoms.half()
        yield "rdrand %08x%08x 1 %04x 1" % (high, low, half & 0xFFFF)
    if with_rdseed:
        low, high = randoms.half(), randoms.half()
        yield "rdseed %08x%08x 1" % (high, low)


def main():
    seed = int(sys.argv[1])
    with open(sys.argv[2]) as file:
        got = [line for line in file.read().split("\n") if line and "boot_id" not in line]
    kinds = {line.split(" ")[0] for line in got}
    wanted = []
    for taken in range(16):
        wanted = list(expected(seed, taken, "rdrand" in kinds, "rdseed" in kinds))
        if wanted == got:
            return
    print("got:", *got, "wanted:", *wanted, sep="\n")


main()
