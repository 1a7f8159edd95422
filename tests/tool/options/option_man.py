# SPDX-License-Identifier: GPL-3.0-or-later
"""option_man.py HELP MAN: the man page has the options of --help, no others, in its order.

HELP is what valgrind --tool=costgrind --help prints.  One line for each heading, option, form of a
value or default that differs; nothing if all are the same.
"""
import re
import shlex
import sys


def told(path):
    """Headings, and forms of options with their defaults (None: there is none)."""
    lines = open(path, encoding="utf-8").read().split("\n")
    begin = next(i for i, line in enumerate(lines) if "user options for Costgrind" in line)
    for line in lines[begin + 1 :]:
        heading = re.fullmatch(r"   (\S.*):", line)
        # A form that is wider than its column has no blank within.
        option = re.match(r"    (--.{36}(?= )|--\S+) .*?(?:\[([^\[]*)\])?$", line)
        if heading:
            yield ("heading", heading.group(1).lower(), None)
        elif option:
            yield ("option", option.group(1).rstrip(), option.group(2))
        elif line.startswith("    <pattern>"):
            return


def written(path):
    """The same of the page; an option comes with the text below it."""
    text = open(path, encoding="utf-8").read().replace("\\-", "-")
    text = re.sub(r"\\f[A-Z]", "", text)
    text = text[text.index("\n.SH OPTIONS OF THE TOOL") : text.index("\n.SH ANNOTATE")]
    for part in re.split(r"\n\.(?=TP|SS)", text)[1:]:
        kind, _, rest = part.partition("\n")
        if kind == "TP":
            head, _, body = rest.partition("\n")
            yield ("option", "".join(shlex.split(head)[1:]), " ".join(body.split()))
        else:
            yield ("heading", shlex.split(kind)[1].lower(), None)


def bare(form):
    """A form without what marks its parts in --help: in the page, that is their type."""
    return re.sub(r"[<>]", "", form)


def main():
    told_all = list(told(sys.argv[1]))
    written_all = list(written(sys.argv[2]))
    ours = [(kind, bare(form)) for kind, form, _ in told_all]
    page = [(kind, bare(form)) for kind, form, _ in written_all]
    for entry in ours:
        if entry not in page:
            print("not in the page: %s %s" % entry)
    for entry in page:
        if entry not in ours and entry[0] == "option":
            print("not in --help: %s %s" % entry)
    if [entry for entry in page if entry in ours] != [entry for entry in ours if entry in page]:
        print("another order")
    texts = {bare(form): text for kind, form, text in written_all if kind == "option"}
    for kind, form, default in told_all:
        if default and "[%s]" % default not in texts.get(bare(form), ""):
            print("%s: the page does not say [%s]" % (form, default))
    if len(told_all) < 50:
        print("only %d entries in --help" % len(told_all))


main()
