/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layout of CPython's structures, in 64-bit builds with the global lock. For 3.11 and 3.12
 * there is a table here; since 3.13 the interpreter has its own, _Py_DebugOffsets, at the beginning
 * of _PyRuntime. What is missing there is at a fixed distance from what it has. This file does not
 * depend on Valgrind.
 *
 * Source of the facts: the headers of CPython 3.11 to 3.14 (cpython/code.h, cpython/pystate.h,
 * cpython/unicodeobject.h, internal/pycore_frame.h, internal/pycore_runtime.h; of 3.14
 * internal/pycore_debug_offsets.h, internal/pycore_interpframe_structs.h), by offsetof.
 */
#ifndef TOOL_FRAMES_LAYOUT_H
#define TOOL_FRAMES_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Offsets in bytes from the beginning of the structure. */
struct python_layout {
	/* The runtime: pointers. */
	uint32_t runtime_thread; /* the thread that holds the global lock; 0: the runtime does not have it */
	uint32_t runtime_interpreters; /* the first interpreter */
	/* An interpreter: pointers. */
	uint32_t interpreter_next;
	uint32_t interpreter_threads; /* its first thread */
	/* A thread. */
	uint32_t thread_next;   /* pointer */
	uint32_t thread_id;     /* word: as pthread_self() */
	uint32_t thread_record; /* pointer to the loop's record; 0: the thread itself is the record */
	uint32_t thread_calls;    /* int: calls that may still be made */
	uint32_t thread_c_calls;  /* int: the same for calls of C; 0: they are not counted */
	uint32_t thread_headroom; /* int: not 0 while a call too many is being reported */
	uint32_t thread_size;     /* up to the end of all of these except the frame */
	int32_t last_c_call;      /* a loop is refused if no more calls of C than this are left */
	uint32_t record_current;  /* pointer: the frame that runs */
	/* A frame. */
	uint32_t frame_code;     /* pointer to its code, with tags in the lowest bits */
	uint32_t frame_previous; /* pointer */
	uint32_t frame_owner;    /* char */
	uint32_t frame_size;     /* without variables */
	/* Code. */
	uint32_t object_type;                 /* pointer: in any object */
	uint32_t code_flags, code_first_line; /* int */
	uint32_t code_file, code_name;        /* pointers to texts; the qualified name */
	uint32_t code_size;                   /* without instructions */
	uint32_t text_length, text_state;     /* word, int */
	uint32_t text_hash;                   /* word; -1: not computed yet */
	uint32_t text_ascii_chars,
		text_chars; /* characters of compact ASCII texts, and of other compact texts; for the rest, a pointer to them is there */
};

extern const struct python_layout layout_3_11, layout_3_12;

enum layout_table {
	LAYOUT_TABLE_READ,
	LAYOUT_TABLE_UNKNOWN,  /* it is of another version, or not as expected */
	LAYOUT_TABLE_UNLOCKED, /* it is of a build without the global lock */
};

enum {
	LAYOUT_TABLE_SIZE = 648, /* bytes that are read, which may include data after the table */
};

/*
 * Reads the table at the beginning of _PyRuntime, of version major << 8 | minor, which is 3.13 or
 * 3.14. Changes layout only if the table could be read.
 */
enum layout_table layout_read_table(const uint8_t table[LAYOUT_TABLE_SIZE], uint32_t version,
				    struct python_layout *layout);

#endif
