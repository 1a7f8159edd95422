#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind compare --old=GITREV: worktrees, builds, what is left of them.
. "$top_srcdir/tests/lib.sh"
VALGRIND=$VALGRIND_ITSELF # the environment is made by the command

command=$top_builddir/costgrind
unset VALGRIND_LIB
TMPDIR=$PWD/tmp
mkdir tmp
export TMPDIR CC
GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_CONFIG_GLOBAL GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
scratch=$PWD

# compare ARGS...: in the folder of the program; no part of a worktree may be left over.
compare() {
	(cd repo/sub && "$command" compare "$@" >"$scratch/report" 2>"$scratch/err" </dev/null)
	compare_status=$?
	is "nothing is left over" "$(ls tmp) $(git -C repo worktree list | wc -l) $(pgrep -f 'sleep 60[.]85')" " 1 "
	return "$compare_status"
}
# told KEY: of the report.
told() {
	python3 -c 'import json, sys; print(json.load(open("report"))[sys.argv[1]])' "$1"
}
# changed: in instructions.
changed() {
	python3 -c 'import json
totals = json.load(open("report"))["totals"]["Ir"]
print(totals["new"] - totals["old"])'
}

git init -q repo
mkdir repo/sub
cp "$top_srcdir/tests/programs/worker.c" repo/sub/work.c
echo sub/work >repo/.gitignore
# shellcheck disable=SC2016 # for make
printf 'work: work.c\n\t@echo building; $(CC) -g -O1 -o work work.c\n' >repo/sub/Makefile
git -C repo add -A
git -C repo commit -q -m one
git -C repo tag one
sed -i 's/i < rounds/i < rounds + rounds \/ 4/' repo/sub/work.c
git -C repo commit -q -a -m two
git -C repo tag two

compare --old=one --new=two --build=make --format=json -- ./work 100000
is "two revisions" "$? $(cat err)" "0 "
is "they are named" "$(told old) $(told new)" "one two"
more=$(changed)
if [ "$more" -ge 50000 ]; then ok "25 % more work"; else not_ok "25 % more work" "$more"; fi
is "sources are in one place" "$(python3 -c 'import json
places = [(f["file"], f["state"]) for f in json.load(open("report"))["functions"] if f["function"] == "work"]
print(places)')" "[('$scratch/repo/sub/work.c', 'both')]"
is "a worktree of its own was built" "$(find repo/sub -name work)" ""

compare --old=one --build=make --format=json --cache-sim=no ./work 100000
is "the working tree" "$? $(cat err) $(told old) $(told new)" "0  one the working tree"
is "the working tree was built" "$(ls repo/sub/work)" repo/sub/work
is "the working tree has as much work" "$(changed)" "$(compare --old=one --new=HEAD --build=make --format=json --cache-sim=no ./work 100000 >out
	changed)"
sed -i 's/i \* i/i/' repo/sub/work.c
compare --old=two --build=make --format=json --cache-sim=no ./work 100000
is "what is not committed counts" "$? $(changed | cut -c1)" "0 -"
git -C repo checkout -q sub/work.c

compare --old=two --new=two --build=make --show-output --cache-sim=no --calls=no --time=1 -o page.html ./work 1000
is "one revision is the same, whatever its folder" "$? $(sed -n '/Functions:/p' report)" "0 -- Functions: 0 changed themselves, 0 of them new, 0 gone"
is "a page" "$(grep -c 'wrote page.html' err)" 1
python3 "$top_srcdir/tests/report.py" data repo/sub/page.html >data.json
is "a page: sources of the revision" "$(grep -c 'i < rounds + rounds' data.json)" 1
is "native runs are of the revisions" "$(grep -c 'on standard output' err)" 4

# --- failures ---

sed -i 's/int main(/int main/' repo/sub/work.c
compare --old=one --build=make ./work 1
is "a build that fails" "$? $(cat report)$(tail -n 1 err)" "1 costgrind compare: NEW: --build: exited with 2"
is "a build that fails: its output" "$(grep -c 'error: ' err) $(grep -c '^building$' err)" "1 1"
git -C repo checkout -q sub/work.c
compare --old=three ./work 1
is "no such revision" "$? $(cat report err)" "1 costgrind compare: --old=three: expected a revision of this repository"
compare --old=one --new=--all ./work 1
is "no revision, but an option" "$? $(cat report err)" "1 costgrind compare: --new=--all: expected a revision of this repository"
compare --old=one --new=two ./work 1
is "not built" "$? $(cat report err)" "1 costgrind compare: OLD: ./work: No such file or directory"
compare --old=one "$scratch/repo/sub/work" 1
is "one program for both" "$? $(cat report err)" "1 costgrind compare: $scratch/repo/sub/work: expected a path from the current \
directory, which is another one for each revision"
compare --old=one "${scratch}/repository/work" 1
is "... but not of a folder whose name only begins so" "$? $(cat report err)" \
	"1 costgrind compare: OLD: $scratch/repository/work: No such file or directory"
(cd tmp && GIT_CEILING_DIRECTORIES=$scratch "$command" compare --old=one ./work >"$scratch/report" 2>"$scratch/err")
is "no repository" "$? $(cat report; tail -n 1 err)" "1 costgrind compare: --old: expected to be in a git repository"

# --- interrupted ---

(cd repo/sub && exec python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$command" compare --old=one --build='sleep 60.85; true' ./work 1) >report 2>err &
pid=$!
for _ in $(seq 300); do pgrep -f '^sleep 60[.]85' >sleeping && break; sleep 0.1; done
is "there is a worktree meanwhile" "$(git -C repo worktree list | wc -l)" 2
kill -2 "$pid"
wait "$pid"
is "interrupted: status, output" "$? $(cat report err)" "130 "
is "interrupted: nothing is left over" "$(ls tmp) $(git -C repo worktree list | wc -l) $(pgrep -f 'sleep 60[.]85')" " 1 "

done_testing
