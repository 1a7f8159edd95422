#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind run --stable: what a program inherits, how it is kept, what is done where namespaces
# are not allowed; streams, signals, ends.
. "$top_srcdir/tests/lib.sh"
VALGRIND=$VALGRIND_ITSELF # the environment is what is measured
. "$top_srcdir/tests/programs/programs.sh"

# Programs in folders of the system keep their paths: if this is one, they are elsewhere.
case $PWD in
/usr/* | /opt/* | /lib* | /nix/* | /gnu/* | /snap/* | /bin/* | /sbin/*)
	elsewhere=$(mktemp -d /tmp/costgrind-test.XXXXXX) || exit 1
	trap 'rm -rf "$elsewhere"' EXIT
	chmod 755 "$elsewhere"
	cd "$elsewhere" || exit 1
	scratch=$elsewhere
	;;
esac
command=$top_builddir/costgrind
unset VALGRIND_LIB
build surroundings "$top_srcdir/tests/programs/surroundings.c"
build_program script -static

# stable [OPTIONS...] PROG ARGS: standard output of a quick run; $status.
stable() {
	"$command" run --stable -q --cache-sim=no --costgrind-out-file=out "$@" 2>err
}
# line NAME: what the program said about a thing.
line() {
	sed -n "s/^$1 //p" said
}
allowed=yes
"$command" run --stable --print ./surroundings >print.txt
grep -q '^\(cwd\|pid\|program\|host\) *cannot be fixed here$' print.txt && allowed=no

is "the doctor says whether namespaces are allowed" \
	"$("$command" doctor 2>err | sed -n 's/^namespaces  *\(.*allowed\).*/\1/p')" \
	"$([ "$allowed" = yes ] || echo 'not ')allowed"

# --- what a program inherits ---

(
	umask 027
	trap '' USR1
	# shellcheck disable=SC3045 # dash and bash have it
	ulimit -Ss 4096
	exec 7<surroundings
	env ODD=1 "$command" run --stable -q --cache-sim=no --costgrind-out-file=out ./surroundings \
		</dev/null >said 2>err
)
is "nothing is said" "$(cat err)" ""
is "variables, their order and size" "$(line environment | sed 's/ VALGRIND_LIB//')" \
	"4096 COSTGRIND_PADDING HOME LC_ALL LOGNAME MALLOC_ARENA_MAX PATH PERL_HASH_SEED\
 PERL_PERTURB_KEYS PYTHONDONTWRITEBYTECODE PYTHONHASHSEED SHELL TERM TMPDIR TZ USER LD_PRELOAD"
is "limits" "$(line limits)" "stack 8388608 data unlimited files 1024 core 0"
for expected in "cpu 1" "descriptors 0" "input device" "output pipe pipe" "signals default" \
	"umask 022"; do
	is "$expected" "$(line "${expected%% *}")" "${expected#* }"
done
if [ "$allowed" = yes ]; then
	for expected in "cwd /costgrind/work" "pid 2" "user 0" "host localhost" \
		"program /costgrind/bin/program /costgrind/bin/program"; do
		is "$expected" "$(line "${expected%% *}")" "${expected#* }"
	done
	is "the profile has these" "$(sed -n 's/^pid: //p; s/^cmd: //p; 5q' out | tr '\n' ' ')" \
		"2 /costgrind/bin/program "
else
	# Nothing to be skipped: this is what has to be said then.
	"$command" run --stable --cache-sim=no --costgrind-out-file=out ./surroundings >said 2>err
	is "what is not fixed is said" "$(sed -n 's/^costgrind run: .*is: \([^(]*\) (.*/\1/p' err)" \
		"cwd, host, pid, program$([ "$(id -u)" = 0 ] || echo ', user')"
	is "what is not fixed is as it was" "$(line cwd)" "$PWD"
fi

# --- each thing can be kept ---

