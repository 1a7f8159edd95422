# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/d_name_test \
	%D%/events_test \
	%D%/edit_distance_test
