# SPDX-License-Identifier: GPL-3.0-or-later
"""How check, convert and annotate end with each profile of odd_profiles.py, and totals by convert.

    odd_readings.py COSTGRIND PROFILE...

Other formats that end in another way are named first.
"""
import json
import subprocess
import sys

program, *files = sys.argv[1:]
for name in files:
    check = subprocess.run([program, "check", "-q", name], stdout=subprocess.DEVNULL)
    convert = subprocess.run([program, "convert", "--to=json", name], stdout=subprocess.PIPE)
    annotate = subprocess.run([program, "annotate", "-q", "--auto=no", name], stdout=subprocess.DEVNULL)
    for form in "callgrind", "speedscope", "csv", "collapsed":
        other = subprocess.run([program, "convert", "-q", "--to=" + form, name], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
        if other.returncode != convert.returncode and b"below 0" not in other.stderr:
            print(name, form, other.returncode, other.stderr)
    totals = json.loads(convert.stdout)["totals"] if convert.stdout else []
    if len(totals) > 2:
        totals = [len(totals), sum(totals)]
    print(name[4:], check.returncode, convert.returncode, annotate.returncode, *totals)
