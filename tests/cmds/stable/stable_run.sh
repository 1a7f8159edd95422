#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind run --stable: the same bytes wherever and by whomever a program is run.
. "$top_srcdir/tests/lib.sh"
VALGRIND=$VALGRIND_ITSELF # the environment is what is measured

command=$top_builddir/costgrind
unset VALGRIND_LIB
runs() {
	python3 "$top_srcdir/tests/cmds/stable/stable_runs.py" "$@" 2>&1
}
# field N TEXT: line N of what runs() printed.
field() {
	printf '%s\n' "$2" | sed -n "$1p"
}
# plain ARGS...: least and most instructions of runs without --stable, in environments of
# several sizes.
plain() {
	for plain_n in 0 00 3 20 60; do
		(
			plain_home=
			# Python, for one, looks up the user without it.
			[ "$plain_n" = 0 ] || plain_home=HOME=/nonexistent
			# shellcheck disable=SC2046,SC2086 # several words, one or none
			env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 $(seq -f V%.0f=xxxxxxxxxxxxxxx "$plain_n") \
				$plain_home \
				PYTHONHASHSEED=0 PERL_HASH_SEED=0 "$command" run -q \
				--deterministic=yes --cache-sim=no --costgrind-out-file=plain.out \
				-- "$@" >plain.txt 2>plain.err
		)
		sed -n 's/^totals: \([0-9]*\).*/\1/p' plain.out
	done | sort -n | sed -n '1p;$p' | tr '\n' ' '
}
# within NAME TEXT ARGS...: the total that runs() printed is in the range of plain runs.
within() {
	within_name=$1
	within_total=$(field 2 "$2" | sed 's/^totals: \([0-9]*\).*/\1/')
	shift 2
	within_range=$(plain "$@")
	if [ "${within_range%% *}" -le "$within_total" ] &&
		[ "$within_total" -le "$(echo "$within_range" | cut -d' ' -f2)" ]; then
		ok "$within_name: as many instructions as in plain runs"
	else
		not_ok "$within_name: as many instructions as in plain runs" \
			"stable: $within_total" "plain: $within_range"
	fi
}

build depends "$top_srcdir/tests/programs/depends.c" -O1 -g -pthread
namespaces=yes
"$command" run --stable --print ./depends >print.txt || not_ok "run --stable --print"
grep -q '^\(cwd\|pid\|program\) *cannot be fixed here$' print.txt && namespaces=no

# By another user, too, if we may and it can read what we have built.
user=
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups \
	"$command" run --stable --print "$PWD/depends" >user.txt 2>&1 &&
	! grep -q '^\(cwd\|pid\|program\) *cannot be fixed here$' user.txt; then
	user="-u 65534"
fi

# --- 50 environments, directories, names, users, on a busy machine ---

if [ "$namespaces" = yes ]; then
	# shellcheck disable=SC2086 # two words or none
	text=$(runs -c -l $user 50 "$command" "$PWD/depends")
	is "50 runs: one profile" "$(field 1 "$text")" "1 different"
	within "50 runs" "$text" ./depends
	other=$(runs -c 2 "$command" "$PWD/depends" heap)
	is "another input: one profile" "$(field 1 "$other")" "1 different"
	if [ "$(field 2 "$text")" = "$(field 2 "$other")" ]; then
		not_ok "another input: another profile" "$text"
	else
		ok "another input: another profile"
	fi
else
	skip_here "50 runs: one profile" "no namespaces here: paths cannot be fixed"
fi

# --- without namespaces: the same counts at least ---

for keep in cwd pid,cwd,program,user,host; do
	text=$(runs -m "-x--keep=$keep" 6 "$command" "$PWD/depends")
	is "keep $keep: one profile" "$(field 1 "$text")" "1 different"
done

# --- programs of the system; none is given a seed ---

# program NAME N ARGS...
program() {
	program_name=$1
	program_n=$2
	shift 2
	if ! command -v "$1" >where.txt; then
		skip "$program_name: one profile" "there is no $1"
		return
	fi
	# shellcheck disable=SC2086 # words or none
	text=$(runs $merely "$program_n" "$command" "$@")
	is "$program_name: one profile" "$(field 1 "$text")" "1 different"
	within "$program_name" "$text" "$@"
}
PATH=/usr/bin:/bin
merely=
[ "$namespaces" = yes ] || merely="-m -s" # pids and paths are the system's
program python 4 python3 -c 'print(hash("a") != 1, sorted({str(i) for i in range(99)})[:2])'
program perl 4 perl -e 'my %h = map { $_ => 1 } 1 .. 99; print join(",", keys %h), "\n"'
program sort 4 sort -r "$top_srcdir/README.md"
program awk 4 awk '{ n[$1]++ } END { for (i in n) print i, n[i] }' "$top_srcdir/README.md"
program gzip 4 gzip -c "$top_srcdir/README.md"
# shellcheck disable=SC2016 # for that shell
program sh 4 sh -c 'for i in 1 2 3; do echo $i $HOME; done'

done_testing
