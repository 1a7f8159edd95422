# SPDX-License-Identifier: MIT-0
"""Measures tests and benchmarks of pytest as regions of costgrind: pytest --costgrind.

Each test function is a region that has its node id as name, or, if it uses the fixture benchmark, what
that calls.  Collection, fixtures and pytest itself are in none.  Counts do not scatter: a region is measured once.

	costgrind run --stable -- python3 -m pytest --costgrind tests/

The requests are made by libcostgrind-regions.so, which is looked for where costgrind installs it, a folder above this
file, next to this file, and where the dynamic linker looks.
"""
import ctypes
import functools
import gc
import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
import types

import pytest

NAME_BYTES = 255  # of a region; the tool does not look at more


def load_library():
    """The library, or None if costgrind does not run this process; OSError if Valgrind does and there is no library."""
    here = os.path.dirname(os.path.abspath(__file__))
    name = "libcostgrind-regions.so"
    for path in os.path.join(here, "..", name), os.path.join(here, name), name:
        try:
            # Not CDLL, which lets other threads run at each call.
            library = ctypes.PyDLL(path)
            break
        except OSError as error:
            failure = error
    else:
        if "vgpreload" in os.environ.get("LD_PRELOAD", ""):
            raise failure
        return None
    # Without argtypes, which would make each call 150 instructions longer: bytes are passed as they are.
    for request in library.costgrind_region_begin, library.costgrind_region_end:
        request.restype = None
    return library if library.costgrind_is_running() else None


def region_name(nodeid):
    """Node ids that are too long stay different."""
    name = nodeid.replace("\n", " ").encode("utf-8", "replace")
    if len(name) <= NAME_BYTES:
        return name
    end = "~" + hashlib.blake2b(name, digest_size=8).hexdigest()
    return name[:NAME_BYTES - len(end)].decode("utf-8", "ignore").encode() + end.encode()


def _measure(begin, end, name, call):
    __tracebackhide__ = True
    begin(name)
    try:
        return call()
    finally:
        end(name)


async def _measure_async(begin, end, name, call):
    __tracebackhide__ = True
    begin(name)
    try:
        return await call()
    finally:
        end(name)


def fresh(function):
    """A copy whose code has not run: the interpreter adapts code to what it did, so the first region would cost more
    than later ones."""
    return types.FunctionType(function.__code__.replace(), function.__globals__)


class Meter:
    """Measures calls, or just makes them, if library is None."""

    def __init__(self, library, warmup):
        self.library = library
        self.warmup = warmup  # calls before the measured one; None: 1 of benchmarks, 0 of tests
        self.count = 0

    def _prepare(self, nodeid, measure):
        self.count += 1
        return functools.partial(fresh(measure), self.library.costgrind_region_begin,
                                 self.library.costgrind_region_end, region_name(nodeid))

    def call(self, nodeid, function, warmup, arguments):
        """Returns what function returns when it is measured; arguments() returns the arguments of one call."""
        if self.library is None:
            args, kwargs = arguments()
            return function(*args, **kwargs)
        measure = self._prepare(nodeid, _measure)
        # What was left over before is not collected in a region, nor does it depend on how much that was when.
        # Before the warm-up, since it empties what the interpreter keeps for reuse.
        was_enabled = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            for _ in range(warmup):
                args, kwargs = arguments()
                function(*args, **kwargs)
            args, kwargs = arguments()
            return measure(functools.partial(function, *args, **kwargs) if args or kwargs else function)
        finally:
            if was_enabled:
                gc.enable()

    async def call_async(self, nodeid, function, kwargs):
        measure = self._prepare(nodeid, _measure_async)
        was_enabled = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            return await measure(functools.partial(function, **kwargs))
        finally:
            if was_enabled:
                gc.enable()

    def wrap(self, nodeid, function):
        """A test function that is measured."""
        if inspect.iscoroutinefunction(function):
            async def measured(**kwargs):
                return await self.call_async(nodeid, function, kwargs)
        else:
            def measured(*args, **kwargs):
                __tracebackhide__ = True
                return self.call(nodeid, function, self.warmup or 0, lambda: (args, kwargs))
        return measured


