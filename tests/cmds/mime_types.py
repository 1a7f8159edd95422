# SPDX-License-Identifier: GPL-3.0-or-later
"""The type that a file of MIME types describes, and which names of files are of it.

    mime_types.py XML
"""
import fnmatch
import sys
import xml.dom.minidom

kind, = xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("mime-type")
print(kind.getAttribute("type"))
print(*[match.getAttribute("value") for match in kind.getElementsByTagName("match")])
globs = [glob.getAttribute("pattern") for glob in kind.getElementsByTagName("glob")]
for name in "costgrind.out.77", "callgrind.out.1", "cachegrind.out.1.2", "tree.77.costgrind", "a.out":
    print(name, any(fnmatch.fnmatchcase(name, glob) for glob in globs))
