#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which files annotate and report read as sources (cmds/source/sources.h): profiles that were written by
# somebody, with objects, links and pipes next to them.  What was made here is in tests/tool/output/sources.sh.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
here=$(pwd -P)
umask 022
unset DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
HOME=$here/nobody
export HOME
mkdir inside outside outside/sub cache
# In these, line 1 is what must not get out, or shall be shown.
for file in inside/a.c outside/a.c outside/secret outside/sub/b.c cache/c.c; do
	printf 'text of %s\n' "$file" >"$file"
done
chmod 600 outside/secret
mkfifo outside/fifo.c
cd inside || exit 1

# profile FILE NAME... [ob=OBJECT]: of one function for each source.
profile() {
	profile_out=$1
	shift
	printf 'version: 1\nevents: Ir\n' >"$profile_out"
	for profile_name; do
		case $profile_name in
		desc:*) printf '%s\n' "$profile_name" ;;
		esac
	done >"$profile_out.desc"
	sed -i "1r $profile_out.desc" "$profile_out"
	for profile_name; do
		case $profile_name in
		desc:*) ;;
		ob=*) printf '%s\n' "$profile_name" ;;
		*) printf 'fl=%s\nfn=f of %s\n1 5\n' "$profile_name" "$profile_name" ;;
		esac
	done >>"$profile_out"
	rm "$profile_out.desc"
}

# shown ARGS...: the texts that annotate and report show, which are to be the same; then what they say.
shown() {
	"$program" annotate "$@" 2>annotate.err | sed -n 's/.*\(text of [^ ]*\).*/\1/p' | sort >annotate.out
	"$program" report -o page.html "$@" 2>report.err
	python3 "$top_srcdir/tests/report.py" data page.html | python3 "$top_srcdir/tests/cmds/source/source_texts.py" >report.out
	grep -q 'changed after the profile' annotate.err && touch -d '2020-01-01' "$here"/*/*
	sed '/^$/d' report.out | cmp -s annotate.out - || diff annotate.out report.out
	cat annotate.out
	sed 's/^costgrind annotate: warning: //' annotate.err | sort
	sed 's/^costgrind report: warning: //; /: wrote /d' report.err | sort >report.said
	sed 's/^costgrind annotate: warning: //' annotate.err | sort | cmp -s - report.said ||
		sed 's/^/report: /' report.said
}

# no NAME FOLDER: the message for one that nothing names.
no() {
	echo "$1: not read as a source: no debug information here names it, and it is in no folder of sources; \
--include=$2 allows it"
}
private() {
	echo "$1: not read as a source: it is private, and only debug information names it; --include=$2 allows it"
}

touch -d '2020-01-01' "$here"/*/*

# -- folders ---------------------------------------------------------------------------

profile p a.c "$here/inside/a.c"
is "below the working directory" "$(shown p)" "text of inside/a.c
text of inside/a.c"
profile p "$here/outside/a.c" /etc/passwd "$here/outside/secret"
# Messages come by path, and this folder's is before /etc or after it.
is "elsewhere" "$(shown p)" "$({ no /etc/passwd /etc; no "$here/outside/a.c" "$here/outside"
	no "$here/outside/secret" "$here/outside"; } | sort)"
is "what is refused is in the page" "$(cat refused taken)" \
	"$(printf '%s\n' /etc/passwd "$here/outside/a.c" "$here/outside/secret" | sort)"
is "and it is not in its bytes" "$(python3 "$top_srcdir/tests/report.py" data page.html | grep -c 'root:x')" 0
for option in -I --include= --source-map=/nowhere=; do
	is "$option" "$(shown "$option$here/outside" p)" "text of outside/a.c
text of outside/secret
$(no /etc/passwd /etc)"
done
is "the page lists what it took in" "$(cat taken)" "$here/outside/a.c 1
$here/outside/secret 1"
is "counted on standard error" "$(sed -n 's/.* wrote/wrote/p' report.err)" \
	"wrote page.html, with 2 source files (2 lines)"
is "--source-map that renames" "$(shown --source-map="$here/outside=$here/inside" p)" "text of inside/a.c
$(no /etc/passwd /etc)"
is "a folder that only begins so" "$(shown -I "$here/out" p | grep -c 'text of')" 0
is "a file that the user names" \
	"$("$program" annotate -q --source="$here/outside/secret" p | grep -c 'text of outside/secret')" 1
is "by its last component only" "$("$program" annotate --source=secret p 2>&1 | grep -c 'text of outside/secret')" 0
is "-q says nothing" "$("$program" annotate -q p 2>&1 >/dev/null; "$program" report -q -o page.html p 2>&1)" ""
is "--source=no reads nothing" "$("$program" report --source=no -o page.html p 2>&1)" \
	"costgrind report: wrote page.html"
profile p fl 1 2 3 4 5 6 7 8 9 10 11 12
is "/ is no folder of sources" "$(profile q /etc/passwd; cd / && "$program" annotate "$here/inside/q" 2>&1 |
	grep -c 'root:x')" 0
is "unless it is named" "$("$program" annotate -q -I / q | grep -c 'root:x')" 1

