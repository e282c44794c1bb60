# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Seconds of an application and of an iteration of conjugate gradients on many ranks, from a few rates of a machine.

A kernel takes T0 + bytes / W, a message alpha + bytes / beta, a sum over all ranks alpha_s log2(ranks). A rank has a
cube of elements in a cubic cut of the mesh. Lengths are seconds and bytes, sizes points: E N^3 of degree N.
"""

import dataclasses
import json
import math


@dataclasses.dataclass(frozen=True)
class Machine:
    """What a rank does alone, and what ranks do with each other."""

    name: str
    start: float  # T0 of a kernel or a pass, seconds
    bandwidth: float  # W, bytes a second
    latency: float  # alpha of a message, seconds
    network: float  # beta of a rank, bytes a second each way
    hop: float  # of a sum over all, seconds for each doubling of the ranks
    source: str = ""
    passes: float = 0.0  # W of passes over vectors, bytes a second, where it is another

    def __post_init__(self):
        for name in ("start", "latency", "hop"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"Machine: {name} is negative (got {getattr(self, name)}, at least 0 expected)")
        for name in ("bandwidth", "network"):
            if not getattr(self, name) > 0:
                raise ValueError(f"Machine: {name} is not above 0 (got {getattr(self, name)}, more expected)")


@dataclasses.dataclass(frozen=True)
class Operator:
    """A form on global vectors: what it reads and writes. BP5, stored factors: 6 a node, the table, x and y once."""

    order: int = 7
    factors: int = 6
    scalar: int = 8
    table: int = 4

    def bytes_per_point(self):
        nodes = ((self.order + 1) / self.order) ** 3  # of elements, for each point
        return nodes * (self.factors * self.scalar + self.table) + 2 * self.scalar


# Vectors that conjugate gradients with Jacobi's preconditioner read and write beside the application, in three passes:
# p . A p; x and r a step on with r . z and r . r; p anew.
CG_VECTORS = 2 + 7 + 4
CG_PASSES = 3
CG_SUMS = 2

# Of the interior, what sumfac::distributed keeps back to apply while ghosts' sums go to their owners.
KEPT = 1 / 8


def cubic(ranks):
    """A cut along three directions, as even as it can be; of 4 ranks, (1.587, 1.587, 1.587)."""
    if ranks < 1:
        raise ValueError(f"cubic: ranks are too few (got {ranks}, at least 1 expected)")
    return (ranks ** (1 / 3),) * 3


def cut_directions(parts):
    """Along how many directions a rank has others beside it; between 1 and 2 parts along one, a part of a direction."""
    return [min(1.0, p - 1) for p in parts]


def messages(parts):
    """That a rank sends and receives in an exchange: nodes belong to the lower rank along each direction."""
    return math.prod(1 + c for c in cut_directions(parts)) - 1


def ghosts(points, parts):
    """Nodes of a rank that others own: a face of its cube for each direction."""
    return sum(cut_directions(parts)) * points ** (2 / 3)


def interior_share(order, points, parts):
    """Of a rank's elements, those without ghosts."""
    edge = points ** (1 / 3) / order
    inside = math.prod(max(0.0, edge - c) for c in cut_directions(parts))
    return min(1.0, inside / edge**3)


def exchange_seconds(machine, operator, points, parts):
    """Of ghosts one way: packed, sent and unpacked."""
    if messages(parts) == 0:
        return 0.0
    packing = 2 * machine.start
    return packing + messages(parts) * machine.latency + ghosts(points, parts) * operator.scalar / machine.network


def element_seconds(machine, operator, points):
    """Of the elements' kernel alone."""
    return machine.start + points * operator.bytes_per_point() / machine.bandwidth


def application_seconds(machine, operator, points, parts, overlap=True, kept=KEPT):
    """y = A x: ghosts come while most of the interior is applied, and go while the part that was kept back is."""
    way = exchange_seconds(machine, operator, points, parts)
    elements = points * operator.bytes_per_point() / machine.bandwidth
    if way == 0:
        return machine.start + elements
    inside = interior_share(operator.order, points, parts)
    if not overlap:
        return 2 * machine.start + elements + 2 * way
    first, last = (machine.start + share * inside * elements for share in (1 - kept, kept))
    return max(way, first) + machine.start + (1 - inside) * elements + max(way, last)


def hidden_share(machine, operator, points, parts, kept=KEPT):
    """Of both ways of the exchange, what the interior hides."""
    way = exchange_seconds(machine, operator, points, parts)
    if way == 0:
        return 1.0
    inside = interior_share(operator.order, points, parts)
    elements = inside * points * operator.bytes_per_point() / machine.bandwidth
    behind = [machine.start + share * elements for share in (1 - kept, kept)]
    return sum(min(way, seconds) for seconds in behind) / (2 * way)


def sum_seconds(machine, ranks):
    """Of numbers over all ranks."""
    return machine.hop * math.log2(ranks) if ranks > 1 else 0.0


def cg_seconds(machine, operator, points, ranks, overlap=True, parts=None):
    """An iteration of conjugate gradients with Jacobi's preconditioner."""
    applied = application_seconds(machine, operator, points, parts or cubic(ranks), overlap)
    passes = CG_PASSES * machine.start + CG_VECTORS * operator.scalar * points / (machine.passes or machine.bandwidth)
    return applied + passes + CG_SUMS * sum_seconds(machine, ranks)


def gathering_seconds(machine, operator, points, ranks, fewer):
    """Of so many points, from ranks to fewer of them and back: a message each way for each doubling of a group."""
    if fewer >= ranks:
        return 0.0
    return 2 * (math.log2(ranks / fewer) * machine.latency + points / fewer * operator.scalar / machine.network)


