/* SPDX-License-Identifier: GPL-3.0-or-later */
/* isa/x86/decoder: floating-point operations and classes of instructions, as the manuals of AMD64 define their results. */
#include "isa/x86/decoder.h"

#include <stdio.h>

#include "tests/common/check.h"

static struct insn_decoder decoder;

struct example {
	const char *bytes;
	size_t size;
	struct insn_work work;
};

#define ROW(bytes, singles, doubles, extendeds, bits, class) \
 {                                                           \
  bytes, sizeof(bytes) - 1, /* a literal may hold NULs */    \
  {                                                          \
   singles, doubles, extendeds, bits, class                  \
  }                                                          \
 }

static const struct example examples[] = {
	ROW("\xf3\x0f\x58\xd1", 1, 0, 0, 0, CLASS_FLOATING),           /* addss %xmm1,%xmm2 */
	ROW("\xf2\x0f\x58\x10", 0, 1, 0, 0, CLASS_FLOATING),           /* addsd (%rax),%xmm2 */
	ROW("\x0f\x58\xd1", 4, 0, 0, 128, CLASS_FLOATING),             /* addps %xmm1,%xmm2 */
	ROW("\x66\x0f\x58\x10", 0, 2, 0, 128, CLASS_FLOATING),         /* addpd (%rax),%xmm2 */
	ROW("\x44\x0f\x5c\x20", 4, 0, 0, 128, CLASS_FLOATING),         /* subps (%rax),%xmm12 */
	ROW("\xf3\x41\x0f\x59\x11", 1, 0, 0, 0, CLASS_MULTIPLY),       /* mulss (%r9),%xmm2 */
	ROW("\x66\x41\x0f\x59\xd1", 0, 2, 0, 128, CLASS_MULTIPLY),     /* mulpd %xmm9,%xmm2 */
	ROW("\x0f\x5e\xd1", 4, 0, 0, 128, CLASS_DIVIDE),               /* divps %xmm1,%xmm2 */
	ROW("\xf2\x0f\x5e\xd1", 0, 1, 0, 0, CLASS_DIVIDE),             /* divsd %xmm1,%xmm2 */
	ROW("\xf3\x0f\x51\xd1", 1, 0, 0, 0, CLASS_DIVIDE),             /* sqrtss %xmm1,%xmm2 */
	ROW("\x66\x0f\x51\xd1", 0, 2, 0, 128, CLASS_DIVIDE),           /* sqrtpd %xmm1,%xmm2 */
	ROW("\x0f\x5d\xd1", 4, 0, 0, 128, CLASS_FLOATING),             /* minps %xmm1,%xmm2 */
	ROW("\xf2\x0f\x5f\xd1", 0, 1, 0, 0, CLASS_FLOATING),           /* maxsd %xmm1,%xmm2 */
	ROW("\x0f\x53\xd1", 4, 0, 0, 128, CLASS_DIVIDE),               /* rcpps %xmm1,%xmm2 */
	ROW("\xf3\x0f\x53\xd1", 1, 0, 0, 0, CLASS_DIVIDE),             /* rcpss %xmm1,%xmm2 */
	ROW("\xf3\x0f\x52\xd1", 1, 0, 0, 0, CLASS_DIVIDE),             /* rsqrtss %xmm1,%xmm2 */
	ROW("\x0f\x52\xd1", 4, 0, 0, 128, CLASS_DIVIDE),               /* rsqrtps %xmm1,%xmm2 */
	ROW("\xf2\x0f\xd0\xd1", 4, 0, 0, 128, CLASS_FLOATING),         /* addsubps %xmm1,%xmm2 */
	ROW("\x66\x0f\xd0\xd1", 0, 2, 0, 128, CLASS_FLOATING),         /* addsubpd %xmm1,%xmm2 */
	ROW("\xf2\x0f\x7c\xd1", 4, 0, 0, 128, CLASS_FLOATING),         /* haddps %xmm1,%xmm2 */
	ROW("\x66\x0f\x7d\xd1", 0, 2, 0, 128, CLASS_FLOATING),         /* hsubpd %xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x40\xd1\xf1", 7, 0, 0, 128, CLASS_MULTIPLY), /* dpps $0xf1,%xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x40\xd1\x71", 5, 0, 0, 128, CLASS_MULTIPLY), /* dpps $0x71,%xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x40\xd1\x1f", 1, 0, 0, 128, CLASS_MULTIPLY), /* dpps $0x1f,%xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x40\xd1\x0f", 0, 0, 0, 0, CLASS_MULTIPLY),   /* dpps $0x0f,%xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x41\xd1\x31", 0, 3, 0, 128, CLASS_MULTIPLY), /* dppd $0x31,%xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x41\xd1\xc1", 0, 0, 0, 0, CLASS_MULTIPLY),   /* dppd $0xc1,%xmm1,%xmm2 */
	ROW("\xc4\xe3\x6d\x40\xd9\xf1", 14, 0, 0, 256,
	    CLASS_MULTIPLY),                                     /* vdpps $0xf1,%ymm1,%ymm2,%ymm3 */
	ROW("\xc5\xea\x58\xd9", 1, 0, 0, 0, CLASS_FLOATING),     /* vaddss %xmm1,%xmm2,%xmm3 */
	ROW("\xc5\xeb\x58\x18", 0, 1, 0, 0, CLASS_FLOATING),     /* vaddsd (%rax),%xmm2,%xmm3 */
	ROW("\xc5\xe8\x58\xd9", 4, 0, 0, 128, CLASS_FLOATING),   /* vaddps %xmm1,%xmm2,%xmm3 */
	ROW("\xc5\xec\x58\xd9", 8, 0, 0, 256, CLASS_FLOATING),   /* vaddps %ymm1,%ymm2,%ymm3 */
	ROW("\xc5\x6d\x58\xe9", 0, 4, 0, 256, CLASS_FLOATING),   /* vaddpd %ymm1,%ymm2,%ymm13 */
	ROW("\xc5\xed\x5c\x18", 0, 4, 0, 256, CLASS_FLOATING),   /* vsubpd (%rax),%ymm2,%ymm3 */
	ROW("\xc5\xec\x59\x18", 8, 0, 0, 256, CLASS_MULTIPLY),   /* vmulps (%rax),%ymm2,%ymm3 */
	ROW("\xc5\xed\x5e\xd9", 0, 4, 0, 256, CLASS_DIVIDE),     /* vdivpd %ymm1,%ymm2,%ymm3 */
	ROW("\xc5\xfc\x51\xd1", 8, 0, 0, 256, CLASS_DIVIDE),     /* vsqrtps %ymm1,%ymm2 */
	ROW("\xc5\xed\x5f\xd9", 0, 4, 0, 256, CLASS_FLOATING),   /* vmaxpd %ymm1,%ymm2,%ymm3 */
	ROW("\xc5\xfc\x53\xd1", 8, 0, 0, 256, CLASS_DIVIDE),     /* vrcpps %ymm1,%ymm2 */
	ROW("\xc5\xfc\x52\xd1", 8, 0, 0, 256, CLASS_DIVIDE),     /* vrsqrtps %ymm1,%ymm2 */
	ROW("\xc5\xed\xd0\xd9", 0, 4, 0, 256, CLASS_FLOATING),   /* vaddsubpd %ymm1,%ymm2,%ymm3 */
	ROW("\xc5\xef\x7c\xd9", 8, 0, 0, 256, CLASS_FLOATING),   /* vhaddps %ymm1,%ymm2,%ymm3 */
	ROW("\xc5\xed\x7d\xd9", 0, 4, 0, 256, CLASS_FLOATING),   /* vhsubpd %ymm1,%ymm2,%ymm3 */
	ROW("\xc4\xe2\x69\xb9\xd9", 2, 0, 0, 0, CLASS_MULTIPLY), /* vfmadd231ss %xmm1,%xmm2,%xmm3 */
	ROW("\xc4\xe2\xe9\x99\x18", 0, 2, 0, 0,
	    CLASS_MULTIPLY), /* vfmadd132sd (%rax),%xmm2,%xmm3 */
	ROW("\xc4\xe2\x69\xa8\xd9", 8, 0, 0, 128,
	    CLASS_MULTIPLY), /* vfmadd213ps %xmm1,%xmm2,%xmm3 */
	ROW("\xc4\xe2\xe9\xb8\xd9", 0, 4, 0, 128,
	    CLASS_MULTIPLY), /* vfmadd231pd %xmm1,%xmm2,%xmm3 */
	ROW("\xc4\xe2\x6d\xb8\xd9", 16, 0, 0, 256,
	    CLASS_MULTIPLY), /* vfmadd231ps %ymm1,%ymm2,%ymm3 */
	ROW("\xc4\xe2\xed\xb8\x18", 0, 8, 0, 256,
	    CLASS_MULTIPLY), /* vfmadd231pd (%rax),%ymm2,%ymm3 */
	ROW("\xc4\xe2\xe9\xab\xd9", 0, 2, 0, 0, CLASS_MULTIPLY), /* vfmsub213sd %xmm1,%xmm2,%xmm3 */
	ROW("\xc4\xe2\xed\xbc\xd9", 0, 8, 0, 256,
	    CLASS_MULTIPLY), /* vfnmadd231pd %ymm1,%ymm2,%ymm3 */
	ROW("\xc4\xe2\x69\x9f\xd9", 2, 0, 0, 0,
	    CLASS_MULTIPLY), /* vfnmsub132ss %xmm1,%xmm2,%xmm3 */
	ROW("\xc4\xe2\x6d\xb6\xd9", 16, 0, 0, 256,
	    CLASS_MULTIPLY), /* vfmaddsub231ps %ymm1,%ymm2,%ymm3 */
	ROW("\xc4\xe2\xe9\x97\xd9", 0, 4, 0, 128,
	    CLASS_MULTIPLY), /* vfmsubadd132pd %xmm1,%xmm2,%xmm3 */
	ROW("\xc4\xe3\xe5\x69\xe1\x20", 0, 8, 0, 256,
	    CLASS_MULTIPLY),                           /* vfmaddpd %ymm1,%ymm2,%ymm3,%ymm4 */
	ROW("\xd8\x00", 0, 0, 1, 0, CLASS_FLOATING),   /* fadds (%rax) */
	ROW("\xdc\x00", 0, 0, 1, 0, CLASS_FLOATING),   /* faddl (%rax) */
	ROW("\xd8\xc1", 0, 0, 1, 0, CLASS_FLOATING),   /* fadd %st(1),%st */
	ROW("\xde\xc1", 0, 0, 1, 0, CLASS_FLOATING),   /* faddp */
	ROW("\xde\x00", 0, 0, 1, 0, CLASS_FLOATING),   /* fiadds (%rax) */
	ROW("\xdc\xea", 0, 0, 1, 0, CLASS_FLOATING),   /* fsubr %st,%st(2) */
	ROW("\xde\xe1", 0, 0, 1, 0, CLASS_FLOATING),   /* fsubp */
	ROW("\xda\x20", 0, 0, 1, 0, CLASS_FLOATING),   /* fisubl (%rax) */
	ROW("\xdc\x08", 0, 0, 1, 0, CLASS_MULTIPLY),   /* fmull (%rax) */
	ROW("\xde\xc9", 0, 0, 1, 0, CLASS_MULTIPLY),   /* fmulp */
	ROW("\xda\x08", 0, 0, 1, 0, CLASS_MULTIPLY),   /* fimull (%rax) */
	ROW("\xde\xf1", 0, 0, 1, 0, CLASS_DIVIDE),     /* fdivp */
	ROW("\xd8\x38", 0, 0, 1, 0, CLASS_DIVIDE),     /* fdivrs (%rax) */
	ROW("\xda\x30", 0, 0, 1, 0, CLASS_DIVIDE),     /* fidivl (%rax) */
	ROW("\xd9\xfa", 0, 0, 1, 0, CLASS_DIVIDE),     /* fsqrt */
	ROW("\xd9\xf8", 0, 0, 1, 0, CLASS_DIVIDE),     /* fprem */
	ROW("\xd9\xf5", 0, 0, 1, 0, CLASS_DIVIDE),     /* fprem1 */
	ROW("\xd9\xfe", 0, 0, 1, 0, CLASS_FLOATING),   /* fsin */
	ROW("\xd9\xff", 0, 0, 1, 0, CLASS_FLOATING),   /* fcos */
	ROW("\xd9\xfb", 0, 0, 1, 0, CLASS_FLOATING),   /* fsincos */
	ROW("\xd9\xf2", 0, 0, 1, 0, CLASS_FLOATING),   /* fptan */
	ROW("\xd9\xf3", 0, 0, 1, 0, CLASS_FLOATING),   /* fpatan */
	ROW("\xd9\xf0", 0, 0, 1, 0, CLASS_FLOATING),   /* f2xm1 */
	ROW("\xd9\xf1", 0, 0, 1, 0, CLASS_FLOATING),   /* fyl2x */
	ROW("\xd9\xf9", 0, 0, 1, 0, CLASS_FLOATING),   /* fyl2xp1 */
	ROW("\xdb\x28", 0, 0, 0, 0, CLASS_MOVE),       /* fldt (%rax) */
	ROW("\xd9\xc1", 0, 0, 0, 0, CLASS_MOVE),       /* fld %st(1) */
	ROW("\xd9\xee", 0, 0, 0, 0, CLASS_MOVE),       /* fldz */
	ROW("\xdd\x18", 0, 0, 0, 0, CLASS_MOVE),       /* fstpl (%rax) */
	ROW("\xd9\xc9", 0, 0, 0, 0, CLASS_MOVE),       /* fxch */
	ROW("\xdf\xe0", 0, 0, 0, 0, CLASS_MOVE),       /* fnstsw %ax */
	ROW("\xd9\xe0", 0, 0, 0, 0, CLASS_FLOATING),   /* fchs */
	ROW("\xd9\xe1", 0, 0, 0, 0, CLASS_FLOATING),   /* fabs */
	ROW("\xdf\xe9", 0, 0, 0, 0, CLASS_FLOATING),   /* fucomip */
	ROW("\xd8\x18", 0, 0, 0, 0, CLASS_FLOATING),   /* fcomps (%rax) */
	ROW("\xd9\xfd", 0, 0, 0, 0, CLASS_FLOATING),   /* fscale */
	ROW("\xd9\xfc", 0, 0, 0, 0, CLASS_CONVERSION), /* frndint */
	ROW("\xdb\x00", 0, 0, 0, 0, CLASS_CONVERSION), /* fildl (%rax) */
	ROW("\xdb\x18", 0, 0, 0, 0, CLASS_CONVERSION), /* fistpl (%rax) */
	ROW("\xd9\x28", 0, 0, 0, 0, CLASS_SYSTEM),     /* fldcw (%rax) */
	ROW("\xf2\x0f\xc2\xd1\x01", 0, 0, 0, 0, CLASS_FLOATING), /* cmpltsd %xmm1,%xmm2 */
	ROW("\x0f\xc2\xd1\x02", 0, 0, 0, 0, CLASS_FLOATING),     /* cmpps $2,%xmm1,%xmm2 */
	ROW("\xc5\xed\xc2\xd9\x0d", 0, 0, 0, 0, CLASS_FLOATING), /* vcmppd $13,%ymm1,%ymm2,%ymm3 */
	ROW("\x66\x0f\x2e\xd1", 0, 0, 0, 0, CLASS_FLOATING),     /* ucomisd %xmm1,%xmm2 */
	ROW("\xc5\xf8\x2f\xd1", 0, 0, 0, 0, CLASS_FLOATING),     /* vcomiss %xmm1,%xmm2 */
	ROW("\xf2\x48\x0f\x2a\xd0", 0, 0, 0, 0, CLASS_CONVERSION),     /* cvtsi2sd %rax,%xmm2 */
	ROW("\x66\x0f\xe6\xd1", 0, 0, 0, 0, CLASS_CONVERSION),         /* cvttpd2dq %xmm1,%xmm2 */
	ROW("\xc5\xfc\x5a\xd1", 0, 0, 0, 0, CLASS_CONVERSION),         /* vcvtps2pd %xmm1,%ymm2 */
	ROW("\xc4\xe2\x7d\x13\xd1", 0, 0, 0, 0, CLASS_CONVERSION),     /* vcvtph2ps %xmm1,%ymm2 */
	ROW("\x66\x0f\x3a\x0b\xd1\x01", 0, 0, 0, 0, CLASS_CONVERSION), /* roundsd $1,%xmm1,%xmm2 */
	ROW("\x48\x98", 0, 0, 0, 0, CLASS_CONVERSION),                 /* cltq */
	ROW("\x48\x99", 0, 0, 0, 0, CLASS_CONVERSION),                 /* cqto */
	ROW("\x66\x0f\x38\x30\xd1", 0, 0, 0, 0, CLASS_CONVERSION),     /* pmovzxbw %xmm1,%xmm2 */
	ROW("\x0f\x54\xd1", 0, 0, 0, 0, CLASS_INTEGER),                /* andps %xmm1,%xmm2 */
	ROW("\xc5\xed\x57\xd9", 0, 0, 0, 0, CLASS_INTEGER),     /* vxorpd %ymm1,%ymm2,%ymm3 */
	ROW("\xc5\xec\x55\xd9", 0, 0, 0, 0, CLASS_INTEGER),     /* vandnps %ymm1,%ymm2,%ymm3 */
	ROW("\xc4\xe2\x7d\x17\xd1", 0, 0, 0, 0, CLASS_INTEGER), /* vptest %ymm1,%ymm2 */
	ROW("\x0f\x28\xd1", 0, 0, 0, 0, CLASS_MOVE),            /* movaps %xmm1,%xmm2 */
	ROW("\xf2\x0f\x10\x10", 0, 0, 0, 0, CLASS_MOVE),        /* movsd (%rax),%xmm2 */
	ROW("\xc5\xfd\x10\x10", 0, 0, 0, 0, CLASS_MOVE),        /* vmovupd (%rax),%ymm2 */
	ROW("\xc4\xe2\x6d\x2c\x18", 0, 0, 0, 0, CLASS_MOVE),    /* vmaskmovps (%rax),%ymm2,%ymm3 */
	ROW("\xc4\xe2\xf5\x92\x1c\xd0", 0, 0, 0, 0,
	    CLASS_MOVE), /* vgatherdpd %ymm1,(%rax,%xmm2,8),%ymm3 */
	ROW("\xc4\xe2\x75\x90\x1c\x90", 0, 0, 0, 0,
	    CLASS_MOVE),                                 /* vpgatherdd %ymm1,(%rax,%ymm2,4),%ymm3 */
	ROW("\x66\x0f\xd7\xc1", 0, 0, 0, 0, CLASS_MOVE), /* pmovmskb %xmm1,%eax */
	ROW("\x66\x0f\xf7\xd1", 0, 0, 0, 0, CLASS_MOVE), /* maskmovdqu %xmm1,%xmm2 */
	ROW("\x0f\xc6\xd1\x01", 0, 0, 0, 0, CLASS_SHUFFLE),     /* shufps $1,%xmm1,%xmm2 */
	ROW("\xc5\xed\x14\xd9", 0, 0, 0, 0, CLASS_SHUFFLE),     /* vunpcklpd %ymm1,%ymm2,%ymm3 */
	ROW("\x66\x0f\x60\xd1", 0, 0, 0, 0, CLASS_SHUFFLE),     /* punpcklbw %xmm1,%xmm2 */
	ROW("\x66\x0f\x67\xd1", 0, 0, 0, 0, CLASS_SHUFFLE),     /* packuswb %xmm1,%xmm2 */
	ROW("\x66\x0f\x70\xd1\x01", 0, 0, 0, 0, CLASS_SHUFFLE), /* pshufd $1,%xmm1,%xmm2 */
	ROW("\xc4\xe3\x6d\x06\xd9\x01", 0, 0, 0, 0,
	    CLASS_SHUFFLE), /* vperm2f128 $1,%ymm1,%ymm2,%ymm3 */
	ROW("\xc4\xe3\x6d\x18\xd9\x01", 0, 0, 0, 0,
	    CLASS_SHUFFLE), /* vinsertf128 $1,%xmm1,%ymm2,%ymm3 */
	ROW("\xc4\xe3\x7d\x39\xd3\x01", 0, 0, 0, 0,
	    CLASS_SHUFFLE),                                     /* vextracti128 $1,%ymm2,%xmm3 */
	ROW("\xc4\xe2\x7d\x19\x18", 0, 0, 0, 0, CLASS_SHUFFLE), /* vbroadcastsd (%rax),%ymm3 */
	ROW("\xc4\xe3\x65\x4b\xe2\x10", 0, 0, 0, 0,
	    CLASS_SHUFFLE), /* vblendvpd %ymm1,%ymm2,%ymm3,%ymm4 */
	ROW("\x66\x0f\xc5\xc1\x01", 0, 0, 0, 0, CLASS_SHUFFLE),      /* pextrw $1,%xmm1,%eax */
	ROW("\x0f\x12\xd1", 0, 0, 0, 0, CLASS_SHUFFLE),              /* movhlps %xmm1,%xmm2 */
	ROW("\x66\x0f\x73\xda\x04", 0, 0, 0, 0, CLASS_SHUFFLE),      /* psrldq $4,%xmm2 */
	ROW("\x66\x0f\x38\x40\xd1", 0, 0, 0, 0, CLASS_MULTIPLY),     /* pmulld %xmm1,%xmm2 */
	ROW("\x66\x0f\xf5\xd1", 0, 0, 0, 0, CLASS_MULTIPLY),         /* pmaddwd %xmm1,%xmm2 */
	ROW("\x66\x0f\x3a\x44\xd1\x00", 0, 0, 0, 0, CLASS_MULTIPLY), /* pclmulqdq $0,%xmm1,%xmm2 */
	ROW("\x48\x0f\xaf\xc1", 0, 0, 0, 0, CLASS_MULTIPLY),         /* imul %rcx,%rax */
	ROW("\x48\xf7\xe1", 0, 0, 0, 0, CLASS_MULTIPLY),             /* mul %rcx */
	ROW("\xc4\xe2\xfb\xf6\xd1", 0, 0, 0, 0, CLASS_MULTIPLY),     /* mulx %rcx,%rax,%rdx */
	ROW("\xf7\x38", 0, 0, 0, 0, CLASS_DIVIDE),                   /* idivl (%rax) */
	ROW("\x48\xf7\xf1", 0, 0, 0, 0, CLASS_DIVIDE),               /* div %rcx */
	ROW("\x66\x0f\xfe\xd1", 0, 0, 0, 0, CLASS_INTEGER),          /* paddd %xmm1,%xmm2 */
	ROW("\x66\x0f\x38\x39\xd1", 0, 0, 0, 0, CLASS_INTEGER),      /* pminsd %xmm1,%xmm2 */
	ROW("\xc5\xed\x74\xd9", 0, 0, 0, 0, CLASS_INTEGER),     /* vpcmpeqb %ymm1,%ymm2,%ymm3 */
	ROW("\x66\x0f\x73\xf2\x04", 0, 0, 0, 0, CLASS_INTEGER), /* psllq $4,%xmm2 */
	ROW("\x48\x01\x08", 0, 0, 0, 0, CLASS_INTEGER),         /* add %rcx,(%rax) */
	ROW("\xf0\x83\x00\x01", 0, 0, 0, 0, CLASS_INTEGER),     /* lock addl $1,(%rax) */
	ROW("\xf0\x48\x0f\xb1\x0a", 0, 0, 0, 0, CLASS_INTEGER), /* lock cmpxchg %rcx,(%rdx) */
	ROW("\xf3\x48\x0f\xb8\xc1", 0, 0, 0, 0, CLASS_INTEGER), /* popcnt %rcx,%rax */
	ROW("\xc4\xe2\xfa\xf5\xd1", 0, 0, 0, 0, CLASS_INTEGER), /* pext %rcx,%rax,%rdx */
	ROW("\x48\x0f\xc8", 0, 0, 0, 0, CLASS_INTEGER),         /* bswap %rax */
	ROW("\x48\x8d\x48\x08", 0, 0, 0, 0, CLASS_INTEGER),     /* lea 8(%rax),%rcx */
	ROW("\x48\xc1\xc0\x03", 0, 0, 0, 0, CLASS_INTEGER),     /* rol $3,%rax */
	ROW("\x0f\x94\xc0", 0, 0, 0, 0, CLASS_INTEGER),         /* sete %al */
	ROW("\xa6", 0, 0, 0, 0, CLASS_INTEGER),                 /* cmpsb */
	ROW("\xf3\xa7", 0, 0, 0, 0, CLASS_INTEGER),             /* repe cmpsl */
	ROW("\xf2\xae", 0, 0, 0, 0, CLASS_INTEGER),             /* repne scasb */
	ROW("\x85\xc0", 0, 0, 0, 0, CLASS_INTEGER),             /* test %eax,%eax */
	ROW("\x48\x89\x01", 0, 0, 0, 0, CLASS_MOVE),            /* mov %rax,(%rcx) */
	ROW("\x0f\xb6\x08", 0, 0, 0, 0, CLASS_MOVE),            /* movzbl (%rax),%ecx */
	ROW("\x48\x63\xc8", 0, 0, 0, 0, CLASS_MOVE),            /* movslq %eax,%rcx */
	ROW("\x48\x0f\x45\xc8", 0, 0, 0, 0, CLASS_MOVE),        /* cmovne %rax,%rcx */
	ROW("\x50", 0, 0, 0, 0, CLASS_MOVE),                    /* push %rax */
	ROW("\x58", 0, 0, 0, 0, CLASS_MOVE),                    /* pop %rax */
	ROW("\xc9", 0, 0, 0, 0, CLASS_MOVE),                    /* leave */
	ROW("\x48\x87\x01", 0, 0, 0, 0, CLASS_MOVE),            /* xchg %rax,(%rcx) */
	ROW("\xf3\xa4", 0, 0, 0, 0, CLASS_MOVE),                /* rep movsb */
	ROW("\xf3\x48\xab", 0, 0, 0, 0, CLASS_MOVE),            /* rep stosq */
	ROW("\xad", 0, 0, 0, 0, CLASS_MOVE),                    /* lodsl */
	ROW("\xeb\xfe", 0, 0, 0, 0, CLASS_BRANCH),              /* jmp . */
	ROW("\x75\xfe", 0, 0, 0, 0, CLASS_BRANCH),              /* jne . */
	ROW("\xf2\xff\xe0", 0, 0, 0, 0, CLASS_BRANCH),          /* bnd jmp *%rax */
	ROW("\xe3\xfe", 0, 0, 0, 0, CLASS_BRANCH),              /* jrcxz . */
	ROW("\xff\x10", 0, 0, 0, 0, CLASS_BRANCH),              /* call *(%rax) */
	ROW("\xc3", 0, 0, 0, 0, CLASS_BRANCH),                  /* ret */
	ROW("\x90", 0, 0, 0, 0, CLASS_NOP),                     /* nop */
	ROW("\x66\x0f\x1f\x84\x00\x00\x02\x00\x00", 0, 0, 0, 0,
	    CLASS_NOP),                                 /* nopw 0x200(%rax,%rax,1) */
	ROW("\xf3\x0f\x1e\xfa", 0, 0, 0, 0, CLASS_NOP), /* endbr64 */
	ROW("\xf3\x90", 0, 0, 0, 0, CLASS_NOP),         /* pause */
	ROW("\x0f\x18\x08", 0, 0, 0, 0, CLASS_NOP),     /* prefetcht0 (%rax) */
	ROW("\x0f\x05", 0, 0, 0, 0, CLASS_SYSTEM),      /* syscall */
	ROW("\x0f\xa2", 0, 0, 0, 0, CLASS_SYSTEM),      /* cpuid */
	ROW("\x0f\x31", 0, 0, 0, 0, CLASS_SYSTEM),      /* rdtsc */
	ROW("\x0f\xae\xf0", 0, 0, 0, 0, CLASS_SYSTEM),  /* mfence */
	ROW("\x0f\x01\xd0", 0, 0, 0, 0, CLASS_SYSTEM),  /* xgetbv */
	ROW("\x0f\xae\x00", 0, 0, 0, 0, CLASS_SYSTEM),  /* fxsave (%rax) */
	ROW("\x0f\xae\x10", 0, 0, 0, 0, CLASS_SYSTEM),  /* ldmxcsr (%rax) */
	ROW("\xc5\xf8\x77", 0, 0, 0, 0, CLASS_SYSTEM),  /* vzeroupper */
	ROW("\x0f\x0b", 0, 0, 0, 0, CLASS_SYSTEM),      /* ud2 */
};

