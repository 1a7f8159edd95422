/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which registers and which memory an instruction takes its results from, and where it puts
 * them, as Capstone sees it.  For disassembly.c only; others ask disassembly_effects().
 */
#ifndef CMDS_OBJECT_INSNEFFECTS_H
#define CMDS_OBJECT_INSNEFFECTS_H

#include <capstone/capstone.h>

#include "cmds/object/disassembly.h"

/* Of an instruction that was decoded with details; effects is all zeros. */
void insneffects_x86(const cs_insn *insn, struct instruction_effects *effects);
void insneffects_aarch64(const cs_insn *insn, struct instruction_effects *effects);

/*
 * What one of x86-64 moves from where to where, in Intel's syntax, whose order of operands is that of Capstone's, too.
 * What is none of the few motions that are known only says which registers it changes.  motion is MOTION_NONE without
 * registers.
 */
void insneffects_motion(const cs_insn *insn, struct instruction_motion *motion);

#endif
