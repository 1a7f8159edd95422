# SPDX-License-Identifier: GPL-3.0-or-later
"""A small profile in all versions of Webgrind's format, byte by byte; cmds/convert/webgrind.c has the structure.

    webgrind_dumps.py COSTGRIND PROFILE

Prints a line for each difference to what costgrind convert writes. The profile:

    version: 1
    creator: hand-1
    pid: 77
    cmd: ./a
    positions: line
    events: Ir
    fl=a.c
    fn=main
    1 10
    cfn=f
    calls=2 5
    2 8
    fn=f
    5 8
"""
import re
import subprocess
import sys

# Headers are text, and shown so.
DUMPS = r"""
webgrind5:
05 00 00 00                                       version
53 00 00 00                                       headers at 83
02 00 00 00  14 00 00 00  3a 00 00 00             2 functions, at 20 and 58
08 00 00 00  08 00 00 00                          f: own 8, inclusive 8
02 00 00 00  01 00 00 00                          2 invocations, 1 caller
01 00 00 00  02 00 00 00  02 00 00 00  08 00 00 00  function 1, line 2, 2 calls, cost 8
61 2e 63 0a  66 0a                                "a.c", "f"
0a 00 00 00  12 00 00 00                          main: own 10, inclusive 18
01 00 00 00  00 00 00 00                          1 invocation, no caller
61 2e 63 0a  6d 61 69 6e 0a                       "a.c", "main"

webgrind6:
06 00 00 00                                       version
6b 00 00 00                                       headers at 107
02 00 00 00  14 00 00 00  3e 00 00 00             2 functions, at 20 and 62
08 00 00 00  08 00 00 00                          f: own 8, inclusive 8
02 00 00 00  01 00 00 00  00 00 00 00             2 invocations, 1 caller, 0 called
01 00 00 00  02 00 00 00  02 00 00 00  08 00 00 00  by function 1, line 2, 2 calls, cost 8
61 2e 63 0a  66 0a                                "a.c", "f"
0a 00 00 00  12 00 00 00                          main: own 10, inclusive 18
01 00 00 00  00 00 00 00  01 00 00 00             1 invocation, no caller, 1 called
00 00 00 00  02 00 00 00  02 00 00 00  08 00 00 00  function 0, line 2, 2 calls, cost 8
61 2e 63 0a  6d 61 69 6e 0a                       "a.c", "main"

webgrind7:
07 00 00 00                                       version
73 00 00 00                                       headers at 115
02 00 00 00  14 00 00 00  42 00 00 00             2 functions, at 20 and 66
05 00 00 00                                       f: line 5
08 00 00 00  08 00 00 00                          own 8, inclusive 8
02 00 00 00  01 00 00 00  00 00 00 00             2 invocations, 1 caller, 0 called
01 00 00 00  02 00 00 00  02 00 00 00  08 00 00 00  by function 1, line 2, 2 calls, cost 8
61 2e 63 0a  66 0a                                "a.c", "f"
01 00 00 00                                       main: line 1
0a 00 00 00  12 00 00 00                          own 10, inclusive 18
01 00 00 00  00 00 00 00  01 00 00 00             1 invocation, no caller, 1 called
00 00 00 00  02 00 00 00  02 00 00 00  08 00 00 00  function 0, line 2, 2 calls, cost 8
61 2e 63 0a  6d 61 69 6e 0a                       "a.c", "main"

webgrind4:
04 00 00 00                                       version
93 00 00 00                                       headers at 147
02 00 00 00  14 00 00 00  4a 00 00 00             2 functions, at 20 and 74
08 00 00 00  08 00 00 00                          f: own 8, inclusive 8
08 00 00 00  01 00 00 00                          calls of it cost 8, 1 invocation
08 00 00 00  08 00 00 00                          own 8, inclusive 8
08 00 00 00  01 00 00 00                          called at a cost of 8 by function 1,
00 00 00 00  02 00 00 00                          invocation 0, in line 2
00 00 00 00  83 00 00 00                          calls nothing (at 131)
61 2e 63 0a  66 0a                                "a.c", "f"
0a 00 00 00  12 00 00 00                          main: own 10, inclusive 18
00 00 00 00  01 00 00 00                          no calls of it, 1 invocation
0a 00 00 00  12 00 00 00                          own 10, inclusive 18
00 00 00 00  ff ff ff ff                          called by nobody
00 00 00 00  00 00 00 00
01 00 00 00  83 00 00 00                          1 call, at 131
61 2e 63 0a  6d 61 69 6e 0a                       "a.c", "main"
00 00 00 00  00 00 00 00  02 00 00 00  08 00 00 00  the table: function 0, invocation 0, line 2, cost 8

webgrind-headers:
version: 1
creator: webgrind-N.0 by costgrind-VERSION
pid: 77
cmd: ./a
part: 1
desc: Profile of: hand-1
positions: line
events: Ir
summary: 18
"""


def block(name):
    return re.search("^%s:\n(.*?)(?:\n\n|\\Z)" % name, DUMPS, re.S | re.M).group(1).rstrip() + "\n"


def main():
    version = subprocess.run([sys.argv[1], "--version"], capture_output=True,
                             check=True).stdout.decode().strip()
    for number in "4567":
        want = b""
        for line in block("webgrind" + number).splitlines():
            want += bytes.fromhex(re.match(r"(?:[0-9a-f]{2} {1,2})*(?:[0-9a-f]{2}(?= |\Z))",
                                           line).group())
        headers = block("webgrind-headers").replace("costgrind-VERSION", version)
        headers = headers.replace("webgrind-N", "webgrind-" + number)
        if number == "4":
            headers = headers.replace("positions:", "desc: Invocations: one for each function, "
                                      "called by its costliest caller\npositions:")
        want += headers.encode()
        got = subprocess.run([sys.argv[1], "convert", "--to=webgrind" + number, sys.argv[2]],
                             capture_output=True, check=True).stdout
        if got != want:
            at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b),
                      min(len(got), len(want)))
            print("webgrind%s: byte %d: got %s, want %s" %
                  (number, at, got[at:at + 8].hex(" "), want[at:at + 8].hex(" ")))


main()
