#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# pytest --costgrind: tests and uses of the fixture benchmark are regions, with pytest-benchmark and without.
. "$top_srcdir/tests/lib.sh"

python=/usr/bin/python3
"$python" -c 'import pytest, pytest_benchmark' 2>/dev/null || {
	skip "pytest" "no python3-pytest and python3-pytest-benchmark"
	done_testing
}

mkdir -p work/tests
cat >work/tests/conftest.py <<'END'
import asyncio
import inspect

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    if inspect.iscoroutinefunction(pyfuncitem.obj):
        asyncio.run(pyfuncitem.obj())
        return True
END
cat >work/tests/test_sums.py <<'END'
import gc
import unittest

import pytest

made = []


def total(n):
    made.append(n)
    a = 0
    for i in range(n):
        a ^= 1
    return a


def test_plain():
    assert total(1000) == 0


@pytest.fixture
def expensive():
    return total(5000)


@pytest.mark.parametrize("n", [10, 20], ids=["a/b: <c>", "x" * 300])
def test_cases(expensive, n):
    total(n)


def test_called(benchmark):
    made.clear()
    assert benchmark(total, n=1000) == 0
    assert made == [1000, 1000]


def test_empty(benchmark):
    benchmark(lambda: None)


def test_pedantic(benchmark):
    def setup():
        made.clear()
        return (1000,), {}
    assert benchmark.pedantic(total, setup=setup, rounds=5) == 0
    made.clear()


def test_once(benchmark):
    made.clear()
    benchmark.pedantic(total, (1000,), warmup_rounds=0)
    assert made == [1000]


def test_two(benchmark):
    benchmark(total, 10)
    with pytest.raises(Exception):
        benchmark(total, 10)


def test_collected(benchmark):
    assert gc.isenabled()
    assert not benchmark(gc.isenabled)
    assert gc.isenabled()


class TestClass:
    def test_method(self):
        total(100)


class Case(unittest.TestCase):
    def setUp(self):
        total(5000)

    def test_unit(self):
        total(100)


async def test_async():
    total(100)
END
cat >work/tests/test_fails.py <<'END'
import pytest


def test_fails():
    assert sum(range(10)) == 0


def test_skipped():
    pytest.skip("not here")
END

# measure OUT ARGS...: in the same surroundings; what pytest says is in OUT.txt.
measure() {
	measure_out=$PWD/$1
	shift
	(cd "${folder:-work}" && "$top_builddir/costgrind" run --stable -q --cache-sim=no --cycles=no \
		--costgrind-out-file="$measure_out" "$python" -m pytest --costgrind -q "$@") \
		>"$measure_out.txt" 2>&1
}

# named NAME: what a region has cost.
named() {
	awk -F '\t' -v name="$1" '$1 == name { print $3 }' regions.txt
}

