/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The functions of the C library that Capstone 4 and 5 need, on top of the core's.  Nobody else may call them.  Functions that only
 * Capstone's parts for other processors need are an error.
 *
 * Debian builds Capstone with the stack protector, which keeps its word at %fs:0x28.  The tool has no thread-local storage, and the
 * core neither uses nor changes the host's %fs, so setting it once is enough for all threads and children.
 */
#include "tool/common/self.h"

#include <stdarg.h>

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/syscall.h"

/* No header of the C library is here: it would clash with the core's. */
void *malloc(SizeT size);
void *calloc(SizeT n, SizeT size);
void *realloc(void *memory, SizeT size);
void free(void *memory);
void qsort(void *base, SizeT n, SizeT size, Int (*compare)(const void *, const void *));
SizeT strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, SizeT n);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
char *strncpy(char *to, const char *from, SizeT n);
/* Nobody here may say its name: it is banned. */
char *unbounded_copy(char *to, const char *from) __asm__("strcpy");
int unbounded_format(char *to, const char *format, ...) __asm__("sprintf");
int vsnprintf(char *to, SizeT size, const char *format, va_list args) PRINTF_CHECK(3, 0);
long strtol(const char *text, char **end, int base);
const Int **__ctype_tolower_loc(void);
int __sprintf_chk(char *to, int flag, SizeT size, const char *format, ...);
char *__strcpy_chk(char *to, const char *from, SizeT size);
void *__memcpy_chk(void *to, const void *from, SizeT n, SizeT size);
void __stack_chk_fail(void);
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
	__attribute__((noreturn));
int printf(const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int puts(const char *text);
SizeT fwrite(const void *data, SizeT size, SizeT n, void *file);
extern void *stderr;

void libcnames_init(void)
{
	/* %fs:0x28 is in it. */
	static const ULong block[8] __attribute__((aligned(64))) = { 0 };

	syscall_make(__NR_arch_prctl, LINUX_ARCH_SET_FS, (UWord)block, 0, 0, 0);
}

void *malloc(SizeT size)
{
	return VG_(malloc)("costgrind.capstone", size);
}

void *calloc(SizeT n, SizeT size)
{
	return VG_(calloc)("costgrind.capstone", n, size);
}

void *realloc(void *memory, SizeT size)
{
	return VG_(realloc)("costgrind.capstone", memory, size);
}

void free(void *memory)
{
	if (memory != NULL)
		VG_(free)(memory);
}

void qsort(void *base, SizeT n, SizeT size, Int (*compare)(const void *, const void *))
{
	VG_(ssort)(base, n, size, compare);
}

SizeT strlen(const char *text)
{
	return VG_(strlen)(text);
}

int strcmp(const char *left, const char *right)
{
	return VG_(strcmp)(left, right);
}

int strncmp(const char *left, const char *right, SizeT n)
{
	return VG_(strncmp)(left, right, n);
}

char *strchr(const char *text, int c)
{
	return VG_(strchr)(text, (HChar)c);
}

char *strrchr(const char *text, int c)
{
	return VG_(strrchr)(text, (HChar)c);
}

char *strstr(const char *text, const char *part)
{
	return VG_(strstr)(text, part);
}

char *strncpy(char *to, const char *from, SizeT n)
{
	return VG_(strncpy)(to, from, n);
}

int vsnprintf(char *to, SizeT size, const char *format, va_list args)
{
	return (int)VG_(vsnprintf)(to, (Int)size, format, args);
}

void *__memcpy_chk(void *to, const void *from, SizeT n, SizeT size)
{
	if (n > size)
		VG_(tool_panic)("buffer overrun in Capstone");
	return VG_(memcpy)(to, from, n);
}

void __stack_chk_fail(void)
{
	VG_(tool_panic)("stack smashed in Capstone");
}

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
	VG_(printf)("%s:%u: %s: %s\n", file, line, function, assertion);
	VG_(tool_panic)("assertion failed in Capstone");
}

/* --- messages of Capstone 5 about contradictions in its tables, which are dropped ------------ */

void *stderr;

int printf(const char *format, ...)
{
	(void)format;
	return 0;
}

int __printf_chk(int flag, const char *format, ...)
{
	(void)flag;
	(void)format;
	return 0;
}

int puts(const char *text)
{
	(void)text;
	return 0;
}

SizeT fwrite(const void *data, SizeT size, SizeT n, void *file)
{
	(void)data;
	(void)size;
	(void)file;
	return n;
}

/* --- for other processors ----------------------------------------------------------------- */

static void __attribute__((noreturn)) refuse(void)
{
	VG_(tool_panic)("Capstone decodes for another processor");
}

char *unbounded_copy(char *to, const char *from)
{
	(void)to;
	(void)from;
	refuse();
}

int unbounded_format(char *to, const char *format, ...)
{
	(void)to;
	(void)format;
	refuse();
}

long strtol(const char *text, char **end, int base)
{
	(void)text;
	(void)end;
	(void)base;
	refuse();
}

const Int **__ctype_tolower_loc(void)
{
	refuse();
}

int __sprintf_chk(char *to, int flag, SizeT size, const char *format, ...)
{
	(void)to;
	(void)flag;
	(void)size;
	(void)format;
	refuse();
}

char *__strcpy_chk(char *to, const char *from, SizeT size)
{
	(void)to;
	(void)from;
	(void)size;
	refuse();
}
