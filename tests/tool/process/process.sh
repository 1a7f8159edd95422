#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which processes write which profiles: fork and its kin, exec, children that only exec.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program script -static # starts faster
build_program bare_fork -nostdlib -static
build_program bare_exec -nostdlib -static

p=--costgrind-out-file=p

# ended_by FILE TRIGGER
ended_by() {
	is "$scene: trigger of $1" "$(header desc "$1" | sed -n 's/^Trigger: //p')" "$2"
}

# not_profiled FILE [LIST]: the programs that the profile lists; without LIST, it has no such line.
not_profiled() {
	is "$scene: not profiled, by $1" "$(header desc "$1" | sed -n 's/^Not profiled: //p')" "${2-}"
}

# --- children ---

# unseen PROGRAM: what is said about one that is executed and not profiled.
unseen() {
	echo "costgrind: $1 is executed in place of it, and not profiled; --trace-children=yes does that"
}

scene fork
run $p ../script spin 1000 fork spin 10 print_pid end spin 100 exit 3
child=$(cat "$scratch/fork.out")
exits 3
leaves p "p-$child"
says "$(written "$PWD/p-$child")" "$(written "$PWD/p")"
holds p 1000 100
holds "p-$child" 10
is "fork: the child's pid" "$(header pid "p-$child")" "$child"
is "fork: the child's command" "$(header cmd "p-$child")" "$(header cmd p)"

scene fork_with_pid
run ../script print_pid spin 1000 fork spin 10 print_pid end spin 100
# shellcheck disable=SC2046 # two words
set -- $(cat "$scratch/fork_with_pid.out")
# shellcheck disable=SC2046 # two words
leaves $(printf '%s\n' "costgrind.out.$1" "costgrind.out.$2" | LC_ALL=C sort)
holds "costgrind.out.$1" 1000 100
holds "costgrind.out.$2" 10
is "fork_with_pid: pids" "$(header pid "costgrind.out.$1") $(header pid "costgrind.out.$2")" "$1 $2"

# Only %p gives each process a name of its own.
scene fork_with_other_formats
run --costgrind-out-file=%%p%n ../script fork print_pid end
leaves %p1 "%p1-$(cat "$scratch/fork_with_other_formats.out")"

scene fork_counted
run $p --branch-sim=yes ../bare_fork
exits 0
mv p-* child
totals_are p "Ir=13 Dr=0 Dw=0 Bc=1 Bcm=0 Bi=0 Bim=0"
# The branch is taken.
totals_are child "Ir=7 Dr=1 Dw=1 Bc=1 Bcm=1 Bi=0 Bim=0"

scene forks_in_forks
run $p ../script print_pid fork spin 10 print_pid fork spin 20 print_pid end spin 30 end spin 40 \
	fork spin 50 print_pid end
# shellcheck disable=SC2046 # four words
set -- $(cat "$scratch/forks_in_forks.out")
holds p 40
holds "p-$2" 10 30
holds "p-$2-$3" 20
holds "p-$4" 50
is "forks_in_forks: files" "$(ls -A | wc -l)" 4

scene fork_after_chdir
run $p ../script chdir / fork spin 10 print_pid end
leaves p "p-$(cat "$scratch/fork_after_chdir.out")"

scene clone
run $p ../script spin 1000 clone spin 10 print_pid end spin 100
child=$(cat "$scratch/clone.out")
exits 0
leaves p "p-$child"
holds p 1000 100
holds "p-$child" 10

scene vfork
run $p ../script spin 1000 vfork spin 10
exits 0
is "vfork: files" "$(ls -A | sed 's/^p-[1-9][0-9]*$/p-CHILD/')" "p${newline}p-CHILD"
holds p 1000 10
mv p-* child
holds child
# It goes back from vfork and into _exit, which the dynamic linker may have to find first.
is "vfork: instructions of the child" \
	"$(profile totals child | awk '$1 == "Ir" { print ($2 > 5 && $2 < 10000) ? "few" : $2 }')" few

# --- children that only exec ---

scene system
run $p ../script spin 1000 system 100 : spin 10 exit 3
exits 3
leaves p
says "$(written "$PWD/p")" "$(unseen_children /bin/sh)"
holds p 1000 10
not_profiled p "1 program: /bin/sh"

scene spawn
run $p ../script spin 1000 spawn /bin/true spin 10
exits 0
leaves p
says "$(written "$PWD/p")" "$(unseen_children /bin/true)"
holds p 1000 10
not_profiled p "1 program: /bin/true"

# The child cannot exec, and so is a process like any other.
scene spawn_failed
run $p ../script spin 1000 spawn /no/such spin 10
exits 0
is "spawn_failed: files" "$(ls -A | sed 's/^p-[1-9][0-9]*$/p-CHILD/')" "p${newline}p-CHILD"
holds p 1000 10
mv p-* child
holds child

scene fork_exec
run $p ../script fork spin 40000 exec ../script print ran end spin 10
exits 0
prints ran
leaves p
says "$(written "$PWD/p")" "$(unseen_children ../script)"
holds p 10

