#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind run: starts the tool where it was built.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
command=$top_builddir/costgrind
unset VALGRIND_LIB

# --- programs ---

"$command" run -q --counting=valgrind --cache-sim=no --costgrind-out-file=run.out \
	"$scratch/script" print ran exit 3 >run.txt 2>&1
is "run: status and output" "$(echo "status $?"; cat run.txt)" "status 3${newline}ran"
is "run: the profile" "$(profile totals run.out | sed 's/ .*//')" Ir
# Behind the program's name nothing is an option of ours.
for separator in "" --; do
	# shellcheck disable=SC2086 # none, or one word
	"$command" run -q --cache-sim=no --costgrind-out-file=run.out $separator \
		"$scratch/script" print --tool-help >run.txt 2>&1
	is "run $separator: a program's own arguments" "$(echo "status $?"; cat run.txt)" \
		"status 0${newline}--tool-help"
done

# --- many threads ---

build_program waiters -pthread -static
for stable in "" --stable; do
	"$command" run ${stable:+"$stable"} -q --cache-sim=no --costgrind-out-file=run.out \
		"$scratch/waiters" 600 64 >run.txt 2>&1
	is "run $stable: 600 threads" "$(echo "status $?"; cat run.txt)" "status 0${newline}done"
done
# What the user says counts, wherever.
many="the run ends here: the program has 9 threads at a time, and Valgrind has no room for more; --max-threads=<n> makes it"
"$command" run -q --cache-sim=no --costgrind-out-file=run.out --max-threads=10 \
	"$scratch/waiters" 10 64 >run.txt 2>&1
is "run --max-threads" "$(echo "status $?"; sed 's/.*costgrind: //' run.txt)" "status 1$newline$many"
VALGRIND_OPTS=--max-threads=10 "$command" run -q --cache-sim=no --costgrind-out-file=run.out \
	"$scratch/waiters" 10 64 >run.txt 2>&1
is "run, VALGRIND_OPTS" "$(echo "status $?"; sed 's/.*costgrind: //' run.txt)" "status 1$newline$many"

# --- threads take turns in order ---

fair() {
	sed -n 's/^desc: Options: .*--fair-sched=\([a-z]*\).*/\1/p' run.out
}
"$command" run -q --cache-sim=no --costgrind-out-file=run.out "$scratch/waiters" 2 64 >run.txt 2>&1
is "run: turns are fair where they can be" "$(fair)" "try"
"$command" run -q --cache-sim=no --fair-sched=yes --costgrind-out-file=run.out "$scratch/waiters" 2 64 >run.txt 2>&1
is "... or as the user says" "$(fair)" "yes"
for variable in VALGRIND_OPTS COSTGRIND_OPTS; do
	env $variable=--fair-sched=no "$command" run -q --cache-sim=no --costgrind-out-file=run.out "$scratch/waiters" 2 64 \
		>run.txt 2>&1
	is "... in $variable" "$(fair)" ""
done

# --- in a folder whose name the dynamic linker divides ---

odd=$scratch/'two words:größer'
mkdir -p "$odd/valgrind-lib"
cp "$command" "$odd"
ln -s "$COSTGRIND_LIB"/* "$odd/valgrind-lib"
# preloads FILE...: how many of the profiles are of processes that have preloaded Valgrind's own file.
preloads() {
	grep -l '^desc: Build-id: .*/vgpreload_core-' "$@" | wc -l
}
"$odd/costgrind" run -q --cache-sim=no --trace-children=yes --costgrind-out-file=odd.%p \
	sh -c 'sh -c "exit 3"; echo $?; exit 4' >run.txt 2>&1
is "odd folder: status and output" "$(echo "status $?"; cat run.txt)" "status 4${newline}3"
is "odd folder: both processes" "$(preloads odd.*)" 2
VALGRIND_LIB=$odd/valgrind-lib "$command" run -q --cache-sim=no --costgrind-out-file=run.out \
	sh -c 'exit 5' >run.txt 2>&1
is "odd VALGRIND_LIB" "$(echo "status $?"; cat run.txt; preloads run.out)" "status 5${newline}1"
# With what is kept, there is a folder of the enclosure's, or none, or no enclosure at all.
for keep in '' --keep=cwd,program,pid --keep=cwd,program,pid,host; do
	"$odd/costgrind" run --stable ${keep:+"$keep"} -q --cache-sim=no --costgrind-out-file=run.out \
		sh -c 'exit 6' >run.txt 2>run.err
	is "odd folder, --stable $keep" "$(echo "status $?"; cat run.txt; preloads run.out)" \
		"status 6${newline}1"
	"$command" run --stable ${keep:+"$keep"} -q --cache-sim=no sh -c 'exit 7' >run.txt 2>run.err
	is "--stable $keep" $? 7
done
VALGRIND_LIB=$odd "$command" run "$scratch/script" >run.txt 2>&1
is "odd VALGRIND_LIB without the tool" "$(echo "status $?"; grep -c "failed to start tool 'costgrind'" run.txt)" \
	"status 1${newline}1"

# --- help ---

"$command" run --tool-help >tool.txt 2>tool.err
is "tool's help: status, errors" "$(echo "status $?"; cat tool.err)" "status 0"
costgrind --help >valgrind.txt 2>&1
is "tool's help: Valgrind's" "$(cat tool.txt)" "$(cat valgrind.txt)"
is "tool's help: has options of the tool" "$(grep -c '^    --branch-sim=' tool.txt)" 1
for option in -h --help; do
	"$command" run $option >help.txt 2>&1
	is "run $option" "$(echo "status $?"; sed -n 1p help.txt)" \
"status 0
usage: costgrind run [run options] [tool or Valgrind options] [--] PROG [ARGS]"
done
is "help names the tool's help" "$(grep -c 'costgrind run --tool-help' help.txt)" 1

# --- nothing is no result ---

for options in "" --stable; do
	# shellcheck disable=SC2086 # no option, or one
	"$command" run --quiet $options --toggle-collect=nosuch -- "$scratch/script" exit 3 >run.txt 2>&1
	is "run --quiet $options: nothing was collected" "$? $(sed 's/^==[0-9]*== //' run.txt)" \
		"3 costgrind: nothing was collected: no such function was entered (--toggle-collect=nosuch)"
done

# --- what cannot be ---

for options in "" -- --cache-sim=no "--cache-sim=no --"; do
	# shellcheck disable=SC2086 # several options in one variable
	"$command" run $options >run.txt 2>&1
	is "run without a program: $options" "$(echo "status $?"; cat run.txt)" \
"status 2
costgrind run: expected a program to run"
done
VALGRIND=$scratch/nothing "$command" run "$scratch/script" >run.txt 2>&1
is "run without Valgrind" "$(echo "status $?"; cat run.txt)" \
"status 1
costgrind run: $scratch/nothing: No such file or directory, see 'costgrind doctor'"

done_testing
