/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of generated code as compilers write them for profilers: one text, in which some of
 * them have the source file, too.
 *
 *	written by	text				function		file
 *	CPython		py::f:/path/file.py		py::f			/path/file.py
 *	V8		JS:~f /path/file.js:3:14	JS:~f			/path/file.js, line 3
 *			LazyCompile:*f file:///a.js:3	LazyCompile:*f		/a.js, line 3
 *			JS:^ /path/file.js:1:1		JS:^(anonymous)		/path/file.js, line 1
 *	JVM agents	Lorg/a/Foo$Bar;::f		org.a.Foo$Bar::f	org/a/Foo.java
 *
 * Of V8's, the character before the name is how the function was compiled: ~ interpreted, ^ without
 * optimisation, + and * with.  All other texts are functions.
 */
#ifndef TOOL_GENERATED_CODENAME_H
#define TOOL_GENERATED_CODENAME_H

#include <stddef.h>
#include <stdint.h>

enum {
	CODENAME_SIZE = 4096, /* bytes, with a NUL; what is longer is cut */
};

struct codename {
	char function[CODENAME_SIZE];
	char file[CODENAME_SIZE]; /* "": unknown */
	uint32_t line;            /* 0: unknown */
};

/*
 * Splits the len bytes of a name.  Each control character becomes a '?', as a profile has one name a
 * line; blanks around a name go.  A function of no characters is no name.
 */
void codename_split(const char *text, size_t len, struct codename *name);

#endif
