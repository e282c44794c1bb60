# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""What a compiled CUDA kernel does, instruction by instruction, read from a cubin where no disassembler is at hand.

usage: cubin.py FILE [TEXT]   of each kernel, or those with TEXT in their names: registers, bytes of a thread in memory,
                              instructions by kind, and the same of each loop

Instructions of sm_70 and later have 16 bytes: the operation in the lowest 12 bits, and from bit 105 on how the hardware
must issue it: cycles until the warp's next one (4 bits), a yield flag, the scoreboards that it sets when it has written
and when it has read its registers (3 bits each, 7 for none), those that it waits for (6 bits). Source: Jia et al.,
"Dissecting the NVIDIA Volta GPU architecture via microbenchmarking" (arXiv 1804.06826), and kernels of nvcc 13.0.
"""
import collections
import dataclasses
import re
import struct
import sys

NO_SCOREBOARD = 7
# Operations (bits 0 to 8) by what they keep busy; all others only take their turn.
KINDS = {"fp64": (0x02b, 0x029, 0x028, 0x02a), "matrix": (0x03f,), "read": (0x180, 0x181), "write": (0x185, 0x186),
         "atomic": (0x18e, 0x1a8, 0x1a9), "copy": (0x1ae,), "commit": (0x1af,), "await": (0x11a,), "take": (0x184,),
         "put": (0x188,), "local": (0x183, 0x187), "barrier": (0x11d,), "prefetch": (0x18f,), "shuffle": (0x189,),
         "integer": (0x010, 0x012, 0x019, 0x00c, 0x024, 0x025, 0x027, 0x011, 0x016, 0x01a),
         "fp32": (0x023, 0x021, 0x020)}
KIND_OF = {operation: kind for kind, operations in KINDS.items() for operation in operations}
BRANCH, EXIT, CALL, RETURN, NOP = 0x147, 0x14d, (0x143, 0x144), 0x150, 0x118
TO_INTEGER, RECIPROCAL, FROM_INTEGER = 0x105, 0x108, 0x112  # divisions of integers are made of these
LONG = 100  # instructions: no loop of cubes or slices has as many
ALWAYS = 7  # the predicate of what is always done
WIDTHS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 8, 6: 16}


@dataclasses.dataclass
class instruction:
    operation: int
    predicate: int
    kind: str
    stall: int
    writes: int  # the scoreboard of its result
    reads: int  # and of its operands
    waits: int  # a bit for each scoreboard
    width: int  # bytes a thread, or groups of copies that may be left where it awaits them
    target: int | None = None  # of a branch

    def line(self):
        return f"{self.kind} {self.stall} {self.writes} {self.reads} {self.waits} {self.width}"


@dataclasses.dataclass
class kernel:
    name: str
    registers: int
    local_bytes: int  # of a thread: stack and spills
    instructions: list
    loops: list  # instructions of each, between a branch back and its target

    def counts(self):
        return collections.Counter(i.kind for i in self.instructions)


def decoded(code, architecture):
    """All instructions of a function, in the order of their addresses."""
    result = []
    for at in range(0, len(code), 16):
        low, high = struct.unpack_from("<QQ", code, at)
        word = low | high << 64
        operation = word & 0x1ff
        kind = KIND_OF.get(operation, "other")
        width = word >> 38 & 0x3f if kind == "await" else WIDTHS.get(word >> 73 & 7, 8)
        one = instruction(operation, word >> 12 & 0xf, kind, max(1, word >> 105 & 0xf), word >> 110 & 7,
                          word >> 113 & 7, word >> 116 & 0x3f, width)
        if operation == BRANCH or operation in CALL:
            offset = word >> 34 & (1 << 48) - 1
            offset -= offset >> 47 << 48
            if architecture >= 90:
                offset = offset << 8 | word >> 16 & 0xff
            one.target = at + 16 + 4 * offset
        result.append(one)
    return result


def ways_through(code):
    """The instructions that an ordinary thread meets: no calls, no divisions of integers, no atomic sums."""
    starts = {0}
    for place, one in enumerate(code):
        if one.operation in (BRANCH, EXIT, RETURN, *CALL):
            starts.add(place + 1)
            if one.target is not None and 0 <= one.target < 16 * len(code):
                starts.add(one.target // 16)
    starts = sorted(start for start in starts if start < len(code))
    blocks = list(zip(starts, [*starts[1:], len(code)]))
    number = {begin: k for k, (begin, _) in enumerate(blocks)}

    def rare(begin, end):
        operations = {one.operation for one in code[begin:end]}
        return (code[end - 1].operation in CALL or FROM_INTEGER in operations or
                {TO_INTEGER, RECIPROCAL} <= operations or any(one.kind == "atomic" for one in code[begin:end]))

    seen, to_visit = set(), [0]
    while to_visit:
        k = to_visit.pop()
        if k in seen or k >= len(blocks) or rare(*blocks[k]):
            continue
        seen.add(k)
        last = code[blocks[k][1] - 1]
        goes_on = last.operation not in (BRANCH, EXIT, RETURN) or last.predicate != ALWAYS
        if goes_on:
            to_visit.append(k + 1)
        if last.operation == BRANCH and last.target is not None and last.target // 16 in number:
            to_visit.append(number[last.target // 16])
    return [code[place] for place in repeated(code, [place for k in sorted(seen) for place in range(*blocks[k])])]


def repeated(code, places):
    """Places of instructions in the order in which a thread meets them: what a loop of SUMFAC_ROLLED has, twice."""
    number = {place: k for k, place in enumerate(places)}
    result = []
    for k, place in enumerate(places):
        result.append(place)
        target = code[place].target // 16 if code[place].operation == BRANCH and code[place].target else len(code)
        if target < place - LONG and target in number:
            result += places[number[target]:k + 1]
    return result


def loops(code):
    """Instructions of each loop, one behind the other in memory; the last branch of a function, to itself, is none."""
    targets = [(one.target // 16, place) for place, one in enumerate(code)
               if one.operation == BRANCH and one.target is not None and 0 <= one.target < 16 * place]
    return [code[first:last + 1] for first, last in targets]


def sections(data):
    """{name: (offset, size)} of an ELF file of 64 bits."""
    if data[:4] != b"\x7fELF" or data[4] != 2:
        raise ValueError("cubin: the file is no ELF file of 64 bits (its first bytes are "
                         f"{data[:5].hex(' ')}, 7f 45 4c 46 02 expected): pass what nvcc -cubin wrote")
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3a)
    rows = [struct.unpack_from("<IIQQQQII", data, table + k * size) for k in range(count)]
    start = rows[names][4]
    name = lambda row: data[start + row[0]:data.index(b"\0", start + row[0])].decode()
    return {name(row): (row[4], row[5]) for row in rows}


FRAME_SIZE, REGISTERS = 0x11, 0x2f  # attributes of section .nv.info


def attributes(data, found):
    """{(attribute, number of a symbol): value} of those that have a value for each function."""
    values = {}
    at, size = found.get(".nv.info", (0, 0))
    end = at + size
    while at < end:
        form, attribute, length = struct.unpack_from("<BBH", data, at)
        at += 4
        if form == 4:  # the value stands behind, not in the length's place
            if length == 8:
                symbol, value = struct.unpack_from("<II", data, at)
                values[attribute, symbol] = value
            at += length
    return values


def symbols(data, found):
    """{name: number} of all symbols."""
    at, size = found[".symtab"]
    names, _ = found[".strtab"]
    result = {}
    for k in range(size // 24):
        name, = struct.unpack_from("<I", data, at + 24 * k)
        result[data[names + name:data.index(b"\0", names + name)].decode()] = k
    return result


def kernels(data, architecture=90):
    """All kernels of a cubin's bytes."""
    found = sections(data)
    numbers, values = symbols(data, found), attributes(data, found)
    result = []
    for name, (offset, size) in found.items():
        if name.startswith(".text."):
            entry = name.removeprefix(".text.")
            code = decoded(data[offset:offset + size], architecture)
            symbol = numbers[entry]
            result.append(kernel(entry, values[REGISTERS, symbol], values.get((FRAME_SIZE, symbol), 0),
                                 ways_through(code), loops(code)))
    return result


def numbers_in(name):
    """Of a candidate's kernel (candidate.hpp) the place in the list; of a block threads, bytes of scratch and elements;
    padding."""
    match = re.search(r"9candidateI" + r"Li(\d+)E" * 5, name)
    return tuple(map(int, match.groups())) if match else None


def main(path, text=""):
    with open(path, "rb") as file:
        found = kernels(file.read(), 80 if "sm_80" in path else 90)
    counted = lambda code: ", ".join(f"{count} {kind}" for kind, count in
                                     collections.Counter(one.kind for one in code).most_common())
    for one in found:
        if text in one.name:
            print(f"{one.name}\n  {one.registers} registers, {one.local_bytes} bytes in memory\n"
                  f"  {len(one.instructions)} instructions: {counted(one.instructions)}")
            for loop in one.loops:
                print(f"  a loop of {len(loop)}: {counted(loop)}")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
