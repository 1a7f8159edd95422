#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --debuginfod of annotate and report: what is fetched from a server on loopback, and when nothing is.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
newline='
'
here=$(pwd -P)
HOME=$here/nobody
DEBUGINFOD_CACHE_PATH=$here/cache
export HOME DEBUGINFOD_CACHE_PATH
unset XDG_CACHE_HOME http_proxy HTTP_PROXY all_proxy ALL_PROXY
no_proxy='*'
export no_proxy

if ! grep -q 'libdebuginfod[.]so' "$program"; then
	skip "all" "built without debuginfod's client (Debian: libdebuginfod-dev)"
	done_testing
fi

# The program is built from a folder that is gone then, and stripped; its object, debug information and
# source are the server's alone.
mkdir gone work
cat >gone/main.c <<'END'
int work(int n)
{
	return n * 3; /* text of main.c */
}

int main(void)
{
	return work(7) != 21;
}
END
build work/prog "$here/gone/main.c" -g -O0 -Wl,--build-id
id=$(readelf -n work/prog | sed -n 's/.*Build ID: //p')
served=$here/served/$id
mkdir -p "$served/source$here/gone"
objcopy --only-keep-debug work/prog "$served/debuginfo"
strip work/prog
cp work/prog "$served/executable"
mv gone/main.c "$served/source$here/gone/main.c"
address=$(nm "$served/debuginfo" | sed -n 's/^0*\([0-9a-f]*\) T work$/0x\1/p')
printf 'desc: Program: %s %s\npositions: instr line\nevents: Ir\nob=%s\nfl=%s\nfn=work\n%s 2 100\n' \
	"$id" "$here/work/prog" "$here/work/prog" "$here/gone/main.c" "$address" >profile

python3 "$top_srcdir/tests/cmds/object/debuginfod_server.py" "$here/served" "$here/log" "$here/port" &
server=$!
python3 "$top_srcdir/tests/cmds/object/debuginfod_server.py" "$here/served" "$here/log" "$here/silent" silent &
silent=$!
trap 'kill $server $silent 2>/dev/null' EXIT
for _ in $(seq 100); do
	[ ! -e port ] || [ ! -e silent ] || break
	sleep 0.1
done
url=http://127.0.0.1:$(cat port)
DEBUGINFOD_URLS=$url
export DEBUGINFOD_URLS
: >log

# shown COMMAND...: how often the source is shown, and what is said on stderr.
shown() {
	timeout 60 "$@" >out 2>err
	grep -c 'text of main.c' out
	sed 's/^costgrind [a-z]*: //' err
}

# -- not without the option ----------------------------------------------------------------

for options in "" --asm=work --debuginfod=no; do
	# shellcheck disable=SC2086 # none, or one word
	is "no request: annotate $options" "$(shown "$program" annotate -q --auto=yes $options profile; cat log)" 0
done
is "no request: report" "$(shown "$program" report -q -o page.html profile; cat log)" 0
is "no cache" "$(ls -A cache 2>/dev/null)" ""

# -- what is not here ---------------------------------------------------------------------

is "the source" "$(shown "$program" annotate --debuginfod profile)" \
	"1${newline}debuginfod: fetched $here/gone/main.c: $url/buildid/$id/source$here/gone/main.c"
is "one request" "$(cat log)" "/buildid/$id/source$here/gone/main.c"
: >log
is "again: from the cache" "$(shown "$program" annotate --debuginfod profile; cat log)" 1
is "debug information" "$(shown "$program" annotate --debuginfod --asm=work --auto=yes profile)" \
	"2${newline}debuginfod: fetched debug information of $here/work/prog: $url/buildid/$id/debuginfo"
rm work/prog
rm -rf cache
: >log
is "the object, too" "$(shown "$program" annotate --debuginfod --asm=work --auto=yes profile | sort)" \
"2
debuginfod: fetched $here/gone/main.c: $url/buildid/$id/source$here/gone/main.c
debuginfod: fetched $here/work/prog: $url/buildid/$id/executable
debuginfod: fetched debug information of $here/cache/$id/executable: $url/buildid/$id/debuginfo"
rm -rf cache
is "a report" "$("$program" report --debuginfod -o page.html profile 2>err
	python3 "$top_srcdir/tests/report.py" data page.html | grep -c 'text of main.c'
	grep -c 'debuginfod: fetched' err)" "1${newline}3"

# -- asked for by a file ------------------------------------------------------------------------

