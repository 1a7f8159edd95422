#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What a profile names, and what that names in turn, is opened only if it is a regular file of a bounded size
# (profile/format/source.h); data profiles only in the profile's own folder.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
here=$(pwd -P)
HOME=$here
export HOME
mkdir outside profiles
cd profiles || exit 1

# A FIFO that is opened by a reader leaves a file "opened"; no command hangs, as somebody writes into it.
mkfifo ../outside/fifo
(printf 'events: Ir\nfn=f\n1 1\n' >../outside/fifo && echo opened >../opened) 2>/dev/null &
writer=$!
for name in fifo data.fifo; do
	ln -s ../outside/fifo $name
done

# run WORDS...: what a command says, and its exit status.
run() {
	"$program" "$@" 2>&1 >/dev/null </dev/null | sed 's/^costgrind [a-z]*: //; s/^warning: //'
}

# -- data profiles -------------------------------------------------------------------------------------

# named NAME: what all three say that read the objects of a profile which names that; they say the same.
named() {
	printf '%s\n' "desc: Data profile: $1" 'events: Ir D1mr D1mw DLmr DLmw' 'fl=a.c' 'fn=f' '1 10 2' >p
	run annotate --by=object p >annotate.said
	run diff --by=object p p >diff.said
	run report --source=no -o page.html p | sed '/^wrote page.html/d' >report.said
	cat annotate.said
	cmp annotate.said diff.said
	cmp annotate.said report.said
}
printf '%s\n' 'desc: Data of: p' 'event: EstCyc = 10 D1mr + 10 D1mw + 150 DLmr + 150 DLmw' \
	'events: D1mr D1mw DLmr DLmw' 'ob=[heap]' 'fl=[data]' 'fn=main, 8 B' '0 2' >data
is "a file in the profile's folder" "$(named data)" ""
printf '%s\n' secret >../outside/secret
cp data ../outside/data
mkdir sub
cp data sub/data
for name in ../outside/secret ../outside/data sub/data ./data "$here/profiles/data" ../../../../../../../../etc/shadow \
	../outside/fifo /dev/zero /dev/full -; do
	is "no name of a file there: $name" "$(named "$name" | sed "s|$here|HERE|")" \
		"p: expected data objects in $(echo "$name" | sed "s|$here|HERE|"), which it names, found no name of a file in its folder"
done
ln -s /dev/zero zero
ln -s /proc/self/maps maps
ln -s ../outside/data link
for name in data.fifo zero maps link sub . ..; do
	is "no regular file: $name" "$(named $name)" "p: expected data objects in $name, which it names, found no regular file"
done
truncate -s 17G large
is "a file without an end" "$(named large)" "p: expected data objects in large, which it names, found File too large"
is "one that is gone" "$(named gone)" "p: expected data objects in gone, which it names, found no such file"
is "exit status" "$("$program" annotate --by=object p 2>/dev/null; echo $?) $("$program" diff --by=object p p 2>/dev/null; echo $?)
$("$program" report -q -o page.html p; echo $?)" "1 1
0"
is "the user may name what a profile may not" "$(for name in ../outside/data /dev/stdin -; do
	"$program" annotate -q $name <data | grep -Ec ' function( |$)'
done)" "1
1
1"

# -- sources and objects --------------------------------------------------------------------------------

ln -s /dev/zero zero.c
truncate -s 17G large.c
for name in fifo zero.c large.c /proc/self/status; do
	printf '%s\n' 'events: Ir' "fl=$name" 'fn=f' '1 10' >p
	is "a source: $name" "$(run annotate p; run report -o page.html p)" "wrote page.html"
done
# object FILE: what is said about it.
object() {
	printf '%s\n' 'positions: instr line' 'events: Ir' "ob=$1" 'fl=a.c' 'fn=main' '0x1000 1 10' >p
	run annotate --asm p
	run report -o page.html p | sed '/^wrote/d'
}
{
	head -c 4096 "$program"
} >large.so
truncate -s 17G large.so
by_address="its instructions are shown by address only"
for name in fifo zero; do
	is "an object: $name" "$(object $name | sort -u)" "$name: no regular file: $by_address"
done
is "a large object" "$(object large.so | sort -u)" "large.so: too large: $by_address"

# -- files that objects name -------------------------------------------------------------------------------

# linked OUT NAME: a program whose debug information is in part in the file NAME, as dwz leaves it: the
# folder that it was compiled in.
linked() {
	cat >linked.S <<-END
		.file 1 "linked.c"
		.text
		.globl _start
		.type _start, @function
		_start:
		.loc 1 1
		nop
		ret
		.Lend:
		.size _start, . - _start
		.section .debug_abbrev, "", @progbits
		.uleb128 1, 0x11
		.byte 0
		.uleb128 0x1b, 0x1f21
		.uleb128 0x10, 0x17
		.uleb128 0x11, 0x01
		.uleb128 0x12, 0x07
		.byte 0, 0, 0
		.section .debug_info, "", @progbits
		.long 2f - 1f
		1: .short 4
		.long 0
		.byte 8
		.uleb128 1
		.long 0
		.long 0
		.quad _start
		.quad .Lend - _start
		2:
		.section .gnu_debugaltlink, "", @progbits
		.asciz "$2"
		.fill 20, 1, 7
		.section .note.GNU-stack, "", @progbits
	END
	build "$1" ./linked.S -nostdlib -static -no-pie -Wl,--build-id=none
}
cat >shared.S <<END
	.section .debug_str, "", @progbits
	.asciz "$here/outside"
	.section .debug_abbrev, "", @progbits
	.byte 0
	.section .debug_info, "", @progbits
	.long 7
	.short 4
	.long 0
	.byte 8
	.section .note.GNU-stack, "", @progbits
END
${CC%% *} -c -o shared.o shared.S
printf 'text of it\n' >../outside/linked.c
# sources OBJECT: lines of the source that its debug information names.
sources() {
	printf '%s\n' 'positions: line' 'events: Ir' "ob=$here/profiles/$1" "fl=$here/outside/linked.c" 'fn=_start' '1 10' >p
	"$program" annotate p 2>/dev/null </dev/null | grep -c 'text of it'
}
umask 022
for name in shared.o fifo zero gone .; do
	linked "with_$name" $name
done
is "a file that dwz shares" "$(sources with_shared.o)" 1
for name in fifo zero gone .; do
	is "... that is none: $name" "$(sources with_$name)" 0
done
build plain ./linked.S -nostdlib -static -no-pie -Wl,--build-id=none
objcopy --only-keep-debug plain plain.debug
objcopy --strip-debug --add-gnu-debuglink=plain.debug plain stripped
rm plain.debug
ln -s fifo plain.debug
is "a link to debug information" "$(sources stripped)" 0

is "no FIFO was opened" "$(ls ../opened 2>/dev/null)" ""
kill $writer
done_testing
