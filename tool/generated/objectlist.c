/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hook is seldom there: programs without the interface pay nothing for it (callhooks_add_rare()).
 *
 * An entry of a list says where its file is in memory.  What the file has named is kept by where the
 * entry is, so that it can be taken back when the entry is taken out: its memory may be gone.
 */
#include "tool/generated/objectlist.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"

#include "tool/calls/callhook.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/elf/elfobject.h"
#include "tool/generated/codename.h"
#include "tool/generated/naming.h"
#include "tool/generated/objectlines.h"
#include "tool/generated/state.h"
#include "tool/symbols/symbol.h"

/*
 * The core finds symbols of data by their names for itself.  Not in its public headers; of the
 * addresses that it gives the first is the symbol's, and others are of other processors.
 */
struct symbol_addresses {
	Addr main, more[3];
};
extern Bool VG_(lookup_symbol_SLOW)(DiEpoch epoch, const HChar *soname, const HChar *name,
				    struct symbol_addresses *addresses);

enum {
	MAX_OBJECT_SIZE = 1 << 28, /* bytes of a file */
	MAX_ENTRIES = 1 << 20,     /* of a list, which may be a ring if it is damaged */
	ACTION_REGISTER = 1,
	ACTION_UNREGISTER = 2,
};

/* As programs have them. */
struct list_head {
	UInt version; /* 1 */
	UInt action;
	Addr relevant, first; /* entries */
};

struct list_entry {
	Addr next, previous;
	Addr file;
	ULong size; /* bytes */
};

/* What was named, to be taken back. */
struct named_function {
	Addr address;
	ULong size;
	const struct text *name;
};

struct registered_object {
	struct registered_object *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;                      /* address of its entry */
	UInt n, room;
	struct named_function *functions;
};

static Bool read_memory(void *to, Addr from, SizeT n)
{
	UChar *at = to;

	if (tool_self.sealed) {
		if (!VG_(am_is_valid_for_client)(from, n, VKI_PROT_READ))
			return False;
		VG_(memcpy)(to, (const void *)from, n);
		return True;
	}
	while (n > 0) {
		Word done = syscall_read_own(at, from, n);

		if (done <= 0)
			return False;
		at += done;
		from += (Addr)done;
		n -= (SizeT)done;
	}
	return True;
}

/* --- one object ---------------------------------------------------------------------------- */

static void note_named(struct registered_object *registered, const struct named_function *function)
{
	if (registered->n == registered->room) {
		registered->room = registered->room == 0 ? 4 : 2 * registered->room;
		registered->functions =
			VG_(realloc)("costgrind.registered", registered->functions,
				     registered->room * sizeof(*registered->functions));
	}
	registered->functions[registered->n++] = *function;
}

/* Bytes of a text, of which more than a name may have do not matter. */
static SizeT name_length(const HChar *name)
{
	SizeT len = 0;

	while (len < CODENAME_SIZE && name[len] != '\0')
		len++;
	return len;
}

static void name_functions(struct registered_object *registered, const UChar *bytes, SizeT len)
{
	struct elfobject_cursor cursor = { 0, 0 };
	struct elfobject_function function;
	struct elfobject object;
	struct objectlines lines = { 0 };

	if (!elfobject_open(&object, bytes, len))
		return;
	objectlines_read(&lines, &object);
	while (elfobject_next(&object, &cursor, &function)) {
		const struct naming naming = {
			.address = function.address,
			.size = function.size,
			.name = function.name,
			.name_len = name_length(function.name),
			.lines = function.size == 0
					 ? NULL
					 : objectlines_of(&lines, function.address, function.size),
		};
		const struct text *name = naming_set(&naming);

		if (name != NULL)
			note_named(registered,
				   &(struct named_function){ naming.address, naming.size, name });
	}
	objectlines_release(&lines);
}

static void forget(struct registered_object *registered)
{
	for (UInt i = 0; i < registered->n; i++)
		naming_remove(registered->functions[i].address, registered->functions[i].size,
			      registered->functions[i].name);
	if (registered->functions != NULL)
		VG_(free)(registered->functions);
	VG_(free)(registered);
}

