/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *	singlestep [-f ADDRESS] PROGRAM [ARGUMENTS...]
 *
 * Counts what the processor executes, one instruction at a time: of the whole
 * program, or with -f of the first call of the function at an address, up to and
 * with its return.  Prints "Ir=N Bc=N Bi=N Rep=N", as costgrind
 * --counting=architectural has them, on standard error.
 *
 * The processor stops after each round of a rep instruction; stops at one place in
 * a row are one instruction.  An instruction that raises a signal counts.  The
 * program must have one thread and no children, and no instruction that jumps to
 * itself.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	CODE_SIZE = 16, /* bytes that are looked at: an instruction has at most 15 */
};

struct counts {
	uint64_t insns, branches, jumps, rounds;
};

struct run {
	pid_t child;
	uint64_t function; /* 0: all counts */
	uint64_t frame;    /* stack pointer when the function began, 0 before */
	uint64_t last;     /* where the stop before was, if that is a rep instruction; or 0 */
	bool counting;
	struct counts counts;
};

static void fail(const char *what)
{
	fprintf(stderr, "singlestep: %s: %s\n", what, strerror(errno));
	exit(1);
}

static bool is_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 ||
	       byte == 0x2e || byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 ||
	       byte == 0x65 || (byte & 0xf0) == 0x40;
}

/* The instruction's bytes; there may be fewer in mapped memory.  Whether there is any. */
static bool read_code(pid_t child, uint64_t address, uint8_t code[CODE_SIZE])
{
	bool any = false;

	memset(code, 0, CODE_SIZE);
	for (size_t i = 0; i < CODE_SIZE; i += sizeof(long)) {
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKTEXT, child, (void *)(address + i), NULL);
		if (errno != 0)
			continue;
		memcpy(code + i, &word, sizeof(word));
		any = true;
	}
	return any;
}

static bool is_rep_string(const uint8_t *code)
{
	bool rep = false;

	for (; is_prefix(*code); code++)
		rep = rep || *code == 0xf2 || *code == 0xf3;
	return rep && ((*code >= 0xa4 && *code <= 0xa7) || (*code >= 0xaa && *code <= 0xaf));
}

/* The program is about to execute what is at rip. */
static void count(struct run *run, const struct user_regs_struct *regs)
{
	struct counts *counts = &run->counts;
	uint8_t bytes[CODE_SIZE + 1];
	const uint8_t *code = bytes;
	bool again = run->last == regs->rip;

	run->last = 0;
	if (!read_code(run->child, regs->rip, bytes))
		return; /* what is not there is not executed */
	bytes[CODE_SIZE] = 0;
	if (is_rep_string(bytes)) {
		counts->insns += !again;
		counts->rounds += regs->rcx != 0;
		run->last = regs->rip;
		return;
	}
	counts->insns++;
	while (is_prefix(*code))
		code++;
	if ((*code & 0xf0) == 0x70 || (*code & 0xfc) == 0xe0 ||
	    (*code == 0x0f && (code[1] & 0xf0) == 0x80))
		counts->branches++;
	if (*code == 0xff && ((code[1] & 0x38) == 0x10 || (code[1] & 0x38) == 0x20))
		counts->jumps++;
}

/* True if this instruction counts; it may be the one where they begin or end. */
static bool is_counted(struct run *run, const struct user_regs_struct *regs)
{
	if (run->function == 0)
		return true;
	if (run->frame == 0 && regs->rip == run->function) {
		run->frame = regs->rsp;
		run->counting = true;
	}
	/* It has returned when the return address has gone from the stack. */
	if (run->counting && regs->rsp > run->frame)
		run->counting = false;
	return run->counting;
}

/* One step, with a signal or 0; the next signal, 0 if it was a step as any, -1 at the end. */
static int step(const struct run *run, int signal)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, run->child, NULL, (void *)(intptr_t)signal) != 0)
		fail("step");
	if (waitpid(run->child, &status, 0) != run->child)
		fail("wait");
	if (!WIFSTOPPED(status))
		return -1;
	return WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
}

static void follow(struct run *run)
{
	int signal = 0;

	do {
		struct user_regs_struct regs;

		if (ptrace(PTRACE_GETREGS, run->child, NULL, &regs) != 0)
			fail("registers");
		/* At a signal, what raised it has been counted; it stops in the handler next. */
		if (signal == 0 && is_counted(run, &regs))
			count(run, &regs);
		else
			run->last = 0;
		signal = step(run, signal);
	} while (signal >= 0);
}

static void start(struct run *run, char **command)
{
	run->child = fork();
	if (run->child < 0)
		fail("fork");
	if (run->child == 0) {
		personality(ADDR_NO_RANDOMIZE);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execv(command[0], command);
		fail(command[0]);
	}
	if (waitpid(run->child, NULL, 0) != run->child)
		fail("wait");
}

int main(int argc, char **argv)
{
	struct run run = { .counting = false };
	int first = 1;

	if (argc > 3 && strcmp(argv[1], "-f") == 0) {
		run.function = strtoull(argv[2], NULL, 16);
		first = 3;
	}
	if (first >= argc) {
		fprintf(stderr, "usage: singlestep [-f ADDRESS] PROGRAM [ARGUMENTS...]\n");
		return 2;
	}
	start(&run, argv + first);
	follow(&run);
	fprintf(stderr, "Ir=%llu Bc=%llu Bi=%llu Rep=%llu\n", (unsigned long long)run.counts.insns,
		(unsigned long long)run.counts.branches, (unsigned long long)run.counts.jumps,
		(unsigned long long)run.counts.rounds);
	return 0;
}