enum { N_EXAMPLES = sizeof(examples) / sizeof(examples[0]) };

static struct insn_work decode(const char *bytes, size_t size)
{
	struct insn_work work;

	insn_work_decode(&decoder, (const uint8_t *)bytes, size, &work);
	return work;
}

TEST(each_instruction_does_what_its_manual_says)
{
	for (size_t i = 0; i < N_EXAMPLES; i++) {
		const struct insn_work *want = &examples[i].work;
		const struct insn_work got = decode(examples[i].bytes, examples[i].size);

		if (got.singles != want->singles || got.doubles != want->doubles ||
		    got.extendeds != want->extendeds || got.bits != want->bits ||
		    got.class != want->class)
			printf("row %zu: %u %u %u %u %d\n", i, got.singles, got.doubles,
			       got.extendeds, got.bits, (int)got.class);
		CHECK_EQ_U64(got.singles, want->singles);
		CHECK_EQ_U64(got.doubles, want->doubles);
		CHECK_EQ_U64(got.extendeds, want->extendeds);
		CHECK_EQ_U64(got.bits, want->bits);
		CHECK_EQ_U64(got.class, want->class);
	}
}

/* What has operations is never taken for something else at a glance. */
TEST(a_glance_misses_none)
{
	size_t n_dull = 0;

	for (size_t i = 0; i < N_EXAMPLES; i++) {
		const struct insn_work *work = &examples[i].work;
		const bool may =
			insn_may_float((const uint8_t *)examples[i].bytes, examples[i].size);

		if (work->singles + work->doubles + work->extendeds != 0)
			CHECK(may);
		n_dull += !may;
	}
	CHECK(n_dull > 50);
	CHECK(!insn_may_float((const uint8_t *)"\x66", 1)); /* nothing but a prefix */
	CHECK(!insn_may_float((const uint8_t *)"", 0));
}

TEST(what_is_no_instruction)
{
	/* of a client request: rol $3, $13, $61, $51 of %rdi, xchg %rbx,%rbx */
	CHECK_EQ_U64(decode("\x48\xc1\xc7\x03\x48\xc1\xc7\x0d\x48\xc1\xc7\x3d\x48\xc1\xc7\x33"
			    "\x48\x87\xdb",
			    19)
			     .class,
		     CLASS_NOP);
	CHECK_EQ_U64(decode("\x0f\x58\xd1\x90", 4).class, CLASS_SYSTEM); /* more than addps */
	CHECK_EQ_U64(decode("\x0f\x58\xd1\x90", 4).singles, 0);
	CHECK_EQ_U64(decode("\x0f\x58", 2).class, CLASS_SYSTEM); /* less than one */
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(each_instruction_does_what_its_manual_says),
		CHECK_TEST(a_glance_misses_none),
		CHECK_TEST(what_is_no_instruction),
	};

	if (!insn_decoder_init(&decoder))
		return 1;
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
