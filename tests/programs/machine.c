/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints what a program can learn of the machine, of time and of chance, an item
 * a line: "machine" all, or only the items that are named.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static void print_bytes(const char *what, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	printf("%s", what);
	for (size_t i = 0; i < len; i++)
		printf("%s%02x", i == 0 ? " " : "", (unsigned)bytes[i]);
	putchar('\n');
}

static void print_leaf(unsigned leaf, unsigned subleaf)
{
	unsigned a, b, c, d;

	__cpuid_count(leaf, subleaf, a, b, c, d);
	printf("cpuid %x.%u %08x %08x %08x %08x\n", leaf, subleaf, a, b, c, d);
}

static void cpuid(void)
{
	for (unsigned leaf = 0; leaf < 0x18; leaf++)
		print_leaf(leaf, 0);
	for (unsigned subleaf = 1; subleaf < 5; subleaf++)
		print_leaf(4, subleaf);
	print_leaf(7, 1);
	print_leaf(0xd, 1);
	print_leaf(0xd, 2);
	for (unsigned leaf = 0x80000000; leaf < 0x8000000a; leaf++)
		print_leaf(leaf, 0);
}

static void xgetbv(void)
{
	unsigned a, b, c, d;

	__cpuid(1, a, b, c, d);
	if ((c & bit_OSXSAVE) != 0)
		__asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
	else
		a = d = 0;
	printf("xgetbv %u %u\n", a, d);
}

static void hwcap(void)
{
	printf("hwcap %lx %lx %s\n", getauxval(AT_HWCAP), getauxval(AT_HWCAP2),
	       (const char *)getauxval(AT_PLATFORM));
}

static void libc(void)
{
	printf("level %s%s%s%s\n", __builtin_cpu_supports("sse2") ? "sse2" : "",
	       __builtin_cpu_supports("sse4.2") ? " sse42" : "",
	       __builtin_cpu_supports("avx") ? " avx" : "",
	       __builtin_cpu_supports("avx2") ? " avx2" : "");
}

static void caches(void)
{
	static const int names[] = {
		_SC_LEVEL1_ICACHE_SIZE,  _SC_LEVEL1_ICACHE_ASSOC,    _SC_LEVEL1_DCACHE_SIZE,
		_SC_LEVEL1_DCACHE_ASSOC, _SC_LEVEL1_DCACHE_LINESIZE, _SC_LEVEL2_CACHE_SIZE,
		_SC_LEVEL2_CACHE_ASSOC,  _SC_LEVEL3_CACHE_SIZE,      _SC_LEVEL3_CACHE_ASSOC,
	};

	printf("caches");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		printf(" %ld", sysconf(names[i]));
	putchar('\n');
}

static void print_file(const char *name)
{
	char text[2048];
	FILE *file = fopen(name, "r");

	while (file != NULL && fgets(text, sizeof(text), file) != NULL)
		printf("%s: %s%s", name, text, strchr(text, '\n') == NULL ? "\n" : "");
	if (file != NULL)
		fclose(file);
	else
		printf("%s: none\n", name);
}

static void cpuinfo(void)
{
	print_file("/proc/cpuinfo");
}

static void auxv(void)
{
	unsigned long entry[2];
	int fd = open("/proc/self/auxv", O_RDONLY);

	while (read(fd, entry, sizeof(entry)) == sizeof(entry) && entry[0] != AT_NULL)
		if (entry[0] == AT_HWCAP)
			printf("auxv %lx\n", entry[1]);
	close(fd);
}

static uint64_t rdtsc_now(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/* Eight instructions lie between the two, and the second one counts. */
static void rdtsc(void)
{
	uint64_t first, second;

	__asm__ volatile("rdtsc\n\t"
			 "shl $32, %%rdx\n\t"
			 "or %%rdx, %%rax\n\t"
			 "mov %%rax, %0\n\t"
			 "nop; nop; nop; nop; nop\n\t"
			 "rdtsc\n\t"
			 "shl $32, %%rdx\n\t"
			 "or %%rdx, %%rax\n\t"
			 "mov %%rax, %1\n\t"
			 : "=&r"(first), "=&r"(second)
			 :
			 : "rax", "rdx", "cc");
	printf("rdtsc %s %llu\n", first > 0 ? "goes" : "stands",
	       (unsigned long long)(second - first));
}

static void rdtscp(void)
{
	uint32_t low, high, cpu;
	uint64_t before = rdtsc_now();

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(cpu));
	printf("rdtscp %s cpu %u\n", ((uint64_t)high << 32 | low) > before ? "later" : "not later",
	       cpu);
}

static void rdrand(void)
{
	uint64_t word = 0;
	uint16_t half = 0;
	unsigned char valid, valid_half;

	__asm__ volatile("rdrand %0; setc %1" : "=r"(word), "=q"(valid) : : "cc");
	__asm__ volatile("rdrand %0; setc %1" : "=r"(half), "=q"(valid_half) : : "cc");
	printf("rdrand %016llx %d %04x %d\n", (unsigned long long)word, valid, half, valid_half);
}

