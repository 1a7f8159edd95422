/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Levels of recursion, as profiles tell them apart: a call of f while f is active is one of f'2
 * (docs/SIMULATION.md, "Call graph").  So no activation of f contains another one, whoever else is active, and what all of
 * them cost with all that they call is a sum that counts nothing twice, also if f is in a cycle.
 */
#ifndef PROFILE_ANALYSIS_RECURSION_H
#define PROFILE_ANALYSIS_RECURSION_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/model/model.h"

/*
 * Whether all parts of a model were written by a tool that tells levels apart, and nothing was done since by which
 * functions of several levels may have one name: no names changed, no files merged or compared.
 */
bool recursion_is_told_apart(const struct model *model);

/* Whether a function's name says that it is of a level behind the first, f'2 or f'3'caller, or of several functions, <rest>. */
bool recursion_is_inner(const struct model *model, uint32_t function);

#endif
