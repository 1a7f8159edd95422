#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind view: which viewer is started, and with what; files for file managers.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
cp "$top_srcdir/tests/cmds/inputs/rank0.out" "$top_srcdir/tests/cmds/inputs/rank1.out" .
mkdir -p bin empty
for viewer in kcachegrind qcachegrind other; do
	# shellcheck disable=SC2016 # for the script
	printf '#!/bin/sh\necho "%s $*"\n' $viewer >bin/$viewer
	chmod +x bin/$viewer
done
unset WAYLAND_DISPLAY PAGER
export DISPLAY=:77
system=$PATH

is "KCachegrind" "$(PATH=$PWD/bin:$system "$program" view rank0.out rank1.out)" \
	"kcachegrind rank0.out rank1.out"
is "--with" "$(PATH=$PWD/bin:$system "$program" view --with=other rank0.out)" "other rank0.out"
rm bin/kcachegrind
is "QCachegrind" "$(PATH=$PWD/bin "$program" view -- rank0.out)" "qcachegrind rank0.out"
text=$("$program" annotate rank0.out)
is "--with=text" "$("$program" view --with=text rank0.out)" "$text"
is "no viewer" "$(PATH=$PWD/empty "$program" view rank0.out 2>err)" "$text"
is "no viewer is told" "$(cat err)" "costgrind view: warning: found neither kcachegrind nor \
qcachegrind (Debian: kcachegrind), the profile is shown as text"
is "no display" "$(DISPLAY='' PATH=$PWD/bin:$system "$program" view rank0.out 2>err)" "$text"
is "no display is told" "$(cat err)" \
	"costgrind view: warning: no display, the profile is shown as text"
got=$("$program" view --with=./nothing rank0.out 2>&1)
is "no such viewer" "$? $got" "1 costgrind view: ./nothing: No such file or directory"
got=$(PATH=$PWD/bin:$system "$program" view rank0.out missing 2>&1)
is "no such file" "$? $got" "1 costgrind view: missing: No such file or directory"
got=$("$program" view 2>&1)
is "no file" "$? $got" "2 costgrind view: expected a profile, try 'costgrind help view'"

is "the mime file is well-formed" \
	"$(python3 -c 'import sys, xml.dom.minidom as d
print(d.parse(sys.argv[1]).documentElement.getElementsByTagName("mime-type")[0].getAttribute("type"))' \
		"$top_srcdir/data/costgrind.xml")" application/x-costgrind
is "the desktop file names it" \
	"$(sed -n 's/^MimeType=\([^;]*\);.*/\1/p' "$top_srcdir/data/costgrind.desktop")" \
	application/x-costgrind
done_testing
