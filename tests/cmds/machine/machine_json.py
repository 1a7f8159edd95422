# SPDX-License-Identifier: GPL-3.0-or-later
"""What the JSON of costgrind machine says about a machine, or about the list of them.

    machine_json.py JSON
"""
import json
import sys

with open(sys.argv[1]) as file:
    said = json.load(file)
if "machines" in said:
    machines = said["machines"]
    print(said["format"], len(machines), machines[0]["name"])
    print([machine["assumes"] for machine in machines if machine["name"] == "generic"])
else:
    print(said["format"], said["version"], said["name"], said["assumes"])
    print(*[item for item in said["items"] if item["item"] == "L3"])
    print(*[item["kind"] for item in said["items"] if item["item"] == "prefetch"])
