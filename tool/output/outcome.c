/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a profile describes its run, and the list of programs that were not profiled.  The list is a file of records: a letter,
 * a name and a NUL.  The letter is ADDED..., or TAKEN if the program was not executed after all.  Appending is
 * atomic, so processes need no lock.  Readers add records up.
 */
#include "tool/output/descs.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/state.h"
#include "tool/common/filesystem.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/deterministic/state.h"
#include "tool/output/state.h"

static struct unprofiled *const list = &tool_output.unprofiled;

enum {
	ADDED = '+',
	ADDED_SILENTLY = '*', /* added by a process without a profile of its own */
	TAKEN = '-',

	MOST_NAMES = 8,           /* that a profile lists */
	MOST_BYTES = 1024 * 1024, /* of the file; later programs are added without a name */
	TEXT_SIZE = 64 + (MOST_NAMES + 1) * (UNPROFILED_NAME + 2),
};

/* --- the list ---------------------------------------------------------------------------- */

void unprofiled_init(void)
{
	*list = (struct unprofiled){ .file = -1 };
}

void unprofiled_fork(void)
{
	if (list->file >= 0 || tool_self.sealed || tool_self.forked)
		return;
	list->file = memfile_make("costgrind.unprofiled");
	if (list->file < 0)
		return;
	/* The executed program must not inherit it. */
	syscall_fcntl(list->file, VKI_F_SETFD, VKI_FD_CLOEXEC);
	syscall_fcntl(list->file, VKI_F_SETFL, VKI_O_APPEND);
}

static void append(HChar letter, const HChar *name)
{
	HChar record[1 + UNPROFILED_NAME];

	if (list->file < 0 || !tool_self.forked)
		return;
	if (syscall_lseek(list->file, 0, VKI_SEEK_END) > MOST_BYTES)
		name = "";
	record[0] = letter;
	VG_(strlcpy)(record + 1, name, UNPROFILED_NAME);
	syscall_write(list->file, record, VG_(strlen)(record) + 1);
}

void unprofiled_add(const HChar *name, Bool has_profile)
{
	VG_(strlcpy)(list->current, name, sizeof(list->current));
	append(has_profile ? ADDED : ADDED_SILENTLY, name);
}

void unprofiled_remove(void)
{
	if (list->current[0] != '\0')
		append(TAKEN, list->current);
	list->current[0] = '\0';
}

/* A list while it is read. */
struct records {
	HChar *chars;          /* the file, and the program that is about to be executed */
	const HChar **records; /* by name; of one name, as they came */
	UInt n;
};

static Int record_order(const void *a, const void *b)
{
	const HChar *left = *(const HChar *const *)a, *right = *(const HChar *const *)b;
	const Int order = VG_(strcmp)(left + 1, right + 1);

	return order != 0 ? order : (left > right) - (left < right);
}

/* A child lists only what it executes itself. */
static Bool has_file(void)
{
	return list->file >= 0 && !tool_self.forked && !tool_self.sealed;
}

void unprofiled_zero(void)
{
	if (has_file())
		list->began = syscall_lseek(list->file, 0, VKI_SEEK_END);
}

/* Reads the records that begin at byte begin of the file or later. */
static void read_records(Word begin, struct records *records)
{
	const Word end = has_file() ? syscall_lseek(list->file, 0, VKI_SEEK_END) : 0;
	const Word size = (end > begin ? end - begin : 0) + 1 + UNPROFILED_NAME;
	Word len = 0;

	*records = (struct records){ .chars = VG_(malloc)("costgrind.records", (SizeT)size) };
	if (end > begin)
		len = syscall_pread(list->file, records->chars, (SizeT)(end - begin), begin);
	if (len < 0)
		len = 0;
	if (list->current[0] != '\0') {
		records->chars[len++] = ADDED;
		VG_(strlcpy)(records->chars + len, list->current, UNPROFILED_NAME);
		len += (Word)VG_(strlen)(records->chars + len) + 1;
	}
	records->records = VG_(malloc)("costgrind.records",
				       ((SizeT)size / 2 + 1) * sizeof(records->records[0]));
	for (Word at = 0; at < len; at += (Word)VG_(strlen)(records->chars + at) + 1)
		records->records[records->n++] = records->chars + at;
	VG_(ssort)(records->records, records->n, sizeof(records->records[0]), record_order);
}

