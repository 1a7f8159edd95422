# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep constructors get, by themselves: since 3.13 they get deeper with sys.setprofile()."""

print("1 1 <module>")


class Node:
    made = 0

    def __init__(self):
        Node.made += 1
        Node()


print("1 7 Node")
try:
    Node()
except RecursionError:
    print(Node.made, "10 Node.__init__")
