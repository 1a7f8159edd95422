#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind machine --measure: what is measured is a machine, is kept, and is what --machine=host then simulates.
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind

is "a folder that is not there" "$("$program" machine --measure -o none/m.machine 2>&1; echo $?)" \
	"costgrind machine: none/m.machine: No such file or directory
1"
is "no folder to keep it in" "$(unset HOME; "$program" machine --measure 2>&1; echo $?)" \
	"costgrind machine: --measure: expected a home folder, or --output=FILE
1"
is "another machine" "$("$program" machine --measure zen4 2>&1; echo $?)" \
	"costgrind machine: zen4: expected no machine, or host, with --measure
2"

"$program" machine --format=file -q >told.machine
"$program" machine --measure >text 2>err
is "exit status" $? 0
measured=$(find "$HOME/.cache/costgrind/machines" -name '*.machine')
is "kept, and said where" "$(tail -n 1 err)" "costgrind machine: kept in $measured"
is "nothing else was left there" "$(ls -A "$(dirname "$measured")")" "$(basename "$measured")"
is "shown as machines are" "$("$program" machine "$measured" | cmp - text)" ""
is "the host is that one now" "$("$program" machine | cmp - text)" ""

# Levels are ever farther away, and no number is absurd.  (Where a program cannot flush lines, or make code, less is measured.)
python3 - "$measured" told.machine >checked <<'END'
import re, sys
def read(path):
    lines = [re.split(r'[ ;]+', line) for line in open(path) if line.strip()]
    costs = {line[1]: int(line[2]) for line in lines if line[0] == 'cost'}
    levels = {line[0]: line for line in lines if re.fullmatch('L[1-4][ID]?', line[0])}
    return costs, levels
costs, levels = read(sys.argv[1])
told_costs, told = read(sys.argv[2])
near = [costs[name] for name in ('L1D', 'L2', 'L3', 'memory') if name in costs]
print('farther', near == sorted(near) and len(set(near)) == len(near))
print('L1D', 2 <= costs['L1D'] <= 8, levels['L1D'][1:3] == told['L1D'][1:3])
print('walk', costs.get('STLB', 1) <= costs.get('walk', 1))
print('mispredict', 5 <= costs['mispredict'] <= 60)
text = open(sys.argv[1]).read()
print('sources', len(re.findall(r'; (?:size: |first: )?measured \d{4}-\d\d-\d\d, ', text)) >= 10)
END
is "its numbers are possible" "$(cat checked)" "farther True
L1D True True
walk True
mispredict True
sources True"

# The tool takes it for the host, and profiles say so.
costgrind -q --machine=host --costgrind-out-file=host.out true
is "the tool's host" "$(sed -n 's/^desc: \(Machine: host (file [0-9a-f]\{8\}), .*measured [-0-9]* at [0-9.]* GHz\)$/\1/p' host.out | wc -l)" 1
costgrind -q --machine="$measured" --costgrind-out-file=file.out true
is "... is that file" "$(grep '^desc: Machine' file.out)" "$(grep '^desc: Machine' host.out)"
costgrind -q --deterministic=yes --machine=host --costgrind-out-file=stable.out true
is "not with --deterministic=yes" "$(grep -c '^desc: Machine: host.*measured' stable.out)" 0
sed 's/^cost memory [0-9]*/cost memory 1234/' "$measured" >other.machine
costgrind -q --machine=other.machine --costgrind-out-file=other.out true
echo 'total Ir +1%' >limits
"$program" diff --limits=limits host.out other.out >text 2>err
is "another file of that name is another machine" "$? $(grep -c 'Machine: OLD .*[0-9a-f]\{8\}), .*NEW .*[0-9a-f]\{8\}), ' err)" "1 1"

# A file that is none any more stops nobody.
echo nonsense >"$measured"
costgrind -q --machine=host --costgrind-out-file=broken.out true 2>err
is "a broken file: the host as it describes itself" "$? $(grep -c '^desc: Machine: host (file' broken.out)" "0 0"
is "... with a line" "$(cat err)" ""
costgrind --machine=host --costgrind-out-file=broken.out true 2>err
is "... unless -q" "$(grep -c "$measured:1:1: expected" err)" 1
"$program" machine --format=file >broken.machine 2>err
is "... of commands, too" "$? $(cmp broken.machine told.machine) $(grep -c "warning: $measured:1:1: expected" err)" "0  1"
done_testing
