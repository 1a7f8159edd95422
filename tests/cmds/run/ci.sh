#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of docs/CI.md, of the action for GitHub and of the job for GitLab do what they shall.
. "$top_srcdir/tests/lib.sh"

commands() {
	python3 "$top_srcdir/tests/cmds/run/ci_commands.py" "$@"
}
mkdir bin project
ln -s "$top_builddir/costgrind" bin/costgrind
PATH=$PWD/bin:$PATH
export PATH VALGRIND VALGRIND_LIB="$COSTGRIND_LIB"

# The program to be built by `make bench`: its cost is in one number.
# Options for the commands are divided at blanks: the compiler is to name files without.
cd "$(unspaced "$PWD")/project" || exit
mkdir .git
cat >bench.c <<'END'
static __attribute__((noinline)) int work(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum & 1;
}

int main(void)
{
	return work(N) & 0;
}
END
printf 'bench: bench.c\n\t%s -O1 -g -DN=$(N) -o $@ bench.c\n' "$CC" >makefile
# number N: bench is to be built with that.
number() {
	rm -f bench
	N=$1
	export N
}

for text in block:baseline:docs/CI.md block:job:docs/CI.md step:Install\ costgrind:docs/ci/action.yml \
	step:Count:docs/ci/action.yml step:Compare:docs/ci/action.yml; do
	what=${text%%:*}
	file=${text##*:}
	name=${text#*:}
	name=${name%:*}
	commands "$what" "$name" "$top_srcdir/$file" >"../${name%% *}.sh"
	is "$file: $name" $? 0
done
commands script "$top_srcdir/docs/ci/gitlab.yml" >../gitlab.sh
commands defaults "$top_srcdir/docs/ci/gitlab.yml" >../gitlab.variables
commands defaults "$top_srcdir/docs/ci/action.yml" >../action.variables
commands block limits "$top_srcdir/docs/CI.md" >perf.limits
is "the job has five lines" "$(wc -l <../job.sh)" 5

number 100000
make -s bench
sh -e ../baseline.sh >../baseline.log 2>&1
is "baseline" "$? $(ls .costgrind)" "0 main.cg"

# job NAME SCRIPT WANT: its exit status; the summary is in costgrind.md.
job() {
	make -s bench
	rm -f costgrind.new costgrind.md
	sh -e "../$2" >../job.log 2>../job.err
	is "$1: exit status" $? "$3"
	is "$1: limits broken" "$(grep -c 'costgrind diff: perf.limits:.*: broken: ' ../job.err)" \
		"$([ "$3" -eq 0 ] && echo 0 || echo 3)"
	is "$1: the summary" "$(sed -n '3s/ .*/ .../p; s/^\*\*Limits\*\*: \([0-9] of [0-9]\).*/\1/p' costgrind.md | tr '\n' ' ')" \
		"### ... $([ "$3" -eq 0 ] && echo 0 || echo 3) of 5 "
}

# A file that is there before keeps its owner and mode, so that its reader can read it.
commands block readable "$top_srcdir/docs/CI.md" >../readable.sh
rm -f costgrind.new
(umask 077 && sh -e ../readable.sh)
inode=$(stat -c %i costgrind.new)
sh -e ../baseline.sh >../readable.log 2>&1
is "readable: the profile" "$? $(stat -c '%a %i' costgrind.new) $(head -n 1 costgrind.new)" \
	"0 644 $inode # callgrind format"

# The action as GitHub would run it: each step by itself, inputs as variables.
cat >../action.sh <<'END'
set -a
. ../action.variables
COMMAND=./bench
LIMITS=perf.limits
GITHUB_OUTPUT=../action.output
GITHUB_STEP_SUMMARY=../action.summary
set +a
: >"$GITHUB_OUTPUT"
: >"$GITHUB_STEP_SUMMARY"
sh -e ../Install.sh
sh -e ../Count.sh
sh -e ../Compare.sh
END
cat >../gitlab_job.sh <<'END'
set -a
. ../gitlab.variables
COSTGRIND_LIMITS=perf.limits
set +a
. ../gitlab.sh
END

cat >../more.sh <<'END'
for i in $(seq 64); do
	export "MORE_$i=a variable with some text in it"
done
. ../job.sh
END

# 30 % more of the loop: the whole program and work() are beyond their limits; work() has two.
for script in job action gitlab_job; do
	number 100000
	job "$script, the same" $script.sh 0
	number 130000
	job "$script, slower" $script.sh 3
	number 70000
	job "$script, faster" $script.sh 0
done
number 130000
job "the action" action.sh 3
is "the action's output" "$(cat ../action.output)" "profile=$PWD/costgrind.new"
is "the action's summary" "$(cmp ../action.summary costgrind.md)" ""
is "it names the function" "$(grep -c '`bench.c:work\|/bench.c:work' costgrind.md | sed 's/[1-9].*/some/')" some

# 64 variables more change nothing.
number 100000
job "before" job.sh 0
grep '^totals' costgrind.new >../before
job "with other variables" more.sh 0
is "the same counts" "$(grep '^totals' costgrind.new)" "$(cat ../before)"

# with VARIABLES...: job and action with these inputs as well, as gitlab has them.
with() {
	for script in action gitlab_job; do
		cp ../$script.sh ../$script.with.sh
		for with_variable; do
			sed -i "/^set +a/i\\
$with_variable\\
COSTGRIND_$with_variable" ../$script.with.sh
		done
	done
}
# A baseline that is unlike, and one that is not there: the reason is in the summary.
sed 's/^desc: Counting: .*/desc: Counting: valgrind/' .costgrind/main.cg >.costgrind/unlike.cg
for reason in unlike:'Counting: OLD valgrind, NEW architectural' nowhere:'nowhere.cg: cannot open: No such file or directory'; do
	with "BASELINE=${reason%%:*}"
	for script in action gitlab_job; do
		: >../action.summary
		sh -e ../$script.with.sh >../job.log 2>../job.err
		is "$script, ${reason%%:*}: exit status" $? 1
		is "$script, ${reason%%:*}: the summary" "$(head -n 1 costgrind.md; grep -c "${reason#*:}\`" costgrind.md)" \
			"### No comparison of \`costgrind.new\` with \`$PWD/.costgrind/${reason%%:*}.cg\`
1"
		[ $script = gitlab_job ] || is "$script, ${reason%%:*}: its page" "$(cmp ../action.summary costgrind.md)" ""
	done
done

# A program that fails is no run to compare.
with COMMAND=false
: >../action.summary
sh -e ../action.with.sh >../job.log 2>../job.err
is "a program that fails: exit status and summary" "$? $(cat ../action.summary)" \
	"1 ### The program ended with exit code 1 under costgrind run"

# Saving: on the first run, when no limit is broken, and not when one is.
with BASELINE=fresh SAVE=yes
for script in action gitlab_job; do
	rm -f .costgrind/fresh.cg
	for run in 130000:0:"no baseline yet" 130000:0 100000:0 130000:3; do
		number "${run%%:*}"
		make -s bench
		sh -e ../$script.with.sh >../job.log 2>../job.err
		is "$script, saving: $run" "$? $(grep -c 'no baseline yet' ../job.err) $(grep -c '^No baseline yet' costgrind.md) $(
			grep -c "^total.* $(sed -n 's/^totals: \([0-9]*\) .*/\1/p' costgrind.new) " .costgrind/fresh.cg)" \
			"$(echo "$run" | sed 's/.*:0:.*/0 1 1 1/; s/.*:0$/0 0 0 1/; s/.*:3$/3 0 0 0/')"
	done
done
rm .costgrind/fresh.cg

# Options of diff, and another baseline: without a map, all is new.
sed "s,$PWD,/elsewhere,g" .costgrind/main.cg >.costgrind/moved.cg
is "the folder is in the baseline" "$(grep -c '/elsewhere/bench' .costgrind/moved.cg | sed 's/[1-9].*/some/')" some
number 100000
for script in action gitlab_job; do
	cp ../$script.sh ../options.sh
	sed -i '/^set +a/i\
BASELINE=moved\
COSTGRIND_BASELINE=moved\
DIFF_OPTIONS="--source-map=/elsewhere=. --source-map=$PWD=."\
COSTGRIND_DIFF_OPTIONS=$DIFF_OPTIONS' ../options.sh
	job "$script, from another folder" options.sh 0
	is "$script: compared with another baseline" "$(sed -n '3s/.*\(moved.cg\).*/\1/p' costgrind.md)" moved.cg
	is "$script: nothing is new" "$(grep -c '(new)\|bench.c.*(gone)' costgrind.md)" 0
done
done_testing