# Of several, children's children too, the first one is named; once, and by the first process.
scene fork_exec_several
run $p ../script fork fork exec ../script print inner end end fork exec /bin/true end spin 10
prints inner
holds p 10
is "fork_exec_several: what is said" "$(grep -c 'not profiled' "$scratch/fork_exec_several.err") $(
	grep -c -F "$(unseen_children ../script)" "$scratch/fork_exec_several.err")" "1 1"
not_profiled p "2 programs: ../script, /bin/true"
scene fork_exec_traced
run $p --trace-children=yes ../script fork exec /bin/true end spin 10
is "fork_exec_traced: what is said" "$(grep -c 'not profiled' "$scratch/fork_exec_traced.err")" 0
not_profiled p
scene fork_exec_skipped
run $p --trace-children=yes --trace-children-skip=*/true ../script fork exec /bin/true end \
	fork exec ../script end spin 10
not_profiled p "1 program: /bin/true"
# Each counts once; of more than eight, the first ones.
scene fork_exec_many
for letter in j i h g f e d c b a; do
	ln -s /bin/true $letter
done
# shellcheck disable=SC2046 # words
run $p ../script $(for letter in j i h g f e d c a a; do echo "spawn ./$letter"; done) spin 10
not_profiled p "9 programs: ./a, ./c, ./d, ./e, ./f, ./g, ./h, ./i, ..."
# A list has no name that would be two.
scene fork_exec_comma
ln -s /bin/true 'a, b'
run $p ../script spawn './a, b' spawn /bin/true spin 10
not_profiled p "2 programs: /bin/true, ..."
run $p ../script spawn './a, b' spin 10
not_profiled p "1 program: ..."
# What a terminal takes for a command is not printed.
scene fork_exec_escape
escape=$(printf './\033[31m\302\233\377\303\244')
ln -s /bin/true "$escape"
run $p ../script spawn "$escape" spin 10
says "$(written "$PWD/p")" "$(unseen_children "$(printf './?[31m???\303\244')")"
# A program that cannot be executed has not been; the one that is then is named.
scene fork_unseen_failure
printf 'no format\n' >"$scratch/no_format"
chmod +x "$scratch/no_format"
run $p ../script fork exec "$scratch/no_format" else print failed end spin 10
prints "exec: Exec format error
failed"
is "fork_unseen_failure: what is said" "$(grep -c 'not profiled' "$scratch/fork_unseen_failure.err")" 0
not_profiled p
scene fork_unseen_after_failure
run $p ../script fork exec "$scratch/no_format" else exec /bin/true end spin 10
is "fork_unseen_after_failure: what is said" \
	"$(grep -c -F "$(unseen_children /bin/true)" "$scratch/fork_unseen_after_failure.err")" 1
not_profiled p "1 program: /bin/true"
scene fork_exec_quiet
run $p -q ../script fork exec /bin/true end spin 10
says
not_profiled p "1 program: /bin/true"
scene fork_only
run $p ../script fork end spin 10
is "fork_only: what is said" "$(grep -c 'not profiled' "$scratch/fork_only.err")" 0

# The program that is executed has no descriptor of that.
scene fork_exec_descriptors
run $p ../script system 1 'ls -l /proc/self/fd'
is "fork_exec_descriptors" "$(grep -c '/proc/' "$scratch/fork_exec_descriptors.out") $(
	grep -c memfd "$scratch/fork_exec_descriptors.out")" "1 0"

# 100,000 instructions are more than one needs to set up an exec.
scene fork_work_exec
run $p ../script fork print_pid spin 50000 exec ../script print ran end spin 10
child=$(head -n 1 "$scratch/fork_work_exec.out")
exits 0
prints "$child${newline}ran"
leaves p "p-$child"
says "$(written "$PWD/p-$child")" "$(unseen ../script)" "$(written "$PWD/p")"
holds p 10
holds "p-$child" 50000
ended_by "p-$child" exec
ended_by p "Program termination"
# A child has what was executed in its own place.
not_profiled "p-$child" "1 program: ../script"
not_profiled p "1 program: ../script"

scene fork_exec_failed
run $p ../script fork spin 10 exec /no/such else spin 20 print_pid end spin 30
child=$(tail -n 1 "$scratch/fork_exec_failed.out")
leaves p "p-$child"
holds p 30
holds "p-$child" 10 20
ended_by "p-$child" "Program termination"

# --- exec ---

# One file in each way in which exec can fail.
mkdir "$scratch/targets"
cd "$scratch/targets" || exit 1
mkdir directory
echo "not executable" >plain
echo "exit 8" >no_format
printf '#!/no/such/interpreter\n' >no_interpreter
printf '#!/bin/sh\nexit 6\n' >hashbang
chmod 755 no_format no_interpreter hashbang
chmod 644 plain

scene exec
run $p ../script spin 1000 exec ../script spin 10 print hello exit 4
exits 4
prints hello
leaves p
says "$(written "$PWD/p")" "$(unseen ../script)"
holds p 1000
ended_by p exec
not_profiled p "1 program: ../script"

scene exec_hashbang
run $p ../script spin 1000 exec ../targets/hashbang
exits 6
leaves p
holds p 1000

