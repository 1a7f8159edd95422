#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that give up the right or the means to write a file: their profiles are written.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster

p=--costgrind-out-file=p

# --- seccomp ---

# as_none STEP...: the program ends as it does without a tool.
as_none() {
	"$VALGRIND" --tool=none -q ../script "$@" >none 2>"$scratch/none.err"
	none_status=$?
	exits "$none_status"
	prints "$(cat none)"
	rm none
}

now="costgrind: prctl(PR_SET_SECCOMP): the profile is written now, since no file may be opened \
afterwards"

# What follows the system call is in no profile: none could be opened.
scene seccomp_filter
run $p ../script spin 10 seccomp_filter spin 20 print finished exit 3
exits 3
prints "finished"
leaves p
says "$now" "$(written "$PWD/p")"
holds p 10
is "seccomp_filter: trigger" "$(header desc p | sed -n 's/^Trigger: //p')" seccomp

scene seccomp_filter_quiet
run -q $p ../script spin 10 seccomp_filter spin 20 exit 3
exits 3
holds p 10
is "seccomp_filter_quiet: messages" "$(cat "$scratch/seccomp_filter_quiet.err")" ""

scene seccomp_filter_twice
run $p ../script spin 10 seccomp_filter spin 20 seccomp_filter exit 3
exits 3
says "$now" "$(written "$PWD/p")"
holds p 10

scene seccomp_filter_and_fork
run $p ../script spin 10 seccomp_filter fork spin 20 end print finished exit 3
exits 3
prints "finished"
leaves p
says "$now" "$(written "$PWD/p")"
holds p 10

scene seccomp_filter_in_child
run $p ../script spin 10 fork spin 20 seccomp_filter print_pid end spin 30
child=$(cat "$scratch/seccomp_filter_in_child.out")
exits 0
leaves p "p-$child"
holds p 10 30
holds "p-$child" 20

# Valgrind opens the file that is to be executed.
scene seccomp_filter_and_exec
run $p ../script spin 10 seccomp_filter spin 20 exec /no/such else exit 3
as_none seccomp_filter exec /no/such else exit 3
leaves p
holds p 10

scene seccomp_filter_and_death
run $p ../script spin 10 seccomp_filter abort
exits 134
leaves p
holds p 10

# The other way to the same filter.  Valgrind 3.19 does not know the system call.
scene seccomp_call
run $p ../script spin 10 seccomp_call spin 20 exit 3
exits 3
leaves p
if [ "$(cat "$scratch/seccomp_call.out")" = "in force" ]; then
	holds p 10
else
	prints "Function not implemented"
	holds p 10 20
fi

# The strict kind leaves nothing that Valgrind could run on; that is not the tool's doing.
scene seccomp_strict
run $p ../script spin 10 seccomp_strict _exit 3
as_none seccomp_strict _exit 3
leaves p
holds p 10

scene seccomp_refused
run $p ../script spin 10 seccomp_refused spin 20 exit 3
exits 3
leaves p
says "$now" "$(written "$PWD/p")" "$(written "$PWD/p")"
holds p 10 20

# --- another identity, another root ---

if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 true 2>/dev/null; then
	scene setuid
	run $p ../script spin 10 setuid 65534 spin 20 exit 3
	exits 3
	leaves p
	says "$(written "$PWD/p")" "$(in_place "$PWD/p")"
	holds p 10 20

	scene setuid_over_old_profile
	echo old >p
	run $p ../script spin 10 setuid 65534 spin 20 exit 3
	exits 3
	leaves p
	says "$(replaced "$PWD/p")" "$(in_place "$PWD/p")"
	holds p 10 20

	# The child's file is another one, which cannot be made any more.
	scene setuid_and_fork
	run $p ../script spin 10 setuid 65534 fork print_pid spin 20 end spin 30 exit 3
	child=$(cat "$scratch/setuid_and_fork.out")
	exits 3
	leaves p
	says "costgrind: $PWD/p-$child: permission denied; no profile was written" \
		"$(written "$PWD/p")" "$(in_place "$PWD/p")"
	holds p 10 30

	scene fork_and_setuid
	run $p ../script spin 10 fork spin 20 setuid 65534 spin 30 print_pid end spin 40
	child=$(cat "$scratch/fork_and_setuid.out")
	leaves p "p-$child"
	holds p 10 40
	holds "p-$child" 20 30

	scene setuid_and_exec
	run $p ../script spin 10 setuid 65534 spin 20 exec /bin/true
	exits 0
	leaves p
	holds p 10 20
