/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/work/insnevents.h"

#include "isa/x86/decoder.h"
#include "tool/work/state.h"

struct found {
	struct insnevent *events;
	UInt n;
};

static void add(struct found *found, enum event event, UInt n)
{
	if (n != 0)
		found->events[found->n++] = (struct insnevent){ event, n };
}

static void add_operations(struct found *found, const struct insn_work *work)
{
	add(found, EVENT_FLS, work->singles);
	add(found, EVENT_FLD, work->doubles);
	add(found, EVENT_FLX, work->extendeds);
	add(found, EVENT_FL128, work->bits == 128);
	add(found, EVENT_FL256, work->bits == 256);
}

UInt insnevents_find(const UChar *code, UInt size, struct insnevent events[INSNEVENTS_MOST])
{
	struct found found = { events, 0 };
	struct insn_work work;

	if (!tool_work.has_operations || !insn_may_float(code, size))
		return 0;
	insn_work_decode(&tool_work.decoder, code, size, &work);
	add_operations(&found, &work);
	return found.n;
}

enum event insnevents_class(const UChar *code, UInt size)
{
	static const enum event classes[N_INSN_CLASSES] = {
		[CLASS_INTEGER] = EVENT_AL,    [CLASS_FLOATING] = EVENT_FA,
		[CLASS_MULTIPLY] = EVENT_MUL,  [CLASS_DIVIDE] = EVENT_DIV,
		[CLASS_CONVERSION] = EVENT_CV, [CLASS_SHUFFLE] = EVENT_SHF,
		[CLASS_MOVE] = EVENT_MOV,      [CLASS_BRANCH] = EVENT_JMP,
		[CLASS_NOP] = EVENT_NOP,       [CLASS_SYSTEM] = EVENT_SYS,
	};
	struct insn_work work;

	insn_work_decode(&tool_work.decoder, code, size, &work);
	return classes[work.class];
}