(
	exec 7<surroundings
	"$command" run -q --cache-sim=no --costgrind-out-file=out ./surroundings >said 2>err
)
descriptors=$(line descriptors)
limits=$(line limits)
# kept WORD WANT: with --keep=WORD, the program says what it says without --stable.
kept() {
	(
		umask 027
		trap '' USR1
		exec 7<surroundings
		stable "--keep=$1" --deterministic=no "$PWD/surroundings" <surroundings >said
	)
	is "keep $1" "$(line "$1")" "$2"
}
kept cwd "$PWD"
kept descriptors "$descriptors"
kept input file
kept output "file file"
kept program "$PWD/surroundings $PWD/surroundings"
kept signals ignored
kept umask 027
kept user "$(id -u)"
kept host "$(uname -n)"
kept limits "$limits"
kept cpu "$(nproc)"
stable --keep=pid ./surroundings >said &
pid=$!
wait "$pid"
is "keep pid: not a namespace's" "$(line pid | sed 's/^2$/two/; s/^[0-9]*$/other/')" other
ODD=1 stable --keep-env=ODD,NONE ./surroundings >said
is "keep a variable" "$(line environment | tr ' ' '\n' | sed -n '/4096/p; /ODD/p; /NONE/p' |
	tr '\n' ' ')" "4096 ODD "
env -i ODD=1 "$command" run --stable -q --keep=environment --cache-sim=no \
	--costgrind-out-file=out ./surroundings >said 2>err
is "keep the environment" "$(line environment | sed 's/^[0-9]* //; s/ VALGRIND_LIB//')" \
	"ODD LD_PRELOAD"
is "print: kept" "$("$command" run --stable --print --keep=umask,pid ./surroundings |
	sed -n 's/ *kept$//p' | tr '\n' ' ')" "pid umask "
is "print: nothing is run" "$("$command" run --stable --print ./surroundings |
	grep -c '^cwd /')" 0

# --- where namespaces are not allowed ---

# without WORDS ARGS...: as in a container that has none of these kinds of namespaces.
without() {
	without_kinds=$1
	shift
	unshare -Ur sh -c '
		for kind in '"$without_kinds"'; do
			echo 0 >"/proc/sys/user/max_${kind}_namespaces" || exit 99
		done
		exec "$@"' sh "$@"
}
if without "user mnt" true 2>err; then
	is "without any: the doctor says so" "$(without "user mnt" "$command" doctor 2>err |
		sed -n 's/^namespaces  *//p')" \
		"not allowed (No space left on device): run --stable leaves paths and pids as they are"
	for kinds in "user mnt" pid; do
		without "$kinds" "$command" run --stable --cache-sim=no --costgrind-out-file=out \
			./surroundings </dev/null >said 2>err
		is "without $kinds: status" $? 0
		is "without $kinds: size" "$(line environment | sed 's/ .*//')" 4096
		is "without $kinds: one line" "$(sed -n '/^costgrind run: /p' err)" "costgrind run:\
 warning: --stable: left as it is: $([ "$kinds" = pid ] || echo 'cwd, host, ')pid$(
		[ "$kinds" = pid ] || echo ', program') (no namespace for it: No space left on device)"
		without "$kinds" "$command" run --stable -q --cache-sim=no \
			--costgrind-out-file=out ./surroundings </dev/null >said 2>err
		is "without $kinds: none with -q" "$(cat err)" ""
	done
	is "without pid: paths are fixed" "$(line cwd)" /costgrind/work
fi

# --- streams ---

is "a pipe is read to its end first" "$( (echo a; sleep 1; echo b) | stable cat)" "a
b"
# A pipe that stays empty is no reason to wait.
mkfifo silent
sleep 5 >silent &
sleeper=$!
"$command" run --stable --cache-sim=no --costgrind-out-file=out "$scratch/script" print x <silent \
	>said 2>err
is "a silent pipe" "$(cat said; sed -n '/^costgrind run: /p' err)" "x
costgrind run: warning: --stable: left as it is: $(sed -n 's/.*is: \(.*, \)input.*/\1/p' err)input\
 (a pipe from which nothing comes)"
kill "$sleeper"
is "standard error stays apart" "$(stable sh -c 'echo out; echo err >&2')" out
is "both to one file, in order" "$("$command" run --stable -q --cache-sim=no \
	--costgrind-out-file=out sh -c 'echo 1; echo 2 >&2; echo 3; echo 4 >&2' 2>&1 | tr '\n' ' ')" \
	"1 2 3 4 "
is "a reader that ends" "$(stable seq 100000 | sed -n 1q; echo end)" end
is "a lot of output" "$(stable seq 100000 | cksum)" "$(seq 100000 | cksum)"
is "what is left behind goes on" "$(timeout 20 "$command" run --stable -q --cache-sim=no \
	--costgrind-out-file=out sh -c '(sleep 1; echo later) & echo first')" "first
