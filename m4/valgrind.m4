# SPDX-License-Identifier: GPL-3.0-or-later
# Where Valgrind is, and how a tool is compiled and linked against it.

# COSTGRIND_VALGRIND: finds Valgrind by pkg-config, or in the prefix given, and defines
#	VALGRIND_VERSION
#	VG_ARCH VG_OS VG_PLATFORM VG_LOAD_ADDRESS	as valgrind.pc has them
#	VALGRIND_INCLUDE	directory of pub_tool_*.h
#	VALGRIND_LIB_DIR	directory of libcoregrind-*.a
#	VALGRIND_LIBEXEC	directory of the installed tools
#	VALGRIND_PROGRAM	what users start
#	VALGRIND		what tests start: Debian's valgrind is a script that changes the
#				environment, and with it the counts, and starts valgrind.bin
#	toolexecdir		where make install puts the tool
AC_DEFUN([COSTGRIND_VALGRIND], [
AC_ARG_WITH([valgrind], [AS_HELP_STRING([--with-valgrind=PREFIX],
	[the prefix that Valgrind was installed in @<:@as pkg-config says@:>@])],
	[], [with_valgrind=yes])
AC_ARG_WITH([toolexecdir], [AS_HELP_STRING([--with-toolexecdir=DIR],
	[where make install puts the tool @<:@with Valgrind's own tools@:>@])])
AC_ARG_VAR([PKG_CONFIG], [pkg-config program])
AC_ARG_VAR([VALGRIND], [valgrind program that the tests start])
AC_ARG_VAR([VALGRIND_LIBEXEC], [directory of Valgrind's installed tools])

AS_IF([test -z "$PKG_CONFIG"], [AC_PATH_TOOL([PKG_CONFIG], [pkg-config])])
AC_MSG_CHECKING([for Valgrind])
AS_CASE([$with_valgrind],
	[no], [AC_MSG_ERROR([costgrind is a part of Valgrind: --without-valgrind makes no sense])],
	[yes], [
		WITH_VALGRIND=
		AS_IF([test -z "$PKG_CONFIG"], [AC_MSG_ERROR([pkg-config not found (Debian: pkgconf); or give --with-valgrind=PREFIX])])
		AS_IF([! $PKG_CONFIG --exists valgrind], [AC_MSG_ERROR([no Valgrind: pkg-config does not find valgrind.pc (Debian: valgrind); or give --with-valgrind=PREFIX])])
		costgrind_pc="$PKG_CONFIG valgrind"],
	[
		AS_IF([test ! -d "$with_valgrind"], [AC_MSG_ERROR([--with-valgrind=$with_valgrind: no such directory])])
		WITH_VALGRIND=`cd "$with_valgrind" && pwd`
		costgrind_pc=`find "$WITH_VALGRIND"/lib* "$WITH_VALGRIND/share" -name valgrind.pc 2>/dev/null | sed 1q`
		AS_IF([test -n "$costgrind_pc" && test -n "$PKG_CONFIG"],
			[costgrind_pc="$PKG_CONFIG --define-variable=prefix=$WITH_VALGRIND $costgrind_pc"],
			[costgrind_pc=])])
AC_SUBST([WITH_VALGRIND])
AS_IF([test -n "$costgrind_pc"], [COSTGRIND_VALGRIND_FROM_PC], [COSTGRIND_VALGRIND_FROM_FILES])
AC_MSG_RESULT([$VG_PLATFORM, headers in $VALGRIND_INCLUDE, libraries in $VALGRIND_LIB_DIR])

COSTGRIND_VALGRIND_ARCH
for costgrind_file in "$VALGRIND_INCLUDE/pub_tool_basics.h" "$VALGRIND_INCLUDE/libvex_ir.h" \
	"$VALGRIND_INCLUDE/valgrind.h" "$VALGRIND_LIB_DIR/libcoregrind-$VG_PLATFORM.a" \
	"$VALGRIND_LIB_DIR/libvex-$VG_PLATFORM.a"
do
	AS_IF([test ! -f "$costgrind_file"], [AC_MSG_ERROR([$costgrind_file not found: Valgrind is there, but not what tools are built from (Debian: valgrind; elsewhere perhaps valgrind-devel or valgrind-tools-devel)])])
done
# valgrind.pc does not name it, and not every build of Valgrind has it.
VG_LIBGCC_SUP=
AS_IF([test -f "$VALGRIND_LIB_DIR/libgcc-sup-$VG_PLATFORM.a"], [VG_LIBGCC_SUP=-lgcc-sup-$VG_PLATFORM])

COSTGRIND_VALGRIND_PROGRAM
COSTGRIND_VALGRIND_LIBEXEC
AS_CASE([$with_toolexecdir],
	[''|yes|no], [toolexecdir=$VALGRIND_LIBEXEC],
	[toolexecdir=$with_toolexecdir])

AC_SUBST([VALGRIND_INCLUDE])
AC_SUBST([VALGRIND_PROGRAM])
AC_SUBST([VALGRIND_VERSION])
AC_SUBST([VG_PLATFORM])
AC_SUBST([toolexecdir])
])

# Sets what valgrind.pc knows.
AC_DEFUN([COSTGRIND_VALGRIND_FROM_PC], [
VG_ARCH=`$costgrind_pc --variable=arch`
VG_OS=`$costgrind_pc --variable=os`
VG_PLATFORM=`$costgrind_pc --variable=platform`
VG_LOAD_ADDRESS=`$costgrind_pc --variable=valt_load_address`
VALGRIND_INCLUDE=`$costgrind_pc --variable=includedir`
VALGRIND_LIB_DIR=`$costgrind_pc --variable=libdir`/valgrind
costgrind_prefix=`$costgrind_pc --variable=prefix`
costgrind_exec_prefix=`$costgrind_pc --variable=exec_prefix`
AS_IF([test -z "$VG_ARCH" || test -z "$VG_OS" || test -z "$VG_PLATFORM" || test -z "$VG_LOAD_ADDRESS"],
	[AC_MSG_ERROR([valgrind.pc lacks one of arch, os, platform and valt_load_address: Valgrind 3.19 or newer is needed])])
])

# The same from the files of an installation that has no valgrind.pc (or there is no pkg-config).
# It may hold several platforms; the one that the compiler makes code for is meant.
AC_DEFUN([COSTGRIND_VALGRIND_FROM_FILES], [
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#if !defined __x86_64__ || defined __ILP32__
#error other
#endif
]])], [VG_ARCH=amd64], [VG_ARCH=`$CC -dumpmachine | sed 's/-.*//'`])
VG_OS=linux
VG_PLATFORM=$VG_ARCH-$VG_OS
VG_LOAD_ADDRESS=
VALGRIND_INCLUDE=$WITH_VALGRIND/include/valgrind
VALGRIND_LIB_DIR=`find "$WITH_VALGRIND"/lib* -name "libcoregrind-$VG_PLATFORM.a" 2>/dev/null | sed 's,/@<:@^/@:>@*$,,;1q'`
costgrind_prefix=$WITH_VALGRIND
costgrind_exec_prefix=$WITH_VALGRIND
AS_IF([test -z "$VALGRIND_LIB_DIR"],
	[AC_MSG_ERROR([--with-valgrind=$with_valgrind: no valgrind.pc and no libcoregrind-$VG_PLATFORM.a below lib (Debian: valgrind, and --with-valgrind=/usr)])])
])

# What depends on the architecture.  A new one has a case here and its tests.
AC_DEFUN([COSTGRIND_VALGRIND_ARCH], [
AS_CASE([$VG_ARCH-$VG_OS],
	[amd64-linux], [costgrind_arch_macro=__x86_64__; costgrind_arch_flag=-m64],
	[AC_MSG_ERROR([this Valgrind is for $VG_ARCH-$VG_OS: costgrind supports amd64-linux only so far])])
TOOL_CFLAGS=$costgrind_arch_flag
costgrind_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $TOOL_CFLAGS"
AC_MSG_CHECKING([whether $CC compiles for $VG_ARCH])
AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
#ifndef $costgrind_arch_macro
#error other
#endif
int symbol;
]])], [AC_MSG_RESULT([yes])],
	[AC_MSG_RESULT([no])
	AC_MSG_ERROR([Valgrind is for $VG_ARCH, but $CC compiles for another architecture; give CC=... or --with-valgrind=PREFIX])])
