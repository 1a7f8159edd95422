#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Several cores (--cores): which lines move between them, derived by hand.  Barriers make threads take turns, whatever the
# schedule.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program cores -pthread -O1

caches="--cache-sim=yes --machine=generic --cores=4"
p=--costgrind-out-file=p

# way NAME: a run.
way() {
	scene "$1"
	run $p ../cores "$1"
	exits 0
}

# of FUNCTION EVENT: its sum in the profile.
of() {
	profile cells p | awk -F '\t' -v function_name="$1" -v event="$2" '
		$2 == function_name {
			n = split($4, words, " ")
			for (i = 1; i <= n; i++)
				if (sub("^" event "=", "", words[i]))
					sum += words[i]
		}
		END { print sum + 0 }'
}

# between LEAST MOST NUMBER: yes, or the number.
between() {
	[ "$3" -ge "$1" ] && [ "$3" -le "$2" ] && echo yes || echo "$3"
}

# Four threads, 100 rounds; the last one of a round may be the first one of the next.
way false
is "false: lines come from the core that counted before" "$(between 300 399 "$(of count Dcoh)")" yes
is "false: and are taken from it" "$(of count Dupg)" "$(of count Dcoh)"
is "false: nothing else is missed but once" "$(of count D1mr)" $(($(of count Dcoh) + 1))

way padded
is "padded: nothing moves" "$(of count Dcoh) $(of count DcohW) $(of count Dupg)" "0 0 0"
is "padded: each line is missed once" "$(of count D1mr)" 4

# 24 KiB are 384 lines.
way private
is "private: four D1 have all lines" "$(of sum D1mr)" $((4 * 384))
is "private: nothing moves" "$(of sum Dcoh)" 0

# 16 KiB are 256 lines.
way handover
is "handover: each line comes from the writer" "$(of sum Dcoh)" $((100 * 256))
is "handover: and is missed by that only" "$(of sum D1mr)" $((100 * 256))
is "handover: each line is taken from the reader" "$(of fill Dupg)" $((99 * 256))
is "handover: and missed at first only" "$(of fill D1mw)" 256

way kernel
is "kernel: what it has written is not in the reader's core" "$(of look D1mr)" 100
is "kernel: nor in another one" "$(of look Dcoh)" 0

way fork
is "fork: the parent goes on" "$(of fill D1mw)" 256
# profiles_of WAY: the run of a program that forks; its profiles are p.PID.
profiles_of() {
	scene "$1_child"
	run --costgrind-out-file=p.%p ../cores "$1"
	exits 0
}

profiles_of fork
for file in p.*; do
	mv "$file" p
	[ "$(of sum Ir)" -eq 0 ] || break
done
is "fork: the child's other cores are empty" "$(of sum D1mr) $(of sum Dcoh)" "256 0"

profiles_of branches
is "branches: a core forgets them in a fork" "$(for file in p.*; do
	mv "$file" p
	echo "$(of wander Ir) $(of wander Bcm)"
done | uniq -c | sed 's/^ *//; s/ [1-9].*//')" 2

way many
is "many: threads that follow each other have their lines" "$(of count D1mr) $(of count Dcoh)" "4 0"
is "many: several cores" "$(grep -c '^desc: Cores: 4,' p)" 1

# One core is what it was; a program with one thread has no column.
scene one
caches="--cache-sim=yes --machine=generic --cores=1"
run $p ../cores handover
exits 0
is "one core: no column" "$(grep -c 'Dcoh\|^desc: Cores' p)" 0
scene single
caches="--cache-sim=yes --machine=generic --cores=4"
run $p /bin/true
exits 0
mv p of4
caches="--cache-sim=yes --machine=generic --cores=1"
run $p /bin/true
exits 0
is "one thread: the profile names the option" "$(grep -c '^desc: Options: --cores=4$' of4)" 1
is "one thread: and is the same otherwise" "$(sed '/^pid: /d; /^desc: Options: --cores=4$/d' of4)" "$(sed '/^pid: /d' p)"

done_testing
