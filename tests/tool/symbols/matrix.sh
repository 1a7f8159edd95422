#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# One source, built by each compiler and linker, with each kind of debug information: names, files, lines, inlined
# functions and counts are the same in all programs.
#
#	matrix.sh [all]
#
# Without "all", each kind is tried with one compiler and linker.  What each compiler's code costs is
# taken from its program with -gdwarf-4, which Valgrind's core reads; what the source says is written down here.
# What cannot be built here (a linker is missing, or cannot optimize this compiler's code) is named in a comment.
. "$top_srcdir/tests/lib.sh"

cp -R "$top_srcdir/tests/programs/matrix" src
echo 'int main(void) { return 0; }' >empty.c
empty=$PWD/empty.c

# built COMPILER LINKER DEBUG CODE: the program and its plugin, in ./obj.  Static programs have the plugin in them.
built() {
	rm -rf obj
	mkdir obj
	# Procedure linkage tables differ from linker to linker, and what they cost is the caller's.
	built_compile="$1 -O1 -fno-plt -I../src $3"
	built_link="$1 -fuse-ld=$2 -Wl,--build-id=sha1 $3"
	built_linked=
	case $4 in
	-fno-pie)
		built_compile="$built_compile -fno-pie"
		built_link="$built_link -no-pie"
		;;
	-static*)
		built_compile="$built_compile -DLINKED"
		[ "$4" = -static ] || built_compile="$built_compile -fPIE"
		built_link="$built_link $4"
		built_linked=plugin.o
		;;
	*)
		built_compile="$built_compile $4"
		built_link="$built_link $4"
		;;
	esac
	(
		cd obj || exit 1
		set -ex
		# shellcheck disable=SC2086 # several words in one variable
		if [ -n "$built_linked" ]; then
			$built_compile -c ../src/plugin.c
		else
			$built_compile -fPIC -c ../src/plugin.c
			$built_link -shared -o plugin.so plugin.o
			built_link="$built_link -rdynamic"
		fi
		for unit in main work; do
			$built_compile -c ../src/$unit.c
		done
		$built_link -o prog main.o work.o $built_linked -ldl
	) >build.log 2>&1
}

# can_build COMPILER LINKER DEBUG CODE: true if an empty program can be built so.
can_build() {
	can_flags="-fuse-ld=$2 $3 $4"
	[ "$4" != -fno-pie ] || can_flags="$can_flags -no-pie"
	# shellcheck disable=SC2086 # several flags in one variable
	$1 -O1 $can_flags -o empty "$empty" >can.log 2>&1
}

