# SPDX-License-Identifier: GPL-3.0-or-later

TESTED_COMMAND_SOURCES += \
	%D%/arrows.c %D%/arrows.h \
	%D%/document.c %D%/document.h \
	%D%/document_csv.c \
	%D%/document_json.c \
	%D%/document_markdown.c \
	%D%/document_text.c \
	%D%/gzipper.c %D%/gzipper.h \
	%D%/json.c %D%/json.h \
	%D%/svg.c %D%/svg.h \
	%D%/shortname.c %D%/shortname.h \
	%D%/visible.c %D%/visible.h
