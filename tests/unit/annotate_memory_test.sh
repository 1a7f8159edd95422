# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind annotate fails once: it says so, or all of its output is there; it never dies, and
# never leaves half an output.
. "$top_srcdir/tests/lib.sh"

command=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/annotate/inputs/* .
touch -d '2020-01-01 00:00' ./*.src ./*.s

build failing.so "$top_srcdir/tests/programs/failing_malloc.c" -shared -fPIC -O1
if LD_PRELOAD=$PWD/failing.so "$command" --version 2>&1 | grep -q -i sanitizer; then
	echo "1..0 # SKIP the command is built with sanitizers, which have a malloc of their own"
	exit 0
fi

# fails_each NAME ARGUMENTS...
fails_each() {
	fails_name=$1
	shift
	"$command" annotate -q "$@" >right 2>/dev/null
	fails_count=$(LD_PRELOAD=$PWD/failing.so "$command" annotate -q "$@" 2>&1 >/dev/null |
		sed -n 's/^allocations: //p')
	fails_wrong=
	fails_stopped=0
	n=1
	while [ "$n" -le "$fails_count" ]; do
		FAIL_AT=$n LD_PRELOAD=$PWD/failing.so "$command" annotate -q -o out "$@" >stdout 2>stderr
		status=$?
		case $status in
		0)
			cmp -s out right || fails_wrong="$fails_wrong $n: other output"
			;;
		1)
			fails_stopped=$((fails_stopped + 1))
			[ "$(wc -l <stderr)" -eq 1 ] || fails_wrong="$fails_wrong $n: $(cat stderr)"
			[ ! -e out ] || fails_wrong="$fails_wrong $n: output is there"
			;;
		*) fails_wrong="$fails_wrong $n: exit status $status $(cat stderr)" ;;
		esac
		[ -z "$(find . -name '.out*')" ] || fails_wrong="$fails_wrong $n: a partial file is left"
		rm -f out .out*
		n=$((n + 1))
	done
	is "$fails_name: $fails_count allocations" "$fails_wrong" ""
	if [ "$fails_count" -ge 40 ] && [ "$fails_stopped" -gt 20 ]; then
		ok "$fails_name: $fails_stopped of them are told"
	else
		not_ok "$fails_name: $fails_stopped of $fails_count are told"
	fi
}

fails_each text --inclusive --tree=both --list=function,file:function,function:file \
	--source=hash.src -I . hash.cg past.cg cycle.cg
fails_each json --format=json --tree=both --show=EstCyc,L1m hash.cg threads.cg
fails_each markdown --format=markdown --source-map=/build=. hash.cg mapped.cg
fails_each names --auto=no --source-map=/build/one=/build/two --mod-filename='s,^/build/(.),$1,' \
	--mod-funcname=s/copy/move/g --fold-names --fold-templates names.cg
fails_each csv --format=csv derived.cg hostile.cg

# Machine code, if it can be shown.
cp "$top_srcdir"/tests/golden/code/inputs/loop.* .
if "$command" annotate --asm loop.cg 2>&1 >right | grep -q 'costgrind was built without'; then
	skip "machine code" "costgrind was built without Capstone, or without libelf and libdw"
	done_testing
fi
build loop ./loop.s -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000
fails_each "machine code" --asm --auto=yes loop.cg
fails_each "machine code, JSON" --asm --format=json --list=none loop.cg
fails_each "machine code, Markdown" --asm=fact --format=markdown loop.cg

# Libraries of others die of failures that come from nowhere; but not when memory is short.
wrong=
enough=0
for size in $(seq 8000 400 40000); do
	(
		# shellcheck disable=SC3045 # Linux's shells have it
		ulimit -v "$size" && exec "$command" annotate -q --asm loop.cg
	) >stdout 2>stderr
	status=$?
	case $status in
	0) enough=$((enough + 1)) ;;
	1 | 127) [ "$(wc -l <stderr)" -eq 1 ] || wrong="$wrong $size: $(cat stderr)" ;;
	*) wrong="$wrong $size: exit status $status $(cat stderr)" ;;
	esac
done
is "machine code, memory is short" "$wrong" ""
[ "$enough" -gt 0 ] || not_ok "there was never enough memory"
done_testing
