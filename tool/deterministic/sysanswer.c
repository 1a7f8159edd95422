/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/sysanswer.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/syscall.h"
#include "tool/deterministic/registers.h"
#include "tool/deterministic/state.h"

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

void sysanswer_uname(ThreadId tid, const UWord *args, UWord result)
{
	struct vki_new_utsname *name = (struct vki_new_utsname *)args[0];

	(void)tid;
	(void)result;
	VG_(memset)(name, 0, sizeof(*name));
	VG_(strlcpy)(name->sysname, "Linux", sizeof(name->sysname));
	VG_(strlcpy)(name->nodename, SYSANSWER_NODE, sizeof(name->nodename));
	VG_(strlcpy)(name->release, SYSANSWER_RELEASE, sizeof(name->release));
	VG_(strlcpy)(name->version, SYSANSWER_VERSION, sizeof(name->version));
	VG_(strlcpy)(name->machine, "x86_64", sizeof(name->machine));
	VG_(strlcpy)(name->domainname, "(none)", sizeof(name->domainname));
}

void sysanswer_sysinfo(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	*(struct vki_sysinfo *)args[0] = (struct vki_sysinfo){
		.uptime = (Long)(clock_now(&tool_deterministic.clock) / CLOCK_SECOND),
		.totalram = SYSANSWER_MEGABYTES * 1048576UL,
		.freeram = SYSANSWER_FREE_MEGABYTES * 1048576UL,
		.procs = 100,
		.mem_unit = 1,
	};
}

/* The kernel gives as many bytes as its own set of CPUs has. */
void sysanswer_getaffinity(ThreadId tid, const UWord *args, UWord result)
{
	UInt n_cpus = tool_deterministic.options.n_cpus;
	ULong *set = (ULong *)args[2];

	VG_(memset)(set, 0, result);
	*set = n_cpus == 64 ? ~0ULL : (1ULL << n_cpus) - 1;
	set_result(tid, sizeof(*set));
}

void sysanswer_setaffinity(ThreadId tid, const UWord *args)
{
	UInt n_cpus = tool_deterministic.options.n_cpus;
	const UChar *set = (const UChar *)args[2];

	for (UInt cpu = 0; cpu < n_cpus && cpu / 8 < args[1]; cpu++)
		if ((set[cpu / 8] & 1U << cpu % 8) != 0) {
			set_result(tid, 0);
			return;
		}
}

void sysanswer_getcpu(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	(void)result;
	if (args[0] != 0)
		*(UInt *)args[0] = 0;
	if (args[1] != 0)
		*(UInt *)args[1] = 0;
}

/* --- the auxiliary vector ------------------------------------------------------------------ */

static UWord hwcap(void)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];

	processor_cpuid(&tool_deterministic.options.processor, 1, 0, registers);
	return registers[PROCESSOR_EDX];
}

/*
 * The core has built the program's stack by the time that the tool starts. The
 * vector lies behind the environment there.
 */
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
