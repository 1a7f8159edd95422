/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which debug information the core of Valgrind reads.  At the first unknown form in a declaration, used or not, it gives up
 * the file or even the program.  Other things it misinterprets, reads on to the end of the file, and gives up there.  What
 * each release knows was found in its sources, and by running 3.19:
 *
 *	3.19	no forms with indices; of version 5 only compile and partial units, since it takes the signature of others
 *		for entries
 *	3.20	knows these
 *	all	no forms of GNU's split units and of version 5's supplementary files; line tables have offsets of the same
 *		size as their units (gcc -gdwarf64 has 4 bytes in these and 8 in those)
 */
#include "tool/elf/dwarf.h"

#include "tool/elf/dwarfunit.h"

enum {
	FIRST_WITH_INDICES = 20,
	/* How often tables of declarations may be read in all; those that many units share are read once. */
	TIMES_READ = 8,
};

static bool knows_form(uint64_t form, unsigned minor)
{
	enum {
		FIRST_FORM = 0x01,
		FLAG_PRESENT = 0x19,
		STRX = 0x1a,
		ADDRX = 0x1b,
		DATA16 = 0x1e,
		IMPLICIT = 0x21,
		LOCLISTX = 0x22,
		RNGLISTX = 0x23,
		STRX1 = 0x25,
		ADDRX4 = 0x2c,
		GNU_REF_ALT = 0x1f20,
		GNU_STRP_ALT = 0x1f21,
	};

	if (form == STRX || form == ADDRX || form == LOCLISTX || form == RNGLISTX ||
	    (form >= STRX1 && form <= ADDRX4))
		return minor >= FIRST_WITH_INDICES;
	return (form >= FIRST_FORM && form <= FLAG_PRESENT && form != 0x02) ||
	       (form >= DATA16 && form <= IMPLICIT) || form == GNU_REF_ALT || form == GNU_STRP_ALT;
}

static bool knows_kind(const struct dwarf_unit *unit, unsigned minor)
{
	return minor >= FIRST_WITH_INDICES || unit->kind == DWARF_UNIT_COMPILE ||
	       unit->kind == DWARF_UNIT_PARTIAL;
}

/* The declarations of a unit; *end is where they end. */
static bool knows_declarations(const struct dwarf_unit *unit, unsigned minor, uint64_t *end)
{
	const struct debug_bytes section = unit->sections->abbreviations;
	struct debug_cursor cursor = cursor_of(debug_bytes_from(section, unit->declarations));
	struct dwarf_declaration declaration;
	struct dwarf_attribute_form attribute;
	bool knows_all = true;

	while (dwarfunit_declaration(&cursor, &declaration))
		while (dwarfunit_attribute(&cursor, &attribute))
			knows_all &= knows_form(attribute.form, minor);
	*end = section.len - cursor.left;
	/* Without an end, the section is damaged. */
	return knows_all || cursor.failed;
}

/* True if a unit's offsets have the size of its line table's. */
static bool has_like_lines(struct dwarf_unit *unit)
{
	struct debug_cursor entry = dwarfunit_entries(unit, unit->root);
	struct dwarf_declaration declaration;
	struct dwarf_root root;
	struct line_unit lines;
	uint64_t end;

	if (unit->format.version < 5 ||
	    !dwarfunit_find(unit, cursor_unsigned(&entry), &declaration))
		return true;
	dwarfunit_root(unit, entry, &declaration, &root);
	return !root.has_lines || !lineprogram_unit(unit->sections, root.lines, &end, &lines) ||
	       lines.version < 5 || lines.offset_size == unit->format.offset_size;
}

static bool reads(const struct debug_sections *sections, unsigned minor)
{
	uint64_t at = 0, last = UINT64_MAX, end = 0, n_read = 0;
	struct dwarf_unit unit;

	while (dwarfunit_next(sections, &at, &unit)) {
		if (!knows_kind(&unit, minor) || !has_like_lines(&unit))
			return false;
		if (unit.declarations == last || n_read / TIMES_READ >= sections->abbreviations.len)
			continue;
		last = unit.declarations;
		if (!knows_declarations(&unit, minor, &end))
			return false;
		n_read += end > last ? end - last : 0;
	}
	return true;
}

bool dwarf_core_reads(const struct debug_sections *sections, const struct debug_sections *alternate,
		      unsigned minor)
{
	return reads(sections, minor) && (alternate == NULL || reads(alternate, minor));
}