static void rdseed(void)
{
	uint64_t word = 0;
	unsigned char valid;

	__asm__ volatile("rdseed %0; setc %1" : "=r"(word), "=q"(valid) : : "cc");
	printf("rdseed %016llx %d\n", (unsigned long long)word, valid);
}

static void at_random(void)
{
	print_bytes("AT_RANDOM", (const void *)getauxval(AT_RANDOM), 16);
}

static void random_bytes(void)
{
	unsigned char bytes[11], first[5], second[6];
	struct iovec vector[] = { { first, 5 }, { second, 6 } };
	int fd = open("/dev/urandom", O_RDONLY), copy = dup(fd);

	print_bytes("getrandom", bytes, (size_t)getrandom(bytes, sizeof(bytes), 0));
	print_bytes("read", bytes, (size_t)read(fd, bytes, 9));
	print_bytes("dup", bytes, (size_t)read(copy, bytes, 9));
	print_bytes("pread", bytes, (size_t)pread(fd, bytes, 9, 0));
	printf("readv %zd", readv(fd, vector, 2));
	print_bytes("", first, 5);
	print_bytes("", second, 6);
	close(fd);
	close(copy);
	fd = openat(AT_FDCWD, "/dev/../dev/random", O_RDONLY);
	print_bytes("/dev/random", bytes, (size_t)read(fd, bytes, 9));
	close(fd);
	print_file("/proc/sys/kernel/random/uuid");
	print_file("/proc/sys/kernel/random/boot_id");
}

static void clocks(void)
{
	static const clockid_t ids[] = {
		CLOCK_REALTIME, CLOCK_MONOTONIC,       CLOCK_MONOTONIC_RAW,   CLOCK_BOOTTIME,
		CLOCK_TAI,      CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE
	};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		struct timespec time = { 0, 0 }, unit = { 0, 0 };

		clock_gettime(ids[i], &time);
		clock_getres(ids[i], &unit);
		printf("clock %d %lld.%09ld +%ld\n", (int)ids[i], (long long)time.tv_sec,
		       time.tv_nsec, unit.tv_nsec);
	}
}

static void date(void)
{
	struct timeval value = { 0, 0 };
	struct timezone zone = { 1, 1 };
	time_t now;

	gettimeofday(&value, &zone);
	printf("gettimeofday %lld.%06ld %d %d\n", (long long)value.tv_sec, (long)value.tv_usec,
	       zone.tz_minuteswest, zone.tz_dsttime);
	printf("time %lld", (long long)time(&now));
	printf(" %lld\n", (long long)now);
	syscall(SYS_gettimeofday, &value, NULL);
	printf("syscall %lld %lld.%06ld\n", (long long)syscall(SYS_time, NULL),
	       (long long)value.tv_sec, (long)value.tv_usec);
	print_file("/proc/uptime");
}

static void usage(void)
{
	struct rusage all, own;
	struct tms times_used;
	struct timespec process, thread;
	clock_t ticks = times(&times_used);

	getrusage(RUSAGE_SELF, &all);
	getrusage(RUSAGE_THREAD, &own);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &process);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &thread);
	printf("times %ld %ld %ld\n", (long)ticks, (long)times_used.tms_utime,
	       (long)times_used.tms_stime);
	printf("getrusage %ld.%06ld %ld %ld %ld\n", (long)all.ru_utime.tv_sec,
	       (long)all.ru_utime.tv_usec, (long)all.ru_stime.tv_usec, all.ru_maxrss,
	       all.ru_minflt);
	printf("thread %ld.%06ld\n", (long)own.ru_utime.tv_sec, (long)own.ru_utime.tv_usec);
	printf("cpu time %ld.%09ld %ld.%09ld\n", (long)process.tv_sec, process.tv_nsec,
	       (long)thread.tv_sec, thread.tv_nsec);
}

static void cpus(void)
{
	cpu_set_t set;
	unsigned cpu = 99, node = 99;
	long len = syscall(SYS_sched_getaffinity, 0, sizeof(set), &set);

	printf("affinity %ld\n", len);
	sched_getaffinity(0, sizeof(set), &set);
	printf("cpus %d %ld %ld %d %d\n", CPU_COUNT(&set), sysconf(_SC_NPROCESSORS_ONLN),
	       sysconf(_SC_NPROCESSORS_CONF), get_nprocs(), get_nprocs_conf());
	syscall(SYS_getcpu, &cpu, &node, NULL);
	printf("getcpu %u %u %d\n", cpu, node, sched_getcpu());
	printf("setaffinity %d\n", sched_setaffinity(0, sizeof(set), &set));
	print_file("/sys/devices/system/cpu/online");
	print_file("/sys/devices/system/cpu/possible");
	print_file("/proc/stat");
}