class Benchmark:
    """The fixture, as pytest-benchmark's so far as it calls something."""

    def __init__(self, meter, node):
        self._meter = meter
        self._node = node
        self._is_used = False
        marker = node.get_closest_marker("benchmark")
        self.group = marker.kwargs.get("group") if marker else None
        self.name = node.name
        self.fullname = node.nodeid
        self.extra_info = {}
        self.stats = None  # as pytest-benchmark's that is disabled
        self.enabled = False
        self.disabled = True

    def _call(self, function, warmup, arguments):
        __tracebackhide__ = True
        if self._is_used:
            raise RuntimeError("benchmark: expected one call of the fixture in %s" % self._node.nodeid)
        self._is_used = True
        return self._meter.call(self._node.nodeid, function, warmup, arguments)

    def __call__(self, function, *args, **kwargs):
        __tracebackhide__ = True
        warmup = 1 if self._meter.warmup is None else self._meter.warmup
        return self._call(function, warmup, lambda: (args, kwargs))

    def pedantic(self, target, args=(), kwargs=None, setup=None, rounds=1, warmup_rounds=0, iterations=1):
        """Calls target at most as often as requested."""
        __tracebackhide__ = True
        wanted = max(warmup_rounds, 1 if self._meter.warmup is None else self._meter.warmup)

        def arguments():
            made = setup() if setup is not None else None
            return made if made is not None else (args, kwargs or {})

        return self._call(target, min(wanted, warmup_rounds + rounds * iterations - 1), arguments)


class BenchmarkOptions:
    """Options of pytest-benchmark that do nothing here, except --benchmark-only and --benchmark-skip.

    It is not loaded under the tool if this plugin comes first: at its start it runs git, hg and file, and how many
    pieces their output comes in is a matter of time, which moves all memory that is allocated later.
    """
    FLAGS = "autosave disable disable-gc enable only quiet save-data skip verbose"
    VALUES = "calibration-precision columns cprofile cprofile-loops cprofile-top group-by json max-time min-rounds " \
             "min-time name save sort storage time-unit timer warmup-iterations"
    MAYBE = "compare cprofile-dump histogram netrc warmup"
    HOOKS = "compare_machine_info generate_commit_info generate_json generate_machine_info group_stats scale_unit " \
            "update_commit_info update_json update_machine_info"

    def __init__(self, pluginmanager):
        pluginmanager.set_blocked("benchmark")
        # A conftest.py may have them, each with some of these arguments.  They are never called.
        pluginmanager.add_hookspecs(types.SimpleNamespace(
            **{"pytest_benchmark_" + name: self._hook for name in self.HOOKS.split()}))

    @staticmethod
    def _hook(config, benchmarks, benchmarksession, best, worst, unit, sort, group_by, include_data, output_json,
              machine_info, commit_info, compared_benchmark):
        """Of pytest-benchmark."""

    def add(self, group):
        for name in self.FLAGS.split():
            group.addoption("--benchmark-" + name, action="store_true", help="as pytest-benchmark's" if name in (
                "only", "skip") else "of pytest-benchmark: does nothing")
        for name in self.VALUES.split():
            group.addoption("--benchmark-" + name, help="of pytest-benchmark: does nothing")
        for name in self.MAYBE.split():
            group.addoption("--benchmark-" + name, nargs="?", help="of pytest-benchmark: does nothing")
        group.addoption("--benchmark-compare-fail", nargs="+", help="of pytest-benchmark: does nothing")

    def skip(self, item):
        only, is_one = item.config.getoption("--benchmark-only"), "benchmark" in item.fixturenames
        if only and not is_one:
            pytest.skip("Skipping non-benchmark (--benchmark-only active).")
        if is_one and not only and item.config.getoption("--benchmark-skip"):
            pytest.skip("Skipping benchmark (--benchmark-skip active).")


