#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots the results of `bake_off`: throughput of conjugate gradients against the size, a curve for each degree."""

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from plot import INK, ROOF, read, write

WHAT = {
    "BP1": "mass, N+2 Gauss points",
    "BP2": "mass, 3 components",
    "BP3": "stiffness, N+2 Gauss points",
    "BP4": "stiffness, 3 components",
    "BP5": "stiffness, collocated",
    "BP5-affine": "stiffness, collocated, parallelepipeds",
    "BP5-trilinear": "stiffness, collocated, geometry from vertices",
    "BP6": "stiffness, collocated, 3 components",
}


def main():
    run, folder, arguments = read(argparse.ArgumentParser(description=__doc__), "what bake_off wrote")
    write(page(run), folder / arguments.json.stem)


def page(run):
    rows = run["results"]
    problems = sorted({row["problem"] for row in rows})  # "BP1-2D" is BP1 on quadrilaterals
    columns = min(3, len(problems))
    lines = -(-len(problems) // columns)
    size = (max(6.0, 3.6 * columns + 0.4), 3.0 * lines + 1.2)
    figure, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
    for axis in axes.flat[len(problems):]:
        axis.set_visible(False)
    for axis, problem in zip(axes.flat, problems):
        draw(axis, [row for row in rows if row["problem"] == problem])
        axis.set_title(f"{problem}: {WHAT[problem.replace('-2D', '')]}", fontsize=9, fontweight="bold", color=INK)
    context = run["context"]
    figure.suptitle("conjugate gradients: merged with the sweep (solid), plain (dashed)", fontsize=10, color=INK)
    figure.text(
        0.5, 0.01,
        f"{context['cpu']}, {context['threads']} threads, {context['simd']}, {context['compiler']}; "
        f"{context['iterations']} iterations a solve; {context['date'][:10]}",
        ha="center", fontsize=7.5, color=ROOF)
    figure.tight_layout(rect=(0, 0.03, 1, 0.98))
    return figure


def draw(axis, rows):
    orders = sorted({row["order"] for row in rows})
    for order in orders:
        series = sorted((row for row in rows if row["order"] == order), key=lambda row: row["dofs"])
        color = plt.cm.viridis(0.9 * (order - orders[0]) / max(1, orders[-1] - orders[0]))
        sizes = [row["dofs"] for row in series]
        axis.plot(sizes, [rate(row, "merged_seconds") for row in series], color=color, marker="o", markersize=3,
                  linewidth=1.6, label=f"N = {order}")
        axis.plot(sizes, [rate(row, "plain_seconds") for row in series], color=color, linewidth=1.0,
                  linestyle=(0, (3, 2)))
    axis.set_xscale("log")
    axis.set_ylim(bottom=0)
    axis.set_xlabel("degrees of freedom")
    axis.set_ylabel("MDOF/s an iteration")
    axis.legend(fontsize=6.5, frameon=False, ncol=2)


def rate(row, key):
    return 1e-6 * row["dofs"] / row[key]


if __name__ == "__main__":
    main()
