# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/typearguments_test \
	%D%/typeflow_test \
	%D%/typelayout_test \
	%D%/typemembers_test \
	%D%/typestate_test \
	%D%/typetable_test

TEST_SOURCES += \
	%D%/example_types.c %D%/example_types.h
