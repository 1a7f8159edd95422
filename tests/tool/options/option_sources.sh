#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where options come from, and which of them win: files, the environment, the command line.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
mkdir home here
export HOME="$scratch/home"
cd here || exit 1

# recorded OPTION...: the events of a profile with these options.  (--counting is not one of them.)
recorded() {
	VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind -q --costgrind-out-file=events.out \
		"$@" "$scratch/script" spin 10 && profile totals events.out | sed 's/ .*//' | tr '\n' ' '
}

# Without caches and Rep, whatever the tool was built with.
plain="--cache-sim=no --counting=valgrind"
branches="Bc Bcm Bi Bim Br Brm Btm"

# --- each of them, and each over the one before ---

# One event is switched on by each, and the one of the source before off.
echo "$plain --collect-bus=yes --branch-sim=yes" >"$HOME/.valgrindrc"
is ".valgrindrc at home" "$(recorded)" "Ir $branches Ge "
export VALGRIND_OPTS="--branch-sim=no --collect-systime=yes"
is "VALGRIND_OPTS over .valgrindrc at home" "$(recorded)" "Ir Ge sysCount sysTime "
echo "--collect-systime=no --simulate-wb=no --branch-sim=yes" >.valgrindrc
is "./.valgrindrc over VALGRIND_OPTS" "$(recorded)" "Ir $branches Ge "
export COSTGRIND_OPTS="--branch-sim=no --collect-systime=nsec"
is "COSTGRIND_OPTS over ./.valgrindrc" "$(recorded)" "Ir Ge sysCount sysTime sysCpuTime "
is "the command line over COSTGRIND_OPTS" "$(recorded --collect-systime=no --collect-bus=no)" "Ir "
# shellcheck disable=SC2086 # several options in one variable
is "the command line alone" "$(recorded --command-line-only=yes $plain)" "Ir "
is "costgrind run" "$("$top_builddir/costgrind" run -q --collect-bus=no \
	--costgrind-out-file=events.out "$scratch/script" spin 10 &&
	profile totals events.out | sed 's/ .*//' | tr '\n' ' ')" "Ir sysCount sysTime sysCpuTime "
rm .valgrindrc "$HOME/.valgrindrc"

# --- options of one tool ---

export VALGRIND_OPTS="--costgrind:cache-sim=no --cachegrind:branch-sim=yes --none:nonsense=1 \
--costgrind:counting=valgrind"
unset COSTGRIND_OPTS
is "options for this tool in VALGRIND_OPTS" "$(recorded)" "Ir "
echo "--costgrind:branch-sim=yes --callgrind:collect-bus=yes" >.valgrindrc
is "options for this tool in ./.valgrindrc" "$(recorded)" "Ir $branches "
rm .valgrindrc
export COSTGRIND_OPTS=--costgrind:collect-bus=yes
is "options for this tool in COSTGRIND_OPTS" "$(recorded)" "Ir Ge "

# --- words ---

export VALGRIND_OPTS="$plain"
tab=$(printf '\t')
export COSTGRIND_OPTS="  --branch-sim=yes$tab--collect-bus=yes$newline --collect-systime=yes  "
is "blanks, tabs and line feeds" "$(recorded)" "Ir $branches Ge sysCount sysTime "
for nothing in "" " " "$newline"; do
	COSTGRIND_OPTS=$nothing
	is "no words" "$(recorded)" "Ir "
done
COSTGRIND_OPTS="--collect-bus=yes script"
refused "COSTGRIND_OPTS: script: expected options"
COSTGRIND_OPTS="--tool=none"
refused "COSTGRIND_OPTS: --tool=none: the tool has been chosen already"
COSTGRIND_OPTS="--collect-bus=maybe"
refused "--collect-bus=maybe: expected yes or no"
COSTGRIND_OPTS="--colect-bus=yes"
refused "--colect-bus=yes: no such option, did you mean --collect-bus?"
cd "$scratch/here" || exit 1
COSTGRIND_OPTS="-q --demangle=no"
is "options of Valgrind's" "$(recorded)" "Ir "

# --- other programs, other names ---

# A child that Valgrind starts again for: once, and below what was on the command line.
COSTGRIND_OPTS="--branch-sim=yes --collect-bus=yes --desc=from:$tab"
refused "--desc=from:: expected --desc=<name>: <text>"
cd "$scratch/here" || exit 1
COSTGRIND_OPTS="--branch-sim=yes --collect-bus=yes"
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind -q --trace-children=yes --branch-sim=no \
	--costgrind-out-file=child.%p /bin/sh -c "'$scratch/script' spin 10 & wait" 2>child.err
is "a child's options" "$(for file in child.*[0-9]; do
	profile totals "$file" | sed 's/ .*//' | tr '\n' ' ' && echo
done | sort -u)$(cat child.err)" "Ir Ge "

# In another tool's place, only what is meant for that.
VALGRIND_OPTS=--callgrind:collect-systime=yes
VALGRIND_LIB=$unspaced_builddir/valgrind-lib-dropin "$VALGRIND" --tool=callgrind -q \
	--callgrind-out-file=events.out "$scratch/script" spin 10
is "called callgrind" "$(profile totals events.out | sed 's/ .*//' | tr '\n' ' ')" \
	"Ir sysCount sysTime "

done_testing
