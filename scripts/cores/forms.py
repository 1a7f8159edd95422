# SPDX-License-Identifier: GPL-3.0-or-later
"""
Forms of instructions: which there are, what Capstone calls them, and what LLVM does.

A form is a mnemonic with the kinds of its operands; its key, "add r64,m64", is what the tool makes of an
instruction that it decoded (sim/core/instructiontable.h says how).  To get each form under the name that the
tool will see, all opcodes are put together from bytes and decoded by Capstone, so nothing depends on a list of
mnemonics.  LLVM's disassembler makes of the same bytes the text that llvm-mca reads.
"""
import re
import subprocess

import capstone
from capstone import x86

# -- keys ------------------------------------------------------------------------------------

REGISTERS = {}
for kind, names in {
    "r64": "rax rbx rcx rdx rsi rdi rbp rsp " + " ".join("r%d" % i for i in range(8, 16)),
    "r32": "eax ebx ecx edx esi edi ebp esp " + " ".join("r%dd" % i for i in range(8, 16)),
    "r16": "ax bx cx dx si di bp sp " + " ".join("r%dw" % i for i in range(8, 16)),
    "r8": "al bl cl dl ah bh ch dh sil dil bpl spl " + " ".join("r%db" % i for i in range(8, 16)),
    "x": " ".join("xmm%d" % i for i in range(16)),
    "y": " ".join("ymm%d" % i for i in range(16)),
    "mm": " ".join("mm%d" % i for i in range(8)),
    "st": "st " + " ".join("st(%d)" % i for i in range(8)),
}.items():
    for register_name in names.split():
        REGISTERS[register_name] = kind

MEMORY = {1: "m8", 2: "m16", 4: "m32", 8: "m64", 10: "m80", 16: "m128", 32: "m256"}
SHIFTS = frozenset("shl shr sar sal rol ror rcl rcr shld shrd".split())
REPEATED = re.compile(r"(movs|stos|lods|scas|cmps)[bwdq]$")


def kind_of(insn, name, operand):
    """The kind of an operand; None if it is of none that is told apart."""
    if operand.type == x86.X86_OP_IMM:
        return "i"
    if operand.type == x86.X86_OP_MEM:
        if name == "nop":
            return "m"
        if name == "lea":
            mem = operand.mem
            return "m3" if mem.base and mem.index and mem.disp else "ms" if mem.index and mem.scale > 1 else "m"
        return MEMORY.get(operand.size, "m")
    register = insn.reg_name(operand.reg)
    if register == "cl" and name in SHIFTS:
        return "cl"
    return REGISTERS.get(register)


def key_of(insn):
    """The key of an instruction that Capstone decoded with details; None if it has none."""
    words = insn.mnemonic.split()
    name = words[-1]
    prefix = ""
    for word in words[:-1]:
        if word == "lock":
            prefix = "lock "
        elif word in ("rep", "repe", "repz") and REPEATED.match(name):
            prefix = "rep "
        elif word in ("repne", "repnz") and REPEATED.match(name):
            prefix = "repne "
    kinds = [kind_of(insn, name, operand) for operand in insn.operands]
    if None in kinds:
        return None
    return prefix + name + (" " + ",".join(kinds) if kinds else "")


# -- all forms -------------------------------------------------------------------------------

# Bytes after an opcode: a displacement, or immediates, whose high half names xmm4 where one does.
TAIL = bytes([0x47, 0, 0, 0, 0, 0, 0, 0, 0])
PREFIXES = frozenset([0x0F, 0x26, 0x2E, 0x36, 0x3E, 0x62, 0x64, 0x65, 0x66, 0x67, 0xC4, 0xC5, 0xF0, 0xF2, 0xF3,
                      *range(0x40, 0x50)])
# Registers of the ModRM byte: first those that stand for any other.
DIGITS = (1, 0, 3, 4, 5, 6, 7, 2)
# Predicates of comparisons, and halves of carry-less products, are part of the mnemonic.
PREDICATES = 32

