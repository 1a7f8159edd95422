# SPDX-License-Identifier: GPL-3.0-or-later
# The installed callgrind_annotate, cg_annotate, cg_merge and cg_diff read what costgrind convert
# writes for them, and say about it what the profile says: totals, self costs, inclusive costs.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
compare=$top_srcdir/tests/compare/annotations.py
bin=$VALGRIND_BIN

# totals FILE [OPTION]: what a profile costs.
totals() {
	"$command" annotate -q --auto=no --threshold=0 --format=csv ${2:+"$2"} "$1" |
		sed -n 's/^totals,,,,,,,//p'
}

for file in "$top_srcdir"/tests/profiles/*.cg; do
	name=${file##*/}
	case $name in
	callgrind-wb.cg | xdebug3.cg) continue ;; # summary: without some columns; counts below 0
	esac
	"$command" convert --to=callgrind-portable -o portable "$file"
	"$command" convert --to=callgrind-portable --ids=no -o names "$file"
	"$command" convert --to=cachegrind -o lines "$file"
	for form in portable names; do
		case $name in
		# callgrind_annotate has functions that are called and never ran; costgrind has not.
		grammar.cg | xdebug2.cg) ;;
		*)
			text=$(python3 "$compare" "$command" "$bin/callgrind_annotate" $form 2>&1)
			is "callgrind_annotate: $name, $form" "$? $text" "0 "
			;;
		esac
		# It has Valgrind's events only.
		events=$(sed -n 's/^events: //p' $form | tr ' ' ,)
		is "totals: $name, $form" "$(totals $form --show="$events")" "$(totals "$file" --show="$events")"
	done
	text=$(python3 "$compare" "$command" "$bin/cg_annotate" lines 2>&1)
	is "cg_annotate: $name" "$? $text" "0 "
	"$bin/cg_diff" lines lines >nothing 2>diff.log
	is "cg_diff: $name" "$? $(tr -d ' \n' <diff.log)" "0 "
	[ "$name" != cachegrind-diff.cg ] || continue # cg_merge knows no counts below 0
	"$bin/cg_merge" -o twice lines lines >merge.log 2>&1
	is "cg_merge: $name" "$? $(totals twice)" \
		"0 $("$command" annotate -q --auto=no --threshold=0 --format=csv lines lines |
			sed -n 's/^totals,,,,,,,//p')"
done
done_testing
