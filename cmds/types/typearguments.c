/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/types/typearguments.h"

#include <stdlib.h>

#include "profile/common/heap.h"

const uint8_t argument_registers[N_ARGUMENTS] = { 5, 4, 1, 2, 8, 9 };

void typearguments_init(struct type_arguments *arguments)
{
	*arguments = (struct type_arguments){ .n = 0 };
	idtable_init(&arguments->by_function, &heap_env);
}

void typearguments_release(struct type_arguments *arguments)
{
	idtable_release(&arguments->by_function);
	free(arguments->calls);
}

struct call_arguments *typearguments_of(const struct type_arguments *arguments, uint64_t function)
{
	uint32_t i = idtable_get(&arguments->by_function, function);

	return i == IDTABLE_NONE ? NULL : &arguments->calls[i];
}

static struct call_arguments *add(struct type_arguments *arguments, uint64_t function)
{
	struct call_arguments *call;

	if (arguments->n >= IDTABLE_NONE ||
	    !heap_reserve(&heap_env, (void **)&arguments->calls, &arguments->capacity,
			  arguments->n + 1, sizeof(*arguments->calls)) ||
	    !idtable_put(&arguments->by_function, function, (uint32_t)arguments->n))
		return NULL;
	call = &arguments->calls[arguments->n++];
	*call = (struct call_arguments){ .is_new = false };
	return call;
}

/*
 * Other than where ways meet, callers have to agree: a function that takes anything, as one that hashes bytes
 * does, is no function of what one of them gives.
 */
static void join(struct call_arguments *call, size_t i, const struct typetable *table,
		 const struct data_value *value)
{
	struct data_value *known = &call->values[i];
	uint64_t offset = typetable_fold(table, value->type, value->offset, value->stride);

	if (known->kind == VALUE_MIXED)
		return;
	if (known->kind == VALUE_NONE)
		*known = (struct data_value){ .kind = VALUE_POINTER,
					      .type = value->type,
					      .offset = (int64_t)offset };
	else if (known->type != value->type || known->offset != (int64_t)offset)
		known->kind = VALUE_MIXED;
	else
		return;
	call->is_new = true;
}

bool typearguments_note(struct type_arguments *arguments, const struct typetable *table,
			uint64_t function, const struct type_state *state)
{
	struct call_arguments *call = typearguments_of(arguments, function);

	for (size_t i = 0; i < N_ARGUMENTS; i++) {
		const struct data_value *value = &state->registers[argument_registers[i]];

		if (value->kind != VALUE_POINTER)
			continue;
		if (!call)
			call = add(arguments, function);
		if (!call)
			return false;
		join(call, i, table, value);
	}
	return true;
}
