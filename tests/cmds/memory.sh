# SPDX-License-Identifier: GPL-3.0-or-later
# A command without memory says so in one line, exits with 1 and leaves nothing half-written.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

program=$top_builddir/costgrind
profile=$top_srcdir/tests/golden/curve/inputs/curves.cg
failing_ready "$program"

fails_some annotate "$program" annotate -o out "$profile"
fails_some merge "$program" merge -o out "$profile" "$profile"
fails_some diff "$program" diff --format=json -o out "$profile" "$profile"
fails_some convert "$program" convert --to=pprof -o out "$profile"
fails_some report "$program" report -o out "$profile"
fails_some curve "$program" curve --svg=out "$profile"
fails_some why "$program" why --format=json -o out "$top_srcdir/tests/golden/why/inputs/libraries.cg"
fails_some check "$program" check "$profile"
done_testing
