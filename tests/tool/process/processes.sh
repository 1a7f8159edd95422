#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Processes that come about in odd places: each has a file of its own, with what it did itself, and
# programs that follow each other in one process overwrite nothing.
# shellcheck disable=SC2086 # several options in one variable
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program processes -static -pthread -I"$top_srcdir" -I/usr/include/valgrind # starts faster

# One line for the known loop, which is read by awk: Python takes its time.
plain="-q --cache-sim=no --dump-instr=no --compress-strings=no --compress-pos=no"
p="$plain --costgrind-out-file=p"
traced="$p --trace-children=yes"

# go OPTIONS... STEPS: a run whose profiles are p, p-<pid>; pids go in order of what was spun.
go() {
	# shellcheck disable=SC2086,SC2048
	run $* 2>/dev/null
	is "$scene: exit status and messages" "$status $(cat "$scratch/$scene.err")" "0 "
	# shellcheck disable=SC2086
	conserves "$scene: sums" $conserving ./p*
}
conserving=

# turned FILE: the cost of the known loop; nothing if it was not run.
turned() {
	awk '/^fn=/ { known = $0 == "fn=spin" }
		known && /^[0-9]/ { n += $2; ran = 1 }
		END { if (ran) print n }' "$1"
}

# held: of each file, without pids, what it has of the known loop.
held() {
	for held_file in *; do
		echo "$(echo "$held_file" | sed 's/-[1-9][0-9]*/-PID/g') $(turned "$held_file")"
	done | LC_ALL=C sort
}

# holding LINES...: that, as spins() would have it; each line is a file and its numbers.
holding() {
	is "$scene: known loop" "$(held)" "$(for line; do
		# shellcheck disable=SC2086
		set -- $line
		file=$1
		shift
		[ $# -gt 0 ] && echo "$file $(spins "$@")" || echo "$file "
	done)"
}

# --- forks in odd places ---

conserving="--root clone" # is called, and begins a thread
scene threads
go $p ../processes thread 5 spin 10 fork spin 20 end spin 40
holding "p 5 10 40" "p-PID 20"

scene threads_inherit
go $p --fork=inherit ../processes thread 5 spin 10 fork spin 20 end spin 40
holding "p 5 10 40" "p-PID 5 10 20"

# What the other thread took is part of the time that has passed.
scene threads_clock
go $p --deterministic=yes ../processes thread 1000000 note fork compare end compare
prints "later${newline}later"

conserving="--root handle --roots 2"
scene handler
go $p ../processes spin 10 handler spin 20 fork spin 40 end spin 80 end spin 160
holding "p 10 20 80 160" "p-PID 40"

# The child comes out of the handler, too.
scene handler_left
go $p ../processes handler fork_on spin 20 end spin 40
holding "p 20 40" "p-PID 20 40"

# What is not counted is not, in both.  Calls under way are known when they start; each time, each
# is one more.
conserving=
scene stopped
go $p ../processes spin 10 stop fork spin 20 start spin 40 end spin 80 start spin 160
holding "p 10 160" "p-PID 40"
is "stopped: main is there" "$(for file in *; do
	profile calls "$file" | awk -F '\t' '$5 == "main" { print $6 }'
done)" "2${newline}1"

# A region goes on in the child, and is of both.
scene region
go $p --collect-region=one ../processes spin 10 begin one spin 20 fork spin 40 leave one spin 80 \
	end spin 160 leave one
holding "p 20 160" "p-PID 40"
is "region: said" "$(for file in *; do
	sed -n 's/^desc: Region: \(.*\), costs.*/\1/p' "$file"
done)" "1 times, 1 threads${newline}1 times, 1 threads"

scene parts
go $p ../processes spin 10 dump spin 20 fork spin 40 dump spin 80 end spin 160 dump spin 320
holding "p 320" "p-PID 80" "p-PID.1 40" "p.1 10" "p.2 20 160"

# --- children that nobody waits for ---

# appears_one: of a process that is not known, as the only file next to p.
appears_one() {
	for _ in $(seq 200); do
		[ "$(find . -name 'p-*' | wc -l)" -eq 1 ] && return
		sleep 0.05
	done
	not_ok "$scene: no other file appears"
}

scene orphan
go $p ../processes spin 10 orphan spin 20 end spin 40
appears_one
holding "p 10 40" "p-PID 20"

# A name that is not absolute is relative to the directory of the start.
scene daemon
run $p ../processes spin 10 daemon spin 20 dump spin 40 end spin 80
for _ in $(seq 200); do
	[ "$(find . -name 'p-*' ! -name '*.1' | wc -l)" -eq 2 ] && break
	sleep 0.05