def ignore_bytecode():
    """Compiles what is below the current directory in each run, whether it has a __pycache__ or not: memory is then
    the same.  Packages that are installed there are read, as they always have one.
    """
    installed = os.sep + "site-packages" + os.sep
    here = os.path.join(os.getcwd(), "")
    loaders = importlib._bootstrap_external
    usual = loaders.cache_from_source

    def cache_from_source(path, *args, **kwargs):
        full = os.path.abspath(path)
        if full.startswith(here) and installed not in full:
            raise NotImplementedError  # as where there is no cache at all
        return usual(path, *args, **kwargs)

    loaders.cache_from_source = cache_from_source
    # pytest has a cache of its own, of modules whose assertions it has rewritten.
    rewrite = sys.modules.get("_pytest.assertion.rewrite")
    if hasattr(rewrite, "_read_pyc"):
        rewrite._read_pyc = lambda *args, **kwargs: None


class BenchmarkPlugin:
    """Has the fixture.  Registered late, it wins over other plugins' fixtures."""

    @pytest.fixture
    def benchmark(self, request):
        return Benchmark(request.config.stash[METER], request.node)


METER = pytest.StashKey()
BENCHMARK_OPTIONS = None  # replaces pytest-benchmark


def runs_under_tool():
    try:
        return "--costgrind" in sys.argv and load_library() is not None
    except OSError:
        return False  # which pytest_configure() says


def pytest_addoption(parser, pluginmanager):
    global BENCHMARK_OPTIONS
    group = parser.getgroup("costgrind")
    if runs_under_tool():
        ignore_bytecode()
        if not pluginmanager.hasplugin("benchmark"):
            BENCHMARK_OPTIONS = BenchmarkOptions(pluginmanager)
            BENCHMARK_OPTIONS.add(group)
    group.addoption("--costgrind", action="store_true",
                    help="measure each test, or what its fixture benchmark calls, as a region of costgrind")
    group.addoption("--costgrind-warmup", type=int, metavar="N",
                    help="calls before the one that is measured [1 of benchmarks, 0 of tests]")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    library, warmup = None, config.getoption("--costgrind-warmup")
    if warmup is not None and warmup < 0:
        raise pytest.UsageError("--costgrind-warmup=%d: expected 0 or more" % warmup)
    if config.getoption("--costgrind"):
        if config.getoption("numprocesses", None) or config.getoption("dist", "no") != "no":
            raise pytest.UsageError("--costgrind: expected one process: no -n, no --dist")
        try:
            library = load_library()
        except OSError as error:
            raise pytest.UsageError("--costgrind: %s" % error) from None
    config.stash[METER] = Meter(library, warmup)
    if library is not None or not config.pluginmanager.hasplugin("benchmark"):
        config.addinivalue_line("markers", "benchmark: a benchmark; its arguments are pytest-benchmark's")
        config.pluginmanager.register(BenchmarkPlugin(), "costgrind-benchmark")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    config = session.config
    if not config.getoption("--costgrind"):
        return
    if config.stash[METER].library is None:
        text = "nothing is measured: expected costgrind run --stable -- python3 -m pytest --costgrind"
    elif config.pluginmanager.hasplugin("benchmark") or (
            BENCHMARK_OPTIONS and "no:benchmark" not in config.getoption("plugins")
            and importlib.util.find_spec("pytest_benchmark")):
        text = "the fixture benchmark is costgrind's, not pytest-benchmark's"
    else:
        return
    config.get_terminal_writer().line("costgrind: " + text)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_call(item):
    meter = item.config.stash[METER]
    if BENCHMARK_OPTIONS and hasattr(item, "fixturenames"):
        BENCHMARK_OPTIONS.skip(item)
    if meter.library is None or not isinstance(item, pytest.Function) or "benchmark" in item.fixturenames:
        yield
        return
    function = item.obj
    item.obj = meter.wrap(item.nodeid, function)
    yield
    item.obj = function


def pytest_terminal_summary(terminalreporter, config):
    meter = config.stash[METER]
    if meter.library is not None:
        terminalreporter.write_line("costgrind: %d regions" % meter.count)
