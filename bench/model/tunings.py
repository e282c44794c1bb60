# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Subjects of tuning and the tunings that are worth a try, as values and as C++."""
import collections
import dataclasses

from cards import LIMITS, resident

FORMS = {"BP1.0": ("values", 1), "BP3.0": ("gradients", 1), "BP3.5": ("collocated", 1), "BP1": ("values", 1),
         "BP2": ("values", 3), "BP3": ("gradients", 1), "BP4": ("gradients", 3), "BP5": ("collocated", 1),
         "BP6": ("collocated", 3)}  # kinds of problems and components
SHAPES = {"hexahedron": 3, "quadrilateral": 2}  # of elements, and their directions
GEOMETRIES = {"stored": "kinds::{}", "trilinear": "upon<kinds::{}, kinds::trilinear>",
              "affine": "upon<kinds::{}, kinds::affine>"}


@dataclasses.dataclass(frozen=True)
class subject:
    """A kernel: of a problem and degree, in one kind of numbers, upon a geometry, vectors and elements of one kind."""
    problem: str
    order: int
    scalar: str = "f64"
    geometry: str = "stored"
    vectors: str = "element"
    shape: str = "hexahedron"

    directions = property(lambda s: SHAPES[s.shape])
    lines = property(lambda s: s.points ** (s.directions - 1))  # of points, each of them a thread's
    kind = property(lambda s: FORMS[s.problem][0])
    components = property(lambda s: FORMS[s.problem][1])
    nodes = property(lambda s: s.order + 1)
    points = property(lambda s: s.order + (1 if s.kind == "collocated" else 2))
    bytes_of_number = property(lambda s: 8 if s.scalar == "f64" else 4)
    differentiates = property(lambda s: s.kind != "values")

    def name(self):
        parts = [self.problem, self.scalar, self.geometry, self.vectors, self.shape, f"N {self.order}"]
        return " ".join(part for part in parts if part not in ("stored", "element", "hexahedron"))

    def types(self):
        """The problem and the kind of numbers, as bench/subjects/problems.hpp has them."""
        return (f"problems::{self.problem.lower().replace('.', '_')}, "
                f"{GEOMETRIES[self.geometry].format(self.scalar)}")

    def factors(self):
        """Of a point: a metric's, six of three directions, three of two, and a mass."""
        metric = self.directions * (self.directions + 1) // 2
        return (metric if self.differentiates else 0) + (0 if self.problem in ("BP3", "BP4", "BP5", "BP6") else 1)

    def element_bytes(self):
        """That an element must bring from memory and back: u and v, what is kept of its geometry, numbers of nodes."""
        g, n, d = self.points, self.nodes, self.directions
        factors = {"stored": self.factors() * g ** d, "affine": 7, "trilinear": 24}[self.geometry]
        shared = self.vectors == "global"  # neighbours find a node in cache
        of_nodes = 2 * self.components * (self.order if shared else n) ** d
        return self.bytes_of_number * (factors + of_nodes) + (8 * n ** d if shared else 0)


@dataclasses.dataclass(frozen=True)
class tuning:
    """A value of sumfac::tuning: of slices where they have planes, else as `way` says."""
    elements: int
    padding: int
    resident_teams: int
    tables: int = 1
    points_ahead: int = 0
    ahead: str = "none"
    reads: str = "kept"
    planes: int = 0
    way: str = "cubes"

    def text(self):
        """As C++ has it, the members alone that are not what they are where none is named."""
        words = [f".way = variant::slices, .planes = {self.planes}"] if self.planes else []
        words += [f".way = variant::{self.way}"] * (self.way != "cubes")
        words += [f".{name} = {getattr(self, name)}" for name, usual in (("elements", 1), ("padding", 0))
                  if getattr(self, name) != usual]
        words += [f".resident_teams = {self.resident_teams}"]
        words += [f".ahead = prefetch::{self.ahead}"] * (self.ahead != "none")
        words += [f".reads = read_order::{self.reads}"] * (self.reads != "free")
        words += [f".{name} = {getattr(self, name)}" for name, usual in (("tables", 1), ("points_ahead", 0))
                  if getattr(self, name) != usual]
        return f"tuning{{{', '.join(words)}}}"


def unit(*kernels):
    """A source that enters for each kernel (subject, tunings) the usual tuning and each of the others."""
    header = "global_subjects" if kernels[0][0].vectors == "global" else "device_subjects"
    text = f'#include "gpu/{header}.hpp"\nusing namespace sumfac;\nusing namespace sumfac::bench;\n'
    for number, (of, texts) in enumerate(kernels):
        on_global = of.vectors == "global"
        if of.directions != 3 and not on_global:
            raise ValueError(f"tunings of {of.name()} can be ranked, and no program times them: take global vectors")
        values = [f"usual<{of.types()}, {of.order}, {of.directions}>", *texts]
        names = ", ".join([str(of.directions)] * on_global + [f"t{i}" for i in range(len(values))])
        text += (f"namespace kernel_{number} {{\n"
                 + "".join(f"static constexpr tuning t{i} = {value};\n" for i, value in enumerate(values))
                 + f"static entered const entered_here({of.vectors}_subjects<{of.types()}, {of.order}, {names}>());\n"
                 + "}\n")
    return text


def idle(of, elements):
    """The share of a team's threads that only fill its last warp."""
    lines = elements * of.lines
    return -lines % 32 / (lines + -lines % 32)