static void names(void)
{
	struct utsname name;
	char host[64] = "";

	uname(&name);
	gethostname(host, sizeof(host));
	printf("uname %s|%s|%s|%s|%s|%s|%s\n", name.sysname, name.nodename, name.release,
	       name.version, name.machine, name.domainname, host);
	print_file("/proc/version");
	print_file("/proc/sys/kernel/osrelease");
}

static void memory(void)
{
	struct sysinfo info;

	sysinfo(&info);
	printf("sysinfo %ld %lu %lu %lu %lu %hu %u\n", info.uptime, info.loads[0], info.totalram,
	       info.freeram, info.totalswap, info.procs, info.mem_unit);
	printf("pages %ld %ld\n", sysconf(_SC_PHYS_PAGES), sysconf(_SC_AVPHYS_PAGES));
	print_file("/proc/meminfo");
	print_file("/proc/loadavg");
}

/* In a descriptor that came by a folder, and one that closes on exec. */
/* Two mappings of its own, the one that its stack is in, and what the tool has left of itself. */
static void maps(void)
{
	static char *const places[] = { (char *)0x10000000, (char *)0x10010000 };
	char line[4608];
	FILE *file;

	mmap(places[0], 3 * 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	mmap(places[1], 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED,
	     open("/proc/self/exe", O_RDONLY), 4096);
	file = fopen("/proc/self/maps", "r");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
		char *end, *slash = strrchr(line, '/');
		const uintptr_t from = strtoul(line, &end, 16), to = strtoul(end + 1, &end, 16);

		if (from >= 0x10000000 && from < 0x10020000)
			printf("maps %zx-%zx%.16s%s", from, to, end, slash != NULL ? slash : "\n");
		else if ((uintptr_t)line >= from && (uintptr_t)line < to)
			printf("maps of the stack%s", strstr(end, " ["));
		else if (strstr(line, "costgrind-") != NULL)
			printf("maps of the tool: %s", line);
	}
	if (file != NULL)
		fclose(file);
}

static void folders(void)
{
	char text[16] = "";
	int folder = open("/sys/devices/system", O_RDONLY | O_DIRECTORY);
	int fd = openat(folder, "cpu/online", O_RDONLY | O_CLOEXEC);

	printf("openat %zd %d\n", read(fd, text, sizeof(text)), fcntl(fd, F_GETFD));
	close(fd);
	close(folder);
	print_file("/sys/devices/system/cpu/cpu0/cache/index3/size");
}

/* Of a file that was changed and read at times with fractions; by all ways to ask. */
static void files(void)
{
	static const char name[] = "machine.file";
	const struct timespec times_set[] = { { 1700000001, 5 }, { 1700000000, 7 } };
	int fd = open(name, O_CREAT | O_RDWR, 0600);
	struct stat one, two, three;
	struct statx four;

	futimens(fd, times_set);
	stat(name, &one);
	fstat(fd, &two);
	lstat(name, &three);
	statx(AT_FDCWD, name, 0, STATX_BASIC_STATS, &four);
	printf("stat %ld.%ld %ld.%ld %ld\n", (long)one.st_atim.tv_sec, one.st_atim.tv_nsec,
	       (long)one.st_mtim.tv_sec, one.st_mtim.tv_nsec, one.st_ctim.tv_nsec);
	printf("fstat %ld %ld, lstat %ld %ld\n", two.st_atim.tv_nsec, two.st_mtim.tv_nsec,
	       three.st_atim.tv_nsec, three.st_mtim.tv_nsec);
	printf("statx %lld.%u %lld.%u %u\n", (long long)four.stx_atime.tv_sec,
	       four.stx_atime.tv_nsec, (long long)four.stx_mtime.tv_sec, four.stx_mtime.tv_nsec,
	       four.stx_ctime.tv_nsec);
	close(fd);
	unlink(name);
}

static const struct {
	const char *name;
	void (*print)(void);
} items[] = {
	{ "cpuid", cpuid },
	{ "xgetbv", xgetbv },
	{ "hwcap", hwcap },
	{ "auxv", auxv },
	{ "libc", libc },
	{ "caches", caches },
	{ "cpuinfo", cpuinfo },
	{ "folders", folders },
	{ "rdtsc", rdtsc },
	{ "at_random", at_random },
	{ "random", random_bytes },
	{ "clocks", clocks },
	{ "date", date },
	{ "usage", usage },
	{ "cpus", cpus },
	{ "names", names },
	{ "memory", memory },
	{ "maps", maps },
	{ "files", files },
	/* Not every processor has these: only if named. */
	{ "rdtscp", rdtscp },
	{ "rdrand", rdrand },
	{ "rdseed", rdseed },
};

enum { N_ALWAYS = 18, N_ITEMS = sizeof(items) / sizeof(items[0]) };

static bool is_wanted(size_t item, int argc, char *argv[])
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], items[item].name) == 0)
			return true;
	return argc == 1 && item < N_ALWAYS;
}

int main(int argc, char *argv[])
{
	for (size_t item = 0; item < N_ITEMS; item++)
		if (is_wanted(item, argc, argv))
			items[item].print();
	return 0;
}