done
# The one between has done nothing but fork.
is "daemon: known loop" "$(held)" "p $(spins 10 80)
p-PID ${newline}p-PID-PID $(spins 40)
p-PID-PID.1 $(spins 20)"

# --- programs that follow each other in one process ---

scene parts_and_exec
run $traced ../processes spin 10 dump spin 20 dump spin 40 exec ../processes spin 80 dump \
	spin 160 exec ../processes spin 320 dump spin 640
holding "p 640" "p.1 10" "p.2 20" "p.3 40" "p.4 80" "p.5 160" "p.6 320"
is "parts_and_exec: numbers" "$(sed -n 's/^part: //p' p.1 p.2 p.3 p.4 p.5 p.6 p | tr '\n' ' ')" \
	"1 2 3 4 5 6 7 "

scene parts_by_pid
run $plain --trace-children=yes ../processes spin 10 dump spin 20 exec ../processes \
	spin 40 dump spin 80
is "parts_by_pid" "$(held | sed 's/\.[1-9][0-9][0-9]*/.PID/')" "costgrind.out.PID $(spins 80)
costgrind.out.PID.1 $(spins 10)
costgrind.out.PID.2 $(spins 20)
costgrind.out.PID.3 $(spins 40)"

scene threads_and_exec
run $traced --separate-threads=yes ../processes spin 10 exec ../processes spin 20 exec ../processes \
	spin 40
is "threads_and_exec" "$(held)" "p-01 $(spins 40)
p.1-01 $(spins 10)
p.2-01 $(spins 20)"

scene exec_failed
echo "exit 8" >no_format
chmod 755 no_format
run $traced ../processes spin 10 dump spin 20 exec ./no_format else spin 40 dump spin 80 exec \
	../processes spin 160
rm no_format
holding "p 160" "p.1 10" "p.2 20 40" "p.3 80"

# The child's name stays the child's.
scene fork_and_exec
run $traced ../processes spin 10 fork spin 60000 exec ../processes spin 20 end spin 40 \
	fork exec ../processes spin 80 end
is "fork_and_exec" "$(held | sort -k2n)" "p-PID $(spins 20)
p $(spins 10 40)
p-PID $(spins 80)
p-PID.1 $(spins 60000)"
is "fork_and_exec: files" "$(ls | wc -l)" 4

scene system
run $traced ../processes spin 10 system '../processes spin 20; ../processes spin 40'
is "system" "$(held | grep ' .')" "p $(spins 10)
p-PID-PID $(spins 20)
p-PID-PID $(spins 40)"

# The directory is the first start's.
scene chdir_and_exec
run $traced ../processes spin 10 chdir / exec "$scratch/processes" spin 20 fork spin 40 end
holding "p 20" "p-PID 40" "p.1 10"
scene chdir_and_exec_by_pid
run $plain --trace-children=yes ../processes spin 10 chdir / exec "$scratch/processes" \
	spin 20 fork spin 40 end
is "chdir_and_exec_by_pid" "$(held | cut -d' ' -f2 | sort -n)" \
	"$(spins 10)$newline$(spins 20)$newline$(spins 40)"

# --- whether it counts, from one program to the next ---

inherit="$traced --instr-atstart=inherit"
scene inherit_off
run $inherit ../processes spin 10 exec ../processes spin 20 start spin 40
holding "p 40" "p.1"
scene inherit_on
run $inherit ../processes spin 10 start spin 20 exec ../processes spin 40 exec ../processes spin 80
holding "p 80" "p.1 20" "p.2 40"
scene inherit_stopped
run $inherit ../processes start spin 10 stop exec ../processes spin 20
holding "p" "p.1 10"
scene inherit_child
run $inherit ../processes spin 10 start fork exec ../processes spin 20 end stop \
	fork exec ../processes spin 40 end
is "inherit_child" "$(held | grep ' .')" "p-PID $(spins 20)"
# What a failed exec said is not what the next one says.
scene inherit_failed
echo "exit 8" >no_format
chmod 755 no_format
run $inherit ../processes start spin 10 exec ./no_format else stop exec ../processes spin 20
rm no_format
holding "p" "p.1 10"
scene not_inherited
run $traced --instr-atstart=no ../processes start spin 10 exec ../processes spin 20
holding "p" "p.1 10"

