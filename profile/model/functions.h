/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the builder: finds functions by what they are called, and makes them. */
#ifndef PROFILE_MODEL_FUNCTIONS_H
#define PROFILE_MODEL_FUNCTIONS_H

#include "profile/model/model.h"

/* The number of a function, which is made if there is none; MODEL_NO_FUNCTION if memory ran out. */
uint32_t functions_intern(struct model *model, uint32_t object, uint32_t file, uint32_t name);

#endif
