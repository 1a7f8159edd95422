# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the tests of this folder share; sourced after tests/lib.sh.

compare_py=$top_srcdir/tests/compare/compare.py
annotator=$VALGRIND_BIN/callgrind_annotate
scratch=$PWD

# input NAME KIND SIZE: makes $scratch/NAME.
input() {
	python3 "$top_srcdir/tests/compare/inputs/make.py" "$2" "$3" >"$scratch/$1" && return
	not_ok "make $1"
	done_testing
}

profile() {
	python3 "$top_srcdir/tests/profile.py" "$@" 2>&1
}

# annotates [--auto=no] NAME FILE...: callgrind_annotate reads the profiles without a word on stderr
# and prints their totals, also when it is to print everything.  compare.py may have left these
# next to the folder of a file.
annotates() {
	annotates_sources=--auto=yes
	case $1 in
	--auto=*)
		annotates_sources=$1
		shift
		;;
	esac
	annotates_name=$1
	shift
	annotates_wrong=
	for annotates_file; do
		annotates_totals=${annotates_file%/*}.totals/${annotates_file##*/}
		want=$(cat "$annotates_totals" 2>/dev/null || profile totals "$annotates_file")
		want=$(echo "$want" | sed 's/.* //' | xargs)
		for options in '' '--tree=both --inclusive=yes --threshold=100'; do
			# shellcheck disable=SC2086 # several options
			"$annotator" --show-percs=no $annotates_sources $options "$annotates_file" \
				>annotate.stdout 2>annotate.stderr
			status=$?
			got=$(sed -n 's/,//g; s/ *PROGRAM TOTALS$//p' annotate.stdout | xargs)
			[ $status -eq 0 ] && [ ! -s annotate.stderr ] && [ "$got" = "$want" ] && continue
			annotates_wrong="$annotates_wrong$annotates_file $options: status $status
wanted totals $want
printed       $got
$(head -n 5 annotate.stderr)
"
		done
	done
	if [ -z "$annotates_wrong" ] && [ $# -gt 0 ]; then
		ok "$annotates_name: callgrind_annotate"
	else
		not_ok "$annotates_name: callgrind_annotate" "$annotates_wrong"
	fi
}

# compare_counts GEOMETRY NAME [OPTIONS...] PROGRAM ARGUMENTS...: one comparison; compare.py's
# arguments are in its head.  Leaves the profile and its totals in $compare_kept.
compare_counts() {
	compare_name="$2, $1"
	compare_kept=$scratch/$2.$1
	compare_geometry=$1
	shift 2
	if compare_text=$(python3 "$compare_py" --geometry "$compare_geometry" \
		--keep "$compare_kept" "$@" 2>&1); then
		ok "$compare_name"
		printf '%s\n' "$compare_text" | sed 's/^/# /'
	else
		not_ok "$compare_name" "$compare_text"
	fi
}

# compare_in: the same, and callgrind_annotate reads the profile.
compare_in() {
	compare_counts "$@"
	[ ! -d "$compare_kept" ] || annotates "$compare_name" "$compare_kept"/*
	rm -rf "$compare_kept" "$compare_kept.totals"
}

# compare NAME [OPTIONS...] PROGRAM ARGUMENTS...: in three geometries.  Profiles of a program differ in counts of misses
# only, in which each is compared with Cachegrind's: callgrind_annotate, which takes as long as a run, reads one of them.
compare() {
	compare_in small "$@"
	for compare_next in direct odd; do
		compare_counts $compare_next "$@"
		rm -rf "$compare_kept" "$compare_kept.totals"
	done
}

# compare_installed PACKAGE NAME [OPTIONS...] PROGRAM ARGUMENTS...: an installed program, in one geometry: they take
# turns.  Whether the geometries are simulated alike, small programs say (cases.sh, simulators.sh, rules.sh); what these
# programs add is their code.  Options are single words here.
compare_turn="small direct odd"
compare_installed() {
	installed_package=$1
	shift
	installed_name=$1
	for installed_program; do
		case $installed_program in
		/*) break ;;
		esac
	done
	if [ -x "$installed_program" ]; then
		compare_in "${compare_turn%% *}" "$@"
		compare_turn="${compare_turn#* } ${compare_turn%% *}"
	else
		skip "$installed_name" "no $installed_program (Debian: $installed_package)"
	fi
}
