#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/run believes nothing but what adds up.
. "$top_srcdir/tests/lib.sh"

# A build directory of its own, so that its scratch directory is not the one that we are in.
mkdir -p build/tests
: >build/tests/environment

# run OPTIONS... : tests/run in that build directory.
run() {
	top_builddir=$PWD/build sh "$top_srcdir/tests/run" "$@" >build/out 2>build/err
}

limit=60
# verdict NAME BODY COUNTS [LINE]: a suite of one test with this body gives these counts, an exit
# status that fits, and a line that contains LINE.
verdict() {
	printf '%s\n' "$2" >build/case.sh
	run -t "$limit" suite case.sh
	status=$?
	is "$1: counts" "$(cat build/tests/scratch/suite.counts)" "$3"
	case $3 in
	*' 0 '*) is "$1: exit status" $status 0 ;;
	*) is "$1: exit status" $status 1 ;;
	esac
	[ -n "${4-}" ] || return 0
	if grep -qF -e "$4" build/out; then
		ok "$1: says '$4'"
	else
		not_ok "$1: says '$4'" "$(cat build/out)"
	fi
}

verdict "all passed" 'echo 1..2; echo ok 1 - a; echo ok 2 - b' "2 0 0" "(2 passed, "
verdict "plan at the end" 'echo ok 1 - a; echo 1..1' "1 0 0"
verdict "no numbers" 'echo ok; echo ok - b; echo 1..2' "2 0 0"
verdict "skipped" 'echo "ok 1 - a # SKIP no disk"; echo 1..1' "0 0 1" "SKIP suite/case: a # SKIP no disk"
verdict "all skipped" 'echo "1..0 # SKIP no disk"' "0 0 1" "SKIP suite/case: all of it # SKIP no disk"

verdict "processor time" 'echo 1..1; echo ok 1 - a; (python3 -c "import time
while time.process_time() < 0.5: pass")' "1 0 0"
is "processor time: of children too" "$(awk '{ print ($1 >= 0.5), $3 }' build/tests/scratch/suite.times)" "1 case"

verdict "failed" 'echo 1..2; echo ok 1; echo not ok 2 - b; echo "#   why"; exit 1' "1 1 0" "#   why"
verdict "details before" 'echo 1..1; echo "# why"; echo not ok 1 - b; exit 1' "0 1 0" "# why"
verdict "stderr of a failure" 'echo not ok 1; echo 1..1; echo oops >&2; exit 1' "0 1 0" "stderr: oops"
verdict "failed, exit status 0" 'echo 1..1; echo not ok 1 - a' "0 1 0" "exit status 0, though"
verdict "passed, exit status 1" 'echo 1..1; echo ok 1 - a; exit 1' "1 1 0" "exit status 1, though"
verdict "died by a signal" 'echo 1..1; echo ok 1 - a; kill -SEGV $$' "1 1 0" "died by signal 11"
limit=2
verdict "out of time" 'echo 1..1; echo ok 1 - a; while :; do :; done' "1 1 0" "the limit is 2 s"
verdict "out of time, in children" 'echo 1..1; echo ok 1 - a; for i in 1 2 3 4 5 6; do
	timeout 1 sh -c "while :; do :; done"; done' "1 1 0" "the limit is 2 s"
