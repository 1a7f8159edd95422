# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/compressed_test \
	%D%/dwarf_test \
	%D%/elfobject_test \
	%D%/elftables_test \
	%D%/lineprogram_test \
	%D%/symbolindex_test