# -- links, and .. -----------------------------------------------------------------------

ln -s "$here/outside/a.c" link.c
ln -s "$here/outside" linked
ln -s a.c own.c
profile p link.c linked/sub/b.c ../outside/a.c "$here/inside/../outside/secret" own.c
is "links and .. that lead out" "$(shown p)" "text of inside/a.c
$(no "$here/outside/a.c" "$here/outside"; no "$here/outside/secret" "$here/outside"
	no "$here/outside/sub/b.c" "$here/outside/sub")"
profile p sub/b.c
is "below --include" "$(shown -I linked p)" "text of outside/sub/b.c"
profile p ../secret
is "not with .. out of it" "$(shown -I "$here/outside/sub" p 2>&1 | grep -c 'text of')" 0

# -- no files ------------------------------------------------------------------------------

profile p "$here/outside/fifo.c" /dev/zero /dev/tty /proc/self/environ /proc/cmdline /sys/kernel/mm/ksm/run
is "pipes, devices, /proc" "$(timeout 60 "$program" annotate -I / p 2>&1 | grep -c 'annotated source'
	timeout 60 "$program" report -I / -o page.html p 2>&1)" "0
costgrind report: wrote page.html"

# -- debuginfod's cache ------------------------------------------------------------------------

profile p "$here/cache/c.c"
is "not debuginfod's cache" "$(shown p | grep -c 'text of')" 0
is "debuginfod's cache" "$(DEBUGINFOD_CACHE_PATH=$here/cache; export DEBUGINFOD_CACHE_PATH; shown p)" \
	"text of cache/c.c"

# -- modules of Python ---------------------------------------------------------------------------

module=$(/usr/bin/python3 -c 'import json.decoder; print(json.decoder.__file__)' 2>/dev/null)
other=$(find /usr/lib/python3* -type f ! -name '*.py' -name '*.txt' 2>/dev/null | sed -n 1p)
case $module in
/usr/lib/python3*.py)
	profile p "$module" "${module%.py}.pyc" "/usr/lib/python3/../../../etc/passwd"
	"$program" annotate p 2>err >out
	is "a module of Python" "$(grep -c 'JSON decoder\|JSONDecoder' out | sed 's/[1-9][0-9]*/shown/'; sed 's/^costgrind annotate: warning: //' err)" "shown
