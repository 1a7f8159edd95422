#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --call-tree=yes where the call tree cannot be written, or hardly: the profile is, the fault is
# reported in one line, the program ends as it should, and no half tree has the name of a whole one.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"
. "$top_srcdir/tests/asm/exact.sh"
. "$top_srcdir/tests/asm/calls.sh"
. "$top_srcdir/tests/programs/trees.sh"

one="--separate-recs=1"
build_program script -static # starts faster
# Two functions, 5000 deep: the profile is small, the tree is not.
calls_build deep -DFRAMES=5000 -DEND=1

# --- no memory ----------------------------------------------------------------------------------

# limited KB OPTIONS... PROGRAM: as tree_run, with that much address space.
limited() {
	limited_to=$1
	shift
	# shellcheck disable=SC3045 # dash and bash have it
	(ulimit -v "$limited_to" && tree_run "$@"; exit "$status")
	status=$?
}

build_program chains -O1 -fno-optimize-sibling-calls -static
# What is not used is not reserved: every chain has a node.
scene limited
limited 400000 $one ../chains 11
exits 0
says "$(written "$PWD/p")" "costgrind: call tree written to $PWD/tree.p.costgrind"
fits
is "$scene: chains" "$(tree nodes tree.* | grep -c ';a\(;[ab]\)* ')" 4095
# Of half a million chains, some have a node, and all that they cost is in the tree.
scene refused
limited 200000 $one --branch-sim=yes --call-tree-nodes=10000000 ../chains 18
exits 0
fits --fewer
is "$scene: message" "$(sed -n 's/^==[0-9]*== //; s/: [0-9]* calls/: N calls/; s/than [0-9]* nodes/than N nodes/p' \
	"$scratch/$scene.err")" "costgrind: call tree: N calls are folded, since no memory was left for more than N nodes; \
a lower --call-tree-nodes=<n> leaves more to the program"

# --- no room ------------------------------------------------------------------------------------

# A file system of 16 KiB, gone with its name space; files are said to have these pids.
cat >"$scratch/on_full_disk" <<'END'
set -e
mkdir -p disk
mount -t tmpfs -o size=16k none disk
set +e
VALGRIND_LIB=$COSTGRIND_LIB "$VALGRIND" --tool=costgrind --counting=valgrind $caches --call-tree=yes \
	--separate-recs=1 --costgrind-out-file=disk/p ../calls_deep >out 2>err
echo $? >status
ls -A disk >files
cp disk/p p
cp disk/.tree.*.partial partial
END
scene full_disk
export caches
if unshare -m true 2>/dev/null; then
	unshare -m sh "$scratch/on_full_disk" 2>why
else
	unshare -rm sh "$scratch/on_full_disk" 2>why
fi
if [ ! -e status ]; then
	skip "full disk" "no tmpfs can be mounted: $(head -n 1 why)"
else
	is "full_disk: exit status" "$(cat status)" 0
	cp err "$scratch/full_disk.err"
	tree=tree.p.costgrind
	says "$(written "$PWD/disk/p")" \
		"costgrind: $PWD/disk/$tree: no space left on device; what was written is in \
$PWD/disk/.$tree.partial"
	is "full_disk: files" "$(cat files)" ".$tree.partial${newline}p"
	is "full_disk: the tree is cut" "$(wc -c <partial)" 12288
	run $one --costgrind-out-file=whole ../calls_deep
	is "full_disk: totals of the profile" "$(profile totals p)" "$(profile totals whole)"
fi

scene file_size
(
	ulimit -f 16 # 512 bytes each
	run --call-tree=yes --costgrind-out-file=p $one ../calls_deep
	exit "$status"
)
# shellcheck disable=SC2034 # read by exits
status=$?
exits 0
tree=tree.p.costgrind
says "$(written "$PWD/p")" \
	"costgrind: $PWD/$tree: file too large; what was written is in $PWD/.$tree.partial"
leaves ".$tree.partial" p
is "file_size: the tree is cut" "$(wc -c <".$tree.partial")" 8192
# The next run has its own.
tree_run $one ../calls_deep
fits --returns 0

# --- no permission ------------------------------------------------------------------------------

