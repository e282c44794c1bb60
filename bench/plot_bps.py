#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots the results of `bps`, or of `peers/solvers`: seconds of a solve against the error of its solution, by problem
and mesh."""

import argparse
import statistics

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from plot import INK, ROOF, read, write

WHAT = {
    "BPS1": "mass, N+2 Gauss points",
    "BPS2": "mass, 3 components",
    "BPS3": "stiffness, N+2 Gauss points",
    "BPS4": "stiffness, 3 components",
    "BPS5": "stiffness, collocated",
    "BPS6": "stiffness, collocated, 3 components",
}
LINES = {"jacobi": (0, (3, 2)), "multigrid": "solid", "multigrid-float": (0, (1, 1.2)),
         "schwarz-float": (0, (5, 1.5, 1, 1.5)), "deal.II": (0, (4, 1))}
MARKS = {"jacobi": "s", "multigrid": "o", "multigrid-float": "^", "schwarz-float": "D", "deal.II": "x"}


def main():
    run, folder, arguments = read(argparse.ArgumentParser(description=__doc__), "what bps or peers/solvers wrote")
    write(page(of_peers(run) if isinstance(run, list) else run), folder / arguments.json.stem)


def of_peers(rows):
    """Rows of two solvers, with the medians of the rounds."""
    sides = (("sumfac", "multigrid-float"), ("dealii", "deal.II"))
    return {"results": [{"mesh": "cube", **row, "solver": name,
                         "solve_seconds": statistics.median(row[f"{side}_solve_seconds"])}
                        for row in rows for side, name in sides]}


def page(run):
    rows = run["results"]
    problems = sorted({row["problem"] for row in rows})
    meshes = list(dict.fromkeys(row["mesh"] for row in rows))
    size = (3.4 * len(meshes) + 0.6, 2.9 * len(problems) + 1.2)
    figure, axes = plt.subplots(len(problems), len(meshes), figsize=size, squeeze=False)
    for line, problem in zip(axes, problems):
        for axis, mesh in zip(line, meshes):
            draw(axis, [row for row in rows if row["problem"] == problem and row["mesh"] == mesh])
            axis.set_title(f"{problem}, {mesh}: {WHAT[problem]}", fontsize=8, fontweight="bold", color=INK)
    orders = sorted({row["order"] for row in rows})
    solvers = [name for name in LINES if any(row["solver"] == name for row in rows)]
    keys = [Line2D([], [], color=color_of(order, orders), linewidth=2, label=f"N = {order}") for order in orders]
    keys += [Line2D([], [], color=ROOF, linestyle=LINES[name], marker=MARKS[name], markersize=3.5, label=name)
             for name in solvers]
    figure.legend(handles=keys, loc="upper center", ncol=min(6, len(keys)), fontsize=7.5, frameon=False)
    said = "one core each; set-up apart"
    if context := run.get("context"):
        said = (f"{context['cpu']}, {context['threads']} threads, {context['simd']}, {context['compiler']}; "
                f"set-up apart; {context['date'][:10]}")
    figure.text(0.5, 0.01, said, ha="center", fontsize=7, color=ROOF)
    figure.tight_layout(rect=(0, 0.03, 1, 1 - 0.35 / size[1] * -(-len(keys) // 6)))
    return figure


def draw(axis, rows):
    orders = sorted({row["order"] for row in rows})
    for order in orders:
        for solver, line in LINES.items():
            series = sorted((row for row in rows if row["order"] == order and row["solver"] == solver),
                            key=lambda row: row["dofs"])
            axis.plot([row["error"] for row in series], [row["solve_seconds"] for row in series],
                      color=color_of(order, orders), linestyle=line, marker=MARKS[solver], markersize=3, linewidth=1.2)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.invert_xaxis()
    axis.set_xlabel("error in L2, relative")
    axis.set_ylabel("seconds of a solve")


def color_of(order, orders):
    return plt.cm.viridis(0.9 * (order - orders[0]) / max(1, orders[-1] - orders[0]))


if __name__ == "__main__":
    main()
