#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names and lines of a function, wherever its file keeps them: in compressed sections, a separate debug file, what dwz
# shares, split units, packages, .gnu_debugdata.  Where they are not, what is missing is said.
. "$top_srcdir/tests/lib.sh"

printfile=$top_builddir/tests/tool/elf/printfile
for program in nm objcopy readelf strip; do
	if ! command -v $program >/dev/null; then
		echo "1..0 # SKIP there is no $program"
		exit 0
	fi
done

cat >t.c <<'END'
static inline int twice(int n)
{
	return n & 12345;
}
__attribute__((noinline)) static int hidden(int n)
{
	return twice(n) * 5;
}
int other(int n);
int main(int argc, char **argv)
{
	(void)argv;
	return hidden(argc) + other(argc) - 11;
}
END
cat >u.c <<'END'
int other(int n)
{
	return n * 3;
}
END
compile() {
	gcc -O1 -g -Wl,--build-id=sha1 "$@"
}
# address FILE: of the function.
address() {
	nm "$1" | sed -n 's/ t hidden$//p'
}
# shown FILE [OPTION...]: what is known about the function in a file, by its address in t, but for the line of facts that
# are the same for all.
shown() {
	shown_file=$1
	shift
	"$printfile" "$@" "$shown_file" "$at" | sed "s,$PWD/,,g"
}
build_id() {
	readelf -n "$1" | sed -n 's/.*Build ID: //p'
}

compile -o t t.c u.c || exit 1
at=$(address t)
named="hidden+0 t.c:3 twice t.c:3 < hidden t.c:7
symbols symtab dynsym
dwarf 5"
is "as it is built" "$(shown t)" "$named"

# Compressed.
for kind in zlib zlib-gnu zstd; do
	if ! objcopy --compress-debug-sections=$kind t t.$kind 2>objcopy.log; then
		skip "$kind" "objcopy: $(head -n 1 objcopy.log)"
		continue
	fi
	# objcopy leaves as they are sections that would grow.
	is "$kind: there are compressed sections" \
		"$(readelf -SW t.$kind | grep -cE '\.zdebug_info|\.debug_info .* C ')" 1
	is "$kind" "$(shown t.$kind)" "$named"
done
is "the core reads zlib" "$(shown t.zlib -v 19 | tail -n 1)" "core 3.19: yes"
if [ -f t.zstd ]; then
	is "and no zstd" "$(shown t.zstd -v 19 | tail -n 1)" "core 3.19: no"
fi
# One that says that it holds something else, at a place that is searched for: its header is 24 bytes before the first byte of zlib.
python3 - t.zlib t.damaged <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
shoff, = struct.unpack_from("<Q", data, 40)
size, n, names = struct.unpack_from("<HHH", data, 58)
sections = [struct.unpack_from("<IIQQQQ", data, shoff + i * size) for i in range(n)]
for name, kind, flags, address, offset, length in sections:
    at = sections[names][4] + name
    if data[at:at + 12] == b".debug_info\0":
        struct.pack_into("<Q", data, offset + 8, 1 << 40)
open(sys.argv[2], "wb").write(data)
END
is "damaged" "$(shown t.damaged | tail -n 1)" ".debug_info: damaged"

# A separate debug file, by its name.
cp t t.whole
objcopy --only-keep-debug t t.debug
strip -o t.linked t
objcopy --add-gnu-debuglink=t.debug t.linked
linked="hidden+0 t.c:3 twice t.c:3 < hidden t.c:7
symbols symtab dynsym
dwarf 5
debug file"
is "next to it" "$(shown t.linked)" "$linked t.debug"
mkdir .debug extra
mv t.debug .debug
is "in .debug" "$(shown t.linked)" "$linked .debug/t.debug"
mv .debug/t.debug extra
is "nowhere" "$(shown t.linked)" "-
symbols dynsym
missing debug file t.debug"
is "in another folder" "$(shown t.linked -e extra)" "$linked extra/t.debug"
mkdir -p "extra$PWD"
mv extra/t.debug "extra$PWD"
is "in another folder, by the path" "$("$printfile" -e extra "$PWD/t.linked" "$at" | tail -n 1)" \
	"debug file extra$PWD/t.debug"
mv "extra$PWD/t.debug" .
sed 's/twice(n) \* 5/twice(n) * 50/' t.c >changed.c
compile -o changed changed.c u.c
objcopy --only-keep-debug changed t.debug
is "another build's" "$(shown t.linked)" "-
symbols dynsym
missing debug file t.debug"

# By the checksum alone.
gcc -O1 -g -Wl,--build-id=none -o t.none t.c u.c
none_at=$at
at=$(address t.none)
objcopy --only-keep-debug t.none t.debug
strip -o t.linked t.none
objcopy --add-gnu-debuglink=t.debug t.linked
is "by checksum" "$(shown t.linked)" "$linked t.debug"
printf x >>t.debug
is "by a wrong checksum" "$(shown t.linked)" "-
symbols dynsym
missing debug file t.debug"
at=$none_at

