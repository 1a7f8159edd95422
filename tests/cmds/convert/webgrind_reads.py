# SPDX-License-Identifier: GPL-3.0-or-later
"""What Webgrind makes of a trace, by its own rules: own costs, blocks and calls of each function.

    webgrind_reads.py TRACE
"""
import re
import sys

own, blocks, calls, names = {}, {}, {}, {}


def name_of(line):
    number, name = re.match(r".*=\((\d+)\)(?: (.*))?$", line).groups()
    return names.setdefault(number, name)


lines = iter(open(sys.argv[1]).read().split("\n"))
for line in lines:
    if line.startswith("fl="):
        function = name_of(next(lines))
        own[function] = own.get(function, 0) + int(re.fullmatch(r"\d+ (\d+)", next(lines))[1])
        blocks[function] = blocks.get(function, 0) + 1
    elif line.startswith("cfn="):
        call = function, name_of(line)
        assert call[1] in own, call
        next(lines)
        calls[call] = calls.get(call, 0) + int(re.fullmatch(r"\d+ (\d+)", next(lines))[1])
print(*map(sorted, (own.items(), blocks.items(), calls.items())))
