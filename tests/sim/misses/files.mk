# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/curve_test \
	%D%/fullcache_test \
	%D%/missclasses_test \
	%D%/seen_test \
	%D%/twin_test

noinst_HEADERS += \
	%D%/naive_misses.h