# By the build-id.
rm t.debug
strip -o t.stripped t
id=$(build_id t)
folder=$(printf %s "$id" | cut -c1-2) name=$(printf %s "$id" | cut -c3-)
mkdir -p "extra/.build-id/$folder" "cache/$id"
is "without any" "$(shown t.stripped)" "-
symbols dynsym"
objcopy --only-keep-debug t "extra/.build-id/$folder/$name.debug"
is "by build-id" "$(shown t.stripped -e extra)" "$linked extra/.build-id/$folder/$name.debug"
objcopy --only-keep-debug t "cache/$id/debuginfo"
is "from debuginfod's cache" "$(shown t.stripped -c cache)" "$linked cache/$id/debuginfo"
: >"cache/$id/debuginfo"
is "what debuginfod has not found" "$(shown t.stripped -c cache)" "-
symbols dynsym"

# .gnu_debugdata, as Fedora makes it.
if command -v xz >/dev/null; then
	nm -D t --format=posix --defined-only | cut -d' ' -f1 | sort >dynsyms
	nm t --format=posix --defined-only | awk '$2 == "T" || $2 == "t" || $2 == "D" { print $1 }' |
		sort >funcsyms
	comm -13 dynsyms funcsyms >keep
	objcopy --only-keep-debug t mini.full
	objcopy -S --remove-section .comment --keep-symbols=keep mini.full mini
	xz -c mini >mini.xz
	objcopy --add-section .gnu_debugdata=mini.xz t.stripped t.mini
	is ".gnu_debugdata" "$(shown t.mini)" "hidden+0
symbols dynsym mini"
	head -c 200 mini.xz >cut.xz
	objcopy --add-section .gnu_debugdata=cut.xz t.stripped t.cut
	is ".gnu_debugdata, cut" "$(shown t.cut)" "-
symbols dynsym
.gnu_debugdata: damaged"
else
	skip ".gnu_debugdata" "there is no xz"
fi

# What dwz shares among files.
if command -v dwz >/dev/null; then
	for n in 1 2; do
		cp t t.dwz$n
	done
	if dwz -m shared.dwz t.dwz1 t.dwz2 2>dwz.log && [ -f shared.dwz ]; then
		is "dwz" "$(shown t.dwz1)" "$named
alternate shared.dwz"
		mv shared.dwz away.dwz
		is "dwz, lost" "$(shown t.dwz1 | tail -n 1)" "missing alternate shared.dwz"
	else
		skip "dwz" "$(head -n 1 dwz.log)"
	fi
else
	skip "dwz" "it is not there"
fi

# Split units, and packages of them.  Not each compiler goes with each packer: some crash, or do not end.
split() {
	compiler=$1 version=$2 packer=$3
	rm -f ./*.dwo ./*.dwp
	for source in t u; do
		if ! $compiler -O1 "-gdwarf-$version" -gsplit-dwarf -c "$source.c" 2>split.log; then
			skip "$*" "$(head -n 1 split.log)"
			return
		fi
	done
	$compiler -o t.split t.o u.o
	at=$(address t.split)
	split="hidden+0 t.c:3 twice t.c:3 < hidden t.c:7
symbols symtab dynsym
dwarf $version"
	is "$compiler, version $version" "$(shown t.split)" "$split
split 1"
	[ -n "$packer" ] || return 0
	if ! command -v "$packer" >/dev/null || ! timeout 20 "$packer" -e t.split -o t.split.dwp 2>dwp.log; then
		skip "$*" "it makes none: $(head -n 1 dwp.log)"
		return
	fi
	mkdir away
	mv ./*.dwo away
	is "$*" "$(shown t.split)" "$split
package t.split.dwp
split 1"
	mv t.split.dwp away
	is "$*, lost" "$(shown t.split)" "hidden+0 t.c:3
symbols symtab dynsym
dwarf $version
missing split t.dwo"
	rm -r away
}
split gcc 4 dwp
split gcc 5 ''
split clang 4 llvm-dwp
split clang 5 llvm-dwp

# Units of types are in a .dwo before the program's.
sed '1s/^/struct point { int x, y; } point; /' t.c >typed.c
if gcc -O1 -gdwarf-5 -gsplit-dwarf -fdebug-types-section -c typed.c 2>split.log; then
	gcc -o t.typed typed.o u.c
	at=$(address t.typed)
	is "units of types" "$(shown t.typed | head -n 1)" "hidden+0 typed.c:3 twice typed.c:3 < hidden typed.c:7"
else
	skip "units of types" "$(head -n 1 split.log)"
fi
is "no ELF file" "$("$printfile" t.c 1)" "no ELF file"

done_testing
