# SPDX-License-Identifier: GPL-3.0-or-later
# Each allocation of costgrind annotate fails once: it says so, or all of its output is there; it never dies, and
# never leaves half an output.
. "$top_srcdir/tests/lib.sh"
# shellcheck source=tests/failing.sh
. "$top_srcdir/tests/failing.sh"

command=$top_builddir/costgrind
cp "$top_srcdir"/tests/golden/annotate/inputs/* .
touch -d '2020-01-01 00:00' ./*.src ./*.s

failing_ready "$command"

fails_each text "$command" annotate -q -o out --inclusive --tree=both --list=function,file:function,function:file \
	--source=hash.src -I . hash.cg past.cg cycle.cg
fails_each json "$command" annotate -q -o out --format=json --tree=both --show=EstCyc,L1m hash.cg threads.cg
fails_each markdown "$command" annotate -q -o out --format=markdown --source-map=/build=. hash.cg mapped.cg
fails_each names "$command" annotate -q -o out --auto=no --source-map=/build/one=/build/two --mod-filename='s,^/build/(.),$1,' \
	--mod-funcname=s/copy/move/g --fold-names --fold-templates names.cg
fails_each csv "$command" annotate -q -o out --format=csv derived.cg hostile.cg

fails_each ranks "$command" annotate -q -o out --by=rank ranks.cg

# Objects of data, of the file that a profile names.
printf '%s\n' 'desc: Data profile: objects.cg' 'events: Ir' 'fn=main' '1 10' >names_objects.cg
cat >objects.cg <<'EOF'
positions: line
events: D1mr D1mw DLmr DLmw
summary: 100 20 30 4

ob=[heap]
fl=[data]
fn=make_node list.c:34 < main list.c:66, 64 B
0 60 20 30 4
+56 40

ob=list
fl=list.c
fn=walk
cob=[heap]
cfi=[data]
cfn=make_node list.c:34 < main list.c:66, 64 B
calls=100 0
45 100 20 30 4

totals: 100 20 30 4
EOF
fails_each "objects" "$command" annotate -q -o out --by=object names_objects.cg
fails_each "objects, JSON" "$command" annotate -q -o out --by=object --format=json objects.cg

fails_each difference "$command" annotate -q -o out --diff --no-annotate --tree=calling cycle.cg cycle.cg

# Machine code.
cp "$top_srcdir"/tests/golden/code/inputs/loop.* .
build loop ./loop.s -nostdlib -static -no-pie -g -Wl,-Ttext=0x401000 -Wl,-Tdata=0x404000
fails_each "machine code" "$command" annotate -q -o out --asm --auto=yes loop.cg
fails_each "machine code, JSON" "$command" annotate -q -o out --asm --format=json --list=none loop.cg
fails_each "machine code, Markdown" "$command" annotate -q -o out --asm=fact --format=markdown loop.cg

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
