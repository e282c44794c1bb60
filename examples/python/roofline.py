# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves Poisson's problem, measures operators against a copy of memory and plots a roofline, cell by cell.

Run it whole, or cell by cell in an editor that knows `# %%`; the folder of the module is to be in PYTHONPATH.
"""

# %% What there is
import argparse
import concurrent.futures
import os
import time

import matplotlib
import numpy
import sumfac
from block import Block

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--quick", action="store_true", help="small sizes, of which the rates say nothing")
parser.add_argument("--out", default="roofline.svg", help="the figure, .svg or .png (default: %(default)s)")
options = parser.parse_known_args()[0]

threads = int(os.environ.get("OMP_NUM_THREADS") or len(os.sched_getaffinity(0)))
degrees = sumfac.degrees("bp5")
print(f"{threads} threads; degrees {degrees}")

# %% Poisson's problem: -div grad u = f for a u that is known, on a block of curved elements
print("\n  N   nodes  Jacobi  multigrid  seconds  error in L2")
for degree in degrees:
    block = Block(2 if options.quick else 4, degree, bend=0.05)
    inside = sumfac.restriction(block.numbers, block.count, constrained=block.boundary)
    everywhere = sumfac.restriction(block.numbers, block.count)
    A = sumfac.bp5(block.nodes, node_set="gauss_lobatto", degree=degree, restriction=inside)
    M = sumfac.bp1(block.nodes, node_set="gauss_lobatto", degree=degree, restriction=everywhere)

    exact = numpy.sin(numpy.pi * block.places).prod(axis=1)
    b = M @ (3 * numpy.pi**2 * exact)
    b[block.boundary] = 0
    u, by_jacobi = sumfac.cg(A, b, preconditioner="jacobi", tolerance=1e-10)
    assert by_jacobi, by_jacobi
    iterations, seconds = "", ""
    if any(other < degree for other in degrees):
        begin = time.perf_counter()
        u, by_multigrid = sumfac.cg(A, b, preconditioner=sumfac.multigrid(A), tolerance=1e-10)
        assert by_multigrid, by_multigrid
        iterations, seconds = by_multigrid.iterations, f"{time.perf_counter() - begin:.4f}"
    error = numpy.sqrt((u - exact) @ (M @ (u - exact)))
    print(f"{degree:3} {block.count:7} {by_jacobi.iterations:7} {iterations:>10} {seconds:>8} {error:12.3e}")


# %% The roof: bytes that a copy by all threads reads and writes in a second
def least_seconds(work, seconds=0.01 if options.quick else 0.5):
    """The shortest time of one call, of those that fit into some seconds, and two at the least."""
    times = []
    while len(times) < 2 or sum(times) < seconds:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


entries = 1 << (16 if options.quick else 25)
parts = [(numpy.zeros(entries // threads), numpy.ones(entries // threads)) for _ in range(threads)]
with concurrent.futures.ThreadPoolExecutor(threads) as pool:
    seconds = least_seconds(lambda: list(pool.map(lambda part: numpy.copyto(*part), parts)))
bandwidth = 2 * 8 * (entries // threads) * threads / seconds
del parts
print(f"\ncopy: {bandwidth / 1e9:.1f} GB/s")

# %% Operators on E-vectors
print("\nproblem  N  GFLOP/s    GB/s  GDOF/s  of the copy")
measured = {}
for problem in ("bp1", "bp3", "bp5"):
    for degree in degrees:
        cells = max(1, round(((2e4 if options.quick else 2e6) ** (1 / 3)) / (degree + 1)))
        block = Block(cells, degree, bend=0.05)
        A = sumfac.operator(problem, block.nodes, node_set="gauss_lobatto", degree=degree)
        u = numpy.random.default_rng(1).standard_normal(A.vector_shape)
        v = numpy.empty_like(u)
        seconds = least_seconds(lambda: A.apply(u, out=v))
        flops, rate = A.flops / seconds, A.bytes / seconds
        measured.setdefault(problem, []).append((A.flops / A.bytes, flops / 1e9, degree))
        dofs = len(block.nodes) * degree**3 / seconds
        print(f"{problem:7} {degree:2} {flops / 1e9:8.2f} {rate / 1e9:7.2f} {dofs / 1e9:7.3f} {rate / bandwidth:12.2f}")

# %% The figure
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

figure, axes = plt.subplots(figsize=(6.4, 4.2))
intensities = numpy.array([x for rows in measured.values() for x, _, _ in rows])
ends = numpy.array([intensities.min() / 1.5, intensities.max() * 1.5])
axes.plot(ends, ends * bandwidth / 1e9, color="#555555", label=f"a copy: {bandwidth / 1e9:.1f} GB/s")
for (problem, rows), marker, color in zip(measured.items(), "os^", ("#1f5fa8", "#c8542b", "#3a8f5c")):
    axes.plot(*zip(*[(x, y) for x, y, _ in rows]), marker, color=color, label=problem)
    for x, y, degree in rows:
        axes.annotate(str(degree), (x, y), textcoords="offset points", xytext=(4, -8), fontsize=7, color=color)
axes.set(xlabel="flops per byte", ylabel="GFLOP/s")
axes.set_xscale("log", base=2)
axes.set_yscale("log", base=2)
for axis in (axes.xaxis, axes.yaxis):
    axis.set_major_formatter("{x:g}")
axes.set_title(f"E-vectors in double on {threads} threads, by degree", fontsize=9)
axes.legend(frameon=False, fontsize=8)
figure.tight_layout()
figure.savefig(options.out, dpi=150)
print(f"\nfigure: {options.out}")