# What no program executes below Valgrind: what is privileged, of other modes, of extensions that are gone, of
# AVX-512's masks.
NOT_OURS = re.compile(
    r"in|out|ins[bwd]|outs[bwd]|hlt|cli|sti|clts|clac|stac|invd|wbinvd|invlpga?|invept|invvpid|invpcid|[ls][gil]dt|"
    r"[ls]msw|ltr|str|lar|lsl|ver[rw]|rdmsr|wrmsr|rdpmc|sysret|sysexit|sysenter|iret[dq]?|rsm|swapgs|monitorx?|mwaitx?|"
    r"vm(call|clear|launch|resume|ptrld|ptrst|read|write|xoff|xon|func|run|mcall|load|save)|xsetbv|getsec|encl[su]|"
    r"skinit|stgi|clgi|lcall|ljmp|retfq?|l[fgs]s|bnd.*|k[a-z]+[bwdq]|salc|int1|into|femms|montmul|xcrypt.*|xsha.*|"
    r"xstore|vfn?m(add|sub|addsub|subadd)[ps][sd]|vpermil2.*|xabort|xbegin|xend|xtest|fx(save|rstor)(64)?|xsaves(64)?|"
    r"xrstors(64)?|(rd|wr)[fg]sbase|ud[01]|ud2b|(fdisi|feni)8087_nop|fsetpm|fstpnce")


def legacy():
    """Encodings with the prefixes of SSE and before."""
    for lead in (b"", b"\x0f", b"\x0f\x38", b"\x0f\x3a"):
        for opcode in range(256):
            if not lead and opcode in PREFIXES:
                continue
            if lead == b"\x0f" and opcode in (0x38, 0x3A, 0x0F):
                continue
            for prefix in (b"", b"\x66", b"\xf3", b"\xf2"):
                for rex in (b"", b"\x48"):
                    # Capstone calls it movsxd r64,r32 even without REX.W, where it is none.
                    if not lead and opcode == 0x63 and not rex:
                        continue
                    yield prefix + rex + lead + bytes([opcode])


def vex():
    """Encodings of AVX and of what came with its prefix, without the ModRM byte."""
    for select in (1, 2, 3):
        for opcode in range(256):
            for pp in range(4):
                for length in (0, 4):
                    for wide in (0, 0x80):
                        # vvvv is register 3; none of the three is extended.
                        for vvvv in (0x60, 0x78):
                            yield bytes([0xC4, 0xE0 | select, wide | vvvv | length | pp, opcode])


def operands(digit):
    """ModRM bytes: of a register, and of memory."""
    other = 6 if digit != 6 else 7  # than vvvv, too: what clears a register costs nothing
    yield bytes([0xC0 | digit << 3 | other])
    yield bytes([digit << 3 | 3])


def encodings():
    """All candidates: those that are none are refused later."""
    for encoding in legacy():
        for digit in DIGITS:
            for modrm in operands(digit):
                yield encoding + modrm + TAIL
    for encoding in legacy():
        if encoding[-1] == 0xC2 or encoding[-2:] == b"\x3a\x44":
            for predicate in range(PREDICATES):
                for modrm in operands(1):
                    yield encoding + modrm + bytes([predicate]) + TAIL
    for encoding in vex():
        if encoding[1] & 0x1F == 2 and 0x90 <= encoding[3] <= 0x93:
            # Gathers, by vector 5.
            yield encoding + bytes([1 << 3 | 4, 0x2B]) + TAIL
            continue
        for digit in DIGITS:
            for modrm in operands(digit):
                yield encoding + modrm + TAIL
        if encoding[1] & 0x1F == 1 and encoding[3] == 0xC2 or encoding[1] & 0x1F == 3 and encoding[3] == 0x44:
            for predicate in range(PREDICATES):
                for modrm in operands(1):
                    yield encoding + modrm + bytes([predicate]) + TAIL
    # x87: each byte after the opcode is an instruction.
    for opcode in range(0xD8, 0xE0):
        for second in range(256):
            yield bytes([opcode, second]) + TAIL
            yield bytes([0x9B, opcode, second]) + TAIL
    # Shifts by one and by CL; lea with one to three parts; fences and states.
    for digit in range(8):
        for opcode in (0xD0, 0xD1, 0xD2, 0xD3, 0xC0, 0xC1):
            for rex in (b"", b"\x48", b"\x66"):
                yield rex + bytes([opcode, 0xC0 | digit << 3 | 2]) + TAIL
    for rex in (b"", b"\x48", b"\x66"):
        yield rex + b"\x8d\x4b\x10" + TAIL
        yield rex + b"\x8d\x0c\x2b" + TAIL
        yield rex + b"\x8d\x4c\x2b\x10" + TAIL
    for second in range(256):
        yield bytes([0x0F, 0xAE, second]) + TAIL
        yield bytes([0x0F, 0x01, second]) + TAIL
    yield b"\xf3\x0f\x1e\xfa" + TAIL
    yield b"\xf3\x90" + TAIL
    # With lock: what changes memory.
    for rex in (b"", b"\x48", b"\x66"):
        for lead in (b"", b"\x0f"):
            for opcode in range(256):
                if not lead and opcode in PREFIXES or lead and opcode < 0x20:
                    continue
                for digit in DIGITS:
                    yield b"\xf0" + rex + lead + bytes([opcode, digit << 3 | 3]) + TAIL