$(no /etc/passwd /etc)"
	if [ "$other" ]; then
		profile p "$other"
		is "... no other file" "$("$program" annotate p 2>&1 >/dev/null)" "costgrind annotate: warning: $(no "$other" "${other%/*}")"
	else
		skip "... no other file" "there is none"
	fi
	;;
*) skip "a module of Python" "the system has none" ;;
esac

# -- many ---------------------------------------------------------------------------------------

set --
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	printf 'text of outside/%s\n' $i >"$here/outside/$i"
	set -- "$@" "$here/outside/$i"
done
profile p "$@"
is "not a line for each of many" "$("$program" report -o page.html p 2>&1 | sed -n '10,$p' | sed 's/.*: \([0-9]* more\)/\1/')" \
	"$("$program" report -v -o page.html p 2>&1 | grep 'not read as a source' | sed -n 10p)
2 more files are not read as sources: --include=FOLDER allows those in it, --verbose names them
costgrind report: wrote page.html"

# -- debug information ----------------------------------------------------------------------------

mkdir ../built
# Names of sources are where #line says, whatever there is.
printf '#line 1 "%s"\nint f(int a)\n{\n\treturn a + 1;\n}\n' "$here/outside/a.c" >../built/one.c
printf '#line 1 "%s"\nint g(int a)\n{\n\treturn a + 1;\n}\n' "$here/outside/secret" >../built/two.c
printf '#line 1 "%s/inside/../outside/sub/b.c"\nint h(int a)\n{\n\treturn a + 1;\n}\nint main(void)\n{\n\treturn 0;\n}\n' \
	"$here" >../built/three.c
# Up to the root, however deep this is.
up=$(pwd -P | sed 's,/[^/]*,/..,g; s,^/,,')
printf '#line 1 "%s%s/cache/c.c"\nint i(int a)\n{\n\treturn a + 1;\n}\n' "$up" "$here" >../built/four.c
for i in one two three four; do
	build ../built/$i.o "$here/built/$i.c" -c -g
done
(cd ../built && $CC -o object one.o two.o three.o four.o -Wl,--build-id=0x0123456789abcdef01234567)
object=$here/built/object
set -- "$here/outside/a.c" "$here/outside/secret" "$here/outside/sub/b.c" "$here/cache/c.c"
named="$(echo 'text of outside/a.c'; echo 'text of outside/sub/b.c')"
profile p "ob=$object" "$@"
# The fourth is named relative to the folder it was compiled in, which is as good.
is "an object names them, but private ones need more" "$(shown p)" "text of cache/c.c
$named
$(private "$here/outside/secret" "$here/outside")"
profile p "ob=$object" "desc: Program: 0123456789abcdef01234567 $object" "$@"
is "by names in their normal form" "$(shown --mod-filename="s,/outside/a,/cache/c," --mod-filename="s,/absent/,/y/," p | grep -c 'text of cache/c')" 1
is "with the same build-id" "$(shown p | grep -c 'text of')" 3
profile p "ob=$object" "desc: Program: 0123456789abcdef01234568 $object" "$@"
is "with another build-id" "$(shown p | grep -c 'text of')" 0
profile p "ob=$object" "desc: Program: 0123456789abcdef01234567 $object" "desc: Build-id: 12 $object" "$@"
is "with two build-ids" "$(shown p | grep -c 'text of')" 0
profile p "ob=$object" "desc: Folder: 0123456789abcdef0123456789abcdef $here/outside" "$@"
is "a folder without a seal is nothing" "$(shown p | grep -c 'text of outside/secret')" 0
profile p "ob=$here/built/absent" "$@"
is "no object" "$(shown p | grep -c 'text of')" 0
is "below a sysroot" "$(mkdir -p ../root/x && cp ../built/object ../root/x && profile p "ob=/x/object" "$here/outside/a.c" &&
	shown --sysroot="$here/root" p)" "text of outside/a.c"
profile p "ob=$object" "$@"
chmod o+w ../built/object
is "an object that everybody may write" "$(shown p | grep -c 'text of')" 0
chmod o-w ../built/object
if [ "$(id -u)" = 0 ]; then
	chown 12345 ../built/object
	is "another user's object" "$(shown p | grep -c 'text of')" 0
	chown 0:12345 ../built/object
	chmod g+w ../built/object
	is "an object that another group may write" "$(shown p | grep -c 'text of')" 0
	chmod g-w ../built/object
	chown 0:0 ../built/object
else
	skip_here "another user's object" "only root can give files away"
fi
(cd ../built && objcopy --only-keep-debug object debug && cp object whole &&
	objcopy --strip-debug --add-gnu-debuglink=debug object)
is "debug information next to it" "$(shown p | grep -c 'text of')" 3
chmod o+w ../built/debug
is "debug information that everybody may write" "$(shown p | grep -c 'text of')" 0
chmod o-w ../built/debug
mkdir -p ../store/.build-id/01 && mv ../built/debug ../store/.build-id/01/23456789abcdef01234567.debug
is "without it" "$(shown p | grep -c 'text of')" 0
is "--debug-dir" "$(shown --debug-dir="$here/store" p | grep -c 'text of')" 3
cp ../built/whole ../built/object

# A source that is a link, as in a farm of links: debug information names the link.
mv ../outside/a.c ../outside/sub/other.c
ln -s sub/other.c ../outside/a.c
profile p "ob=$object" "$here/outside/a.c"
is "a link that debug information names" "$(shown p)" "text of outside/a.c"
profile p "ob=$object" "$here/outside/sub/other.c"
is "where it leads to" "$(shown p)" "$(no "$here/outside/sub/other.c" "$here/outside/sub")"

# Names as distributions have them: relative, found below --include.
mkdir -p ../dist/stdlib
printf 'text of dist/stdlib/msort.c\n' >../dist/stdlib/msort.c
touch -d '2020-01-01' ../dist/stdlib/msort.c
profile p ./stdlib/./stdlib/msort.c
is "a distribution's sources" "$(shown -I "$here/dist" p)" "text of dist/stdlib/msort.c"

# -- programs of cmd lines -----------------------------------------------------------------------

# Cachegrind's format has no objects: the program is found by its command line.
mkdir "$here/outside/in it"
printf 'text of outside/main.c\n' >"$here/outside/main.c"
printf '#line 1 "%s"\nint main(void)\n{\n\treturn 0;\n}\n' "$here/outside/main.c" >../built/main.c
touch -d '2020-01-01' "$here/outside/main.c"
build "$here/outside/in it/prog" ../built/main.c -g
# flat PROFILE COMMAND: in that format.
flat() {
	printf 'cmd: %s\nevents: Ir\nfl=%s\nfn=main\n1 5\nsummary: 5\n' "$2" "$here/outside/main.c" >"$1"
}
flat p "$here/outside/in it/prog --file=a b"
is "of a program elsewhere, in Cachegrind's format" "$(shown p)" "text of outside/main.c"
is "from /" "$(cd / && shown "$here/inside/p" 2>&1)" "text of outside/main.c"
flat p "../outside/in it/prog"
is "by a relative path" "$(shown p)" "text of outside/main.c"
flat "$here/outside/in it/q" ./prog
is "from where the profile is" "$(shown "$here/outside/in it/q")" "text of outside/main.c"
for command in "" prog "$here/outside/in" "$here/outside/in it/other"; do
	flat p "$command"
	is "none: '$command'" "$(shown p)" "$(no "$here/outside/main.c" "$here/outside")"
done
flat p "$here/outside/in it/prog"
is "not with another sysroot" "$(shown --sysroot=/ p)" "$(no "$here/outside/main.c" "$here/outside")"
chmod 600 "$here/outside/main.c"
is "not a private source" "$(shown p)" "$(private "$here/outside/main.c" "$here/outside")"
done_testing
