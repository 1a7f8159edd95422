#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What libraries cost, charged to the code that calls them, in the data of a report and on its page: by shares, exactly by a
# call tree, and for Python.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

# charges PROFILE ARGS...: of its report, which stays as PROFILE.html.
charges() {
	charges_of=$1
	"$program" report -q --detail=0 -o "$charges_of.html" "$@"
	python3 "$top_srcdir/tests/report.py" charges "$charges_of.html"
}

# page NAME EXPRESSION: what that is in the page.
page() {
	if ! command -v node >/dev/null; then
		skip "$1" "no node"
		return
	fi
	is "$1" "$(node "$top_srcdir/tests/cards.js" "$page_of.html" -- "$2" "$page_of.html" 2>&1)" "$page_of.html: $3"
}

# main calls print, which calls format, at less cost than work does; format does nothing else for both.
cat >shares <<'END'
# callgrind format
version: 1
creator: test
cmd: ./prog
events: Ir Dr
ob=/home/ann/prog
fl=/home/ann/prog.c
fn=main
1 100 10
cob=/usr/lib/libc.so.6
cfi=???
cfn=print
calls=1 0
1 30 3
cob=/home/ann/prog
cfi=/home/ann/prog.c
cfn=work
calls=1 2
2 80 8
fn=work
2 10 1
cob=/usr/lib/libc.so.6
cfi=???
cfn=print
calls=1 0
3 70 7
ob=/usr/lib/libc.so.6
fl=???
fn=print
0 60 6
cob=/usr/lib/libc.so.6
cfi=???
cfn=format
calls=2 0
0 40 4
fn=format
0 40 4
END
is "by shares of the cost of calls" "$(charges shares)" "\
own by shares
own main 130 14
library print 0 0
own work 80 7
library format 0 0
print for work: 0.7
print for main: 0.3
format for work: 0.7
format for main: 0.3"
is "their sum" "$(python3 "$top_srcdir/tests/report.py" check "$top_srcdir/docs/schemas/report.schema.json" shares 2>&1)" ""
page_of=shares
page "which is what functions cost then" \
	'location = {}, state.values.set("view", "functions"), state.values.set("library", "charged"), choose(),
	[...selfColumn()].join(" ")' "130 0 80 0"
page "nothing is charged unless that is chosen" 'state.values.set("view", "functions"), choose(), [...selfColumn()].join(" ")' \
	"100 60 10 40"
page "nor for one view only" 'state.values.set("view", "function"), state.values.set("library", "charged"), choose(),
	[...selfColumn()].join(" ")' "100 60 10 40"

# The same, by a tree: format costs 38 of its 40 for main.
cat >tree <<'END'
# costgrind call tree
version: 1
creator: costgrind-0.1
pid: 7
cmd: ./prog
events: Ir Dr
summary: 210 21

thread: 1
ob=(1) /home/ann/prog
fl=(1) /home/ann/prog.c
fn=(1) main
0 1 1 100 10
ob=(2) /usr/lib/libc.so.6
fl=(2) ???
fn=(2) print
1 2 1 20 2
fn=(3) format
2 3 1 38 4
ob=(1)
fl=(1)
fn=(4) work
1 4 1 10 1
2 2 1 40 4
3 3 1 2

totals: 210 21
END
is "exactly by a call tree" "$(charges tree)" "\
own exact
own main 158 16
library print 0 0
library format 0 0
own work 52 5
print for work: 0.6667
print for main: 0.3333
format for main: 0.95
format for work: 0.05"
is "none for two profiles" "$(charges shares shares)" ""
printf 'events: Ir\nfl=/home/ann/a.c\nfn=f\n1 5\ncfn=g\ncalls=1 1\n2 3\nfn=g\n7 3\n' >own
is "nothing where all is own code" "$(charges own)" ""

# Python: C below its caller, imports apart with all that they do, functions that stand for a file with its name.
cp "$top_srcdir/tests/cmds/inputs/python.tree" python
is "C below its Python caller, imports apart" "$(charges python | grep -v ' for ')" "\
python exact imports: _find_and_load
library main 100
own <module> 10
own _find_and_load 137
own <module> 0
library sre_compile 0
own run 200
own handle 490
library encode 0"
# Without a tree, by shares: run calls no C, handle does; the import has its module with the C that this calls.
"$program" convert --to=callgrind -o flat python
is "C by shares" "$(charges flat)" "\
python by shares imports: _find_and_load
library encode 0
library main 100
own <module> 10
library sre_compile 0
own run 200
own _find_and_load 137
own handle 490
own <module> 0"
page_of=python
page "kinds of Python code" 'Array.from(choice.profile.functions.names, (name, i) => `${name}: ${PYTHON_KINDS[pythonKind(i)]}`).join("; ")' \
	"main: C code; <module> app.py: own code; _find_and_load: imports; <module> json/__init__.py: imports; \
sre_compile: C code; run: packages; handle: own code; encode: C code"
printf '%s\n' 'events: Ir' 'ob=/usr/bin/python3.11' 'fl=???' 'fn=0x4fee40' '0 50' 'ob=[python]' 'fl=/home/ann/app.py' 'fn=f' '1 50' >bare
"$program" report -q -o bare.html bare
page_of=bare
page "which package has the symbols" 'choice.profile.lineless.includes("(Debian: python3.11-dbg)")' true
done_testing