def all_forms(variants):
    """
    For each key, the bytes of at most that many instructions of each of its opcodes.
    """
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    decoder.detail = True
    found = {}
    seen = set()
    for code in encodings():
        insn = next(decoder.disasm(code, 0x1000, 1), None)
        if insn is None:
            continue
        code = bytes(insn.bytes)
        if code in seen:
            continue
        seen.add(code)
        name = insn.mnemonic.split()[-1]
        if NOT_OURS.fullmatch(name):
            continue
        # A prefix that does nothing, which LLVM takes for another instruction.
        if code[0] in (0xF2, 0xF3) and " " not in insn.mnemonic and code[1] not in (0x0F, 0x48, 0x90):
            continue
        key = key_of(insn)
        if key is None:
            continue
        # Locked is what changes memory; others are refused by the processor.
        if key.startswith("lock ") and not key.split()[2].startswith("m"):
            continue
        of_key = found.setdefault(key, {}).setdefault(tuple(insn.opcode), [])
        if len(of_key) < variants:
            of_key.append(code)
    return {key: [code for codes in of_key.values() for code in codes] for key, of_key in found.items()}


# -- LLVM ------------------------------------------------------------------------------------

MARK = 0x10000  # displacement of the nop before the first form


def marked(texts):
    """Assembly with a nop before each text, by which what is made of it can be told apart."""
    return "".join("nopl %d(%%rax)\n%s\n" % (MARK + i, text) for i, text in enumerate(texts))


def mark_of(line):
    """The number of a nop of marked(); None if the line is none."""
    match = re.fullmatch(r"\s*nopl\s+(\d+)\(%rax\)", line)
    return int(match[1]) - MARK if match and int(match[1]) >= MARK else None


def disassemble(llvm_mc, codes):
    """The text of each code, as llvm-mca reads it; None where LLVM has none, or not of all of its bytes."""
    lines = []
    for i, code in enumerate(codes):
        mark = b"\x0f\x1f\x80" + (MARK + i).to_bytes(4, "little")
        for part in (mark, code):
            # In brackets, so that the bytes of one are never taken for the next one's.
            lines.append("[" + " ".join("0x%02x" % byte for byte in part) + "]")
    done = subprocess.run([llvm_mc, "--disassemble", "-triple=x86_64"], input="\n".join(lines), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    bad = {int(line) // 2 for line in re.findall(r"^<stdin>:(\d+):\d+: (?:warning|error)", done.stderr, re.M)
           for line in [int(line) - 1]}
    texts = [[] for _ in codes]
    at = None
    for line in done.stdout.splitlines():
        mark = mark_of(line)
        if mark is not None:
            at = mark
        elif at is not None and line.strip() and not line.strip().startswith("."):
            texts[at].append(line.partition("#")[0].strip())
    return [" ".join(text) if text and i not in bad else None for i, text in enumerate(texts)]