rc=$HOME/.config/costgrind/rc
mkdir -p "$HOME/.config/costgrind"
printf '# always\n\n  --debuginfod=yes \n--debug-dir=%s' "$here" >"$rc"
rm -rf cache
is "by the user's file" "$(shown "$program" annotate profile)" \
	"1${newline}debuginfod: fetched $here/gone/main.c: $url/buildid/$id/source$here/gone/main.c"
rm -rf cache
: >log
is "the command line comes after it" "$(shown "$program" annotate -q --auto=yes --no-debuginfod profile; cat log)" 0
XDG_CONFIG_HOME=$here/elsewhere
export XDG_CONFIG_HOME
is "another place for such files" "$(shown "$program" annotate -q --auto=yes profile; cat log)" 0
unset XDG_CONFIG_HOME
printf -- '--debuginfod\n--sort=Ir\n' >"$rc"
"$program" annotate profile >out 2>err
is "no option for there" "$? $(cat out err)" \
	"2 costgrind annotate: $rc:2: '--sort=Ir': expected one of --include --sysroot --debug-dir --debuginfod"
for line in debuginfod=yes debuginfod include=/src; do
	printf '%s\n' "$line" >"$rc"
	"$program" report profile >out 2>err
	is "without hyphens: $line" "$? $(cat out err)" "2 costgrind report: $rc:1: '$line': expected one of \
--include --sysroot --debug-dir --debuginfod; did you mean '--$line'?"
done
printf -- '--debuginfod=perhaps\n' >"$rc"
"$program" report profile >out 2>err
is "a wrong value" "$? $(cat out err)" \
	"2 costgrind report: $rc:1: '--debuginfod=perhaps': expected yes or no"
rm "$rc"
mkdir "$rc"
"$program" annotate profile >out 2>err
is "a directory in its place" "$? $(cat out err)" \
	"1 costgrind annotate: $rc: Is a directory"
rmdir "$rc"

# -- what the server has not -----------------------------------------------------------------

rm -rf cache "$served/source"
is "no such source" "$(shown "$program" annotate --debuginfod profile | grep -v 'outside\|could not')" \
	"0${newline}debuginfod: no server has $here/gone/main.c"
is "quiet" "$(shown "$program" annotate -q --debuginfod profile)" 0
sed "s/^desc: .*//" profile >unknown
sed "s,^fl=.*,fl=main.c," profile >relative
: >log
is "no build-id: nothing is asked" "$(shown "$program" annotate -q --debuginfod unknown; cat log)" 0
# passed NAME: what is said about a file that no server can have.
passed() {
	echo "0${newline}debuginfod: no server is asked for $1: they know build-ids, and absolute paths of sources"
}
is "... which is said" "$(shown "$program" annotate --debuginfod unknown)" "$(passed "$here/gone/main.c")"
is "a relative path" "$(shown "$program" annotate --debuginfod relative; cat log)" "$(passed main.c)"
is "an object without build-id" "$(shown "$program" annotate --debuginfod --asm=work unknown |
	grep -F "asked for $here/work/prog:")" "$(passed "$here/work/prog" | sed 1d)"

# -- no server -------------------------------------------------------------------------------

# refused, or silent: one line, and all else is as it is without.
"$program" annotate profile >without
rm -rf cache
kill $server
wait $server 2>/dev/null
is "nobody there" "$(shown "$program" annotate --debuginfod --asm=work --auto=yes profile | grep -c -e '--debuginfod:')" 1
is "which" "$(grep -e '--debuginfod:' err)" \
	"costgrind annotate: warning: --debuginfod: $url: Connection refused; nothing more is fetched"
rm -rf cache
"$program" annotate --debuginfod profile >with 2>err
is "the same as without" "$(cmp with without 2>&1)" ""
rm -rf cache
DEBUGINFOD_URLS=http://127.0.0.1:$(cat silent)
began=$(date +%s)
is "no answer" "$(shown "$program" annotate --debuginfod --asm=work --auto=yes profile | grep -e debuginfod:)" \
	"warning: --debuginfod: $DEBUGINFOD_URLS: no answer; nothing more is fetched"
took=$(($(date +%s) - began))
if [ $took -le 25 ]; then
	ok "it is waited for at most 25 s"
else
	not_ok "it is waited for at most 25 s" "$took s"
fi
unset DEBUGINFOD_URLS
for profile in profile unknown relative; do
	is "no server is named: $profile" "$(shown "$program" annotate --debuginfod $profile | grep -e debuginfod:)" \
		"warning: --debuginfod: nothing is fetched, expected servers in DEBUGINFOD_URLS"
done
printf 'text of main.c\n' >main.c
is "nothing is said where nothing is missing" "$(shown "$program" annotate --debuginfod relative | grep -e debuginfod:)" ""

done_testing
