/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where things are in CPython's structures, of one build for 64 bits with the global lock.  Of 3.11 and 3.12
 * that is a table here; since 3.13 the interpreter has one itself, _Py_DebugOffsets, with which its data
 * _PyRuntime begin.  What that has not lies at a fixed distance from what it has.  Nothing here knows Valgrind.
 *
 * Source of the facts: the headers of CPython 3.11 to 3.14 (cpython/code.h, cpython/pystate.h,
 * cpython/unicodeobject.h, internal/pycore_frame.h, internal/pycore_runtime.h; of 3.14 internal/pycore_debug_offsets.h,
 * internal/pycore_interpframe_structs.h), by offsetof.
 */
#ifndef TOOL_FRAMES_LAYOUT_H
#define TOOL_FRAMES_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* All in bytes from where the structure begins. */
struct python_layout {
	/* The runtime: pointers. */
	uint32_t runtime_thread; /* the thread that holds the global lock; 0: it is not there */
	uint32_t runtime_interpreters; /* the first interpreter */
	/* An interpreter: pointers. */
	uint32_t interpreter_next;
	uint32_t interpreter_threads; /* its first thread */
	/* A thread. */
	uint32_t thread_next;     /* pointer */
	uint32_t thread_id;       /* word: as pthread_self() */
	uint32_t thread_record;   /* pointer to the loop's record; 0: the thread itself is that */
	uint32_t thread_calls;    /* int: calls that may still be made */
	uint32_t thread_c_calls;  /* int: the same of C; 0: they are not counted */
	uint32_t thread_headroom; /* int: not 0 while one too many is being reported */
	uint32_t thread_size;     /* up to the end of all of these, but the frame */
	int32_t last_c_call;      /* a loop that begins is refused if no more are left */
	uint32_t record_current;  /* pointer: the frame that runs */
	/* A frame. */
	uint32_t frame_code;     /* pointer to its code, with tags in the lowest bits */
	uint32_t frame_previous; /* pointer */
	uint32_t frame_owner;    /* char */
	uint32_t frame_size;     /* without variables */
	/* Code. */
	uint32_t object_type;                 /* pointer: of any object */
	uint32_t code_flags, code_first_line; /* int */
	uint32_t code_file, code_name;        /* pointers to texts; the qualified name */
	uint32_t code_size;                   /* without instructions */
	uint32_t text_length, text_state;     /* word, int */
	uint32_t text_hash;                   /* word; -1: not asked for yet */
	uint32_t text_ascii_chars,
		text_chars; /* where they are of compact ones of ASCII, of others that are compact;
						* of the rest a pointer to them is there */
};

extern const struct python_layout layout_3_11, layout_3_12;

enum layout_table {
	LAYOUT_TABLE_READ,
	LAYOUT_TABLE_UNKNOWN,  /* it is of another version, or not as that has it */
	LAYOUT_TABLE_UNLOCKED, /* it is of a build without the global lock */
};

enum {
	LAYOUT_TABLE_SIZE = 648, /* bytes: what is read of it, or of what is behind it */
};

/*
 * Reads the table that is at the beginning of _PyRuntime, of version major << 8 | minor, which is 3.13 or 3.14; only
 * if it is read, layout is changed.
 */
enum layout_table layout_read_table(const uint8_t table[LAYOUT_TABLE_SIZE], uint32_t version,
				    struct python_layout *layout);

#endif
