/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three of the core's functions are entered through ours: its reader of a whole ELF file, and within it the readers of line
 * tables and of inlined functions.  Each of ours notes a place to return to.  Whatever would end the run inside (an overrun, a
 * failed assertion, a panic, a fault), and the message just before the reader goes astray, returns there instead.
 *
 *	VG_(di_notify_mmap)
 *	  __wrap_..._read_elf_debug_info       left: no symbols, no lines
 *	    ML_(read_elf_debug_info)
 *	      __wrap_..._read_debuginfo_dwarf3 left: lines up to there
 *	      __wrap_..._new_dwarf3_reader     left: inlined functions up to there
 *
 * From 3.22 on there are two functions instead of the first.  configure finds out which functions exist; the core's are declared
 * weak, since nobody calls a missing one.
 */
#include "tool/symbols/symbol.h"

#include <stdarg.h>

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_libcsetjmp.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/self.h"
#include "tool/common/syscall.h"

extern __attribute__((noreturn)) void VG_(core_panic)(
	const HChar *text); /* not in the public headers */

struct core_guard {
	struct core_guard *outer;
	const DebugInfo *info;
	UInt lack; /* what the core lacks if its reader is aborted */
	Int pid;   /* a child that the core forks for debuginfod-find is not affected */
	VG_MINIMAL_JMP_BUF(place);
};

struct core_file {
	struct core_file *next;
	UInt has;
	HChar name[];
};

static struct core_file *find_file(const struct core_reader *reader, const HChar *name)
{
	struct core_file *file = reader->files;

	while (file != NULL && VG_(strcmp)(file->name, name) != 0)
		file = file->next;
	return file;
}

UInt core_has(const struct core_reader *reader, const HChar *name)
{
	const struct core_file *file = find_file(reader, name);

	return file == NULL ? 0 : file->has;
}

static void note(const DebugInfo *info, UInt has)
{
	struct core_reader *reader = &tool_symbols.core;
	const HChar *name = VG_(DebugInfo_get_filename)(info);
	struct core_file *file;
	SizeT len;

	if (name == NULL)
		return;
	file = find_file(reader, name);
	if (file == NULL) {
		len = VG_(strlen)(name);
		file = VG_(malloc)("costgrind.core_file", sizeof(*file) + len + 1);
		*file = (struct core_file){ .next = reader->files };
		VG_(memcpy)(file->name, name, len + 1);
		reader->files = file;
	}
	file->has |= has;
	reader->n_changes++;
}

static void enter(struct core_guard *guard, const DebugInfo *info, UInt lack)
{
	guard->outer = tool_symbols.core.guard;
	guard->info = info;
	guard->lack = lack;
	guard->pid = VG_(getpid)();
	tool_symbols.core.guard = guard;
}

static void leave(const struct core_guard *guard)
{
	tool_symbols.core.guard = guard->outer;
}

/* Returns to the innermost guard, if there is one. */
static void stop_reading(void)
{
	struct core_guard *guard = tool_symbols.core.guard;

	if (guard == NULL || guard->pid != VG_(getpid)())
		return;
	note(guard->info, guard->lack);
	VG_MINIMAL_LONGJMP(guard->place);
}

/* -- signals --------------------------------------------------------------- */

/*
 * Damaged files lead the reader of line tables to unmapped addresses.  The signal is caught only while a file is read; nothing
 * returns through the restorer, which the kernel requires.
 */
static const Int caught[] = { VKI_SIGSEGV, VKI_SIGBUS, VKI_SIGFPE };
enum {
	N_CAUGHT = sizeof(caught) / sizeof(caught[0]),
};

static void on_fault(Int number)
{
	(void)number;
	stop_reading();
	VG_(core_panic)("fault in a reader of debug information"); /* in a child of the core */
}

static void unreachable(void)
{
}

static void set_action(Int number, const vki_sigaction_toK_t *action, vki_sigaction_toK_t *before)
{
	syscall_make(__NR_rt_sigaction, (UWord)number, (UWord)action, (UWord)before,
		     sizeof(action->sa_mask), 0);
}

static void catch_faults(vki_sigaction_toK_t before[N_CAUGHT])
{
	const vki_sigaction_toK_t action = {
		.ksa_handler = on_fault,
		.sa_flags = VKI_SA_NODEFER | VKI_SA_RESTORER,
		.sa_restorer = unreachable,
	};

	for (UInt i = 0; i < N_CAUGHT; i++)
		set_action(caught[i], &action, &before[i]);
}

static void let_faults_go(const vki_sigaction_toK_t before[N_CAUGHT])
{
	for (UInt i = 0; i < N_CAUGHT; i++)
		set_action(caught[i], &before[i], NULL);
}

/* -- files that the core has open ------------------------------------------- */

