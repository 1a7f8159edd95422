/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program can learn of the machine: from system calls, its stack, and files of /proc and /sys. */
#include "tool/deterministic/state.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/guest.h"
#include "tool/common/syscall.h"

enum {
	SYSANSWER_MEGABYTES = 4096, /* of memory */
	SYSANSWER_FREE_MEGABYTES = 2048,
};

/* Types of entries, as in the kernel's uapi/linux/auxvec.h. */
enum {
	VECTOR_END = 0,
	VECTOR_HWCAP = 16,
	VECTOR_RANDOM = 25,
	VECTOR_HWCAP2 = 26,
};

enum { RANDOM_BYTES = 16 };

/* The file that the program gets for /proc/self/auxv, or -1; not in the core's public headers. */
extern Int VG_(cl_auxv_fd);

/* The program's heap, as brk() has it; not in the core's public headers either. */
extern Addr VG_(brk_base), VG_(brk_limit);

void answer_uname(const struct finished_call *call)
{
	struct vki_new_utsname *name = (struct vki_new_utsname *)call->args[0];

	VG_(memset)(name, 0, sizeof(*name));
	VG_(strlcpy)(name->sysname, "Linux", sizeof(name->sysname));
	VG_(strlcpy)(name->nodename, SYSANSWER_NODE, sizeof(name->nodename));
	VG_(strlcpy)(name->release, SYSANSWER_RELEASE, sizeof(name->release));
	VG_(strlcpy)(name->version, SYSANSWER_VERSION, sizeof(name->version));
	VG_(strlcpy)(name->machine, "x86_64", sizeof(name->machine));
	VG_(strlcpy)(name->domainname, "(none)", sizeof(name->domainname));
}

void answer_sysinfo(const struct finished_call *call)
{
	*(struct vki_sysinfo *)call->args[0] = (struct vki_sysinfo){
		.uptime = (Long)(clock_now() / CLOCK_SECOND),
		.totalram = SYSANSWER_MEGABYTES * 1048576UL,
		.freeram = SYSANSWER_FREE_MEGABYTES * 1048576UL,
		.procs = 100,
		.mem_unit = 1,
	};
}

/* The kernel returns as many bytes as its own set of CPUs has. */
void answer_sched_getaffinity(const struct finished_call *call)
{
	UInt n_cpus = tool_deterministic.options.n_cpus;
	ULong *set = (ULong *)call->args[2];

	VG_(memset)(set, 0, call->result);
	*set = n_cpus == 64 ? ~0ULL : (1ULL << n_cpus) - 1;
	guest_write(call->tid, GUEST_SYSCALL_RESULT, sizeof(*set));
}

void sysanswer_setaffinity(ThreadId tid, const UWord *args)
{
	UInt n_cpus = tool_deterministic.options.n_cpus;
	const UChar *set = (const UChar *)args[2];

	for (UInt cpu = 0; cpu < n_cpus && cpu / 8 < args[1]; cpu++)
		if ((set[cpu / 8] & 1U << cpu % 8) != 0) {
			guest_write(tid, GUEST_SYSCALL_RESULT, 0);
			return;
		}
}

void answer_getcpu(const struct finished_call *call)
{
	if (call->args[0] != 0)
		*(UInt *)call->args[0] = 0;
	if (call->args[1] != 0)
		*(UInt *)call->args[1] = 0;
}

/* --- the auxiliary vector ---------------------------------------------------------------- */

static UWord hwcap(void)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];

	processor_cpuid(&tool_deterministic.options.processor, 1, 0, registers);
	return registers[PROCESSOR_EDX];
}

/* The core has built the program's stack before the tool starts.  There the vector follows the environment. */
void auxvector_init(Bool random, Bool cpu)
{
	UWord *entry = (UWord *)VG_(client_envp);
	UWord *first;

	while (*entry != 0)
		entry++;
	first = ++entry;
	for (; entry[0] != VECTOR_END; entry += 2) {
		if (entry[0] == VECTOR_RANDOM && random)
			splitmix_fill(&tool_deterministic.random_source.splitmix, (void *)entry[1],
				      RANDOM_BYTES);
		else if (entry[0] == VECTOR_HWCAP && cpu)
			entry[1] = hwcap();
		else if (entry[0] == VECTOR_HWCAP2 && cpu)
			entry[1] = 0;
	}
	if (VG_(cl_auxv_fd) >= 0)
		syscall_make(__NR_pwrite64, (UWord)VG_(cl_auxv_fd), (UWord)first,
						       (UWord)(entry + 2) - (UWord)first, 0, 0);
}

