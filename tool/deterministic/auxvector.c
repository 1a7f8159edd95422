/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core has built the program's stack by the time that the tool starts. The
 * vector lies behind the environment there.
 */
#include "tool/deterministic/auxvector.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#include "tool/common/syscall.h"
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

static UWord hwcap(void)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];

	processor_cpuid(&tool_deterministic.options.processor, 1, 0, registers);
	return registers[PROCESSOR_EDX];
}

void auxvector_init(Bool random, Bool cpu)
{
	UWord *entry = (UWord *)VG_(client_envp);
	UWord *first;

	while (*entry != 0)
		entry++;
	first = ++entry;
	for (; entry[0] != VECTOR_END; entry += 2) {
		if (entry[0] == VECTOR_RANDOM && random)
			randoms_fill(&tool_deterministic.chance.randoms, (void *)entry[1],
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
