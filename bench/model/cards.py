# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""What architectures document, and what cards were measured to do: all that is known of a device without one."""
import dataclasses

# Scratch of a block and of a multiprocessor, warps of it, threads of a warp, registers of a thread where one warp runs
# on each of the four parts, the step in which they are given out, and scratch that the runtime keeps of each block.
LIMITS = {"sm_80": (163 << 10, 164 << 10, 64, 32, 512, 8, 1024),
          "sm_90": (227 << 10, 228 << 10, 64, 32, 512, 8, 1024),
          "gfx90a": (64 << 10, 64 << 10, 32, 64, 512, 8, 0),
          "gfx940": (64 << 10, 64 << 10, 32, 64, 512, 8, 0),  # MI300, as compilers before gfx942 know it
          "gfx942": (64 << 10, 64 << 10, 32, 64, 512, 8, 0)}


def resident(threads, registers, scratch, architecture):
    """Blocks that fit a multiprocessor, by registers, scratch and warps."""
    block, whole, warps, warp, of_thread, step, kept = LIMITS[architecture]
    in_block = (threads + warp - 1) // warp
    of_registers = 4 * (of_thread // ((registers + step - 1) // step * step)) // in_block
    of_scratch = whole // (scratch + kept) if 0 < scratch <= block else 0 if scratch else 32
    return min(of_registers, of_scratch, warps // in_block, 32)


# Kilobytes of shared memory and first-level cache together, and what the first may have of them.
CARVE_OUTS = {"sm_80": (192, (0, 8, 16, 32, 64, 100, 132, 164)),
              "sm_90": (256, (0, 8, 16, 32, 64, 100, 132, 164, 196, 228))}


def first_level_lines(blocks, scratch, architecture):
    """Lines of 128 bytes that are left where so many blocks have their scratch."""
    whole, shared = CARVE_OUTS[architecture]
    wanted = blocks * (scratch + LIMITS[architecture][6]) if scratch else 0
    return (whole - next(part for part in shared if wanted <= part << 10)) * 1024 // 128


@dataclasses.dataclass
class card:
    architecture: str
    multiprocessors: int
    clock: float  # GHz
    rate: float  # GB/s of the memory, where most is read
    copy: float  # GB/s of a copy, to which shares refer
    cache_bytes: int
    fp64_cycles: int  # between two instructions of a warp in doubles on a part of a multiprocessor
    latency: float = 600  # cycles of the memory at least, and what comes on top of them in the middle
    spread: float = 150

    def bytes_a_cycle(self):
        return self.rate / self.multiprocessors / self.clock


# H100, H200: docs/results/2026-11-26-nvidia-h100 and -h200. A100: as published, nothing of the model was compared.
CARDS = {"h100": card("sm_90", 132, 1.98, 3060, 2950, 50 << 20, 2),
         "h200": card("sm_90", 132, 1.98, 4300, 4100, 60 << 20, 2),
         "a100": card("sm_80", 108, 1.41, 1800, 1720, 40 << 20, 4)}