scene fexecve
run $p ../script spin 1000 fexecve ../script print hello exit 4
exits 4
prints hello
leaves p
holds p 1000
not_profiled p "1 program: $(realpath ../script)"

# fails TARGET REASON: the program goes on, and its profile has what came before and after.
fails() {
	scene "exec_fails_$(basename "$1")"
	run $p ../script spin 10 exec "$1" else spin 20 exit 2
	exits 2
	prints "exec: $2"
	leaves p
	holds p 10 20
	ended_by p "Program termination"
	not_profiled p
}

fails /no/such "No such file or directory"
says "$(written "$PWD/p")"
fails ../targets/directory "Permission denied"
says "$(written "$PWD/p")"
fails ../targets/plain "Permission denied"
says "$(written "$PWD/p")"
# What only the kernel finds out is found out when the profile has been written.
fails ../targets/no_format "Exec format error"

# Valgrind itself cannot come back from this one, whatever the tool.
scene exec_kills_valgrind
"$VALGRIND" --tool=none -q ../script exec ../targets/no_interpreter >none.out 2>none.err
none_status=$?
rm none.out none.err
run $p ../script spin 10 exec ../targets/no_interpreter else spin 20 exit 2
exits $none_status
leaves p
holds p 10

scene exec_nothing
run $p ../script spin 10 exec_nothing spin 20 exit 2
exits 2
leaves p
holds p 10 20

scene exec_counted
cp ../targets/no_format target
run $p --cache-sim=no ../bare_exec
exits 3
totals_are p "Ir=8"
rm target
run $p --cache-sim=no ../bare_exec
exits 3
totals_are p "Ir=8"
cp ../targets/hashbang target
run $p --cache-sim=no ../bare_exec
exits 6
totals_are p "Ir=5"

# Along a PATH most tries fail; the profile is written for the one that does not.
scene execvp
path=$(for i in $(seq 100); do printf '/no/such/%s:' "$i"; done)
mkdir first
cp ../targets/plain first/program
mkdir second
cp ../script second/program
run $p ../script spin 10 setenv PATH "$path$PWD/first:$PWD/second:/also/missing" spin 20 \
	execvp program print hello exit 4
exits 4
prints hello
leaves first p second
says "$(written "$PWD/p")" "$(unseen "$PWD/second/program")"
holds p 10 20
ended_by p exec

scene execvp_failed
run $p ../script spin 10 setenv PATH "$path" execvp program else spin 20 exit 2
exits 2
prints "exec: No such file or directory"
leaves p
says "$(written "$PWD/p")"
holds p 10 20

# A child that goes along PATH does nothing else.
scene execvp_in_child
run $p ../script spin 10 fork setenv PATH "$path/bin" execvp true end spin 20
exits 0
leaves p
holds p 10 20

# --- with --trace-children=yes ---

traced="--trace-children=yes $p"

# The image after exec has the pid of the one before.
scene traced_exec
# shellcheck disable=SC2086 # several options in one variable
run $traced ../script spin 10 exec ../script spin 20 exec ../script spin 30 exit 4
exits 4
leaves p p.1 p.2
holds p.1 10
holds p.2 20
holds p 30
says "$(written "$PWD/p.1")" "$(written "$PWD/p.2")" "$(written "$PWD/p")"
ended_by p.1 exec
ended_by p "Program termination"

scene traced_exec_by_default_name
run --trace-children=yes ../script spin 10 print_pid exec ../script spin 20 print_pid
pid=$(head -n 1 "$scratch/traced_exec_by_default_name.out")
prints "$pid$newline$pid"
leaves "costgrind.out.$pid" "costgrind.out.$pid.1"
holds "costgrind.out.$pid.1" 10
holds "costgrind.out.$pid" 20

# No part is overwritten, whoever wrote it.
scene traced_exec_beside_old_parts
echo old >p.1
echo old >p.3
# shellcheck disable=SC2086
run $traced ../script spin 10 exec ../script spin 20 exec ../script spin 30
leaves p p.1 p.2 p.3 p.4
holds p.2 10
holds p.4 20
holds p 30
is "traced_exec_beside_old_parts: the old ones" "$(cat p.1 p.3)" "old${newline}old"

scene traced_exec_failed
# shellcheck disable=SC2086
run $traced ../script spin 10 exec ../targets/no_format else spin 20 exit 2
exits 2
leaves p
holds p 10 20

scene traced_exec_skipped
# shellcheck disable=SC2086
run $traced --trace-children-skip='*/hash*' ../script spin 10 exec ../targets/hashbang
exits 6
leaves p
holds p 10

scene traced_children
run --trace-children=yes ../script spin 10 system 3 : spin 20 fork exec ../script spin 30 end
exits 0
is "traced_children: files" "$(ls -A | sed 's/[1-9][0-9]*$/PID/')" \
	"$(for i in 1 2 3 4 5; do echo costgrind.out.PID; done)"
is "traced_children: the known loop" "$(for file in *; do spun "$file"; done | sort -n)" \
	"$(spins 30)$newline$(spins 10 20)"

done_testing