verdict "the clock alone" 'echo 1..1; sleep 4; echo ok 1 - a' "1 0 0"
# Like a job of an interactive shell, it is in a process group of its own; and it ignores SIGTERM.
cat >build/job.py <<'END'
import os, signal, time
os.setpgid(0, 0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
with open("job", "w") as file:
    file.write(str(os.getpid()))
time.sleep(60)
END
verdict "out of time, with a job" 'echo 1..1; echo ok 1 - a; python3 "$top_builddir/job.py" &
	while :; do :; done' "1 1 0" "the limit is 2 s"
job=$(cat build/tests/scratch/suite/case/job)
# Where nobody waits for orphans, it stays as a zombie.
is "out of time, with a job: it has ended" "$(grep '^State' "/proc/${job:-$$}/status" 2>/dev/null | grep -v zombie)" ""
# The first thread of this one ends at once.
cat >build/threads.py <<'END'
import ctypes, threading
def spin():
    while True:
        pass
threading.Thread(target=spin).start()
libc = ctypes.CDLL(None)
libc.pthread_exit(None)
END
verdict "out of time, in a thread that is left" 'echo 1..1; echo ok 1 - a
	python3 "$top_builddir/threads.py"' "1 1 0" "the limit is 2 s"
limit=60
TEST_IDLE=2
export TEST_IDLE
verdict "waits for nothing" 'echo 1..1; echo ok 1 - a; sleep 60' "1 1 0" "did nothing for 2 s"
unset TEST_IDLE
verdict "a process left behind" 'echo 1..1; echo ok 1 - a; sleep 20 & exit 0' "1 1 0" \
	"a process that it started still holds its output"
verdict "no room in files" 'echo 1..1; ulimit -f 0; echo ok 1 - a' "1 0 0"
verdict "no plan" 'echo ok 1 - a' "1 1 0" "no plan"
verdict "no output" 'exit 0' "0 1 0" "no plan"
verdict "plan too large" 'echo 1..3; echo ok 1; echo ok 2' "2 1 0" "plan is 3 tests, 2 were run"
verdict "plan too small" 'echo 1..1; echo ok 1; echo ok 2' "2 1 0" "plan is 1 tests, 2 were run"
verdict "two plans" 'echo 1..1; echo ok 1; echo 1..1' "1 1 0" "a second plan"
verdict "nothing tested" 'echo 1..0' "0 1 0" "nothing was tested"
verdict "wrong numbers" 'echo ok 1; echo ok 3; echo 1..2' "2 1 0" "has the number 3"
verdict "bail out" 'echo 1..1; echo ok 1; echo Bail out! no disk' "1 1 0" "Bail out! no disk"
verdict "a skip that fails" 'echo "not ok 1 - a # SKIP why"; echo 1..1; exit 1' "0 1 0"
verdict "words like results" 'echo okay; echo "not okay"; echo ok 1; echo 1..1' "1 0 0"

# What a test finds around it.
cat >build/around.sh <<'END'
. "$top_srcdir/tests/lib.sh"
is "an empty directory" "$(ls -A)" ""
is "of its own" "$PWD" "$top_builddir/tests/scratch/suite/around"
is "no standard input" "$(cat)" ""
is "no options from outside" "${VALGRIND_OPTS-none} ${COSTGRIND_OPTS-none}" "none none"
is "arguments" "$#:$1:$2" "2:one word:$top_srcdir/tests/run"
is "the home directory" "$HOME" "$PWD"
(trap - INT; kill -INT $(sh -c 'echo $PPID')) 2>/dev/null
is "SIGINT is not ignored" $? 130
: >left
done_testing
END
export VALGRIND_OPTS=--nonsense COSTGRIND_OPTS=--nonsense
run suite "around.sh:one word:tests/run" && run suite "around.sh:one word:tests/run"
is "the surroundings of a test, twice: $(cat build/out)" $? 0

# Several tests: all are counted, one missing is a failure.
printf '%s\n' 'echo 1..1; sleep 1; echo ok 1' >build/slow.sh
printf '%s\n' 'echo 1..1; echo ok 1' >build/fast.sh
run -j 2 suite slow.sh fast.sh missing.sh
is "a missing test: exit status" $? 1
is "a missing test: counts" "$(cat build/tests/scratch/suite.counts)" "2 1 0"
is "a missing test: is named" "$(grep -c '^FAIL suite/missing (no file missing.sh)$' build/out)" 1
is "last line" "$(tail -n 1 build/out)" "suite: 2 passed, 1 failed, 0 skipped"
run suite
is "no test: exit status" $? 1
is "no test: old counts are gone" "$(cat build/tests/scratch/suite.counts)" "0 0 0"
run suite fast.sh ./fast.sh
is "two of one name: exit status" $? 2
run
is "no suite: exit status" $? 2
run -x suite fast.sh
is "unknown option: exit status" $? 2

# lib.sh says what is wrong.
cat >build/library.sh <<'END'
. "$top_srcdir/tests/lib.sh"
ok one
not_ok two "first
second" third
skip three "no reason"
is four "a
b" c
done_testing
END
sh build/library.sh >build/out
is "lib.sh: exit status" $? 1
is "lib.sh: output" "$(cat build/out)" "ok 1 - one
not ok 2 - two
#   first
#   second
#   third
ok 3 - three # SKIP no reason
not ok 4 - four
# got:
#   a
#   b
# want:
#   c
1..4"
echo 'int main(void) { return nothing; }' >build/broken.c
cat >build/broken.sh <<'END'
. "$top_srcdir/tests/lib.sh"
build x ./broken.c
ok unreachable
done_testing
END
(cd build && CC=${CC:-cc} sh broken.sh >out)
is "lib.sh: a failed build: exit status" $? 1
is "lib.sh: a failed build ends the script" "$(sed -n '1p;$p' build/out)" "not ok 1 - build x
1..1"

done_testing
