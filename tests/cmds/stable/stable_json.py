# SPDX-License-Identifier: GPL-3.0-or-later
"""What report.json of costgrind stable says, and whether it agrees with itself."""
import json

report = json.load(open("report.json"))
print(report["format"], report["version"], report["event"], report["stable"])
print(report["program"])
print([(c["cause"], c["runs"]) for c in report["causes"]])
for f in report["functions"]:
    if f["function"] == "on_heap":
        print(f["depends_on"], f["most"] - f["least"] == f["spread"], f["spread"] % 300,
              0 < f["spread"] <= 6 * 100 * 8)
        print(f["percent"] == round(100 * f["spread"] / report["causes"][0]["least"], 4))
