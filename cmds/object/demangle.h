/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of symbols as their source has them.  A profile has its functions' names demangled; those that
 * machine code refers to are an object's symbols, and would stand beside them in another spelling.
 */
#ifndef CMDS_OBJECT_DEMANGLE_H
#define CMDS_OBJECT_DEMANGLE_H

/*
 * The C++ name of a mangled one; what is behind an "@" stays: "operator new(unsigned long)@plt" of
 * "_Znwm@plt".  By the C++ library of this machine.  NULL if it is no such name, or there is no such
 * library; else to be freed.
 */
char *demangle(const char *symbol);

#endif