later"

# --- ends ---

stable "$scratch/script" exit 42
is "exit status" $? 42
(
	trap '' CHLD
	exec "$command" run --stable -q --cache-sim=no --costgrind-out-file=out "$scratch/script" \
		exit 42
)
is "exit status, ends of children ignored" $? 42
stable sh -c 'kill -TERM $$'
is "a signal" $? 143
python3 - "$command" <<'EOF' >said
import subprocess, sys
print(subprocess.run([sys.argv[1], "run", "--stable", "-q", "--costgrind-out-file=out", "sh", "-c",
                      "kill -USR2 $$"], stderr=subprocess.DEVNULL).returncode)
EOF
is "a signal is passed on" "$(cat said)" -12
"$command" run --stable -q --cache-sim=no --costgrind-out-file=out sh -c \
	'trap "echo got it; exit 5" TERM; echo ready; while :; do sleep 0.1; done' >said 2>err &
pid=$!
for _ in $(seq 100); do
	grep -q ready said && break
	sleep 0.1
done
kill -TERM "$pid"
wait "$pid"
is "a signal to us is one to the program" "$? $(cat said)" "5 ready
got it"
is "its profile is there" "$("$command" check -q out >checked && echo sound)" sound
"$command" run --stable -q --cache-sim=no --costgrind-out-file=out sh -c \
	'echo $$; exec sleep 60.25' >said 2>err &
pid=$!
for _ in $(seq 100); do
	[ -s said ] && break
	sleep 0.1
done
sleep 0.5
kill -KILL "$pid"
wait "$pid" 2>err
sleep 0.5
is "none goes on when we are killed" "$(pgrep -f 'sleep 60[.]25')" ""

# --- profiles ---

mkdir "100%p" && (
	cd "100%p" || exit
	"$command" run --stable -q --cache-sim=no --costgrind-out-file=x.%p "$scratch/script" exit 0
	"$command" run --stable -q --cache-sim=no "$scratch/script" exit 0 &
	wait "$!"
	echo "$!" >pid
)
is "names of profiles" "$(cd "100%p" && ls)" "costgrind.out.$(cat "100%p/pid")
pid
x.$([ "$allowed" = yes ] && echo 2 || cd "100%p" && ls | sed -n 's/^x\.//p')"

# --- scripts and programs that look around ---

mkdir -p at/lib && cp "$scratch/script" at/helper
# shellcheck disable=SC2016 # for that shell
printf '#!/bin/sh\n"$(dirname "$0")/helper" print found\n' >at/go
chmod +x at/go
is "a script finds what is next to it" "$(stable at/go)" found
if [ "$allowed" = yes ]; then
	cp surroundings at/origin && printf '$ORIGIN/../lib' >>at/origin
	stable at/origin >said
	is "a program with \$ORIGIN/.." "$(line program | sed 's/ .*//')" "/costgrind/tree/at/origin"
fi

# --- what cannot be ---

stable ./nothing
is "no such program" "$? $(cat err)" "127 costgrind run: ./nothing: No such file or directory"
stable ..
is "a folder" "$? $(cat err)" "1 costgrind run: ..: Is a directory"
: >plain
stable ./plain
is "no program" "$? $(cat err)" "1 costgrind run: ./plain: Permission denied"
for word in ../x --in=../x a:.. ; do
	stable "$scratch/script" print "$word"
	is "a name that leads out: $word" "$? $(cat err)" "2 costgrind run: $word: --stable moves the\
 current directory, from where .. leads elsewhere: expected another name, or --keep=cwd"
done
is "names with dots" "$(stable "$scratch/script" print a..b/...)" "a..b/..."
is "a name that leads out, kept" "$(stable --keep=cwd "$scratch/script" print ../x)" ../x
"$command" run --keep=cwd "$scratch/script" 2>err
is "keep without stable" "$? $(cat err)" "2 costgrind run: --keep: expected --stable, too"
"$command" run --stable --keep=nothing "$scratch/script" 2>err
is "keep what is not there" "$? $(sed 's/addresses.*/.../' err)" \
	"2 costgrind run: --keep=nothing: expected ..."
VALGRIND=$scratch/nothing "$command" run --stable "$scratch/script" 2>err
is "no Valgrind" "$? $(cat err)" "1 costgrind run: $scratch/nothing: No such file or directory"

done_testing