measure all tests/test_sums.py
is "exit status" $? 0
regions all >regions.txt
long=$(printf '%300s' '' | tr ' ' x)
digest=$("$python" -c 'import hashlib, sys
print(hashlib.blake2b(sys.argv[1].encode(), digest_size=8).hexdigest())' "tests/test_sums.py::test_cases[$long]")
is "names, in the order in which they ran, and times" "$(cut -f 1,2 regions.txt)" "tests/test_sums.py::test_plain	1
tests/test_sums.py::test_cases[a/b: <c>]	1
$(printf 'tests/test_sums.py::test_cases[%s' "$long" | cut -c 1-238)~$digest	1
tests/test_sums.py::test_called	1
tests/test_sums.py::test_empty	1
tests/test_sums.py::test_pedantic	1
tests/test_sums.py::test_once	1
tests/test_sums.py::test_two	1
tests/test_sums.py::test_collected	1
tests/test_sums.py::TestClass::test_method	1
tests/test_sums.py::Case::test_unit	1
tests/test_sums.py::test_async	1"
is "what is said" "$(grep '^costgrind' all.txt)" "costgrind: the fixture benchmark is costgrind's, not pytest-benchmark's
costgrind: 12 regions"
empty=$(named tests/test_sums.py::test_empty)
is "a call that does nothing costs some 1,600 instructions" "$((empty > 500 && empty < 4000))" 1
# Not all are alike: a loop that makes an object and drops it costs 5 % more where the interpreter's pool of such objects has
# room for just one, and is taken out of a list and put back each time.
once=$(named tests/test_sums.py::test_once)
is "1000 iterations" "$((once > 20 * empty))" 1
for name in test_plain test_called test_pedantic; do
	more=$(($(named tests/test_sums.py::$name) - once))
	is "$name: measured once, within 6 % of test_once" "$((more * 100 < once * 6 && -more * 100 < once * 6))" 1
done
for name in 'test_cases[a/b: <c>]' TestClass::test_method Case::test_unit; do
	ir=$(named "tests/test_sums.py::$name")
	is "$name: without what prepares it" "$((ir > empty && ir * 5 < once))" 1
done

# In another folder, with other variables.
mkdir -p elsewhere/with/a/longer
cp -r work elsewhere/with/a/longer/name
folder=elsewhere/with/a/longer/name
export HOME=/tmp SOMETHING=else PYTHONHASHSEED=random
measure again tests/test_sums.py
is "again" "$? $(regions again)" "0 $(cat regions.txt)"
is "... nothing is left of a run" "$(ls -A work elsewhere/with/a/longer/name work/tests | tr '\n' ' ')" \
	"elsewhere/with/a/longer/name: tests  work: tests  work/tests: conftest.py test_fails.py test_sums.py "
folder=work

# Byte code that is there is not read: this would end the run.
mkdir work/tests/__pycache__
cp work/tests/conftest.py conftest.py
echo 'raise SystemExit("read")' >work/tests/conftest.py
touch -r conftest.py work/tests/conftest.py
(cd work && env -u PYTHONDONTWRITEBYTECODE "$python" -c 'import py_compile
py_compile.compile("tests/conftest.py", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)')
mv conftest.py work/tests
for file in work/tests/__pycache__/*.pyc; do
	cp "$file" "${file%.pyc}-pytest-$("$python" -c 'import pytest; print(pytest.__version__)').pyc"
done
measure cached tests/test_sums.py
is "byte code is not read" "$? $(grep -c '^12 passed' cached.txt)" "0 1"
rm -r work/tests/__pycache__

# Options of pytest-benchmark, and hooks for it.
cat >work/tests/test_options.py <<'END'
def test_plain():
    pass


def test_fixture(benchmark):
    benchmark(int)
END
cp work/tests/conftest.py conftest.py
printf 'def pytest_benchmark_update_json(config, benchmarks, output_json):\n    pass\n' >>work/tests/conftest.py
measure options --benchmark-only --benchmark-min-rounds=3 --benchmark-sort name tests/test_options.py
is "options and hooks of pytest-benchmark" "$? $(regions options | cut -f 1)" "0 tests/test_options.py::test_fixture"
mv conftest.py work/tests

# The example of the manual, and what does not pass.
sed -n '/^## pytest$/,/^## /{ /^```python$/,/^```$/{ /^```/d; p; }; }' "$top_srcdir/docs/BENCH.md" >work/tests/test_example.py
measure fails -p no:benchmark tests/test_example.py tests/test_fails.py
is "the example, and a test that fails: exit status, regions" "$? $(regions fails | cut -f 1,2)" "1 tests/test_example.py::test_total	1
tests/test_example.py::test_benchmark	1
tests/test_fails.py::test_fails	1
tests/test_fails.py::test_skipped	1"
is "only that one fails" "$(grep -c '^1 failed, 2 passed, 1 skipped' fails.txt)" 1

# What pytest-xdist adds.
cat >work/fake_xdist.py <<'END'
def pytest_addoption(parser):
    parser.addoption("--numprocesses", dest="numprocesses", type=int)
END
(cd work && PYTHONPATH=.:$top_builddir/python "$python" -m pytest -p pytest_costgrind -p fake_xdist --costgrind --numprocesses=2 \
	>../parallel.txt 2>&1)
is "several processes" "$? $(grep -v '^$' parallel.txt)" "4 ERROR: --costgrind: expected one process: no -n, no --dist"

# Without pytest-benchmark, and with other warm-ups.
cat >work/tests/test_warm.py <<'END'
calls = []


def test_plain():
    calls.append("plain")


def test_fixture(benchmark):
    benchmark(calls.append, "fixture")


def test_calls():
    print(*calls)
END
measure warm -s -p no:benchmark tests/test_warm.py --costgrind-warmup=2
is "--costgrind-warmup" "$? $(grep -o 'plain.*fixture$' warm.txt)" "0 plain plain plain fixture fixture fixture
plain plain plain fixture fixture fixture
plain plain plain fixture fixture fixture"
is "without pytest-benchmark" "$(grep '^costgrind' warm.txt)" "costgrind: 3 regions"

# How pytest finds the plugin.
told() {
	PYTHONPATH=/old PYTEST_ADDOPTS="-v other" "$top_builddir/costgrind" run -q --cache-sim=no --cycles=no \
		--costgrind-out-file=told "$@"
}
# shellcheck disable=SC2016 # expanded by the inner shell
show='echo "$PYTHONPATH $PYTEST_ADDOPTS"'
is "run" "$(told sh -c "$show" --costgrind)" "$top_builddir/python:/old -p pytest_costgrind -v other"
is "run --stable" "$(told --stable sh -c "$show" --costgrind)" \
	"$top_builddir/python -p pytest_costgrind -o cache_dir=/costgrind/tmp/pytest"
is "run --stable --keep-env" "$(told --stable --keep-env=PYTHONPATH,PYTEST_ADDOPTS sh -c "$show" --costgrind)" \
	"$top_builddir/python:/old -p pytest_costgrind -o cache_dir=/costgrind/tmp/pytest -v other"
is "run, another program" "$(told sh -c "$show" --costgrinder)" "/old -v other"

# Without the tool.
export PYTHONPATH="$top_builddir/python" PYTEST_PLUGINS=pytest_costgrind PYTHONDONTWRITEBYTECODE=1
cd work || exit
"$python" -m pytest --costgrind -q -s -p no:cacheprovider -p no:benchmark tests/test_warm.py >native.txt 2>&1
is "without the tool: exit status, calls" "$? $(grep -o 'plain.*fixture' native.txt)" "0 plain fixture"
is "without the tool: what is said" "$(grep '^costgrind' native.txt)" \
	"costgrind: nothing is measured: expected costgrind run --stable -- python3 -m pytest --costgrind"
cat >test_whose.py <<'END'
def test_whose(benchmark):
    assert type(benchmark).__module__ == "pytest_benchmark.fixture"
END
for option in "" --costgrind; do
	"$python" -m pytest -q -p no:cacheprovider ${option:+"$option"} test_whose.py >native.txt 2>&1
	is "without the tool, with pytest-benchmark $option" "$? $(grep -c '^1 passed' native.txt)" "0 1"
done
"$python" -m pytest --costgrind-warmup=-1 >native.txt 2>&1
is "a number that is none" "$? $(grep -v '^$' native.txt)" "4 ERROR: --costgrind-warmup=-1: expected 0 or more"
done_testing