extern struct DiImage *__wrap_vgModuleLocal_img_from_local_file(const HChar *path);
extern struct DiImage *__real_vgModuleLocal_img_from_local_file(const HChar *path)
	__attribute__((weak));
extern void __wrap_vgModuleLocal_img_done(struct DiImage *image);
extern void __real_vgModuleLocal_img_done(struct DiImage *image) __attribute__((weak));

struct DiImage *__wrap_vgModuleLocal_img_from_local_file(const HChar *path)
{
	struct core_reader *reader = &tool_symbols.core;
	struct DiImage *image = __real_vgModuleLocal_img_from_local_file(path);

	if (image != NULL && reader->guard != NULL && reader->n_images < CORE_MAX_IMAGES)
		reader->images[reader->n_images++] = image;
	return image;
}

void __wrap_vgModuleLocal_img_done(struct DiImage *image)
{
	struct core_reader *reader = &tool_symbols.core;

	for (UInt i = 0; i < reader->n_images; i++)
		if (reader->images[i] == image)
			reader->images[i] = reader->images[--reader->n_images];
	__real_vgModuleLocal_img_done(image);
}

/* Otherwise their descriptors would stay among the program's. */
static void close_images(void)
{
	struct core_reader *reader = &tool_symbols.core;

	while (reader->n_images > 0)
		__real_vgModuleLocal_img_done(reader->images[--reader->n_images]);
}

/* -- the readers ----------------------------------------------------------- */

extern Bool __wrap_vgModuleLocal_read_elf_debug_info(DebugInfo *info);
extern Bool __wrap_vgModuleLocal_read_elf_object(DebugInfo *info);
extern Bool __wrap_vgModuleLocal_read_elf_debug(DebugInfo *info);
extern Bool __real_vgModuleLocal_read_elf_debug_info(DebugInfo *info) __attribute__((weak));
extern Bool __real_vgModuleLocal_read_elf_object(DebugInfo *info) __attribute__((weak));
extern Bool __real_vgModuleLocal_read_elf_debug(DebugInfo *info) __attribute__((weak));

static Bool read_file(Bool (*read)(DebugInfo *info), DebugInfo *info)
{
	struct core_guard guard;
	vki_sigaction_toK_t before[N_CAUGHT];
	volatile Bool is_read = False; /* survives the longjmp */

	if (tool_self.sealed) /* a system call of ours may end the program */
		return read(info);
	enter(&guard, info, CORE_LACKS_ALL);
	catch_faults(before);
	if (VG_MINIMAL_SETJMP(guard.place) == 0)
		is_read = read(info);
	else
		close_images();
	tool_symbols.core.n_images = 0;
	if (!is_read)
		note(info, CORE_LACKS_ALL);
	let_faults_go(before);
	leave(&guard);
	return is_read;
}

Bool __wrap_vgModuleLocal_read_elf_debug_info(DebugInfo *info)
{
	return read_file(__real_vgModuleLocal_read_elf_debug_info, info);
}

Bool __wrap_vgModuleLocal_read_elf_object(DebugInfo *info)
{
	return read_file(__real_vgModuleLocal_read_elf_object, info);
}

Bool __wrap_vgModuleLocal_read_elf_debug(DebugInfo *info)
{
	return read_file(__real_vgModuleLocal_read_elf_debug, info);
}

/*
 * The arguments after the DebugInfo differ between versions: sections of 24 bytes each, passed on the stack.  They are passed on
 * unread: the registers, and as many bytes of the caller's stack as 20 sections take.
 */
struct stack_arguments {
	ULong words[60];
};
typedef void section_reader(DebugInfo *info, UWord, UWord, UWord, UWord, UWord,
			    struct stack_arguments);

extern section_reader __wrap_vgModuleLocal_read_debuginfo_dwarf3;
extern section_reader __wrap_vgModuleLocal_new_dwarf3_reader;
extern section_reader __real_vgModuleLocal_read_debuginfo_dwarf3 __attribute__((weak));
extern section_reader __real_vgModuleLocal_new_dwarf3_reader __attribute__((weak));

void __wrap_vgModuleLocal_read_debuginfo_dwarf3(DebugInfo *info, UWord b, UWord c, UWord d, UWord e,
						UWord f, struct stack_arguments sections)
{
	struct core_guard guard;

	note(info, CORE_HAS_LINES);
	enter(&guard, info, CORE_LACKS_LINES | CORE_LACKS_INLINED);
	if (VG_MINIMAL_SETJMP(guard.place) == 0)
		__real_vgModuleLocal_read_debuginfo_dwarf3(info, b, c, d, e, f, sections);
	leave(&guard);
}

