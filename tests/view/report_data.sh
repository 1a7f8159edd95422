#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The report's views of data, types, objects and roofline, and its cards of them; a profile without data has none.
# REPORT_PICTURES=DIR keeps Chromium's pictures there.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/browsers.sh
. "$top_srcdir/tests/browsers.sh"

build data "$top_srcdir/tests/view/data.c" -O1 -g
costgrind -q --machine=zen2 --cycles=yes --data=yes --collect-flops=yes --collect-bytes=yes --costgrind-out-file=data.cg ./data \
	>data.stdout 2>data.log
is "profile of data" "$? $(cat data.log)" "0 "
report data.html data.cg
report without.html --data=no data.cg
printf '%s\n' 'version: 1' 'creator: test' 'cmd: plain' 'positions: line' 'events: Ir' 'fl=/src/plain.c' 'fn=main' '1 100' >plain
report plain.html plain

browsers_look report_data.py data "$top_srcdir/tests/view/data.c" without plain
[ -z "${REPORT_PICTURES-}" ] || cp pictures-chromium/report-*.png "$REPORT_PICTURES"
done_testing