# treated KIND: what is done with the files in ./obj, after which their debug information is where KIND says.
treated() {
	(
		cd obj || exit 1
		set -ex
		case $1 in
		'') ;;
		dwp | llvm-dwp)
			for object in prog plugin.so; do
				"$1" -e $object -o $object.dwp
			done
			rm ./*.dwo
			;;
		zlib | zlib-gnu | zstd)
			objcopy --compress-debug-sections="$1" prog
			objcopy --compress-debug-sections="$1" plugin.so
			;;
		dwz)
			dwz prog plugin.so
			;;
		dwz-multifile)
			# What is in two files goes into a third.
			dwz -m "$PWD/common.debug" prog plugin.so
			;;
		debuglink | build-id | debuginfod)
			for object in prog plugin.so; do
				objcopy --only-keep-debug $object $object.debug
				strip $object
				id=$(readelf -n $object | sed -n 's/.*Build ID: //p')
				folder=extra/.build-id/$(echo "$id" | cut -c 1-2)
				case $1 in
				debuglink)
					objcopy --add-gnu-debuglink=$object.debug $object
					;;
				build-id)
					mkdir -p "$folder"
					mv $object.debug "$folder/${id#??}.debug"
					;;
				debuginfod)
					mkdir -p "cache/$id"
					mv $object.debug "cache/$id/debuginfo"
					;;
				esac
			done
			;;
		minidebug)
			# As Fedora's packages are made.
			for object in prog plugin.so; do
				nm -D --format=posix --defined-only $object | cut -d ' ' -f 1 | sort >dynamic
				nm --format=posix --defined-only $object | awk '$2 ~ /^[Tt]$/ { print $1 }' | sort >code
				comm -13 dynamic code >keep
				objcopy -S --remove-section .comment --keep-symbols=keep $object mini
				strip $object
				xz -f mini
				objcopy --add-section .gnu_debugdata=mini.xz $object
			done
			;;
		esac
	) >build.log 2>&1
}

# profiled OUT [OPTIONS...]: of ./obj/prog.
profiled() {
	profiled_out=$PWD/$1
	rm -f "$profiled_out"
	shift
	(
		cd obj && DEBUGINFOD_CACHE_PATH=$PWD/cache costgrind -q --extra-debuginfo-path="$PWD/extra" "$@" \
			--costgrind-out-file="$profiled_out" ./prog
	) >run.log 2>&1
}

# found OUT: costs of the source's lines, and calls among its functions with their inclusive costs.  Misses are not
# compared: they depend on where a linker puts code.
found() {
	{
		python3 "$top_srcdir/tests/profile.py" cells "$1"
		python3 "$top_srcdir/tests/profile.py" calls "$1"
	} | awk -F '\t' -v here="$PWD/" '
		function counts(text, n, words, i, kept) {
			n = split(text, words, " ")
			for (i = 1; i <= n; i++)
				if (words[i] ~ /^(Ir|Dr|Dw)=/)
					kept = kept " " words[i]
			return kept
		}
		function is_ours(name) { return name ~ /^(main|own|plug|read_cell|twice|work)(\.|$)/ }
		NF == 4 && index($1, "/src/") { sub(here, "", $1); print $1 ":" $3, $2 ":" counts($4) }
		NF == 7 && is_ours($2) && is_ours($5) { print $2 ":" $3, "calls", $5, $6 ":" counts($7) }' |
		LC_ALL=C sort
}

# functions OUT: their instructions, whatever is known about files and lines.
functions() {
	python3 "$top_srcdir/tests/profile.py" cells "$1" | awk -F '\t' '
		$2 ~ /^(main|own|plug|work)$/ {
			sub(/Ir=/, "", $4)
			sum[$2] += $4
		}
		END { for (name in sum) print name, sum[name] }' | LC_ALL=C sort
}

# reads OUT: how often each inlined read_cell() reads, by caller and line; link-time optimization gives static functions
# numbers.
reads() {
	found "$1" | awk '$2 == "calls" && $3 == "read_cell" {
		sub(/[.].*:/, ":", $1)
		sub(/Dr=/, "", $6)
		print $1, $6
	}' | LC_ALL=C sort | xargs
}

# The source says it: each own() reads cell 10 times, main.c's in line 10, of work.c in line 15, of plugin.c in line 6; twice()
# 10 and 20 times.  A plugin in a file of its own has to look up where cell is.
reads_wanted() {
	reads_plugged=11
	[ -f obj/plugin.so ] || reads_plugged=10
	echo "own:10 10 own:15 10 own:6 $reads_plugged twice:10 20 twice:8 10"
}

# reference COMPILER LINKER DEBUG CODE: makes the profile that such programs are compared with, and sets $reference to its
# name.
reference() {
	reference_linker=bfd
	case $4 in
	-flto*) reference_linker=$2 ;;
	esac
	reference_debug=-gdwarf-4
	case $3 in
	*-g1*) reference_debug="-g1 -gdwarf-4" ;;
	esac
	reference=$(echo "$1 $reference_linker $reference_debug $4" | xargs)
	[ ! -f "$reference" ] || return 0
	if ! built "$1" "$reference_linker" "$reference_debug" "$4"; then
		not_ok "$reference: is built" "$(cat build.log)"
		return 1
	fi
	profiled "$reference" --inline=calls
	case "$3 $4" in
	*-g1* | *-static* | *-fno-pie) ;;
	*)
		for inline in lines no; do
			profiled "$reference $inline" --inline=$inline
		done
		;;
	esac
	case "$1 $4" in
	# The core finds no names in other units.
	'gcc -flto') ;;
	*) is "$reference: reads" "$(reads "$reference")" "$(reads_wanted)" ;;
	esac
}

missing=
cells=0

# cell COMPILER LINKER DEBUG [CODE [KIND]]
cell() {
	name=$(echo "$*" | xargs)
	kind=${5-}
	case $kind in
	dwp | llvm-dwp | dwz) program=$kind ;;
	dwz-multifile) program=dwz ;;
	minidebug) program=xz ;;
	*) program=true ;;
	esac
	if ! command -v "$program" >/dev/null || ! can_build "$1" "$2" "$3" "${4-}"; then
		missing="$missing; $name"
		return
	fi
	reference "$1" "$2" "$3" "${4-}" || return
	# Not in a condition, where set -e has no effect.
	built "$1" "$2" "$3" "${4-}"
	status=$?
	if [ $status -eq 0 ]; then
		treated "$kind"
		status=$?
	fi
	if [ $status -ne 0 ]; then
		not_ok "$name: is built" "$(cat build.log)"
		return
	fi
	cells=$((cells + 1))
	profiled out --inline=calls
	is "$name: status" $? 0
	if [ "$kind" = minidebug ]; then
		is "$name: functions" "$(functions out)" "$(functions "$reference no")"
		return
	fi
	is "$name: reads" "$(reads out)" "$(reads_wanted)"
	case "$1 ${4-}" in
	'gcc -flto') ;;
	*) is "$name" "$(found out)" "$(found "$reference")" ;;
	esac
	# What is inlined is asked for in other ways, too.
	case "$1 $name" in
	'gcc '*-flto | *'bfd -g -gsplit-dwarf' | 'clang clang bfd -g')
		for inline in lines no; do
			profiled out --inline=$inline
			is "$name: --inline=$inline" "$(found out)" "$(found "$reference $inline")"
		done
		;;
	esac
}

# all COMPILER LINKER
all() {
	for debug in -g -g1 -gdwarf-4 -gdwarf-5 '-gdwarf-5 -gdwarf64' '-g -gsplit-dwarf' '-gdwarf-4 -gsplit-dwarf' \
		'-g1 -gsplit-dwarf' '-g -gz=zlib'; do
		cell "$1" "$2" "$debug"
	done
	for code in -fno-pie -static -static-pie -flto -flto=thin; do
		cell "$1" "$2" -g $code
	done
	for kind in zlib-gnu zstd debuglink build-id debuginfod minidebug; do
		cell "$1" "$2" -g '' $kind
	done
	for kind in dwp debuglink; do
		cell "$1" "$2" '-gdwarf-4 -gsplit-dwarf' '' $kind
	done
	# llvm-dwp 14 does not come to an end with gcc's.
	[ "$1" = gcc ] || cell "$1" "$2" '-g -gsplit-dwarf' '' llvm-dwp
	# dwz does not know clang's sections of DWARF 5.
	for kind in dwz dwz-multifile; do
		cell "$1" "$2" -gdwarf-4 '' $kind
	done
	[ "$1" = clang ] || cell "$1" "$2" -gdwarf-5 '' dwz-multifile
}

if [ "${1-}" = all ]; then
	for compiler in gcc clang; do
		for linker in bfd gold lld mold; do
			all $compiler $linker
		done
	done
else
	cell gcc bfd -g
	cell gcc bfd '-gdwarf-5 -gdwarf64'
	cell gcc bfd '-g -gsplit-dwarf'
	cell gcc gold '-gdwarf-4 -gsplit-dwarf'
	cell gcc bfd -g -flto
	cell gcc bfd -g '' zlib-gnu
	cell gcc bfd -g '' zstd
	cell gcc gold -g '' build-id
	cell gcc bfd -g '' minidebug
	cell gcc bfd -gdwarf-5 '' dwz-multifile
	cell gcc gold '-gdwarf-4 -gsplit-dwarf' '' dwp
	cell gcc mold -g
	cell clang bfd -g
	cell clang lld -g
	cell clang bfd -g1
	cell clang bfd '-gdwarf-5 -gdwarf64'
	cell clang bfd '-g -gsplit-dwarf'
	cell clang bfd '-g -gsplit-dwarf' '' llvm-dwp
	cell clang bfd '-gdwarf-4 -gsplit-dwarf' '' debuglink
	cell clang bfd -g -fno-pie
	cell clang bfd -g -static
	cell clang lld -g -static-pie
	cell clang lld -g -flto=thin
	cell clang bfd -g '' debuglink
	cell clang lld -g '' debuginfod
fi
# Whatever else is missing, these are there.
is "there are programs" "$((cells >= 20))" 1
[ -z "$missing" ] || echo "# not built here: ${missing#; }"

done_testing
