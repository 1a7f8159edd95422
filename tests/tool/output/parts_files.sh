#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where parts of a run go: files of their own, or one (--combine-dumps=yes); where they cannot.
. "$top_srcdir/tests/lib.sh"

build parts "$top_srcdir/tests/programs/parts.c" -O1 -g -static -I"$top_srcdir" -I/usr/include/valgrind
build threads "$top_srcdir/tests/programs/parts_threads.c" -O1 -g -static -pthread -I"$top_srcdir" \
	-I/usr/include/valgrind

# parts_run [OPTIONS...] ./PROGRAM WORDS...: leaves profiles p...
parts_run() {
	rm -rf p p.* p-* .p*
	costgrind -q --cache-sim=no --costgrind-out-file=p "$@" >run.out 2>run.err
	status=$?
	sed 's/^==[0-9]*== //' run.err >run.said
}

# profiles: the files, whatever they are.
profiles() {
	find . -maxdepth 1 \( -name p -o -name '.p*' -o -name 'p[.-]*' \) | sed 's,^\./,,' | LC_ALL=C sort |
		tr '\n' ' '
}

# masked FILES...: the process that wrote them may be another.
masked() {
	cat "$@" | sed 's/^pid: .*/pid: N/'
}

# joined FIRST FILES...: as they are in one file: what is said about the file once, at its beginning.
joined() {
	masked "$1"
	shift
	for file; do
		echo
		masked "$file" | sed 1,3d
	done
}

# leaf FILE: of each part its number and the Ir of leaf() itself.
leaf() {
	awk '/^part: / { print_last(); part = $2 }
		function print_last() { if (part != "") print part, 0 + cost; cost = 0; split("", named) }
		/^fn=/ {
			id = substr($1, 4)
			if (NF > 1) named[id] = $2
			inside = named[id] == "leaf"
		}
		/^cfn=/ && NF > 1 { named[substr($1, 5)] = $2 }
		/^calls=/ { getline; next }
		/^[0-9+*-]/ && inside { cost += $3 }
		END { print_last() }' "$1"
}

parts_run ./parts 10 dump 20 dump 30
joined p.1 p.2 p >wanted
parts_run --combine-dumps=yes ./parts 10 dump 20 dump 30
is "one file" "$(profiles)" "p "
masked p >got
is "... with all that is in three" "$(diff wanted got | head -n 20)" ""
is "... and each can be picked" "$(leaf p)" "1 64
2 124
3 184"
is "... and their sum" "$("$top_builddir/costgrind" annotate --format=csv p | grep -c leaf)" 1
is "... is what it is" "$("$top_builddir/costgrind" check p >check.out 2>&1; echo $?)" 0

costgrind --cache-sim=no --combine-dumps=yes --costgrind-out-file=p ./parts 10 dump 20 2>run.err
is "closing lines" "$(sed -n 's/^==[0-9]*== costgrind: //p' run.err | sed "s,$PWD/,,")" \
	"profile written to p (replaced); show it by costgrind annotate or report, or kcachegrind
it has 2 parts"

# Of all that was written before, nothing is lost when the program dies without a word.
parts_run --combine-dumps=yes ./parts 10 dump 20 dump 30 kill
is "killed: exit status" "$status" 137
is "killed: its parts" "$(leaf p)" "1 64
2 124"

# The child that has killed it goes on for a moment, and writes a file of its own.
tries=0
until [ -n "$(find . -name 'p-*')" ] || [ $tries -ge 100 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
parts_run --combine-dumps=yes ./parts 10 dump fork 20 dump 30
is "fork: files" "$(profiles | wc -w)" 2
is "fork: the parent's parts" "$(leaf p)" "1 64
2 0"
is "fork: the child's" "$(leaf p-*)" "1 124
2 184"

# A program that is executed in place of another goes on after its parts.
parts_run --trace-children=yes --combine-dumps=yes ./parts 10 dump 20 exec 30 dump 40
is "exec: files" "$(profiles)" "p "
is "exec: parts" "$(leaf p)" "1 64
2 124
3 184
4 244"
parts_run --trace-children=yes --combine-dumps=yes ./parts 10 dump 20 exec nothing 30 dump 40
is "an exec that fails: parts" "$(leaf p)" "1 64
2 308
3 244"

# To a pipe, one after the other.
costgrind -q --cache-sim=no --combine-dumps=yes --costgrind-out-file=/dev/stdout ./parts 10 dump 20 |
	cat >piped
parts_run --combine-dumps=yes ./parts 10 dump 20
is "to a pipe" "$(masked piped | diff - p | grep '^[<>]' | grep -v 'pid:')" ""

is "with Cachegrind's format" "$(costgrind -q --format=cachegrind --combine-dumps=yes ./parts 10 2>&1)" \
	"costgrind: --combine-dumps=yes: cannot be combined with --format=cachegrind, which has no place for it"

# --- threads -----------------------------------------------------------------------------------

# All threads are in the one file, part by part.
parts_run --separate-threads=yes ./threads
joined p.1-01 p.2-01 p.2-02 p-01 p-02 >wanted
is "threads: there are no others" "$(profiles)" "p-01 p-02 p.1-01 p.2-01 p.2-02 "
parts_run --separate-threads=yes --combine-dumps=yes ./threads
is "threads: files" "$(profiles)" "p "
masked p >got
is "threads: parts" "$(diff wanted got | head -n 20)" ""

# A region of one thread, while another one sets its counts to zero.
parts_run --separate-threads=yes ./threads region
is "a region, and a zero of another thread" "$(sed -n 's/^desc: Region: //p' p-01 |
	awk '{ sub(/: long/, ""); print $1, $2, $3, $4, ($6 > 200000 ? "all" : $6) }')" "1 times, 1 threads, all"

