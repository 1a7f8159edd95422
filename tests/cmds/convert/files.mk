# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/from_tree_test \
	%D%/webgrind_test
