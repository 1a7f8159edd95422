/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a function belongs to, by its name: a class, a namespace, a module. */
#ifndef CMDS_TEXT_CLASSNAME_H
#define CMDS_TEXT_CLASSNAME_H

#include <stddef.h>

/*
 * The part of a demangled name (C++, Rust, PHP) before the last "::" or "->" that is not within
 * brackets or parameters: "ns::list<int>" of "void ns::list<int>::add<char>(ns::x)", without callers and level of
 * recursion ("f'main'2").  Returns it as a piece of the name, *len bytes; none if it is 0.
 */
const char *classname_find(const char *name, size_t name_len, size_t *len);

#endif
