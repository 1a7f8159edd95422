# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Reports in browsers without a window; sourced after lib.sh.  Sets browsers to those that are there, and ends the test if
# none is.  REPORT_BROWSER=firefox looks in that one only.

# have BROWSER PROGRAM...: whether these are there; says so if not.
have() {
	have_browser=$1
	shift
	for have_program; do
		command -v "$have_program" >/dev/null 2>&1 && continue
		skip "report in $have_browser" "not installed: $have_program (scripts/setup view)"
		return 1
	done
}

browsers=
for browser in ${REPORT_BROWSER:-chromium firefox}; do
	case $browser in
	chromium) have Chromium python3 chromedriver chromium || continue ;;
	firefox) have Firefox python3 firefox-esr || continue ;;
	*) not_ok "REPORT_BROWSER: chromium, firefox, not $browser" ;;
	esac
	browsers="$browsers $browser"
done
[ "$browsers" ] || done_testing

# report OUT ARGS...: makes a report.
report() {
	report_out=$1
	shift
	if ! "$top_builddir/costgrind" report -o "$report_out" "$@" >report.log 2>&1; then
		not_ok "$report_out" "$(cat report.log)"
		done_testing
	fi
}

# browsers_look SCRIPT ARGS...: what tests/view/SCRIPT sees in each browser; it gets the browser's name and a folder.
browsers_look() {
	look_script=$1
	shift
	for browser in $browsers; do
		mkdir -p "pictures-$browser"
		python3 "$top_srcdir/tests/view/$look_script" "$browser" "pictures-$browser" "$@" >look.out 2>look.err
		look_status=$?
		while read -r result; do
			case $result in
			"ok "*) ok "$browser: ${result#ok }" ;;
			"not ok "*) not_ok "$browser: ${result#not ok }" ;;
			*) echo "$result in $browser" ;;
			esac
		done <look.out
		is "$browser: $look_script $1" "$look_status $(cat look.err)" "0 "
	done
}