# What looks as if a program had said it, and is not so: none of it is believed.
# forged KIND: where the parts are, and whether the first is counted.
forged() {
	scene "forged_$1"
	# shellcheck disable=SC2086
	VALGRIND_LIB="$COSTGRIND_LIB" python3 \
		"$top_srcdir/tests/tool/process/forge.py" "$1" "$VALGRIND" --tool=costgrind \
		$p --instr-atstart=inherit ../processes spin 10 dump start spin 20 >out 2>&1
	cat out
	rm out
	held
}
believed="p $(spins 20)${newline}p.8 $(spins 10)" # eighth of the process
is "a file that is right" "$(forged right)" "$believed"
for kind in pid path relative image short; do
	is "a file that is not: $kind" "$(forged $kind)" "p $(spins 20)${newline}p.1 "
done

# --- besides ---

scene skip
run --cache-sim=no --costgrind-out-file=p ../processes skip 1000 no_such skip 10 no_other
is "skip: one rule for each pattern" "$(grep -c 'COSTGRIND_SKIP_OBJECT: no object' \
	"$scratch/skip.err")" 2
# --- programs that execute themselves ---

# itself OPTION...: of a program of its own, since some ways remove it.
itself() {
	cp "$scratch/itself" .
	run -q --cache-sim=no --costgrind-out-file=p "$@"
}
build_program itself -static # starts faster
for way in self thread pid parent link descriptor path_descriptor memory memory_path removed; do
	case $way in
	memory*) seems="memfd:image (deleted)" ;;
	removed) seems="itself (deleted)" ;;
	*) seems=itself ;;
	esac
	seems="another name, $seems"
	scene "itself_$way"
	itself --trace-children=no ./itself $way
	exits 0
	prints "$seems"
	says
	holds p 1000
	scene "itself_${way}_traced"
	itself --trace-children=yes ./itself $way
	exits 0
	case $way in
	# Elsewhere, argv[0] is the path, as in Valgrind.
	*descriptor) prints "$PWD/itself, itself" ;;
	*) prints "$seems" ;;
	esac
	says
	case $way in
	parent) # which has a profile of its own
		holds p 1000
		mv p-* p.1
		mv p p.0
		mv p.1 p
		mv p.0 p.1
		;;
	esac
	holds p.1 1000
	case $seems in
	*itself) holds p 10 ;;
	*) is "$scene: profile" "$(profile totals p | cut -d' ' -f1)" Ir ;; # its file has no name, so its code has none
	esac
done
for trace in yes no; do
	scene "itself_refused_$trace"
	itself --trace-children=$trace ./itself refused
	exits 1
	prints "Permission denied"
	holds p 1000 100
	scene "itself_unterminated_$trace"
	itself --trace-children=$trace ./itself unterminated
	exits 1
	prints "Bad address"
	says
	holds p 1000 100
	scene "itself_nothing_$trace"
	itself --trace-children=$trace ./itself nothing
	exits 2
	says
done
# A script is an argument of its interpreter, which opens it.
for way in script memory_script memory_script_descriptor; do
	for trace in yes no; do
		scene "itself_${way}_$trace"
		itself --trace-children=$trace ./itself $way
		exits 0
		case $way in
		script) prints "/dev/fd/9, again" ;;
		*) prints "/proc/self/fd/9, again" ;; # the kernel's name for fexecve's would be /dev/fd/9
		esac
		says
	done
done
# /proc/self/exe of a script is its interpreter.
cat >"$scratch/interpreted" <<'EOT'
#!/bin/sh
exec /proc/self/exe -c 'echo "$0, $*"' name word
EOT
tail -n +2 "$scratch/interpreted" >"$scratch/no_hashbang"
chmod +x "$scratch/interpreted" "$scratch/no_hashbang"
for way in interpreted no_hashbang; do
	for trace in yes no; do
		scene "itself_${way}_$trace"
		itself --trace-children=$trace ../$way
		exits 0
		prints "name, word"
		says
	done
done
# Where the program of another process cannot be found, what is executed is the tool, and a line says so.
cat >"$scratch/other" <<'EOT'
#!/bin/sh
[ -z "$other" ] || exit
other=running ../processes exec /proc/$$/exe
true
EOT
chmod +x "$scratch/other"
scene itself_other
itself --trace-children=yes ../other
is "$scene" "$(grep -c 'exe: the program that runs there cannot be found' "$scratch/$scene.err")" 1
# What has a path of its own is executed, whatever it is.
scene itself_tool
run -q --cache-sim=no --costgrind-out-file=p ../processes spin 10 exec "$COSTGRIND_LIB"/costgrind-*-linux
is "$scene: what it is" "$status $(grep -c 'You cannot run' "$scratch/$scene.err")" "1 1"
# Where nothing is counted, too.
scene itself_uncounted
itself --instr-atstart=no ./itself self
exits 0
prints "another name, itself"

done_testing
