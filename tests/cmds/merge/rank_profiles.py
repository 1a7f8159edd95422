# SPDX-License-Identifier: GPL-3.0-or-later
"""Profiles to be merged.

    rank_profiles.py ranks N    profiles/rank.R.out of N ranks
    rank_profiles.py large      large.out, of 24,000 instructions
"""
import sys


def ranks(n):
    for rank in range(int(n)):
        with open('profiles/rank.%d.out' % rank, 'w') as out:
            out.write('# callgrind format\npid: %d\ncmd: ./app\nevents: Ir Dr\n' % (1000 + rank))
            for f in range(rank % 7, 40, 1 + rank % 3):
                out.write('fl=f%d.c\nfn=f%d\n' % (f // 4, f))
                out.write('1 %d %d\n2 %d\ncfn=f0\ncalls=%d 1\n3 %d\n'
                          % (rank, f, rank * f, rank + 1, 10 * rank))


def large():
    with open('large.out', 'w') as out:
        out.write('positions: instr line\nevents: Ir\n')
        for f in range(600):
            out.write('fl=f.c\nfn=f%d\n' % f)
            out.writelines('0x%x %d %d\n' % (f * 4096 + 4 * i, i, i) for i in range(40))


globals()[sys.argv[1]](*sys.argv[2:])