void __wrap_vgModuleLocal_new_dwarf3_reader(DebugInfo *info, UWord b, UWord c, UWord d, UWord e,
					    UWord f, struct stack_arguments sections)
{
	struct core_guard guard;

	/* Without lines, there are no lines of inlined calls. */
	if (tool_symbols.core.inlined_is_stuck ||
	    (core_has(&tool_symbols.core, VG_(DebugInfo_get_filename)(info)) &
		      CORE_LACKS_INLINED) != 0) {
		note(info, CORE_LACKS_INLINED);
		return;
	}
	enter(&guard, info, CORE_LACKS_INLINED);
	if (VG_MINIMAL_SETJMP(guard.place) == 0)
		__real_vgModuleLocal_new_dwarf3_reader(info, b, c, d, e, f, sections);
	else /* it has its own place to return to, and asserts when it is called that it has none */
		tool_symbols.core.inlined_is_stuck = True;
	leave(&guard);
}

/* -- how the core ends ----------------------------------------------------- */

extern __attribute__((noreturn)) void __wrap_vgPlain_exit(Int status);
extern __attribute__((noreturn)) void __real_vgPlain_exit(Int status);
extern __attribute__((noreturn)) void __wrap_vgPlain_core_panic(const HChar *text);
extern __attribute__((noreturn)) void __real_vgPlain_core_panic(const HChar *text);
extern __attribute__((noreturn)) void
__wrap_vgPlain_assert_fail(Bool is_core, const HChar *expression, const HChar *file, Int line,
			   const HChar *function, const HChar *format, ...) PRINTF_CHECK(6, 7);
extern __attribute__((noreturn)) void
__real_vgPlain_assert_fail(Bool is_core, const HChar *expression, const HChar *file, Int line,
			   const HChar *function, const HChar *format, ...);

void __wrap_vgPlain_exit(Int status)
{
	stop_reading();
	__real_vgPlain_exit(status);
}

void __wrap_vgPlain_core_panic(const HChar *text)
{
	stop_reading();
	__real_vgPlain_core_panic(text);
}

void __wrap_vgPlain_assert_fail(Bool is_core, const HChar *expression, const HChar *file, Int line,
				const HChar *function, const HChar *format, ...)
{
	HChar text[256];
	va_list args;

	stop_reading();
	va_start(args, format);
	VG_(vsnprintf)(text, sizeof(text), format, args);
	va_end(args);
	__real_vgPlain_assert_fail(is_core, expression, file, line, function, "%s", text);
}

/* -- what it prints before -------------------------------------------------- */

extern UInt __wrap_vgPlain_printf(const HChar *format, ...) PRINTF_CHECK(1, 2);
extern UInt __wrap_vgPlain_umsg(const HChar *format, ...) PRINTF_CHECK(1, 2);
extern void __wrap_vgModuleLocal_symerr(const DebugInfo *info, Bool serious, const HChar *text);
extern void __real_vgModuleLocal_symerr(const DebugInfo *info, Bool serious, const HChar *text)
	__attribute__((weak));

static Bool begins(const HChar *text, const HChar *with)
{
	return VG_(strncmp)(text, with, VG_(strlen)(with)) == 0;
}

/* True inside the readers of lines and of inlined functions, which our own reader can replace. */
static Bool reads_sections(void)
{
	const struct core_guard *guard = tool_symbols.core.guard;

	return guard != NULL && (guard->lack & CORE_LACKS_ALL) == 0;
}

/*
 * For an unknown form, the reader of lines takes no bytes and continues in the wrong place.  The reader of inlined functions gives
 * up on its own, with a second message.
 */
UInt __wrap_vgPlain_printf(const HChar *format, ...)
{
	va_list args;
	UInt n;

	if (reads_sections()) {
		if (begins(format, "### unhandled dwarf2 abbrev form"))
			stop_reading();
		if (begins(format, "get_Form_contents: unhandled") ||
		    begins(format, "get_Form_szB: unhandled"))
			return 0;
	}
	va_start(args, format);
	n = VG_(vprintf)(format, args);
	va_end(args);
	return n;
}

/* An overrun is reported in nine messages. */
UInt __wrap_vgPlain_umsg(const HChar *format, ...)
{
	va_list args;
	UInt n;

	if (begins(format, "Valgrind: debuginfo reader:"))
		stop_reading();
	va_start(args, format);
	n = VG_(vmessage)(Vg_UserMsg, format, args);
	va_end(args);
	return n;
}

void __wrap_vgModuleLocal_symerr(const DebugInfo *info, Bool serious, const HChar *text)
{
	const struct core_guard *guard = tool_symbols.core.guard;

	if (!serious || guard == NULL) {
		__real_vgModuleLocal_symerr(info, serious, text);
		return;
	}
	/* The reader of the file itself reports failure by its result. */
	if (reads_sections())
		note(guard->info, guard->lack);
}
