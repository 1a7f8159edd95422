/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --deterministic makes canonical, as a list that completion in shells shares. */
#ifndef WRITER_SHARED_LEAVEITEMS_H
#define WRITER_SHARED_LEAVEITEMS_H

/* ITEM(WHICH, name for --leave, what it is) */
#define LEAVE_ITEMS(ITEM)                                                      \
 ITEM(CPU, "cpu", "CPUID, AT_HWCAP, /proc/cpuinfo, sizes of caches")           \
 ITEM(TSC, "tsc", "RDTSC and RDTSCP")                                          \
 ITEM(RANDOM, "random", "RDRAND, AT_RANDOM, getrandom(), /dev/urandom, UUIDs") \
 ITEM(CLOCK, "clock", "date and time, timeouts")                               \
 ITEM(USAGE, "usage", "CPU time, getrusage(), times()")                        \
 ITEM(CPUS, "cpus", "how many CPUs there are, and on which the program runs")  \
 ITEM(SYSTEM, "system", "names of machine and kernel")                         \
 ITEM(MEMORY, "memory", "sysinfo(), /proc/meminfo, /proc/loadavg")             \
 ITEM(FILES, "files", "times of files: whole seconds, the last change")

#endif
