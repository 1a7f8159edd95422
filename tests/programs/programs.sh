# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests that use the programs of this folder share; sourced after
# tests/lib.sh.

programs=$top_srcdir/tests/programs
scratch=$PWD
newline='
'

# Valgrind writes a core file of a program that dies, if it may.
# shellcheck disable=SC3045 # dash and bash have it
ulimit -c 0

# The same caches on every machine, so that none is detected and nothing is said about it.
caches="--I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64"

# build_program NAME [FLAGS...]: builds $scratch/NAME.  What clang writes by default makes
# Valgrind 3.19 say that it does not know all of it.
build_program() {
	program_name=$1
	shift
	build "$scratch/$program_name" "$programs/$program_name.c" -g -gdwarf-4 "$@"
}

# scene NAME: the place of the next runs, an empty directory, and the name of their tests.
scene() {
	scene=$1
	mkdir "$scratch/$1" && cd "$scratch/$1" || exit 1
}

# run [OPTIONS...] PROGRAM ARGUMENTS...: a profiled run; $status, files out and err next to the scene.
run() {
	# shellcheck disable=SC2086 # several options in one variable
	costgrind $caches "$@" >"$scratch/$scene.out" 2>"$scratch/$scene.err"
	status=$?
}

# exits WANTED: the status of the last run.
exits() {
	is "$scene: exit status" "$status" "$1"
}

# prints WANTED: what the program itself wrote.
prints() {
	is "$scene: output" "$(cat "$scratch/$scene.out")" "$1"
}

# says [LINES...]: all lines that the tool itself wrote to stderr, pids left out.
says() {
	is "$scene: messages" \
		"$(sed -n 's/^==[0-9][0-9]*== \(costgrind: \)/\1/; /^costgrind: /p' "$scratch/$scene.err")" \
		"$(for line; do printf '%s\n' "$line"; done)"
}

# The line that tells where a profile is.
written() {
	echo "costgrind: profile written to $1; show it by costgrind annotate or report, or kcachegrind"
}

# The same of one that took the place of another.
replaced() {
	written "$1" | sed 's/; show/ (replaced); show/'
}

# The line after it, if the directory could not be written.
in_place() {
	echo "costgrind: $1 was overwritten in place; no temporary file could be made next to it: permission denied"
}

# unseen_children PROGRAM: the last line, if children executed others, this one first.
unseen_children() {
	echo "costgrind: children executed other programs ($1), which were not profiled; --trace-children=yes does that"
}

# leaves [FILES...]: exactly these are in the directory of the scene, in order of the C locale.
leaves() {
	is "$scene: files" "$(LC_ALL=C ls -A)" "$(for file; do printf '%s\n' "$file"; done)"
}

profile() {
	python3 "$top_srcdir/tests/profile.py" "$@" 2>&1
}

# The line of the known loop.
spin_line=$(awk '/^\t__asm__/ { print NR }' "$programs/spin.h")

# spun FILE: instructions that the profile, which must be well-formed, shows for the known loop;
# any place but its one line is reported.
spun() {
	if ! cells=$(profile cells "$1"); then
		printf '%s\n' "$cells"
		return
	fi
	printf '%s\n' "$cells" | awk -F '\t' -v line="$spin_line" '
		$2 != "spin" { next }
		$1 !~ /\/programs\/spin\.h$/ || $3 != line { print "elsewhere: " $0 }
		{ sub(/^Ir=/, "", $4); sub(/ .*/, "", $4); print $4 }'
}

# spins N...: what spun should print after spin(N), ...
spins() {
	sum=0
	for times; do
		sum=$((sum + 2 * times + 1))
	done
	echo "$sum"
}

# holds FILE N...: the profile has all of spin(N), ... and nothing else of it; none: not run.
holds() {
	held_file=$1
	held_name="$scene: known loop in $(printf '%s' "$1" | tr '\n' ' ')"
	shift
	if [ $# -eq 0 ]; then
		is "$held_name" "$(spun "$held_file")" ""
	else
		is "$held_name" "$(spun "$held_file")" "$(spins "$@")"
	fi
}

# refused MESSAGE OPTION...: one line on stderr, status 1, no file, and the program does not run.
refusals=0
refused() {
	message=$1
	shift
	refusals=$((refusals + 1))
	mkdir "$scratch/refused$refusals" && cd "$scratch/refused$refusals" || exit 1
	costgrind -q "$@" "$scratch/script" print ran >"$scratch/refused.out" 2>"$scratch/refused.err"
	is "refused: $*" "$(echo "status $?"; cat "$scratch/refused.out" "$scratch/refused.err"; ls -A)" \
		"status 1${newline}costgrind: $message"
	cd "$scratch" || exit 1
}

# totals_are FILE TOTALS: of those that do not depend on addresses, in the notation "Ir=1 ...".
totals_are() {
	is "$scene: totals of $1" "$(profile totals "$1" | awk '
		$1 ~ /m[rw]$/ { next }
		{ printf "%s%s=%s", separator, $1, $2; separator = " " }')" "$2"
}

# begins PART WHOLE: the bytes of one file are the first ones of the other, pids left out.
begins() {
	sed 's/^pid: .*/pid:/' "$1" >"$scratch/part"
	sed 's/^pid: .*/pid:/' "$2" >"$scratch/whole"
	is "$scene: what was written is the begin of a profile" \
		"$(cmp "$scratch/part" "$scratch/whole" 2>&1 | sed 's/ after .*//')" \
		"cmp: EOF on $scratch/part"
}

# header KEY FILE: the text of a header line.
header() {
	sed -n "s/^$1: *//p" "$2"
}

# weakly COMMAND...: without root's right to write everywhere.
if [ "$(id -u)" -ne 0 ]; then
	weakly() {
		"$@"
	}
else
	weakly() {
		setpriv --inh-caps=-all --bounding-set=-all "$@"
	}
fi

# may_chroot: whether a command may call chroot(); after the words in $chroot_by.
# shellcheck disable=SC2034 # read by those who ask
may_chroot() {
	chroot_by=
	chroot / true 2>/dev/null && return
	chroot_by="unshare -r"
	unshare -r chroot / true 2>/dev/null
}
