#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads: nothing that any of them does is lost or counted twice.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program threads -pthread -static # starts faster

p=--costgrind-out-file=p

# threads STATUS CALLS TIMES WAY COUNT [PROGRAM]: the known loop has been called so often.
threads() {
	expected_status=$1
	calls=$2
	times=$3
	way=$4
	count=$5
	program=${6-}
	scene "$(echo "$way $count $program" | tr -cs 'A-Za-z0-9_\n' '-')"
	run $p --branch-sim=yes ../threads "$way" "$count" "$times" ${program:+"$program"}
	exits "$expected_status"
	# Each call: 2 * TIMES + 1 instructions, TIMES branches, 1 read to return by; no write.
	is "$scene: the known loop" "$(profile cells p | awk -F '\t' '
		$2 == "spin" {
			n = split($4, words, " ")
			for (i = 1; i <= n; i++)
				if (words[i] ~ /^(Ir|Dr|Dw|Bc|Bi)=/)
					print $3, words[i]
		}')" "$spin_line Ir=$((calls * (2 * times + 1)))
$spin_line Dr=$calls
$spin_line Bc=$((calls * times))"
}

threads 0 1000 10 one_after_another 1000
leaves p
says "$(written "$PWD/p")"
threads 0 200 1000 together 100
leaves p
says "$(written "$PWD/p")"
# Long enough for threads to be switched in the middle of the loop.
threads 0 8 1000000 together 4
threads 0 1 1000 main_ends_first 1

threads 0 100 1000 signals_from_inside 10
threads 0 100 1000 signals_from_outside 10

# --- processes ---

cat >"$scratch/no_format" <<'END'
exit 8
END
printf '#!/bin/sh\nexit 6\n' >"$scratch/hashbang"
chmod 755 "$scratch/no_format" "$scratch/hashbang"

threads 0 60 1000 exec 30 ../no_format
prints "exec: Exec format error"
leaves p
threads 0 60 1000 exec 30 /no/such
prints "exec: No such file or directory"
threads 0 60 1000 exec_by_other_thread 30 ../no_format
threads 6 30 1000 exec 30 ../hashbang
leaves p
threads 6 30 1000 exec_by_other_thread 30 ../hashbang
leaves p

threads 0 60 1000 fork 30
is "$scene: files" "$(ls -A | sed 's/^p-[1-9][0-9]*$/p-CHILD/')" "p${newline}p-CHILD"
mv p-* child
holds child 1000

# --- ends while 30 threads wait ---

threads 7 1 1000 end_by_exit 30
leaves p
threads 7 1 1000 end_at_once 30
leaves p
threads 139 1 1000 end_by_fault 30
leaves p
threads 143 1 1000 end_by_signal 30
leaves p

# --- more threads than Valgrind has room for ---

# Of 20 places one is never used and one is the main thread's: the 19th call does not return.
scene too_many
run -q $p --max-threads=20 ../threads together 30 1000
exits 1
leaves p
says "costgrind: the run ends here: the program has 19 threads at a time, and Valgrind has no room for more; --max-threads=<n> makes it"
is "$scene: nothing else is said" "$(wc -l <"$scratch/$scene.err")" 1
is "$scene: trigger" "$(header desc p | sed -n 's/^Trigger: //p')" "Too many threads"
is "$scene: threads made" "$(profile calls p | awk -F '\t' '$2 == "start" && $5 ~ /pthread_create/ { print $6 }')" 19

done_testing