def teams_by_registers(of, elements, registers, architecture):
    """Teams on a multiprocessor whose threads have so many registers."""
    lanes = LIMITS[architecture][3]
    warps = (elements * of.lines + lanes - 1) // lanes
    return min(32, 4 * (512 // registers) // warps)


def row_of(of, padding):
    """Numbers from a row of scratch to the next one: without derivatives, and of quadrilaterals, rows hold nodes."""
    return (of.points if of.differentiates and of.directions == 3 else of.nodes) + padding


def conflicts(of, padding):
    """Transactions of a warp's accesses to scratch, line by line along each axis, over those without conflicts."""
    g, row = of.points, row_of(of, padding)
    lanes = 32 if of.bytes_of_number == 4 else 16  # that 32 banks of 4 bytes serve at once
    # From a line to the next ones, where lines go along x, y, z; of quadrilaterals, of several elements, along x and y.
    steps = [(g * row, row), (g * row, 1), (row, 1)] if of.directions == 3 else [(g * row, row), (g * row, 1)]
    outers = g if of.directions == 3 else lanes
    needed, groups = 0, 0
    for outer, inner in steps:
        across = g if of.directions == 3 or inner == row else of.nodes
        lines = [a * outer + b * inner for a in range(outers) for b in range(across)]
        for first in range(0, len(lines), lanes):
            places = set(lines[first:first + lanes])
            banks = collections.Counter(place % lanes for place in places)
            needed, groups = needed + max(banks.values()), groups + 1
    return needed / groups


def fits(of, t, architecture):
    """Whether scratch and threads leave the teams that are asked for."""
    g, cubes = of.points, (of.directions if of.differentiates else 1)
    numbers = of.components * cubes * of.lines // g * (t.planes or g) * row_of(of, t.padding)
    numbers += g * g * t.points_ahead * of.factors() if t.ahead == "scratch" else 0
    scratch = numbers * of.bytes_of_number
    return (t.resident_teams >= 1 and t.elements * of.lines <= 1024 and
            resident(t.elements * of.lines, 32, scratch * t.elements, architecture) >= t.resident_teams)


def elements_of_teams(of, most=2):
    """Elements of a team: one, and those of at most 320 threads that leave the fewest idle."""
    g = of.points
    wide = [e for e in range(1, 33) if e * g * g <= 320 and e * g * g >= 32] or [1]
    best = sorted(wide, key=lambda e: (round(idle(of, e), 2), e))[:most]
    return sorted({*best, *([1] if g >= 6 else [])})


REGISTERS = (40, 48, 56, 64, 80, 96, 128, 168, 255)


def coarse_rows(of, architecture):
    """Of quadrilaterals: teams of one to six warps, with registers for many and for few of them."""
    for threads in (32, 64, 96, 192):
        for registers in (64, 128):
            elements = threads // of.points
            t = tuning(elements, int(of.nodes % 2 == 0), teams_by_registers(of, elements, registers, architecture),
                       reads="free" if registers > 96 else "kept", way="rows")
            if fits(of, t, architecture):
                yield t


def coarse(of, architecture):
    """Candidates far apart: elements and teams, and what is read ahead."""
    if of.directions == 2:
        yield from coarse_rows(of, architecture)
        return
    odd = (of.points if of.differentiates else of.nodes) % 2 == 0
    least = 32 if not of.differentiates else 64 if of.scalar == "f32" else 96
    if of.geometry != "stored":
        least = 80
    for elements in elements_of_teams(of):
        most = max((t for t in range(1, 33) if fits(of, tuning(elements, int(odd), t), architecture)), default=1)
        teams = {min(most, teams_by_registers(of, elements, r, architecture)) for r in REGISTERS if r >= least}
        for count in sorted(teams - {0}, reverse=True)[:3] or [1]:
            if of.geometry != "stored":
                variants = [tuning(elements, int(odd), count, tables, 0, reads="free") for tables in (1, 3)]
            elif not of.differentiates:
                variants = [tuning(elements, int(odd), count, 3, 0, "registers", "free")]
            else:
                variants = [tuning(elements, int(odd), count, 3, ahead) for ahead in (2, 4)]
                if architecture.startswith("sm_"):
                    variants.append(tuning(elements, int(odd), count, 3, 4, "scratch", "free"))
            yield from (t for t in variants if fits(of, t, architecture))
    # Where scratch leaves two teams of cubes at most, slices may have more.
    if of.differentiates and of.geometry == "stored" and not fits(of, tuning(1, int(odd), 3), architecture):
        for planes in {(of.points + slices - 1) // slices for slices in (3, 4)}:
            yield tuning(1, int(odd), teams_by_registers(of, 1, 128, architecture), planes=planes, reads="free")


def near(of, t, architecture):
    """Neighbours of a good one: tables, padding, more or fewer points ahead, a team more or fewer."""
    changes = [{"padding": 1 - t.padding}]
    if t.way == "rows":
        changes += [{"reads": "free" if t.reads == "kept" else "kept"}, {"ahead": "cache"}]
    elif t.planes == 0:
        changes += [{"tables": 1 if t.tables == 3 else 3}]
    if t.points_ahead:
        changes += [{"points_ahead": count} for count in (t.points_ahead - 1, t.points_ahead + 2, of.points)]
    changes += [{"resident_teams": t.resident_teams + more} for more in (-1, 1)]
    for change in changes:
        other = dataclasses.replace(t, **change)
        if fits(of, other, architecture) and 0 <= other.points_ahead <= of.points:
            yield other
