# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/callinsn_test \
	%D%/effects_test \
	%D%/insntraits_test \
	%D%/insnwork_test \
	%D%/jumpinsn_test \
	%D%/vectorinsn_test
