# SPDX-License-Identifier: GPL-3.0-or-later

TESTED_COMMAND_SOURCES += \
	%D%/document.c %D%/document.h \
	%D%/document_csv.c \
	%D%/document_json.c \
	%D%/document_markdown.c \
	%D%/document_text.c \
	%D%/drawing.c %D%/drawing.h \
	%D%/gzipper.c %D%/gzipper.h \
	%D%/json.c %D%/json.h \
	%D%/visible.c %D%/visible.h
