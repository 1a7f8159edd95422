# SPDX-License-Identifier: GPL-3.0-or-later
"""The hex dumps in docs/FORMAT.md are what costgrind convert writes, byte for byte.

    webgrind_dumps.py FORMAT.md COSTGRIND PROFILE

Prints a line for each difference.
"""
import re
import subprocess
import sys


def block(text, name):
    return re.search("```%s\n(.*?)```" % name, text, re.S).group(1)


def main():
    with open(sys.argv[1], encoding="utf-8") as stream:
        text = stream.read()
    version = subprocess.run([sys.argv[2], "--version"], capture_output=True,
                             check=True).stdout.decode().strip()
    for number in "4567":
        want = b""
        for line in block(text, "webgrind" + number).splitlines():
            want += bytes.fromhex(re.match(r"(?:[0-9a-f]{2} {1,2})*(?:[0-9a-f]{2}(?= |\Z))",
                                           line).group())
        headers = block(text, "webgrind-headers").replace("costgrind-VERSION", version)
        headers = headers.replace("webgrind-N", "webgrind-" + number)
        if number == "4":
            headers = headers.replace("positions:", "desc: Invocations: one for each function, "
                                      "called by its costliest caller\npositions:")
        want += headers.encode()
        got = subprocess.run([sys.argv[2], "convert", "--to=webgrind" + number, sys.argv[3]],
                             capture_output=True, check=True).stdout
        if got != want:
            at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b),
                      min(len(got), len(want)))
            print("webgrind%s: byte %d: got %s, want %s" %
                  (number, at, got[at:at + 8].hex(" "), want[at:at + 8].hex(" ")))


main()
