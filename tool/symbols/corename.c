/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core has one entry for each range of addresses, sorted by address, with the name that it
 * shows (the shortest) and all others.  Its own tools reach them by functions that are not in its public headers, and have not
 * changed since 3.12.
 */
#include "tool/symbols/corename.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "valgrind.h"

#include "tool/common/self.h"
#include "writer/shared/d_name.h"

/* Where a symbol is.  Other architectures, which have more words here, are not built for. */
struct symbol_addresses {
	Addr main;
};

extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo *info);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo *info, Int i,
				       struct symbol_addresses *addresses, UInt *size,
				       const HChar **name, const HChar ***others, Bool *is_text,
				       Bool *is_ifunc, Bool *is_global);

/* -- aliases ----------------------------------------------------------------- */

void aliases_add(struct aliases *aliases, const HChar *mangled)
{
	const HChar *shown, *version;
	HChar *name;
	SizeT len;

	VG_(demangle)(True, True, mangled, &shown);
	version = VG_(strchr)(shown, '@');
	len = version == NULL || version == shown ? VG_(strlen)(shown) : (SizeT)(version - shown);
	name = VG_(malloc)("costgrind.alias", len + 1);
	VG_(memcpy)(name, shown, len);
	name[len] = '\0';
	if (aliases->n == aliases->room) {
		aliases->room = aliases->room == 0 ? 8 : 2 * aliases->room;
		aliases->names = VG_(realloc)("costgrind.aliases", aliases->names,
					      aliases->room * sizeof(*aliases->names));
	}
	aliases->names[aliases->n++] = name;
}

/* True if the object has a symbol that begins there. */
static Bool add_symbol(struct aliases *aliases, const DebugInfo *info, Addr entry)
{
	Int first = 0, end = VG_(DebugInfo_syms_howmany)(info);

	while (first < end) {
		const Int middle = first + (end - first) / 2;
		struct symbol_addresses addresses;
		const HChar *name, **others;
		Bool is_text, is_ifunc, is_global;
		UInt size;

		VG_(DebugInfo_syms_getidx)
		(info, middle, &addresses, &size, &name, &others, &is_text, &is_ifunc, &is_global);
		if (addresses.main < entry) {
			first = middle + 1;
		} else if (addresses.main > entry) {
			end = middle;
		} else {
			aliases_add(aliases, name);
			for (; others != NULL && *others != NULL; others++)
				aliases_add(aliases, *others);
			return True;
		}
	}
	return False;
}

void aliases_read(struct aliases *aliases, Addr entry)
{
	const DebugInfo *info = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), entry);

	if (info != NULL) {
		add_symbol(aliases, info, entry);
		return;
	}
	/* Code in a section of its own: the core knows the symbol, but does not say whose it is. */
	for (info = VG_(next_DebugInfo)(NULL); info != NULL; info = VG_(next_DebugInfo)(info))
		if (add_symbol(aliases, info, entry))
			return;
}

void aliases_release(struct aliases *aliases)
{
	for (UInt i = 0; i < aliases->n; i++)
		VG_(free)(aliases->names[i]);
	VG_(free)(aliases->names);
	*aliases = (struct aliases){ .n = 0 };
}

/* -- D ----------------------------------------------------------------------- */

extern Bool VG_(clo_demangle);
extern HChar *dlang_demangle(const HChar *mangled, Int options);

/* The bytes of a name that are to be demangled here; 0 if none are. */
static SizeT length_of_d(const HChar *name, SizeT len)
{
#if __VALGRIND_MAJOR__ > 3 || __VALGRIND_MINOR__ >= 21
	(void)name;
	(void)len;
	return 0; /* the core has done it */
#else
	return VG_(clo_demangle) && dropin_name() == DROPIN_NONE ? d_name_length(name, len) : 0;
#endif
}

/* "f(int) [clone .cold]" of a mangled name and a suffix, as names of C++ have it. */
static const struct text *demangle_d(struct text_table *names, const HChar *given, SizeT mangled,
				     SizeT len)
{
	HChar *copy = VG_(strdup)("costgrind.d.given", given), *shown;
	const HChar *demangled;
	const struct text *text;
	SizeT room;

	copy[mangled] = '\0';
	/* Its memory is of an arena of the core's that no tool can free: once a name, and no more than names take. */
	demangled = dlang_demangle(copy, 0);
	VG_(free)(copy);
	if (demangled == NULL)
		return text_intern(names, given, len);
	room = VG_(strlen)(demangled) + len - mangled + sizeof(" [clone ]");
	shown = VG_(malloc)("costgrind.d.name", room);
	if (mangled == len)
		VG_(snprintf)(shown, (Int)room, "%s", demangled);
	else if (given[mangled] == '.')
		VG_(snprintf)(shown, (Int)room, "%s [clone %s]", demangled, given + mangled);
	else
		VG_(snprintf)(shown, (Int)room, "%s%s", demangled, given + mangled);
	text = text_intern(names, shown, VG_(strlen)(shown));
	VG_(free)(shown);
	return text;
}

void d_names_init(struct d_names *d_names)
{
	text_table_init(&d_names->given, "costgrind.d.names");
	d_names->shown = NULL;
	d_names->room = 0;
}

const struct text *d_names_shown(struct d_names *d_names, struct text_table *names,
				 const HChar *given)
{
	const SizeT len = VG_(strlen)(given), mangled = length_of_d(given, len);
	const UInt n = d_names->given.n;
	const struct text *text;

	if (mangled == 0)
		return text_intern(names, given, len);
	text = text_intern(&d_names->given, given, len);
	if (text->id < n)
		return d_names->shown[text->id];
	if (n == d_names->room) {
		d_names->room = n == 0 ? 64 : 2 * n;
		d_names->shown = VG_(realloc)("costgrind.d.shown", d_names->shown,
					      d_names->room * sizeof(const struct text *));
	}
	d_names->shown[n] = demangle_d(names, given, mangled, len);
	return d_names->shown[n];
}
