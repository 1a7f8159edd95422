# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls of Python functions of every kind, each in a function of its own."""

import asyncio
import contextlib
import functools
import gc
import re
import sys
import threading


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def recursion():
    fib(9)
    even(7)


# Generators: made, run to the end, left half way, closed, thrown into, delegated to.


def numbers(n):
    for i in range(n):
        yield i


def never():
    yield 1


def echo():
    got = None
    while True:
        try:
            got = yield got
        except KeyError:
            got = "caught"


def outer():
    try:
        yield from middle()
    except ValueError:
        yield "outer"


def middle():
    yield from inner()


def inner():
    try:
        yield 1
        yield 2
    finally:
        cleanup()


def cleanup():
    pass


def left_half_way():
    for i in numbers(10):
        if i == 3:
            break
    any(x > 1 for x in numbers(9))


def generators():
    sum(numbers(5))
    list(x for x in numbers(4))
    # Without sys.setprofile(), 3.13 may end such ones without resuming them, as no handler of theirs is active.
    if sys.version_info < (3, 13):
        left_half_way()
    unused = never()
    del unused
    closed = never()
    closed.close()
    talk = echo()
    next(talk)
    talk.send(1)
    talk.throw(KeyError)
    talk.close()
    nested = outer()
    next(nested)
    nested.throw(ValueError)
    nested.close()
    nested = outer()
    next(nested)
    nested.close()
    list(outer())
    fresh = echo()
    with contextlib.suppress(KeyError):
        fresh.throw(KeyError)
    del fresh
    gc.collect()


# Exceptions through several frames.


def deep(n):
    if n == 0:
        raise LookupError
    deep(n - 1)


def handles():
    try:
        deep(4)
    except LookupError:
        after()


def after():
    pass


def through_c(x):
    if x == 3:
        raise ArithmeticError
    return x


def exceptions():
    handles()
    with contextlib.suppress(ArithmeticError):
        sorted([1, 2, 3, 4], key=through_c)


# What C calls.


def by_last(x):
    return x % 10


def add(a, b):
    return a + b


def upper(match):
    return match.group().upper()


class Value:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __hash__(self):
        return hash(self.n)

    def __lt__(self, other):
        return self.n < other.n

    def __getitem__(self, i):
        return self.n + i

    def __getattr__(self, name):
        return len(name)

    def __call__(self):
        return self.n

    def __len__(self):
        return 3

    def __iter__(self):
        return Steps()

    def __del__(self):
        deleted()

    @property
    def twice(self):
        return 2 * self.n

    @classmethod
    def make(cls):
        return cls(1)

    @staticmethod
    def still():
        return 2


class Steps:
    def __init__(self):
        self.left = 3

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        return self.left


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        return self.name

    def __set__(self, instance, value):
        after()


class Meta(type):
    def __new__(mcs, name, bases, members):
        return super().__new__(mcs, name, bases, members)

    def __call__(cls, *args):
        return super().__call__(*args)


def deleted():
    pass


def callbacks():
    sorted([31, 12, 25], key=by_last)
    functools.reduce(add, range(5))
    re.sub("[a-c]+", upper, "abc dbe")
    list(map(by_last, [1, 2, 3]))
    list(filter(lambda x: x > 1, [1, 2, 3]))
    value = Value(3)
    {value: 1}[Value(3)]
    sorted([Value(3), Value(1), Value(2)])
    value[4]
    value.missing
    value()
    len(value)
    list(value)
    value.twice
    Value.make()
    Value.still()
    del value


def classes():
    class Body:
        one = Descriptor()

        def method(self):
            return super().__repr__()

    class Made(metaclass=Meta):
        def __init__(self, x):
            self.x = x

    body = Body()
    body.one
    body.one = 2
    body.method()
    Made(1)
    with manager():
        after()


@contextlib.contextmanager
def manager():
    yield


def decorated(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        return function(*args, **keywords)

    return wrapper


@decorated
def work(a, *, b=1):
    return [a + x for x in range(b)]


@functools.lru_cache
def cached(n):
    return n if n < 2 else cached(n - 1) + cached(n - 2)


def comprehensions():
    work(1, b=3)
    cached(12)
    [x for x in numbers(3)]
    {x for x in numbers(3)}
    {x: x for x in numbers(3)}
    any(x > 9 for x in numbers(9))
    (lambda *rest: rest)(1, 2)
    exec("def made():\n return 1\nmade()\nmade()")
    eval("cached(3) + fib(2)")


# Coroutines.


async def leaf(n):
    await asyncio.sleep(0)
    return n


async def branch(n):
    return sum([await leaf(i) for i in range(n)])


async def stream(n):
    for i in range(n):
        yield await leaf(i)


class Lock:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        return False


async def failing():
    await leaf(1)
    raise KeyError


async def everything():
    await asyncio.gather(branch(2), branch(3))
    async for _ in stream(3):
        pass
    async with Lock():
        pass
    with contextlib.suppress(KeyError):
        await failing()
    task = asyncio.create_task(forever())
    await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    never_awaited = leaf(1)
    never_awaited.close()


async def forever():
    while True:
        await asyncio.sleep(0)


def coroutines():
    asyncio.run(everything())


# Threads: each with frames of its own, and the global lock from one to another.


def count(n, done):
    for i in range(n):
        step(i)
    done.append(fib(6))


def step(i):
    return i


def threads():
    done = []
    runs = [threading.Thread(target=count, args=(1000, done)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join()


def leave(n):
    if n == 0:
        sys.exit(0)
    leave(n - 1)


def main():
    recursion()
    generators()
    exceptions()
    callbacks()
    classes()
    comprehensions()
    coroutines()
    threads()
    try:
        leave(3)
    except SystemExit:
        after()


sys.setswitchinterval(1e-4)
main()
gc.collect()
