# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/callstack_nameless_test \
	%D%/callstack_switch_test \
	%D%/callstack_test \
	%D%/calltree_test

noinst_HEADERS += \
	%D%/cpu.h
