#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The gate of docs/EVENTS.md, as it is there: an extra allocation fails it.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

# block NAME: a block of the document.
block() {
	awk -v name="<!-- tested: $1 -->" '
		$0 == name { wanted = 1; next }
		wanted && !inside && /^```/ { inside = 1; next }
		inside && /^```$/ { exit }
		inside' "$top_srcdir/docs/EVENTS.md"
}

mkdir bin .costgrind
printf '#!/bin/sh\nVALGRIND_LIB=%s exec %s "$@"\n' "'$COSTGRIND_LIB'" "'$VALGRIND'" >bin/valgrind
chmod +x bin/valgrind
unset -f costgrind # lib.sh's
ln -s "$top_builddir/costgrind" bin/costgrind
PATH=$PWD/bin:$PATH

build_program gate -O1
mv gate prog
block baseline >baseline.sh
is "the baseline is saved" "$(sh -eu baseline.sh 2>&1; echo $?)" 0
block gate >gate.sh
is "nothing changed" "$(sh -eu gate.sh 2>&1 >/dev/null; echo $?)" 0
is "... nor was anything matched by nothing" "$(sh -eu gate.sh 2>&1 | grep -c 'fits no function')" 0

build_program gate -O1 -DMORE
mv gate prog
is "one more" "$(sh -eu gate.sh 2>broken >/dev/null; echo $?)" 3
is "... what is said" "$(sed "s|: [^ ]*/gate\.c|: src/gate.c|" broken)" "$(block broken)"

done_testing
