# SPDX-License-Identifier: GPL-3.0-or-later
# The compiler, the flags that it takes, and make.

# COSTGRIND_PROG_CC: AC_PROG_CC, but what is missing is named.
AC_DEFUN([COSTGRIND_PROG_CC], [
AS_IF([test -z "$CC"], [AC_CHECK_PROGS([CC], [gcc clang cc])])
AS_IF([test -z "$CC"], [AC_MSG_ERROR([no C compiler found (Debian: gcc, or clang)])])
AC_MSG_CHECKING([whether $CC makes programs])
AS_ECHO(['#include <stdio.h>
int main(void) { return puts("") < 0; }']) >conftest.c
AS_IF([$CC $CPPFLAGS $CFLAGS $LDFLAGS -o conftest conftest.c >&AS_MESSAGE_LOG_FD 2>&1],
	[AC_MSG_RESULT([yes])],
	[AC_MSG_RESULT([no])
	AC_MSG_ERROR([$CC cannot compile or link a small program: is it installed (Debian: gcc and libc6-dev), are CC, CPPFLAGS, CFLAGS and LDFLAGS right? config.log has its messages])])
rm -f conftest conftest.c
AC_PROG_CC
])

# COSTGRIND_DEPENDENCY_FILES: makes the empty .deps/*.Po that the makefile includes.  automake has make do
# that, with three processes for each of 600 files, which take longer than the rest of configure.
AC_DEFUN([COSTGRIND_DEPENDENCY_FILES], [
AC_CONFIG_COMMANDS([dependency-files], [
	costgrind_files=`sed -n 's,[$](DEPDIR),.deps,; s,^include \(.*[.]Po\) # am--include-marker$,\1,p' Makefile`
	AS_IF([test -n "$costgrind_files"], [
		AS_ECHO(["$costgrind_files"]) | sed 's,/[[^/]]*$,,' | sort -u | xargs mkdir -p
		for costgrind_file in $costgrind_files; do
			test -e "$costgrind_file" || AS_ECHO(["# dummy"]) >"$costgrind_file"
		done])])
])

# COSTGRIND_LIBRARIES: PROFILE_LIBS, which read compressed profiles, and match names; PROTOC_C and
# PPROF_LIBS, which write pprof's.
AC_DEFUN([COSTGRIND_LIBRARIES], [
costgrind_saved_LIBS=$LIBS
AC_CHECK_HEADER([zlib.h], [],
	[AC_MSG_ERROR([zlib.h not found (Debian: zlib1g-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([z], [inflateInit2_], [],
	[AC_MSG_ERROR([libz not found (Debian: zlib1g-dev)])])
AC_CHECK_HEADER([zstd.h], [],
	[AC_MSG_ERROR([zstd.h not found (Debian: libzstd-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([zstd], [ZSTD_decompressStream], [],
	[AC_MSG_ERROR([libzstd not found (Debian: libzstd-dev)])])
AC_CHECK_HEADER([lzma.h], [],
	[AC_MSG_ERROR([lzma.h not found (Debian: liblzma-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([lzma], [lzma_stream_decoder], [],
	[AC_MSG_ERROR([liblzma not found (Debian: liblzma-dev)])])
AC_CHECK_HEADER([bzlib.h], [],
	[AC_MSG_ERROR([bzlib.h not found (Debian: libbz2-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([bz2], [BZ2_bzDecompress], [],
	[AC_MSG_ERROR([libbz2 not found (Debian: libbz2-dev)])])
AC_CHECK_HEADER([pcre2.h], [],
	[AC_MSG_ERROR([pcre2.h not found (Debian: libpcre2-dev)])],
	[@%:@define PCRE2_CODE_UNIT_WIDTH 8])
AC_CHECK_LIB([pcre2-8], [pcre2_set_substitute_callout_8], [],
	[AC_MSG_ERROR([libpcre2-8 of 10.34 or newer not found (Debian: libpcre2-dev)])])
AC_CHECK_HEADER([libiberty/demangle.h], [],
	[AC_MSG_ERROR([libiberty/demangle.h not found (Debian: libiberty-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([iberty], [rust_demangle_callback], [],
	[AC_MSG_ERROR([libiberty not found (Debian: libiberty-dev)])])
AC_CHECK_HEADER([protobuf-c/protobuf-c.h], [],
	[AC_MSG_ERROR([protobuf-c.h not found (Debian: libprotobuf-c-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([protobuf-c], [protobuf_c_message_pack_to_buffer], [],
	[AC_MSG_ERROR([libprotobuf-c not found (Debian: libprotobuf-c-dev)])])
AC_CHECK_PROGS([PROTOC_C], [protoc-c], [none])
AS_IF([test "$PROTOC_C" = none],
	[AC_MSG_ERROR([protoc-c not found (Debian: protobuf-c-compiler)])])
LIBS=$costgrind_saved_LIBS
PPROF_LIBS=-lprotobuf-c
AC_SUBST([PPROF_LIBS])
PROFILE_LIBS="-lz -lzstd -llzma -lbz2 -lpcre2-8 -liberty"
AC_SUBST([PROFILE_LIBS])
])

# COSTGRIND_CODE_LIBRARIES: CODE_LIBS, by which machine code is read and shown. Capstone is also what
# the tool decodes instructions with: see COSTGRIND_TOOL_CAPSTONE.
AC_DEFUN([COSTGRIND_CODE_LIBRARIES], [
costgrind_saved_LIBS=$LIBS
AC_CHECK_HEADER([capstone/capstone.h], [],
	[AC_MSG_ERROR([capstone/capstone.h not found (Debian: libcapstone-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([capstone], [cs_disasm_iter], [],
	[AC_MSG_ERROR([libcapstone not found (Debian: libcapstone-dev)])])
AC_CHECK_HEADER([elfutils/libdw.h], [],
	[AC_MSG_ERROR([elfutils/libdw.h not found (Debian: libdw-dev and libelf-dev)])], [AC_INCLUDES_DEFAULT])
AC_CHECK_LIB([dw], [dwarf_getsrc_die], [],
	[AC_MSG_ERROR([libdw not found (Debian: libdw-dev and libelf-dev)])])
# It is loaded when it is used: its header is enough here.
AC_ARG_WITH([debuginfod], [AS_HELP_STRING([--without-debuginfod],
	[build costgrind annotate and report without --debuginfod])], [], [with_debuginfod=yes])
AS_IF([test "$with_debuginfod" != no], [
	AC_CHECK_HEADER([elfutils/debuginfod.h], [],
		[AC_MSG_ERROR([elfutils/debuginfod.h not found (Debian: libdebuginfod-dev), or configure --without-debuginfod])],
		[AC_INCLUDES_DEFAULT])])
LIBS=$costgrind_saved_LIBS
CODE_LIBS="-lcapstone -ldw -lelf"
AC_SUBST([CODE_LIBS])
AM_CONDITIONAL([WITH_DEBUGINFOD], [test "$with_debuginfod" != no])
])

# COSTGRIND_PROG_MAKE: the rules need GNU make (variables for one target).
AC_DEFUN([COSTGRIND_PROG_MAKE], [
AC_MSG_CHECKING([for GNU make])
costgrind_make=
for costgrind_program in "${MAKE:-make}" gmake; do
	AS_CASE([`$costgrind_program --version 2>/dev/null`],
		[*GNU*], [costgrind_make=$costgrind_program; break])
done
AC_MSG_RESULT([${costgrind_make:-not found}])
AS_IF([test -z "$costgrind_make"], [AC_MSG_ERROR([GNU make not found (Debian: make)])])
])

# COSTGRIND_FLAGS(VARIABLE, FLAGS): adds those flags that the compiler takes without a word.
# Clang only warns of what it does not know, hence -Werror; the user's flags are left out, since
# they may bring warnings of their own.
AC_DEFUN([COSTGRIND_FLAGS], [
costgrind_saved_CFLAGS=$CFLAGS
costgrind_saved_CPPFLAGS=$CPPFLAGS
CPPFLAGS=
CFLAGS="-Werror $2"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM], [$1="$$1 $2"], [
	for costgrind_flag in $2; do
		CFLAGS="-Werror $costgrind_flag"
		AC_COMPILE_IFELSE([AC_LANG_PROGRAM], [$1="$$1 $costgrind_flag"])
	done
])
CFLAGS=$costgrind_saved_CFLAGS
CPPFLAGS=$costgrind_saved_CPPFLAGS
])

# COSTGRIND_WARNINGS: LINKER_WARNINGS, COMMON_WARNINGS for all code, HOST_WARNINGS also for code outside of tool/,
# which does not have to live with Valgrind's interface: there, functions are passed as void *, and
# enumerations have a hundred values.
AC_DEFUN([COSTGRIND_WARNINGS], [
AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors])],
	[], [enable_werror=no])
AC_MSG_CHECKING([which warnings $CC knows])
COMMON_WARNINGS=
HOST_WARNINGS=
COSTGRIND_FLAGS([COMMON_WARNINGS], m4_normalize([
	-Wall -Wextra -Wshadow -Wundef -Wvla -Wcast-qual -Wcast-align -Wpointer-arith
	-Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
	-Wredundant-decls -Wformat=2 -Wconversion -Wno-sign-conversion -Wimplicit-fallthrough
	-Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wnull-dereference]))
COSTGRIND_FLAGS([HOST_WARNINGS], [-Wpedantic -Wswitch-enum])
AS_CASE([" $COMMON_WARNINGS "],
	[*" -Wlogical-op "*], [AC_MSG_RESULT([as for gcc])],
	[AC_MSG_RESULT([as for clang])])
AS_IF([test "$enable_werror" = yes], [COMMON_WARNINGS="$COMMON_WARNINGS -Werror"])
LINKER_WARNINGS=
AS_IF([test "$enable_werror" = yes], [
	costgrind_saved_LDFLAGS=$LDFLAGS
	LDFLAGS="$LDFLAGS -Wl,--fatal-warnings"
	AC_LINK_IFELSE([AC_LANG_PROGRAM], [LINKER_WARNINGS=-Wl,--fatal-warnings])
	LDFLAGS=$costgrind_saved_LDFLAGS])
AC_SUBST([LINKER_WARNINGS])
AC_SUBST([COMMON_WARNINGS])
AC_SUBST([HOST_WARNINGS])
])

# COSTGRIND_SANITIZERS: TEST_SANITIZERS and TEST_CFLAGS for the tests' programs, COMMAND_SANITIZERS for costgrind.
AC_DEFUN([COSTGRIND_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
	[AS_HELP_STRING([--enable-sanitizers],
		[build all host code with ASan and UBSan @<:@only the tests' programs, if the compiler can@:>@])],
	[], [enable_sanitizers=tests])
TEST_SANITIZERS=
COMMAND_SANITIZERS=
costgrind_sanitizers_summary=none
AS_IF([test "$enable_sanitizers" != no], [
	costgrind_sanitizers="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
	AC_MSG_CHECKING([whether $CC has the address and undefined behaviour sanitizers])
	costgrind_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS $costgrind_sanitizers"
	AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdlib.h>]], [[free(malloc(1));]])],
		[costgrind_has_sanitizers=yes], [costgrind_has_sanitizers=no],
		[costgrind_has_sanitizers=no])
	CFLAGS=$costgrind_saved_CFLAGS
	AC_MSG_RESULT([$costgrind_has_sanitizers])
	AS_CASE([$costgrind_has_sanitizers,$enable_sanitizers],
		[no,tests], [costgrind_sanitizers_summary="none, $CC has none"],
		[no,*], [AC_MSG_ERROR([--enable-sanitizers: $CC cannot link ASan and UBSan (Debian: libgcc-12-dev for gcc, libclang-rt-dev for clang)])],
		[yes,tests], [
			TEST_SANITIZERS=$costgrind_sanitizers
			costgrind_sanitizers_summary="for the programs of make check (--disable-sanitizers: none)"],
		[
			TEST_SANITIZERS=$costgrind_sanitizers
			COMMAND_SANITIZERS=$costgrind_sanitizers
			costgrind_sanitizers_summary="for all but the tool"])
])
# With sanitizers, the compiler takes twice as long for -O2 as for -O1: where nobody says how to optimise,
# what is put after CFLAGS. (make lint compiles all by gcc with -O2, without sanitizers.)
TEST_CFLAGS=
AS_IF([test "${TEST_SANITIZERS:+sanitized} $CFLAGS" = "sanitized -g -O2"], [TEST_CFLAGS=-O1])
AC_SUBST([TEST_CFLAGS])
AC_SUBST([TEST_SANITIZERS])
AC_SUBST([COMMAND_SANITIZERS])
])

# COSTGRIND_TOOL_CAPSTONE: CAPSTONE_LIBS, to be linked into the tool, which has no shared libraries. Comes after
# COSTGRIND_CODE_LIBRARIES, which finds the header.
AC_DEFUN([COSTGRIND_TOOL_CAPSTONE], [
AC_ARG_WITH([tool-capstone], [AS_HELP_STRING([--without-tool-capstone],
	[build a tool without a decoder: only with --counting=valgrind, and without cycles, operations, bytes and mix])],
	[], [with_tool_capstone=yes])
AS_IF([test "$with_capstone" = no || test "$with_elfutils" = no],
	[AC_MSG_ERROR([the command needs Capstone and elfutils: expected no --without-capstone and --without-elfutils (the tool can do without: --without-tool-capstone)])])
CAPSTONE_LIBS=
TOOL_NOTE=" (tool without Capstone)"
costgrind_capstone_summary="none (--without-tool-capstone): no --counting=architectural"
AS_IF([test "$with_tool_capstone" != no], [
	AC_MSG_CHECKING([for a static Capstone])
	costgrind_saved_LIBS=$LIBS
	LIBS=-l:libcapstone.a
	AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <capstone/capstone.h>]],
		[[csh handle; return cs_open(CS_ARCH_X86, CS_MODE_64, &handle);]])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		AC_MSG_ERROR([libcapstone.a, which the tool needs, not found (Debian: libcapstone-dev), or configure --without-tool-capstone])])
	LIBS=$costgrind_saved_LIBS
	CAPSTONE_LIBS=-l:libcapstone.a
	TOOL_NOTE=
	costgrind_capstone_summary="Capstone, linked statically"])
AC_SUBST([CAPSTONE_LIBS])
AC_SUBST([TOOL_NOTE])
AM_CONDITIONAL([WITH_TOOL_CAPSTONE], [test "$with_tool_capstone" != no])
])

# COSTGRIND_TOOL_DECOMPRESSORS: DECOMPRESSOR_LIBS, to be linked into the tool, and NO_ZLIB, NO_ZSTD and NO_LZMA in
# TOOL_CPPFLAGS, which it reads compressed debug information without. Comes after COSTGRIND_LIBRARIES, which finds the
# headers, and COSTGRIND_TOOL_FLAGS.
AC_DEFUN([COSTGRIND_TOOL_DECOMPRESSORS], [
DECOMPRESSOR_LIBS=
costgrind_decompressors_summary=
COSTGRIND_TOOL_DECOMPRESSOR([zlib], [z], [ZLIB], [zlib1g-dev],
	[#include <zlib.h>],
	[z_stream stream = { 0 }; return inflateInit(&stream) + inflate(&stream, Z_FINISH) + inflateEnd(&stream);])
COSTGRIND_TOOL_DECOMPRESSOR([zstd], [zstd], [ZSTD], [libzstd-dev],
	[#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>],
	[return (int)ZSTD_decompressDCtx(ZSTD_initStaticDCtx(room, ZSTD_estimateDCtxSize()), room, 1, room, 1);])
COSTGRIND_TOOL_DECOMPRESSOR([lzma], [lzma], [LZMA], [liblzma-dev],
	[#include <lzma.h>],
	[size_t from = 0, to = 0; return (int)lzma_raw_buffer_decode(0, 0, room, &from, 1, room, &to, 1);])
costgrind_decompressors_summary=${costgrind_decompressors_summary:-none}
AC_SUBST([DECOMPRESSOR_LIBS])
])

# COSTGRIND_TOOL_DECOMPRESSOR(NAME, LIBRARY, MACRO, PACKAGE, HEADERS, CODE): one of them. The static library may ask the C
# library for no more than tool/common/libcnames.c has.
AC_DEFUN([COSTGRIND_TOOL_DECOMPRESSOR], [
AC_ARG_WITH([tool-$1], [AS_HELP_STRING([--without-tool-$1],
	[build a tool that cannot read debug information compressed by $1 @<:@as lib$2.a is there@:>@])],
	[], [with_tool_$1=auto])
costgrind_has=no
AS_IF([test "$with_tool_$1" != no], [
	AC_MSG_CHECKING([for a static lib$2 that needs little])
	costgrind_saved_LIBS=$LIBS
	costgrind_saved_CFLAGS=$CFLAGS
	LIBS=-l:lib$2.a
	CFLAGS="$CFLAGS $TOOL_CFLAGS -static -nostdlib -nostartfiles -Wl,-e,main"
	AC_LINK_IFELSE([AC_LANG_SOURCE([
#include <stddef.h>
$5
[unsigned char room[1000];
void *malloc(size_t size) { (void)size; return 0; }
void *calloc(size_t n, size_t size) { (void)n; (void)size; return 0; }
void free(void *memory) { (void)memory; }
void *memcpy(void *to, const void *from, size_t n) { (void)from; (void)n; return to; }
void *memmove(void *to, const void *from, size_t n) { (void)from; (void)n; return to; }
void *memset(void *to, int byte, size_t n) { (void)byte; (void)n; return to; }
void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) { (void)from; (void)n; (void)size; return to; }
void __stack_chk_fail(void) { for (;;) ; }
] int main(void) { $6 }
])], [costgrind_has=yes])
	LIBS=$costgrind_saved_LIBS
	CFLAGS=$costgrind_saved_CFLAGS
	AC_MSG_RESULT([$costgrind_has])
	AS_IF([test "$with_tool_$1$costgrind_has" = yesno],
		[AC_MSG_ERROR([lib$2.a, which --with-tool-$1 needs, not found, or it needs too much of the C library (Debian: $4)])])])
AS_IF([test "$costgrind_has" = yes],
	[DECOMPRESSOR_LIBS="$DECOMPRESSOR_LIBS -l:lib$2.a"
	costgrind_decompressors_summary="$costgrind_decompressors_summary${costgrind_decompressors_summary:+, }$1"],
	[TOOL_CPPFLAGS="$TOOL_CPPFLAGS -DNO_$3"
	AS_IF([test "$with_tool_$1" != no],
		[costgrind_decompressors_summary="$costgrind_decompressors_summary${costgrind_decompressors_summary:+, }no $1 (Debian: $4)"])])
])
