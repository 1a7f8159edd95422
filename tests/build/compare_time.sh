#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What scripts/compare-time makes of profiles and of native runs. Measuring is not tested, as that takes a machine
# that does nothing else.
. "$top_srcdir/tests/lib.sh"

# Code at addresses from 0x1000 on: a call of two functions through a register, a conditional jump, the call of a
# stub, a conditional tail call; the stub; the return of what both lead to.
python3 - <<'EOF2'
import struct
code = bytearray(0x40)
for place, text in ((0, 'ffd0'), (2, '75fe'), (4, 'e817000000'), (9, '0f8421000000'),
                    (0x20, 'f2ff25000000'), (0x30, 'c3')):
    code[place:place + len(text) // 2] = bytes.fromhex(text)
with open('prog', 'wb') as stream:
    stream.write(struct.pack('<16sHHIQQQIHHHHHH', b'\x7fELF\2\1\1', 2, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0))
    stream.write(struct.pack('<IIQQQQQQ', 1, 5, 120, 0x1000, 0, len(code), len(code), 1) + code)
EOF2
cat >profile <<EOF2
# callgrind format
version: 1
creator: costgrind-test
event: Cyc = CyBase + CyBr : Cycles (tenths)
positions: instr line
events: Ir Br CyBase CyBr
summary: 54 14 80 320

ob=$PWD/prog
fl=prog.c
fn=main
0x1000 1 4 0 10 80
cfn=one
calls=3 0x1038 1
0x1000 1 0
cfn=two
calls=1 0x103c 1
0x1000 1 0
0x1002 1 4 0 10 20
0x1004 1 10 0 10 0
cfn=stub
calls=10 0x1020 1
0x1004 1 0
0x1009 1 10 0 10 50
cfn=leaf
calls=4 0x1030 1
0x1009 1 0

fn=stub
0x1020 1 10 0 10 30
cfn=leaf
calls=10 0x1030 1
0x1020 1 0

fn=leaf
0x1030 1 14 14 10 140

fn=one
0x1038 1 1 0 10 0

fn=two
0x103c 1 1 0 10 0
totals: 54 14 80 320
EOF2

# ask EXPRESSION: what it is, with the modules at hand.
ask() {
	PYTHONPATH=$top_srcdir/tests/bench:$top_srcdir/tests/bench/time python3 -B -c "
import timenative, timeprofile
def shares(path, kind):
    table = getattr(timeprofile.Shares(path, 'Cyc'), kind)
    return ' '.join('%s %.0f' % (name, 400 * table[key]) for key in sorted(table) for name in key[1:])
print($1)"
}

is "shares as they are" "$(ask "shares('profile', 'shares')")" 'leaf 150 main 190 one 10 stub 40 two 10'
# The call's 80 go to one (60) and two (20). Leaf gets 20 of the tail call's 50, since it was made 4 times out of 10,
# and the stub's 30. Of its own 140, 100 go to main, where the 10 calls by way of the stub return. Nobody called main,
# so the rest stays.
is "shares with mispredictions where control goes on" "$(ask "shares('profile', 'allotted')")" \
	'leaf 100 main 190 one 70 stub 10 two 30'

is "one function" '[False, True]' \
	"$(ask "[timeprofile.is_one_function(dict(f=part, g=1 - part)) for part in (.94, .96)]")"
is "the function at the top" "$(ask "[timeprofile.agrees_at_top(native, dict(f=.6, g=.4)) for native in (
	dict(f=.5, g=.4, h=.1), dict(f=.44, g=.46, h=.1), dict(f=.4, g=.5, h=.1))]")" '[True, True, False]'
is "how far runs differ, without runs at a slow clock" \
	"$(ask "'%.2f' % timenative.spread(dict(seconds=[1, 1.1, 2, 9, 9], clocks=[3, 3, 3, 2.9, 2.9]))")" 0.10
done_testing
