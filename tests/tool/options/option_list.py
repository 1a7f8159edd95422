# SPDX-License-Identifier: GPL-3.0-or-later
"""option_list.py LIST: the tool's part of --help as writer/shared/optionlist.h describes it.

Without the defaults, which the manual page has, too (option_man.py).
"""
import re
import sys


def rows(macro, text):
    """The rows of a list: each one's words, and its texts in quotes."""
    body = re.search(r"#define %s\(ROW\) \\\n(.*?[^\\])\n(?!\t)" % macro, text, re.S).group(1)
    for row in re.split(r"\bROW\(", body)[1:]:
        yield re.findall(r'"[^"]*"|[^\s,"()\\|]+', row)


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    options = list(rows("TOOL_OPTIONS", text))
    for group, *heading in rows("OPTION_GROUPS", text):
        print("   %s:" % "".join(heading).strip('"'))
        for option in options:
            texts = [part.strip('"') for part in option if part.startswith('"')]
            only = [part for part in option if part.startswith("ONLY_")]
            if option[2] != group or not {"ONLY_COSTGRIND"}.issuperset(only):
                continue
            name, form, about = texts[0], texts[1], texts[-1]
            between = "" if form.startswith(("[", "<n>=")) else "="
            print("    %-38s %s" % (name + between + form, about))
        print()


main()
