/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls with pointers that lead nowhere, and times that are none; prints how each failed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const long bad = 16; /* an address without memory */
static int word;

/* In memory that may not be written, as constants are. */
static const struct timespec negative = { -1, 0 };
static const struct timespec odd = { 0, 1000000000 };
static const struct timespec past = { 1000, 5 };
static const struct timespec never = { INT64_MAX, 999999999 };

static void call(const char *name, long number, long a, long b, long c, long d, long e)
{
	long result = syscall(number, a, b, c, d, e, -1L);

	printf("%s: %s\n", name, result >= 0 ? "ok" : strerror(errno));
}

static void times_of_futex(void)
{
	long at = (long)&word, wait = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;

	call("futex bad", SYS_futex, at, wait, 0, bad, 0);
	call("futex negative", SYS_futex, at, wait, 0, (long)&negative, 0);
	call("futex odd", SYS_futex, at, wait | FUTEX_CLOCK_REALTIME, 0, (long)&odd, 0);
	call("futex past", SYS_futex, at, wait | FUTEX_CLOCK_REALTIME, 0, (long)&past, 0);
	call("futex other value", SYS_futex, at, wait, 1, (long)&never, 0);
	call("futex wake", SYS_futex, at, FUTEX_WAKE, 1, bad, 0);
}

static void sleeps(void)
{
	call("nanosleep bad", SYS_nanosleep, bad, 0, 0, 0, 0);
	call("nanosleep none", SYS_nanosleep, 0, 0, 0, 0, 0);
	call("nanosleep odd", SYS_nanosleep, (long)&odd, 0, 0, 0, 0);
	call("clock_nanosleep bad", SYS_clock_nanosleep, 0, 1, bad, 0, 0);
	call("clock_nanosleep negative", SYS_clock_nanosleep, 0, 1, (long)&negative, 0, 0);
	call("clock_nanosleep past", SYS_clock_nanosleep, 0, 1, (long)&past, 0, 0);
	call("clock_nanosleep clock", SYS_clock_nanosleep, 77, 1, (long)&past, 0, 0);
	call("poll bad", SYS_poll, bad, 1, 1, 0, 0);
	call("ppoll bad", SYS_ppoll, 0, 0, bad, 0, 8);
	call("select bad", SYS_select, 0, 0, 0, 0, bad);
	call("pselect odd", SYS_pselect6, 0, 0, 0, 0, (long)&odd);
	call("epoll_wait bad", SYS_epoll_wait, -1, bad, 1, 1, 0);
	call("rt_sigtimedwait bad", SYS_rt_sigtimedwait, bad, 0, bad, 8, 0);
}

static void timers(void)
{
	call("timer_create bad", SYS_timer_create, 0, bad, bad, 0, 0);
	call("timer_settime none", SYS_timer_settime, 12345, 1, (long)&past, 0, 0);
	call("timerfd_settime none", SYS_timerfd_settime, -1, 1, (long)&past, 0, 0);
	call("timerfd_settime bad", SYS_timerfd_settime, -1, 1, bad, 0, 0);
	call("timer_gettime none", SYS_timer_gettime, 12345, bad, 0, 0, 0);
	call("setitimer bad", SYS_setitimer, 0, bad, bad, 0, 0);
	call("getitimer bad", SYS_getitimer, 0, bad, 0, 0, 0);
	call("setitimer none", SYS_setitimer, 0, 0, 0, 0, 0);
}

static void questions(void)
{
	call("clock_gettime bad", SYS_clock_gettime, 0, bad, 0, 0, 0);
	call("clock_gettime clock", SYS_clock_gettime, 77, bad, 0, 0, 0);
	call("clock_getres none", SYS_clock_getres, 0, 0, 0, 0, 0);
	call("gettimeofday none", SYS_gettimeofday, 0, 0, 0, 0, 0);
	call("gettimeofday bad", SYS_gettimeofday, bad, 0, 0, 0, 0);
	call("times none", SYS_times, 0, 0, 0, 0, 0);
	call("times bad", SYS_times, bad, 0, 0, 0, 0);
	call("getrusage bad", SYS_getrusage, 0, bad, 0, 0, 0);
	call("getrusage whom", SYS_getrusage, 77, bad, 0, 0, 0);
	call("uname bad", SYS_uname, bad, 0, 0, 0, 0);
	call("sysinfo bad", SYS_sysinfo, bad, 0, 0, 0, 0);
	call("sched_getaffinity bad", SYS_sched_getaffinity, 0, 8192, bad, 0, 0);
	call("sched_getaffinity short", SYS_sched_getaffinity, 0, 1, bad, 0, 0);
	call("sched_setaffinity bad", SYS_sched_setaffinity, 0, 8, bad, 0, 0);
	call("getcpu none", SYS_getcpu, 0, 0, 0, 0, 0);
	call("getcpu bad", SYS_getcpu, bad, bad, 0, 0, 0);
	call("getrandom bad", SYS_getrandom, bad, 8, 0, 0, 0);
	call("getrandom nothing", SYS_getrandom, bad, 0, 0, 0, 0);
	call("wait4 nobody", SYS_wait4, -1, 0, 0, bad, 0);
	call("waitid nobody", SYS_waitid, 0, 0, bad, 4, bad);
	call("kill nobody", SYS_kill, getpid(), 77, 0, 0, 0);
}

static void files(void)
{
	int fd = open("/dev/urandom", O_RDONLY);

	call("open bad", SYS_open, bad, O_RDONLY, 0, 0, 0);
	call("openat bad", SYS_openat, AT_FDCWD, bad, O_RDONLY, 0, 0);
	call("open none", SYS_open, (long)"/proc/none", O_RDONLY, 0, 0, 0);
	call("open to write", SYS_open, (long)"/sys/devices/system/cpu/none", O_WRONLY, 0, 0, 0);
	call("read bad", SYS_read, fd, bad, 8, 0, 0);
	call("read nothing", SYS_read, fd, bad, 0, 0, 0);
	call("readv bad", SYS_readv, fd, bad, 1, 0, 0);
	call("read nobody", SYS_read, -1, bad, 8, 0, 0);
	call("stat bad", SYS_stat, (long)"/", bad, 0, 0, 0);
	call("fstat bad", SYS_fstat, fd, bad, 0, 0, 0);
	call("newfstatat bad", SYS_newfstatat, AT_FDCWD, (long)"/", bad, 0, 0);
	call("statx bad", SYS_statx, AT_FDCWD, (long)"/", 0, 0, bad);
	call("readlink bad", SYS_readlink, bad, bad, 8, 0, 0);
}

int main(void)
{
	times_of_futex();
	sleeps();
	timers();
	questions();
	files();
	return 0;
}
