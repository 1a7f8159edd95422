# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/branchfacts_test \
	%D%/ownhistory_test \
	%D%/predictor_test

noinst_HEADERS += \
	%D%/branchstream.h \
	%D%/predictor_fixture.h
