/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPUID instruction: its registers, the types of caches as it numbers them, and a function that
 * asks it, so that what reads answers can be given a table of them instead.
 */
#ifndef SIM_CPUID_H
#define SIM_CPUID_H

#include <stdint.h>

enum processor_register {
	PROCESSOR_EAX,
	PROCESSOR_EBX,
	PROCESSOR_ECX,
	PROCESSOR_EDX,
	N_PROCESSOR_REGISTERS,
};

enum processor_cache_type {
	PROCESSOR_DATA = 1,
	PROCESSOR_INSTRUCTION,
	PROCESSOR_UNIFIED,
};

/* Writes what CPUID answers; the caller's data is handed on. */
typedef void cpuid_function(void *data, uint32_t leaf, uint32_t subleaf,
			    uint32_t registers[N_PROCESSOR_REGISTERS]);

/* A cpuid_function that asks the processor it runs on; zeros where there is no such instruction. */
static inline void
cpuid_ask(void *data, uint32_t leaf, uint32_t subleaf,
	  /* NOLINTNEXTLINE(readability-non-const-parameter): the instruction writes them */
	  uint32_t registers[N_PROCESSOR_REGISTERS])
{
	(void)data;
#if defined(__x86_64__)
	__asm__ volatile("cpuid"
			 : "=a"(registers[PROCESSOR_EAX]), "=b"(registers[PROCESSOR_EBX]),
			   "=c"(registers[PROCESSOR_ECX]), "=d"(registers[PROCESSOR_EDX])
			 : "0"(leaf), "2"(subleaf));
#else
	(void)leaf;
	(void)subleaf;
	for (unsigned i = 0; i < N_PROCESSOR_REGISTERS; i++)
		registers[i] = 0;
#endif
}

#endif
