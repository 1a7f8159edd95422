# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/elf_data_test \
	%D%/heap_map_test