/* --- files of /proc and /sys ------------------------------------------------------------- */

enum {
	PAGE_ROOM = 131072, /* bytes; enough for any text except the list of mappings */
	LINE_ROOM = 8192,   /* bytes of a line, more than a path has */
	NAME_COLUMN = 73,   /* where the kernel has names of mappings */
	PROC_MAGIC = 0x9fa0,
	SYSFS_MAGIC = 0x62656572,
	MEMFD_CLOEXEC = 1,
	CALL_MEMFD_CREATE = 319,
	PATH_ROOM = 256, /* bytes; no known file has a longer name */
	O_ACCESS = 3,
};

#define CPU_FOLDER "/sys/devices/system/cpu/"

/* The text of a file, while it is written. */
struct proc_page {
	HChar *data;
	UInt len, room;
	const HChar *name; /* of the file */
};

static void page_add(struct proc_page *page, const HChar *format, ...) PRINTF_CHECK(2, 3);

static void page_add(struct proc_page *page, const HChar *format, ...)
{
	va_list args;

	if (page->room - page->len < LINE_ROOM) {
		page->room *= 2;
		page->data = VG_(realloc)("costgrind.sysfile", page->data, page->room);
	}
	va_start(args, format);
	page->len +=
		VG_(vsnprintf)(page->data + page->len, (Int)(page->room - page->len), format, args);
	va_end(args);
}

static UInt shown_cpus(void)
{
	return tool_deterministic.options.n_cpus;
}

static void add_one_cpu(struct proc_page *page, UInt number, const HChar *flags)
{
	const struct processor *processor = &tool_deterministic.options.processor;
	struct processor_signature signature = processor_signature(processor);

	page_add(page,
		 "processor\t: %u\nvendor_id\t: GenuineIntel\ncpu family\t: %u\nmodel\t\t: %u\n"
		 "model name\t: %s\nstepping\t: %u\nmicrocode\t: 0x1\ncpu MHz\t\t: %u.000\n"
		 "cache size\t: %u KB\n",
		 number, signature.family, signature.model, processor_brand(processor),
		 signature.stepping, PROCESSOR_HERTZ / 1000000U,
		 (UInt)(processor_caches[N_PROCESSOR_CACHES - 1].geometry.size / 1024));
	page_add(page,
		 "physical id\t: 0\nsiblings\t: %u\ncore id\t\t: %u\ncpu cores\t: %u\n"
		 "apicid\t\t: %u\ninitial apicid\t: %u\nfpu\t\t: yes\nfpu_exception\t: yes\n"
		 "cpuid level\t: 13\nwp\t\t: yes\nflags\t\t: %s\nbugs\t\t:\n"
		 "bogomips\t: %u.00\nclflush size\t: 64\ncache_alignment\t: 64\n"
		 "address sizes\t: 40 bits physical, 48 bits virtual\npower management:\n\n",
		 shown_cpus(), number, shown_cpus(), number, number, flags,
		 PROCESSOR_HERTZ / 500000U);
}

static void write_cpuinfo(struct proc_page *page)
{
	HChar flags[PROCESSOR_TEXT_SIZE];

	processor_flags(&tool_deterministic.options.processor, flags, sizeof(flags));
	for (UInt number = 0; number < shown_cpus(); number++)
		add_one_cpu(page, number, flags);
}

static void write_cpu_list(struct proc_page *page)
{
	if (shown_cpus() == 1)
		page_add(page, "0\n");
	else
		page_add(page, "0-%u\n", shown_cpus() - 1);
}

static void write_kernel_max(struct proc_page *page)
{
	page_add(page, "%u\n", shown_cpus() - 1);
}

