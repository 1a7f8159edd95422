# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What the comparisons of call graphs share; sourced after tests/lib.sh and comparing.sh.

calls_py=$top_srcdir/tests/compare/calls.py
: >"$scratch/rules"

# calls NAME [OPTIONS...] PROGRAM ARGUMENTS...: one comparison; calls.py's arguments are in its
# head.
calls() {
	calls_name=$1
	shift
	if calls_text=$(python3 "$calls_py" --geometry small "$@" 2>&1); then
		ok "$calls_name"
		printf '%s\n' "$calls_text" | sed 's/^/# /'
	else
		not_ok "$calls_name" "$calls_text"
	fi
	printf '%s\n' "$calls_text" | sed -n 's/.* calls equal, //p' >>"$scratch/rules"
}

# calls_installed PACKAGE NAME [OPTIONS...] PROGRAM ARGUMENTS...: the same of an installed program.
# Options are single words here.
calls_installed() {
	calls_package=$1
	shift
	calls_name=$1
	for calls_program; do
		case $calls_program in
		/*) break ;;
		esac
	done
	if [ -x "$calls_program" ]; then
		calls "$@"
	else
		skip "$calls_name" "no $calls_program (Debian: $calls_package)"
	fi
}

# count_rules: prints how many functions of all programs needed which rule.
count_rules() {
	echo "# functions by rule, all programs:"
	sed 's/, /\n/g' "$scratch/rules" | awk '
	/ functions? by rule / { n[$NF] += $1 }
	/ % of [0-9]+ functions$/ { all += $(NF - 1) }
	END {
		for (rule in n)
			print "#   " n[rule] " " rule | "sort -k3"
		close("sort -k3")
		print "#   of " all + 0 " functions"
	}'
}
