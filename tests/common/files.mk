# SPDX-License-Identifier: GPL-3.0-or-later

noinst_HEADERS += \
	%D%/check.h \
	%D%/model_fixture.h \
	%D%/test_env.h

TEST_SOURCES += \
	%D%/models.c %D%/models.h