/* In hundredths of a second; one CPU does everything, and is never idle. */
static void write_stat(struct proc_page *page)
{
	ULong ticks = clock_now() / (CLOCK_SECOND / 100);

	page_add(page, "cpu  %llu 0 0 0 0 0 0 0 0 0\n", ticks);
	for (UInt number = 0; number < shown_cpus(); number++)
		page_add(page, "cpu%u %llu 0 0 0 0 0 0 0 0 0\n", number, number == 0 ? ticks : 0);
	page_add(page,
		 "intr 0\nctxt 0\nbtime %llu\nprocesses 100\nprocs_running 1\nprocs_blocked 0\n"
		 "softirq 0 0 0 0 0 0 0 0 0 0 0\n",
		 clock_date_offset() / CLOCK_SECOND);
}

static void write_uptime(struct proc_page *page)
{
	ULong hundredths = clock_now() / (CLOCK_SECOND / 100);

	page_add(page, "%llu.%02llu 0.00\n", hundredths / 100, hundredths % 100);
}

static void write_meminfo(struct proc_page *page)
{
	static const struct {
		const HChar *name;
		UInt megabytes;
	} rows[] = {
		{ "MemTotal:", SYSANSWER_MEGABYTES },
		{ "MemFree:", SYSANSWER_FREE_MEGABYTES },
		{ "MemAvailable:", SYSANSWER_FREE_MEGABYTES },
		{ "Buffers:", 0 },
		{ "Cached:", 0 },
		{ "SwapCached:", 0 },
		{ "Active:", 0 },
		{ "Inactive:", 0 },
		{ "SwapTotal:", 0 },
		{ "SwapFree:", 0 },
		{ "Shmem:", 0 },
		{ "Slab:", 0 },
		{ "CommitLimit:", SYSANSWER_MEGABYTES },
		{ "Committed_AS:", 0 },
	};

	for (UInt i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		page_add(page, "%-15s %8u kB\n", rows[i].name, rows[i].megabytes * 1024);
	page_add(page, "HugePages_Total:       0\nHugePages_Free:        0\n"
		       "Hugepagesize:       2048 kB\n");
}

/* A random UUID, RFC 4122, 4.4. */
static void write_uuid(struct proc_page *page)
{
	UChar bytes[16];

	splitmix_fill(&tool_deterministic.random_source.splitmix, bytes, sizeof(bytes));
	bytes[6] = (UChar)((bytes[6] & 0x0f) | 0x40);
	bytes[8] = (UChar)((bytes[8] & 0x3f) | 0x80);
	for (UInt i = 0; i < sizeof(bytes); i++)
		page_add(page, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			 (UInt)bytes[i]);
	page_add(page, "\n");
}

static void write_boot_id(struct proc_page *page)
{
	page_add(page, "00000000-0000-4000-8000-%012x\n", tool_deterministic.options.seed);
}

/* /sys/devices/system/cpu/cpu0/cache/index0/size and the like. */
static void write_cache(struct proc_page *page)
{
	static const HChar *const types[] = { NULL, "Data", "Instruction", "Unified" };
	const HChar *slash = VG_(strrchr)(page->name, '/');
	const HChar *what = slash + 1;
	Long cpu = VG_(strtoll10)(page->name + sizeof(CPU_FOLDER "cpu") - 1, NULL);
	UInt index = (UInt)(slash[-1] - '0');
	const struct processor_cache *cache = &processor_caches[index % N_PROCESSOR_CACHES];
	const struct cache_geometry *geometry = &cache->geometry;

	if (cpu >= shown_cpus() || index >= N_PROCESSOR_CACHES || slash[-2] != 'x')
		return;
	if (VG_(strcmp)(what, "level") == 0)
		page_add(page, "%u\n", cache->level);
	else if (VG_(strcmp)(what, "type") == 0)
		page_add(page, "%s\n", types[cache->type]);
	else if (VG_(strcmp)(what, "size") == 0)
		page_add(page, "%uK\n", (UInt)(geometry->size / 1024));
	else if (VG_(strcmp)(what, "ways_of_associativity") == 0)
		page_add(page, "%u\n", geometry->assoc);
	else if (VG_(strcmp)(what, "coherency_line_size") == 0)
		page_add(page, "%u\n", geometry->line_size);
	else if (VG_(strcmp)(what, "number_of_sets") == 0)
		page_add(page, "%u\n",
			 (UInt)(geometry->size / geometry->assoc / geometry->line_size));
	else if (VG_(strcmp)(what, "shared_cpu_list") == 0 && cache->level == 3)
		write_cpu_list(page);
	else if (VG_(strcmp)(what, "shared_cpu_list") == 0)
		page_add(page, "%lld\n", cpu);
}

static Bool is_digit(HChar c)
{
	return c >= '0' && c <= '9';
}

/* --- /proc/self/maps: what is mapped for the program, not for the tool ------------------- */

/* The kernel's own text, with a NUL; NULL if it cannot be read. */
static HChar *read_maps(void)
{
	SizeT len = 0, room = PAGE_ROOM;
	Int fd = syscall_openat(LINUX_AT_FDCWD, "/proc/self/maps", VKI_O_RDONLY, 0);
	HChar *text;
	Word n;

	if (fd < 0)
		return NULL;
	text = VG_(malloc)("costgrind.maps", room);
	while ((n = syscall_make(__NR_read, (UWord)fd, (UWord)(text + len), room - len - 1, 0, 0)) >
	       0) {
		len += (SizeT)n;
		if (room - len < LINE_ROOM) {
			room *= 2;
			text = VG_(realloc)("costgrind.maps", text, room);
		}
	}
	syscall_close(fd);
	text[len] = '\0';
	return text;
}

/* True if the kernel's text says that the mapping at an address is shared; *at is a line at or before it. */
static Bool is_shared(const HChar **at, Addr address)
{
	while (*at != NULL && **at != '\0') {
		HChar *next;
		const Addr start = (Addr)VG_(strtoull16)(*at, &next);
		const Addr end = *next == '-' ? (Addr)VG_(strtoull16)(next + 1, &next) : 0;

		if (address >= start && address < end)
			return VG_(strlen)(next) > 4 && next[4] == 's';
		*at = VG_(strchr)(*at, '\n');
		if (*at != NULL)
			++*at;
	}
	return False;
}

/* One page of the tool's own file is the program's: it executes code there. */
static Bool is_of_tool(const NSegment *segment)
{
	const NSegment *own = VG_(am_find_nsegment)((Addr)&is_of_tool);

	return own != NULL && segment->kind == SkFileC && segment->dev == own->dev &&
	       segment->ino == own->ino;
}

static const HChar *name_of(const NSegment *segment)
{
	const HChar *path = segment->kind == SkFileC ? VG_(am_get_filename)(segment) : NULL;
	const Addr stack = (Addr)VG_(client_envp);

	if (path != NULL)
		return path;
	if (stack >= segment->start && stack <= segment->end)
		return "[stack]";
	return segment->start == VG_(brk_base) && VG_(brk_limit) > VG_(brk_base) ? "[heap]" : "";
}

/*
 * Numbers of devices and inodes differ from machine to machine: files get the numbers 1, 2... on one device, in the
 * order of addresses.
 */
struct mapped_files {
	const HChar **paths;
	UInt n;
};

static UInt number_of_file(struct mapped_files *files, const HChar *path)
{
	UInt i = 0;

	while (i < files->n && files->paths[i] != path)
		i++;
	if (i == files->n) {
		files->paths = VG_(realloc)("costgrind.maps", files->paths,
					    (i + 1) * sizeof(files->paths[0]));
		files->paths[files->n++] = path;
	}
	return i + 1;
}

static void write_mapping(struct proc_page *page, const NSegment *segment, Bool is_shared_mapping,
			  struct mapped_files *files)
{
	const HChar *name = name_of(segment);
	const UInt file = segment->kind == SkFileC ? number_of_file(files, name) : 0;
	const UInt begin = page->len;

	page_add(page, "%08lx-%08lx %c%c%c%c %08llx %s %u ", segment->start, segment->end + 1,
		 segment->hasR ? 'r' : '-', segment->hasW ? 'w' : '-', segment->hasX ? 'x' : '-',
		 is_shared_mapping ? 's' : 'p', (ULong)segment->offset,
		 file != 0 ? "00:01" : "00:00", file);
	if (name[0] != '\0')
		while (page->len - begin < NAME_COLUMN)
			page_add(page, " ");
	page_add(page, "%s\n", name);
}

/* The kernel's text is left as it is for other processes. */
static void write_maps(struct proc_page *page)
{
	const UInt kinds = SkAnonC | SkFileC | SkShmC;
	struct mapped_files mapped = { NULL, 0 };
	HChar *text;
	const HChar *at;
	Addr *starts, first;
	Int n;

	if (is_digit(page->name[6]) &&
	    VG_(strtoll10)(page->name + sizeof("/proc/") - 1, NULL) != VG_(getpid)())
		return;
	at = text = read_maps();
	/* The tool's own memory, which this needs, is not in the list. */
	n = -VG_(am_get_segment_starts)(kinds, &first, 1);
	starts = VG_(malloc)("costgrind.maps", (SizeT)n * sizeof(*starts));
	n = VG_(am_get_segment_starts)(kinds, starts, n);
	for (Int i = 0; i < n; i++) {
		const NSegment *segment = VG_(am_find_nsegment)(starts[i]);

		if (is_of_tool(segment))
			continue;
		write_mapping(page, segment, is_shared(&at, starts[i]), &mapped);
	}
	VG_(free)(mapped.paths);
	VG_(free)(starts);
	VG_(free)(text);
}

struct sysfile {
	const HChar *pattern; /* a "#" is any number */
	enum deterministic_item item;
	const HChar *text;                     /* its contents, if they are always the same */
	void (*write)(struct proc_page *page); /* otherwise writes them */
};

static const struct sysfile files[] = {
	{ "/proc/cpuinfo", DETERMINISTIC_CPU, NULL, write_cpuinfo },
	{ CPU_FOLDER "cpu#/cache/index#/*", DETERMINISTIC_CPU, NULL, write_cache },
	{ CPU_FOLDER "online", DETERMINISTIC_CPUS, NULL, write_cpu_list },
	{ CPU_FOLDER "possible", DETERMINISTIC_CPUS, NULL, write_cpu_list },
	{ CPU_FOLDER "present", DETERMINISTIC_CPUS, NULL, write_cpu_list },
	{ CPU_FOLDER "offline", DETERMINISTIC_CPUS, "\n", NULL },
	{ CPU_FOLDER "kernel_max", DETERMINISTIC_CPUS, NULL, write_kernel_max },
	{ "/proc/stat", DETERMINISTIC_CPUS, NULL, write_stat },
	{ "/proc/uptime", DETERMINISTIC_CLOCK, NULL, write_uptime },
	{ "/proc/loadavg", DETERMINISTIC_MEMORY, "0.00 0.00 0.00 1/100 1\n", NULL },
	{ "/proc/meminfo", DETERMINISTIC_MEMORY, NULL, write_meminfo },
	{ "/proc/#/maps", DETERMINISTIC_MEMORY, NULL, write_maps },
	{ "/proc/#/task/#/maps", DETERMINISTIC_MEMORY, NULL, write_maps },
	{ "/proc/self/maps", DETERMINISTIC_MEMORY, NULL, write_maps },
	{ "/proc/thread-self/maps", DETERMINISTIC_MEMORY, NULL, write_maps },
	{ "/proc/version", DETERMINISTIC_SYSTEM,
	  "Linux version " SYSANSWER_RELEASE " (root@" SYSANSWER_NODE ") " SYSANSWER_VERSION "\n",
	  NULL },
	{ "/proc/sys/kernel/osrelease", DETERMINISTIC_SYSTEM, SYSANSWER_RELEASE "\n", NULL },
	{ "/proc/sys/kernel/version", DETERMINISTIC_SYSTEM, SYSANSWER_VERSION "\n", NULL },
	{ "/proc/sys/kernel/ostype", DETERMINISTIC_SYSTEM, "Linux\n", NULL },
	{ "/proc/sys/kernel/hostname", DETERMINISTIC_SYSTEM, SYSANSWER_NODE "\n", NULL },
	{ "/proc/sys/kernel/domainname", DETERMINISTIC_SYSTEM, "(none)\n", NULL },
	{ "/proc/sys/kernel/random/uuid", DETERMINISTIC_RANDOM, NULL, write_uuid },
	{ "/proc/sys/kernel/random/boot_id", DETERMINISTIC_RANDOM, NULL, write_boot_id },
	{ "/proc/sys/kernel/random/entropy_avail", DETERMINISTIC_RANDOM, "256\n", NULL },
};

/* A "#" is a number, a "*" all the rest. */
static Bool matches(const HChar *pattern, const HChar *name)
{
	for (; *pattern != '\0' && *pattern != '*'; pattern++) {
		if (*pattern != '#') {
			if (*name++ != *pattern)
				return False;
			continue;
		}
		if (!is_digit(*name))
			return False;
		while (is_digit(*name))
			name++;
	}
	return *pattern == '*' || *name == '\0';
}

static const struct sysfile *find_file(const HChar *name)
{
	for (UInt i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (matches(files[i].pattern, name))
			return &files[i];
	return NULL;
}

/* A file in memory with the text, or a negative error number; 0 if there is no text for it. */
static Int make_text(const struct sysfile *file, const HChar *name)
{
	struct proc_page page = { .name = name };
	Int fd = 0;

	page.room = PAGE_ROOM;
	page.data = VG_(malloc)("costgrind.sysfile", page.room);
	if (file->text != NULL)
		page_add(&page, "%s", file->text);
	else
		file->write(&page);
	if (page.len != 0)
		fd = (Int)syscall_make(CALL_MEMFD_CREATE, (UWord)name, MEMFD_CLOEXEC, 0, 0, 0);
	if (fd > 0) {
		syscall_write(fd, page.data, page.len);
		syscall_lseek(fd, 0, VKI_SEEK_SET);
	}
	VG_(free)(page.data);
	return fd;
}

static Bool is_system_file(Int fd)
{
	struct vki_statfs where = { .f_type = 0 };

	syscall_make(__NR_fstatfs, (UWord)fd, (UWord)&where, 0, 0, 0);
	return where.f_type == PROC_MAGIC || where.f_type == SYSFS_MAGIC;
}

/* Reads the file's name from the kernel; False if it is longer than any known one. */
static Bool read_name(Int fd, HChar name[PATH_ROOM])
{
	HChar link[64];
	Word len;

	VG_(snprintf)(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = syscall_make(__NR_readlink, (UWord)link, (UWord)name, PATH_ROOM - 1, 0, 0);
	name[len > 0 ? len : 0] = '\0';
	return len > 0 && len < PATH_ROOM - 1;
}

static Bool is_regular(Int fd)
{
	struct vki_stat stat = { .st_mode = 0 };

	syscall_make(__NR_fstat, (UWord)fd, (UWord)&stat, 0, 0, 0);
	return (stat.st_mode & VKI_S_IFMT) == VKI_S_IFREG;
}

/* Makes fd a descriptor of the text, with the same flag for exec; False if that fails. */
static Bool replace(Int fd, const struct sysfile *file, const HChar *name)
{
	UWord keeps = (UWord)syscall_fcntl(fd, VKI_F_GETFD, 0) & VKI_FD_CLOEXEC;
	Int text = make_text(file, name);
	Word error;

	if (text <= 0)
		return False;
	error = syscall_make(__NR_dup3, (UWord)text, (UWord)fd, keeps != 0 ? LINUX_O_CLOEXEC : 0, 0,
			     0);
	syscall_close(text);
	return error >= 0;
}

void sysfile_opened(Int fd)
{
	const struct sysfile *file = NULL;
	HChar name[PATH_ROOM];
	Int flags;

	if (!is_system_file(fd) || !is_regular(fd))
		return;
	flags = syscall_fcntl(fd, VKI_F_GETFL, 0);
	if ((flags & (O_ACCESS | LINUX_O_PATH)) != VKI_O_RDONLY)
		return;
	if (read_name(fd, name))
		file = find_file(name);
	if (file != NULL && !deterministic_has(file->item))
		return; /* left as it is */
	if (file == NULL || !replace(fd, file, name))
		nondeterminism_note(NONDETERMINISM_FILES);
}

void sysfile_missing(ThreadId tid, const HChar *name, UInt flags)
{
	const struct sysfile *file = find_file(name);
	Int fd;

	if (file == NULL || !deterministic_has(file->item) || (flags & O_ACCESS) != VKI_O_RDONLY)
		return;
	fd = make_text(file, name);
	if (fd <= 0)
		return;
	if ((flags & LINUX_O_CLOEXEC) == 0)
		syscall_fcntl(fd, VKI_F_SETFD, 0);
	guest_write(tid, GUEST_SYSCALL_RESULT, (ULong)fd);
}
