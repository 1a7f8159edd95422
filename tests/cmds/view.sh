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
is "no viewer: a warning" "$(cat err)" "costgrind view: warning: found neither kcachegrind nor \
qcachegrind (Debian: kcachegrind), the profile is shown as text"
is "no display" "$(DISPLAY='' PATH=$PWD/bin:$system "$program" view rank0.out 2>err)" "$text"
is "no display: a warning" "$(cat err)" \
	"costgrind view: warning: no display, the profile is shown as text"
got=$("$program" view --with=./nothing rank0.out 2>&1)
is "no such viewer" "$? $got" "1 costgrind view: ./nothing: No such file or directory"
got=$(PATH=$PWD/bin:$system "$program" view rank0.out missing 2>&1)
is "no such file" "$? $got" "1 costgrind view: missing: No such file or directory"
printf '# costgrind call tree\nversion: 1\n' >tree.77.costgrind
got=$(PATH=$PWD/bin:$system "$program" view rank0.out tree.77.costgrind 2>&1)
is "a call tree" "$? $got" "1 costgrind view: tree.77.costgrind: expected a profile, this is a call \
tree; costgrind convert --to=speedscope makes something of it that can be shown"
got=$("$program" annotate tree.77.costgrind 2>&1)
is "a call tree as text" "$? $got" "1 costgrind annotate: tree.77.costgrind:1: expected a profile, \
this is a call tree (costgrind convert reads it)"
got=$("$program" view 2>&1)
is "no file" "$? $got" "2 costgrind view: expected a profile, try 'costgrind help view'"

# --- make install --------------------------------------------------------------------------------

make -s -C "$top_builddir" install DESTDIR="$PWD/root" >make.log 2>&1
is "make install" "$?" 0
desktop=$(find root -name costgrind.desktop)
mime=$(find root -name costgrind.xml)
is "desktop file: where" "${desktop#root*/share/}" applications/costgrind.desktop
is "mime file: where" "${mime#root*/share/}" mime/packages/costgrind.xml
is "desktop file: starts what is installed" \
	"$(sed -n 's/^Exec=//p' "$desktop") $(find root -name costgrind -path '*/bin/*' | wc -l)" \
	"costgrind view %F 1"
# Keys that the specification demands, each once; no line but groups, keys and comments.
is "desktop file: keys" "$(grep -Ec '^(Type=Application|Name=.+|Exec=.+|MimeType=.+;)$' "$desktop")" 4
is "desktop file: lines" "$(grep -Evc '^(#.*|\[Desktop Entry\]|[A-Za-z]+=.*)$' "$desktop")" 0
is "mime file: a type, by its first line and by its name" "$(python3 "$top_srcdir/tests/cmds/mime_types.py" "$mime")" "application/x-costgrind
# callgrind format
costgrind.out.77 True
callgrind.out.1 True
cachegrind.out.1.2 True
tree.77.costgrind False
a.out False"
is "the desktop file names the type" "$(sed -n 's/^MimeType=\([^;]*\);.*/\1/p' "$desktop")" \
	application/x-costgrind
# By the program that file managers take their knowledge from, where it is installed.
if command -v update-mime-database >/dev/null 2>&1; then
	share=${mime%/mime/packages/costgrind.xml}
	XDG_DATA_DIRS=$PWD/$share update-mime-database "$PWD/$share/mime" >mime.log 2>&1
	is "mime file: is taken" "$? $(cat mime.log)" "0 "
	is "mime file: globs" "$(grep -c '^[0-9]*:application/x-costgrind:' "$share/mime/globs2")" 3
else
	skip "mime file: is taken" "no update-mime-database (Debian: shared-mime-info)"
fi
make -s -C "$top_builddir" uninstall DESTDIR="$PWD/root" >make.log 2>&1
is "make uninstall" "$? $(find root -name 'costgrind*' ! -type d)" "0 "
done_testing
