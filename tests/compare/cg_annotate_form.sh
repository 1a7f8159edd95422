#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the installed cg_annotate refuses, `costgrind check --for=cg_annotate` says it does.
. "$top_srcdir/tests/lib.sh"

tools=$VALGRIND_BIN
plain=$top_srcdir/tests/cmds/inputs/plain.cg

# refused NAME SED: a profile that is edited is refused by both.
refused() {
	sed "$2" "$plain" >p
	if "$tools/cg_annotate" "$PWD/p" >theirs 2>&1; then
		not_ok "$1: cg_annotate" "$(cat theirs)"
		return
	fi
	"$top_builddir/costgrind" check -q --for=cg_annotate p >ours
	is "$1" $? 3
}

# taken NAME SED: a profile that is edited is read by both.
taken() {
	sed "$2" "$plain" >p
	"$tools/cg_annotate" "$PWD/p" >theirs 2>&1
	is "$1: cg_annotate" $? 0
	"$top_builddir/costgrind" check -q --for=cg_annotate p >ours
	is "$1" "$? $(cat ours)" "0 "
}

taken "as it is" ''
taken "no desc:" '/^desc/d'
taken "nothing after cmd:" 's/^cmd.*/cmd:/'
taken "comments and blank lines amid costs" 's/^fn=g/&\n# a\n/'
taken "fewer counts" 's/^4 0/4/'
refused "cmd: after events:" '/^cmd/d;s/^events.*/&\ncmd: a/'
refused "desc: after cmd:" 's/^cmd.*/&\ndesc: a: b/'
refused "cmd: amid desc:" '/^cmd/d;s/^desc: D1/cmd: a\n&/'
refused "event:" 's/^events/event: Ir : a\n&/'
refused "event: first" '1s/^/event: Ir : a\n/'
refused "version: first" '1s/^/version: 1\n/'
refused "pid:" 's/^cmd/pid: 1\n&/'
refused "a blank line in the header" 's/^events/\n&/'
refused "a blank line first" '1s/^/\n/'
refused "a comment in the header" 's/^events/# a\n&/'
refused "a comment first" '1s/^/# a\n/'
refused "cmd: without a blank" 's/^cmd: /cmd:/'
refused "cmd: twice" 's/^cmd.*/&\n&/'
refused "no summary:" '/^summary/d'
refused "a summary: of one event" 's/^summary.*/summary: 13/'
done_testing
