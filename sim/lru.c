/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/policy.h"

const struct policy policy_lru = { "lru", 0, lru_touch, lru_touch, lru_victim };
