# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks loops.xd, an Xdebug trace of loops.cg that has at most MOST calls.

    convert_calls.py MOST
"""
import sys

from convert_check import Reader, check_xdebug

check_xdebug(open("loops.xd", "rb").read(), Reader(open("loops.cg", "rb").read()).profile, most=int(sys.argv[1]))