# A profile that is there already can be written in place, a tree cannot: told before the program
# runs, rather than when it has run for hours.
scene readonly
if weakly true 2>why; then
	mkdir there
	echo old >there/p
	chmod 555 there
	weakly env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind --counting=valgrind -q --cycles=no --call-tree=yes \
		--costgrind-out-file=there/p ../script print ran >out 2>&1
	is "readonly: told at the start" "$(echo "status $?"; cat out)" \
		"status 1${newline}costgrind: $PWD/there/tree.p.costgrind: the call tree cannot be \
written here: permission denied"
	is "readonly: files" "$(ls -A there) $(cat there/p)" "p old"
	chmod 755 there
else
	skip "readonly" "root cannot give up its right to write everywhere: $(head -n 1 why)"
fi

# --- another identity, another root ------------------------------------------------------------

# whole_tree FILE: with the costs of the profile p, which is of the same process.
whole_tree() {
	is "$scene: sums of the profile" "$(tree compare "$1" p; echo $?)" 0
}

if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 true 2>/dev/null; then
	scene setuid
	tree_run $one ../script spin 10 setuid 65534 spin 20 exit 3
	exits 3
	tree=tree.p.costgrind
	leaves p "$tree"
	says "$(written "$PWD/p")" "$(in_place "$PWD/p")" \
		"costgrind: call tree written to $PWD/$tree" "$(in_place "$PWD/$tree")"
	holds p 10 20
	whole_tree "$tree"

	# The child's files are others, which cannot be made any more.
	scene setuid_and_fork
	tree_run $one ../script spin 10 setuid 65534 fork print_pid spin 20 end spin 30 exit 3
	child=$(cat "$scratch/setuid_and_fork.out")
	exits 3
	tree=tree.p.costgrind
	leaves p "$tree"
	says "costgrind: $PWD/p-$child: permission denied; no profile was written" \
		"costgrind: $PWD/tree.p-$child.costgrind: permission denied; no call tree was written" \
		"$(written "$PWD/p")" "$(in_place "$PWD/p")" \
		"costgrind: call tree written to $PWD/$tree" "$(in_place "$PWD/$tree")"
	whole_tree "$tree"

	# The profile needs no file, but its tree does.
	scene setuid_and_null
	run --call-tree=yes --costgrind-out-file=/dev/null ../script setuid 65534 spin 1000 \
		print_pid exit 3
	exits 3
	tree=tree.$(cat "$scratch/$scene.out").costgrind
	says "$(written /dev/null)" "costgrind: call tree written to $PWD/$tree" "$(in_place "$PWD/$tree")"
	leaves "$tree"
	is "setuid_and_null: known loop" "$(sed -n 's/^fn=(\([0-9]*\)) spin$/\1/p' "$tree" | wc -l)" 1

	# A pipe cannot have a profile twice, so that none is written before, and no tree either.
	scene setuid_and_stdout
	run --call-tree=yes --costgrind-out-file=/dev/stdout ../script setuid 65534 print_pid exit 3
	exits 3
	says "$(written /dev/stdout)" \
		"costgrind: $PWD/tree.$(head -n 1 "$scratch/$scene.out").costgrind: \
permission denied; no call tree was written"
	leaves
else
	skip "setuid" "root can have only one identity here"
fi

test_chroot() {
	mkdir jail
	# shellcheck disable=SC2086 # several options in one variable
	$chroot_by env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind --counting=valgrind $caches --call-tree=yes \
		$one --costgrind-out-file=p ../script spin 10 chroot jail chdir / spin 20 exit 3 \
		>"$scratch/chroot.out" 2>"$scratch/chroot.err"
	# shellcheck disable=SC2034 # read by exits
	status=$?
	exits 3
	tree=tree.p.costgrind
	leaves jail p "$tree"
	is "chroot: nothing in the new root" "$(ls -A jail)" ""
	says "$(written "$PWD/p")" "costgrind: call tree written to $PWD/$tree"
	whole_tree "$tree"
}

scene chroot
if may_chroot; then
	test_chroot
else
	skip chroot "not permitted here"
fi

# What may open no file any more has a tree of what went before.
scene seccomp
tree_run $one ../script spin 10 seccomp_filter spin 20 print finished exit 3
exits 3
prints finished
tree=tree.p.costgrind
leaves p "$tree"
whole_tree "$tree"

done_testing