static void release_records(struct records *records)
{
	VG_(free)(records->chars);
	VG_(free)(records->records);
}

/* True if the program of record i was executed; moves i to the next program. */
static Bool was_executed(const struct records *records, UInt *i)
{
	const HChar *name = records->records[*i] + 1;
	UInt n_added = 0, n_taken = 0;

	for (; *i < records->n && VG_(strcmp)(records->records[*i] + 1, name) == 0; (*i)++)
		if (records->records[*i][0] == TAKEN)
			n_taken++;
		else
			n_added++;
	return n_added > n_taken;
}

const HChar *unprofiled_first(HChar name[UNPROFILED_NAME])
{
	const HChar *first = NULL;
	struct records records;

	read_records(0, &records);
	for (UInt i = 0; i < records.n;) {
		const UInt begin = i;

		if (!was_executed(&records, &i))
			continue;
		for (UInt j = begin; j < i; j++)
			if (records.records[j][0] == ADDED_SILENTLY &&
			    (first == NULL || records.records[j] < first))
				first = records.records[j];
	}
	if (first != NULL)
		VG_(strlcpy)(name, first + 1, UNPROFILED_NAME);
	release_records(&records);
	return first != NULL ? name : NULL;
}

/* "3 programs: /bin/sh, /usr/bin/gcc", in the order of names; "" if there is none. */
static void describe_unprofiled(HChar text[TEXT_SIZE])
{
	HChar names[TEXT_SIZE] = "";
	UInt n = 0, n_names = 0, len = 0;
	struct records records;
	Bool has_more = False;

	read_records(list->began, &records);
	for (UInt i = 0; i < records.n;) {
		const HChar *name = records.records[i] + 1;

		if (!was_executed(&records, &i))
			continue;
		n++;
		/* A comma would end the name. */
		if (name[0] == '\0' || VG_(strchr)(name, ',') != NULL || n_names == MOST_NAMES) {
			has_more = True;
			continue;
		}
		len += VG_(snprintf)(names + len, (Int)(TEXT_SIZE - len), "%s%s",
				     n_names == 0 ? "" : ", ", name);
		n_names++;
	}
	release_records(&records);
	text[0] = '\0';
	if (n != 0)
		VG_(snprintf)(text, TEXT_SIZE, "%u program%s: %s%s", n, n == 1 ? "" : "s", names,
			      !has_more      ? ""
			      : n_names == 0 ? "..."
					     : ", ...");
}

/* --- lines ------------------------------------------------------------------------------- */

/* Instructions executed since costs were zero, collected or not. */
static ULong executed(UInt thread)
{
	ULong totals[N_EVENTS];

	if (thread != 0)
		return threads_instructions(thread);
	threads_totals(totals);
	return totals[EVENT_IR];
}

void outcome_tell(UInt thread, ULong collected, Bool of_process, desc_taker *take, void *ctx)
{
	const ULong n_asked = clock_questions();
	HChar text[TEXT_SIZE];

	VG_(snprintf)(text, sizeof(text), "%'llu of %'llu instructions", collected,
		      executed(thread));
	take(ctx, "Collected", text);
	if (tool_calls.was_off)
		take(ctx, "Instrumentation", "off for a part of the run");
	if (ending_text(text) != NULL)
		take(ctx, "Ended", text);
	if (!of_process)
		return;
	if (tool_calls.threads.n_begun > 1) {
		VG_(snprintf)(text, sizeof(text), "%u", tool_calls.threads.n_begun);
		take(ctx, "Threads", text);
	}
	describe_unprofiled(text);
	if (text[0] != '\0')
		take(ctx, "Not profiled", text);
	if (n_asked > CLOCK_FEW_QUESTIONS) {
		VG_(snprintf)(text, sizeof(text), "%'llu times", n_asked);
		take(ctx, "Time asked", text);
	}
}