CFLAGS=$costgrind_saved_CFLAGS
])

AC_DEFUN([COSTGRIND_VALGRIND_PROGRAM], [
AC_MSG_CHECKING([for the valgrind program])
VALGRIND_PROGRAM=$costgrind_exec_prefix/bin/valgrind
AS_IF([test ! -x "$VALGRIND_PROGRAM"], [AC_MSG_ERROR([$VALGRIND_PROGRAM not found (Debian: valgrind)])])
AS_IF([test -n "$VALGRIND"], [],
	[test -x "$VALGRIND_PROGRAM.bin"], [VALGRIND=$VALGRIND_PROGRAM.bin],
	[VALGRIND=$VALGRIND_PROGRAM])
AC_MSG_RESULT([$VALGRIND])
])

# The tools' directory: <prefix>/libexec/valgrind, in older versions with the libraries.
AC_DEFUN([COSTGRIND_VALGRIND_LIBEXEC], [
AC_MSG_CHECKING([for Valgrind's tools])
AS_IF([test -z "$VALGRIND_LIBEXEC"], [
	for costgrind_dir in "$costgrind_exec_prefix/libexec/valgrind" "$VALGRIND_LIB_DIR" \
		"$costgrind_prefix/lib/valgrind"
	do
		AS_IF([test -f "$costgrind_dir/none-$VG_PLATFORM"], [VALGRIND_LIBEXEC=$costgrind_dir; break])
	done
])
AS_IF([test ! -f "$VALGRIND_LIBEXEC/none-$VG_PLATFORM"],
	[AC_MSG_RESULT([not found])
	AC_MSG_ERROR([Valgrind's tools (none-$VG_PLATFORM and others) are not in ${VALGRIND_LIBEXEC:-$costgrind_exec_prefix/libexec/valgrind} (Debian: valgrind); or give VALGRIND_LIBEXEC=DIR])])
AC_MSG_RESULT([$VALGRIND_LIBEXEC])
AS_IF([test -z "$VG_LOAD_ADDRESS"], [
	AC_MSG_CHECKING([where Valgrind's tools are loaded])
	COSTGRIND_FIRST_SEGMENT([VG_LOAD_ADDRESS], ["$VALGRIND_LIBEXEC/none-$VG_PLATFORM"])
	AC_MSG_RESULT([$VG_LOAD_ADDRESS])
	AS_IF([test -z "$VG_LOAD_ADDRESS"],
		[AC_MSG_ERROR([$READELF -lW $VALGRIND_LIBEXEC/none-$VG_PLATFORM shows no LOAD segment])])
])
])

# COSTGRIND_FIRST_SEGMENT(VARIABLE, FILE): address of its first segment, as 0x and digits without
# leading zeros; empty if it is no program of fixed address.
AC_DEFUN([COSTGRIND_FIRST_SEGMENT], [
$1=`LC_ALL=C $READELF -hlW $2 2>/dev/null | sed -n '
	/^ *Type: *DYN/q
	s/^ *LOAD *0x@<:@0-9a-f@:>@* *0x0*\(@<:@0-9a-f@:>@*\) .*/0x\1/p' | sed 1q`
])

# COSTGRIND_TOOL_FLAGS: TOOL_CPPFLAGS, and TOOL_CFLAGS that come after the user's: a tool has no
# libc, no thread-local storage (where the stack protector looks) and a fixed address.
AC_DEFUN([COSTGRIND_TOOL_FLAGS], [
TOOL_CPPFLAGS="-isystem $VALGRIND_INCLUDE -DVGA_$VG_ARCH=1 -DVGO_$VG_OS=1 -DVGP_${VG_ARCH}_$VG_OS=1 -DVGPV_${VG_ARCH}_${VG_OS}_vanilla=1"
COSTGRIND_FLAGS([TOOL_CFLAGS], m4_normalize([
	-std=gnu11 -fno-builtin -fno-strict-aliasing -fomit-frame-pointer -fno-stack-protector
	-fno-pic -fno-pie -fno-lto -fno-sanitize=all -fno-profile-arcs -fno-test-coverage
	-fno-profile-generate -fno-instrument-functions]))
TOOL_CFLAGS="$TOOL_CFLAGS -U_FORTIFY_SOURCE"
# Valgrind reads the debug information of its own tool, and 3.19 gives up on clang's DWARF 5.
AS_CASE([" $CFLAGS "], [*' -g0 '*], [], [*' -g'*], [TOOL_CFLAGS="$TOOL_CFLAGS -gdwarf-4"])
AC_SUBST([TOOL_CPPFLAGS])
AC_SUBST([TOOL_CFLAGS])

AC_MSG_CHECKING([Valgrind's version])
costgrind_saved_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $TOOL_CPPFLAGS"
AC_COMPUTE_INT([costgrind_major], [__VALGRIND_MAJOR__], [[#include "valgrind.h"]], [costgrind_major=0])
AC_COMPUTE_INT([costgrind_minor], [__VALGRIND_MINOR__], [[#include "valgrind.h"]], [costgrind_minor=0])
CPPFLAGS=$costgrind_saved_CPPFLAGS
VALGRIND_VERSION=$costgrind_major.$costgrind_minor
AC_MSG_RESULT([$VALGRIND_VERSION])
AS_IF([test "$costgrind_major" -lt 3 || { test "$costgrind_major" -eq 3 && test "$costgrind_minor" -lt 19; }],
	[AC_MSG_ERROR([Valgrind 3.19 or newer is needed, $VALGRIND_INCLUDE is of $VALGRIND_VERSION])])
])

# COSTGRIND_TOOL_LINK: TOOL_LDFLAGS (after the user's) and TOOL_LIBS, tried on the smallest tool.
# Linkers differ in how an address is given; the first way that links in silence is taken, or if
# there is always something to complain of (the user's flags may be the reason) the first that
# links.
AC_DEFUN([COSTGRIND_TOOL_LINK], [
AC_MSG_CHECKING([how to link a tool])
TOOL_LIBS="-L$VALGRIND_LIB_DIR -lcoregrind-$VG_PLATFORM -lvex-$VG_PLATFORM -lgcc $VG_LIBGCC_SUP"
TOOL_LDFLAGS=
costgrind_static="-static -no-pie -nodefaultlibs -nostartfiles -u _start -Wl,--build-id=none"
# Clang warns of -no-pie, and of a -pie of the user's, where -nostartfiles leaves them without effect.
costgrind_unused=
COSTGRIND_FLAGS([costgrind_unused], [-Wunused-command-line-argument])
AS_IF([test -n "$costgrind_unused"], [costgrind_static="$costgrind_static -Wno-unused-command-line-argument"])
costgrind_saved_CFLAGS=$CFLAGS
costgrind_saved_CPPFLAGS=$CPPFLAGS
costgrind_saved_LDFLAGS=$LDFLAGS
costgrind_saved_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $TOOL_CPPFLAGS"
CFLAGS="$CFLAGS $TOOL_CFLAGS"
LIBS=$TOOL_LIBS
AC_LANG_CONFTEST([AC_LANG_SOURCE([[
#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"
static void pre_clo_init(void)
{
}
VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
]])])
for ac_c_werror_flag in yes ''; do
	for costgrind_address in -Wl,-Ttext-segment= -Wl,--image-base=; do
		costgrind_try="$costgrind_static $costgrind_address$VG_LOAD_ADDRESS"
		LDFLAGS="$costgrind_saved_LDFLAGS $costgrind_try"
		AC_LINK_IFELSE([], [
			COSTGRIND_FIRST_SEGMENT([costgrind_segment], [conftest$ac_exeext])
			AS_IF([test "$((${costgrind_segment:-0}))" -eq "$(($VG_LOAD_ADDRESS))"],
				[TOOL_LDFLAGS=$costgrind_try; break 2])
		])
	done
done
ac_c_werror_flag=
rm -f conftest*
CFLAGS=$costgrind_saved_CFLAGS
CPPFLAGS=$costgrind_saved_CPPFLAGS
LDFLAGS=$costgrind_saved_LDFLAGS
LIBS=$costgrind_saved_LIBS
AC_MSG_RESULT([${TOOL_LDFLAGS:-no way found}])
AS_IF([test -z "$TOOL_LDFLAGS"],
	[AC_MSG_ERROR([a Valgrind tool cannot be linked with CFLAGS='$CFLAGS' LDFLAGS='$LDFLAGS'; config.log has the linker's messages])])
AC_SUBST([TOOL_LDFLAGS])
AC_SUBST([TOOL_LIBS])
])

# COSTGRIND_TOOL_WRAPS: TOOL_WRAPS, flags that have the linker redirect calls within the core to the tool
# (tool/common/self.c, tool/symbols/corereader.c), and take in what was called before.  Versions differ in what there is; where readers of debug
# information cannot be reached, the summary says so.
AC_DEFUN([COSTGRIND_TOOL_WRAPS], [
AC_MSG_CHECKING([which functions of Valgrind's core are there to be wrapped])
LC_ALL=C $READELF -sW "$VALGRIND_LIB_DIR/libcoregrind-$VG_PLATFORM.a" 2>/dev/null |
	sed -n 's/.* FUNC  *GLOBAL .* \(vg@<:@A-Za-z0-9_@:>@*\)$/\1/p' | sort -u >conftest.symbols
TOOL_WRAPS=
costgrind_unwrapped=
for costgrind_symbol in \
	vgModuleLocal_img_done vgModuleLocal_img_from_local_file vgModuleLocal_new_dwarf3_reader vgModuleLocal_read_debuginfo_dwarf3 vgModuleLocal_symerr \
	vgModuleLocal_read_elf_debug vgModuleLocal_read_elf_debug_info vgModuleLocal_read_elf_object \
	vgPlain_assert_fail vgPlain_core_panic vgPlain_exit vgPlain_gdbserver_report_signal \
	vgPlain_printf vgPlain_umsg
do
	AS_IF([grep -qx $costgrind_symbol conftest.symbols],
		[TOOL_WRAPS="$TOOL_WRAPS -Wl,--wrap=$costgrind_symbol,-u,$costgrind_symbol"],
		[AS_CASE([$costgrind_symbol],
			[*_read_elf_* | *_img_*], [], [costgrind_unwrapped="$costgrind_unwrapped $costgrind_symbol"])])
done
# Up to 3.21 one function reads a file, from 3.22 on two.
AS_CASE([$TOOL_WRAPS], [*_read_elf_*], [], [costgrind_unwrapped="$costgrind_unwrapped vgModuleLocal_read_elf_debug_info"])
rm -f conftest.symbols
AS_IF([test -z "$costgrind_unwrapped"],
	[costgrind_wraps_summary="stopped where it would end the run"],
	[costgrind_wraps_summary="may end the run: no$costgrind_unwrapped in Valgrind's library"])
AC_MSG_RESULT([${costgrind_unwrapped:+all but}${costgrind_unwrapped:-all}])
AC_SUBST([TOOL_WRAPS])
])
