# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += \
	%D%/names_test \
	%D%/nodes_test \
	%D%/origin_test \
	%D%/out_test \
	%D%/rank_test \
	%D%/writer_failure_test \
	%D%/writer_order_test \
	%D%/writer_test

noinst_HEADERS += \
	%D%/writer_fixture.h
