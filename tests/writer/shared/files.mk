# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/events_test \
	%D%/edit_distance_test