else
	# To be who one is already is allowed to everybody.
	scene setuid_same
	run $p ../script spin 10 setuid "$(id -u)" spin 20 exit 3
	exits 3
	leaves p
	says "$(written "$PWD/p")"
	holds p 10 20
fi

test_chroot() {
	mkdir jail
	# shellcheck disable=SC2086 # two words, or none
	$chroot_by env VALGRIND_LIB="$COSTGRIND_LIB" "$VALGRIND" --tool=costgrind $p \
		../script spin 10 chroot jail chdir / spin 20 exit 3 >"$scratch/chroot.out" \
		2>"$scratch/chroot.err"
	status=$?
	exits 3
	leaves jail p
	is "chroot: nothing in the new root" "$(ls -A jail)" ""
	holds p 10 20
}

scene chroot
if may_chroot; then
	test_chroot
else
	skip chroot "not permitted here"
fi

# Where unsharing is not permitted, the attempt must do no harm either.
scene unshare
run $p ../script spin 10 unshare spin 20 exit 3
exits 3
leaves p
holds p 10 20

# --- limits ---

scene file_size
run $p ../script spin 10 limit_file_size 4096 exit 3
exits 3
leaves .p.partial
says "costgrind: $PWD/p: file too large; what was written is in $PWD/.p.partial"
is "file_size: size of what was written" "$(wc -c <.p.partial)" 4096

scene file_size_keeps_old_profile
echo old >p
run $p ../script limit_file_size 4096 exit 3
exits 3
leaves .p.partial p
is "file_size_keeps_old_profile: the old one" "$(cat p)" old
# The next run has its own.
run $p ../script spin 10
exits 0
holds p 10

scene file_size_from_outside
(
	ulimit -f 16 # 512 bytes each
	run $p ../script spin 10 exit 3
	exit "$status"
)
status=$?
exits 3
says "costgrind: $PWD/p: file too large; what was written is in $PWD/.p.partial"
is "file_size_from_outside: size of what was written" "$(wc -c <.p.partial)" 8192
leaves .p.partial
run --costgrind-out-file=whole ../script spin 10 exit 3
begins .p.partial whole

scene open_files
run $p ../script spin 10 limit_open_files 0 spin 20 exit 3
exits 3
leaves p
holds p 10 20

# --- descriptors ---

scene close_all
run $p ../script spin 10 close_all spin 20 exit 3
exits 3
leaves p
says "$(written "$PWD/p")"
holds p 10 20

scene closed_by_program
run $p ../script spin 10 close 0 close 1 close 2 open a open b open c spin 20 exit 3
exits 3
leaves a b c p
says "$(written "$PWD/p")"
holds p 10 20
is "closed_by_program: its own files" "$(cat a b c)" ""

scene closed_at_start
# shellcheck disable=SC2086 # several options in one variable
costgrind $caches $p ../script spin 10 spin 20 exit 3 <&- >&- 2>&-
is "closed_at_start: exit status" $? 3
leaves p
holds p 10 20

# The program's own files get the free numbers.
scene input_and_output_closed
# shellcheck disable=SC2086 # several options in one variable
costgrind $caches $p ../script spin 10 open a open b open c spin 20 exit 3 <&- >&- \
	2>"$scratch/input_and_output_closed.err"
is "input_and_output_closed: exit status" $? 3
leaves a b c p
says "$(written "$PWD/p")"
holds p 10 20
is "input_and_output_closed: the program's own files" "$(cat a b c)" ""

scene stdout_closed
costgrind -q $p ../script spin 10 exit 3 >&-
is "stdout_closed: exit status" $? 3
leaves p
holds p 10

done_testing