static void take_out(Addr entry)
{
	struct registered_object *registered =
		VG_(HT_remove)(tool_generated.registered.objects, entry);

	if (registered != NULL)
		forget(registered);
}

static void add(Addr entry, const struct list_entry *said)
{
	UChar *bytes;

	take_out(entry); /* that was freed without a word */
	if (said->size == 0 || said->size > MAX_OBJECT_SIZE)
		return;
	bytes = VG_(malloc)("costgrind.object", said->size);
	if (read_memory(bytes, said->file, said->size)) {
		struct registered_object *registered =
			VG_(calloc)("costgrind.registered", 1, sizeof(*registered));

		registered->key = entry;
		VG_(HT_add_node)(tool_generated.registered.objects, registered);
		name_functions(registered, bytes, said->size);
	}
	VG_(free)(bytes);
}

/* --- lists --------------------------------------------------------------------------------- */

/* Where an object has the head of its list; 0 if it has none. */
static Addr find_head(const DebugInfo *info)
{
	struct symbol_addresses found = { 0 };
	const HChar *soname = VG_(DebugInfo_get_soname)(info);

	if (soname == NULL || !VG_(lookup_symbol_SLOW)(VG_(current_DiEpoch)(), soname,
							   "__jit_debug_descriptor", &found))
		return 0;
	return found.main;
}

static Addr find_head_of(const struct text *object)
{
	struct objectlist *list = &tool_generated.registered;
	const UInt epoch = VG_(current_DiEpoch)().n;

	if (list->object == object && list->epoch == epoch)
		return list->head;
	list->object = object;
	list->epoch = epoch;
	list->head = 0;
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL && list->head == 0;
	     info = VG_(next_DebugInfo)(info))
		if (VG_(strcmp)(VG_(DebugInfo_get_filename)(info), object->chars) == 0)
			list->head = find_head(info);
	return list->head;
}

/* The program says that its list has changed. */
static void note_entered(const struct hooked_call *call, Bool is_outermost)
{
	const Addr at = find_head_of(call->function->object);
	struct list_head head;
	struct list_entry entry;

	(void)is_outermost;
	if (at == 0 || !read_memory(&head, at, sizeof(head)) || head.relevant == 0)
		return;
	if (head.action == ACTION_UNREGISTER)
		take_out(head.relevant);
	else if (head.action == ACTION_REGISTER &&
		 read_memory(&entry, head.relevant, sizeof(entry)))
		add(head.relevant, &entry);
}

static void note_returned(const struct hooked_call *call, Bool is_outermost, UWord result)
{
	(void)call;
	(void)is_outermost;
	(void)result;
}

void objectlist_start(void)
{
	static const struct call_hook hook = { note_entered, note_returned, NULL };

	tool_generated.registered.objects = VG_(HT_construct)("costgrind.registered");
	callhooks_add_rare("__jit_debug_register_code", &hook);
}

static void read_list(Addr at)
{
	struct list_entry entry = { 0 };
	struct list_head head = { 0 };
	UInt n = 0;

	if (!read_memory(&head, at, sizeof(head)))
		return;
	for (Addr next = head.first; next != 0 && n < MAX_ENTRIES; n++) {
		if (!read_memory(&entry, next, sizeof(entry)))
			return;
		add(next, &entry);
		next = entry.next;
	}
}

void objectlist_read(void)
{
	struct registered_object *registered;
	Addr head;

	VG_(HT_ResetIter)(tool_generated.registered.objects);
	while ((registered = VG_(HT_Next)(tool_generated.registered.objects)) != NULL) {
		VG_(HT_remove_at_Iter)(tool_generated.registered.objects);
		forget(registered);
	}
	for (const DebugInfo *info = VG_(next_DebugInfo)(NULL); info != NULL;
	     info = VG_(next_DebugInfo)(info))
		if ((head = find_head(info)) != 0)
			read_list(head);
}