def meshes_seconds(machine, operator, points, ranks, least=0.0, overlap=True):
    """Of meshes with an eighth of the points each, to 64 of the whole, an exchange and application three times on each.

    `points` of all are those of the first finer one. Meshes are on all ranks that have any points, or, where least is
    above 0, on so many as have these at least, to which entries are sent as mpi::gathered does.
    """
    seconds, few, coarse = 0.0, ranks, dataclasses.replace(operator, order=1)
    while points > 64:
        points /= 8
        fewer = min(few, max(1.0, points / (least or 1.0)))
        if least > 0:
            seconds += gathering_seconds(machine, coarse, points, few, fewer)
        few = fewer
        seconds += 3 * application_seconds(machine, coarse, points / few, cubic(few), overlap)
    return seconds


def multigrid_seconds(machine, operator, points, ranks, orders=(7, 3, 1), smoothings=2, overlap=True, least=0.0):
    """A cycle over degrees: applications of Chebyshev's polynomials before and behind, and a residual, on each.

    On the last level is a cycle over meshes, as meshes_seconds has it.
    """
    parts, seconds = cubic(ranks), 0.0
    for order in orders:
        level = dataclasses.replace(operator, order=order)
        size = points * (order / operator.order) ** 3
        applied = application_seconds(machine, level, size, parts, overlap)
        vectors = machine.start + 4 * operator.scalar * size / machine.bandwidth
        seconds += (2 * smoothings + 1) * (applied + vectors)
    last = points * ranks * (orders[-1] / operator.order) ** 3
    return seconds + meshes_seconds(machine, operator, last, ranks, least, overlap)


def pcg_seconds(machine, operator, points, ranks, overlap=True):
    """An iteration of conjugate gradients with that cycle."""
    return cg_seconds(machine, operator, points, ranks, overlap) + multigrid_seconds(machine, operator, points, ranks,
                                                                                    overlap=overlap)


def saturated_seconds(seconds, machine, operator, ranks):
    """For each point of a rank, where it has so many that starts, messages and sums are nothing."""
    points = 1e15
    return seconds(machine, operator, points, ranks) / points


def efficiency(seconds, machine, operator, points, ranks):
    """The rate of so many points a rank, over that of very many."""
    return saturated_seconds(seconds, machine, operator, ranks) * points / seconds(machine, operator, points, ranks)


def points_for(share, seconds, machine, operator, ranks):
    """n_share: the fewest points of a rank with this efficiency."""
    if not 0 < share < 1:
        raise ValueError(f"points_for: the share is not between 0 and 1 (got {share}, 0.8 is usual)")
    low, high = 1.0, 1e14
    for _ in range(200):
        middle = math.sqrt(low * high)
        if efficiency(seconds, machine, operator, middle, ranks) < share:
            low = middle
        else:
            high = middle
    return high


def applied(machine, operator, points, ranks, overlap=True):
    """application_seconds of a cubic cut."""
    return application_seconds(machine, operator, points, cubic(ranks), overlap)


def fit_line(sizes, seconds):
    """(start, rate) of seconds = start + size / rate with the least relative deviations, start at least 0.

    As bench/streams/fit.hpp has it: the line passes through two of the times, or through one and the origin.
    """
    points = list(zip(sizes, seconds, strict=True))
    if len({size for size, _ in points}) < 2 or any(not (s > 0 and t > 0) for s, t in points):
        raise ValueError(f"fit_line: two sizes above 0, and times, are needed (got {points})")
    lines = [(0.0, t / s) for s, t in points]
    for i, (s, t) in enumerate(points):
        lines += [(t - (t - u) / (s - r) * s, (t - u) / (s - r)) for r, u in points[:i] if r != s]
    best = min((line for line in lines if line[0] >= 0 and line[1] > 0),
               key=lambda line: sum(abs((line[0] + line[1] * s) / t - 1) for s, t in points))
    return best[0], 1 / best[1]


# What is assumed of machines that this repository has not measured; see `source`.
SUMMIT = Machine("Summit, V100", start=5e-6, bandwidth=0.8e12, latency=6e-6, network=25e9 / 6, hop=3e-6,
                 source="W: 800 GB/s, published for V100; beta: two EDR links of 12.5 GB/s for six GPUs; "
                        "T0, alpha and the sums' 3 us a doubling are assumed")
H100 = Machine("H100, 400 Gb/s each", start=3e-6, bandwidth=3e12, latency=4e-6, network=50e9, hop=2e-6,
               source="W: nine tenths of the data sheet's 3.35 TB/s; beta: a link of 400 Gb/s for each GPU; "
                      "T0, alpha and the sums' 2 us a doubling are assumed")
CORE = Machine("a core, MPI", start=0, bandwidth=10e9, latency=1.5e-6, network=1e9, hop=3e-6,
               source="all of it is assumed, as gathered's docstring does")


def of_streams(machine, path):
    """The same machine with start and bandwidth of the copy that bench/streams has measured, on a device, say."""
    with open(path, encoding="utf-8") as file:
        run = json.load(file)
    fits = [fit for fit in run["fits"] if fit["pass"] == "copy" and fit["sizes"] == "all"]
    if not fits:
        raise ValueError(f"{path} has no line of copies of all sizes (0 lines, at least 1 expected): run bench/streams")
    fit = fits[-1]
    return dataclasses.replace(machine, start=fit["T0_us"] * 1e-6, bandwidth=fit["W_GB/s"] * 1e9,
                               source=f"start and bandwidth from {path}; {machine.source}")