# Descriptors of the tool's are not among the program's.
is "descriptors" "$(costgrind -q --cache-sim=no --combine-dumps=yes --costgrind-out-file=p ./parts \
	10 dump 20 dump fd 30 dump fd)" "3
4"

# An exec that fails leaves no trace.
parts_run --separate-threads=yes --trace-children=yes ./parts 10 exec nothing 20
is "an exec that fails, by threads: files" "$(profiles)" "p-01 "
is "nothing was counted, by threads: files" "$(parts_run --separate-threads=yes --instr-atstart=no \
	./parts 10; profiles)" "p-01 "

# A file of an older run is replaced, though a program before this one in this process wrote none.
echo "an old one" >p.old
cp p.old p
costgrind -q --cache-sim=no --trace-children=yes --combine-dumps=yes --costgrind-out-file=p ./parts exec 10 dump 20
is "an older file" "$(grep -c 'an old one' p; leaf p)" "0
1 0
2 64
3 124"

# --- many parts --------------------------------------------------------------------------------

# Ten times a thousand.
set -- many many many many many many many many many many
parts_run --combine-dumps=yes ./parts "$@"
is "10,000 parts in one file" "$(leaf p | awk '$2 == 10 { n++ } END { print n, NR }')" "10000 10001"
mkdir files
cd files || exit 1
parts_run ../parts "$@"
is "10,000 files" "$(find . -name 'p.*' | wc -l)" 10000
is "... each with its part" "$(sed -n 's/^part: //p' p.1 p.5000 p.10000 p | tr '\n' ' ')" "1 5000 10000 10001 "
cd ..

# --- no room -----------------------------------------------------------------------------------

# A file system of 96 KiB, gone with its name space.
cat >on_full_disk <<'END'
mkdir -p disk
mount -t tmpfs -o size=96k none disk || exit
shift
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind -q --cache-sim=no --costgrind-out-file=disk/p \
	"$@" ./parts 10 dump fill 20 dump 30 dump empty 40 dump 50 >full.out 2>full.err
echo $? >full.status
mkdir -p full
cp -a disk/. full
END
# on_full_disk OPTIONS...
on_full_disk() {
	rm -rf full full.*
	if unshare -m true 2>/dev/null; then
		unshare -m sh ./on_full_disk - "$@" 2>full.why
	else
		unshare -rm sh ./on_full_disk - "$@" 2>full.why
	fi
	[ -e full.status ]
}

if on_full_disk; then
	is "full disk: exit status" "$(cat full.status)" 0
	is "full disk: messages" "$(sed "s/^==[0-9]*== //; s,$PWD/,," full.err)" \
		"costgrind: disk/p.2: no space left on device; its costs are in the next part
costgrind: disk/p.2: no space left on device; its costs are in the next part"
	is "full disk: its costs are in the next one that can be written" "$(for part in 1 2 ''; do
		leaf "full/p${part:+.$part}"
	done)" "1 64
2 552
3 304"
	on_full_disk --combine-dumps=yes
	is "full disk, one file: exit status" "$(cat full.status)" 0
	is "full disk, one file: messages" "$(sed "s/^==[0-9]*== //; s,$PWD/,," full.err)" \
		"costgrind: disk/p: no space left on device; its costs are in the next part
costgrind: disk/p: no space left on device; its costs are in the next part"
	is "full disk, one file: parts" "$(leaf full/p)" "1 64
2 552
3 304"
	is "full disk, one file: nothing else" "$(ls -A full)" p
else
	skip "full disk" "no tmpfs can be mounted: $(head -n 1 full.why)"
fi
done_testing
