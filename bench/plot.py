#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots the results of `roofline`: GFLOP/s and GDOF/s against the degree, the ceilings above them."""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

WHAT = {
    "BP1.0": "mass, N+2 Gauss points",
    "BP3.0": "screened Poisson, N+2 Gauss points",
    "BP3.5": "screened Poisson, collocated",
}
SCALARS = {"f64": ("#1f5fa8", "o", "double"), "f32": ("#c8542b", "s", "float")}
INK, ROOF, FAINT = "#222222", "#555555", "#f1f1ef"

STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#888888",
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.6,
    "xtick.color": "#555555",
    "ytick.color": "#555555",
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "svg.fonttype": "path",
    "svg.hashsalt": "sumfac",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", type=pathlib.Path, help="what roofline wrote")
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="where the plots go (default: beside the JSON)")
    arguments = parser.parse_args()
    run = json.loads(arguments.json.read_text())
    folder = arguments.folder or arguments.json.parent
    folder.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update(STYLE)
    for size in dict.fromkeys(row["size"] for row in run["benchmarks"]):
        stem = folder / f"roofline-{size.replace(':', '')}"
        plot(run, size).savefig(stem.with_suffix(".svg"), metadata={"Date": None})
        plt.savefig(stem.with_suffix(".png"), dpi=180)
        plt.close()
        print(f"{stem}.svg {stem}.png")


def plot(run, size):
    """One figure: a column per problem, GFLOP/s in the upper row and GDOF/s in the lower."""
    rows = [row for row in run["benchmarks"] if row["size"] == size]
    problems = sorted({row["problem"] for row in rows})
    scalars = [scalar for scalar in SCALARS if any(row["scalar"] == scalar for row in rows)]
    figure, axes = plt.subplots(
        2, len(problems), figsize=(1.2 + 3.2 * len(problems), 6.2), sharex=True, sharey="row", squeeze=False
    )
    with_peak = size == "cache"
    for column, problem in enumerate(problems):
        for scalar in scalars:
            series = sorted(
                (row for row in rows if row["problem"] == problem and row["scalar"] == scalar),
                key=lambda row: row["order"],
            )
            if series:
                draw(axes[0][column], series, scalar, lambda row: 1, with_peak)
                draw(axes[1][column], series, scalar, dofs_per_flop, with_peak)
        axes[0][column].set_title(f"{problem}\n", fontsize=12, fontweight="bold", color=INK, pad=4)
        axes[0][column].text(
            0.5, 1.03, WHAT.get(problem, ""), transform=axes[0][column].transAxes, ha="center", color=ROOF
        )
        axes[1][column].set_xlabel("degree N")
        axes[1][column].set_xticks([1, 3, 5, 7, 9, 11, 13, 15])
    for axis, label in zip(axes[:, 0], ("GFLOP/s", "GDOF/s")):
        axis.set_ylabel(label, fontsize=10)
        axis.set_ylim(bottom=0)
        axis.yaxis.set_major_locator(MaxNLocator(6))
    figure.legend(
        handles=legend(scalars, with_peak), loc="upper center", ncol=5, frameon=False, bbox_to_anchor=(0.5, 0.995)
    )
    figure.text(0.5, 0.012, footer(run, rows, size), ha="center", fontsize=7.5, color="#777777")
    figure.subplots_adjust(left=0.075, right=0.985, top=0.845, bottom=0.115, wspace=0.08, hspace=0.12)
    return figure


def dofs_per_flop(row):
    return row["GDOF/s"] / row["GFLOP/s"]


def draw(axis, series, scalar, scale, with_peak):
    """Ceilings as lines with the ground below them tinted, measurements as marks."""
    color, marker, _ = SCALARS[scalar]
    degrees = [row["order"] for row in series]

    def curve(rate):
        return [rate(row) * scale(row) for row in series]

    copy = curve(lambda row: row["GFLOP/s"] / row["roofline"])
    stream = curve(lambda row: row["GFLOP/s"] / row["stream"])
    measured = curve(lambda row: row["GFLOP/s"])
    if with_peak:
        peak = curve(lambda row: row["peak_GFLOP/s"])
        roof = [min(a, b) for a, b in zip(stream, peak)]
        axis.plot(degrees, roof, color=ROOF, linewidth=1.4, zorder=2)
    else:
        roof = stream
        axis.plot(degrees, copy, color=ROOF, linewidth=1.1, linestyle=(0, (4, 2)), zorder=2)
        axis.plot(degrees, stream, color=ROOF, linewidth=1.4, zorder=2)
    axis.fill_between(degrees, roof, color=FAINT, zorder=0, linewidth=0)
    axis.plot(
        degrees, measured, color=color, marker=marker, markersize=5, linewidth=1.8, markeredgecolor="white",
        markeredgewidth=0.7, zorder=3,
    )


def legend(scalars, with_peak):
    handles = [
        Line2D([], [], color=SCALARS[s][0], marker=SCALARS[s][1], markersize=5, linewidth=1.8, markeredgecolor="white",
               label=f"sumfac, {SCALARS[s][2]}")
        for s in scalars
    ]
    if with_peak:
        handles.append(Line2D([], [], color=ROOF, linewidth=1.4, label="ceiling: multiply-add peak, stream in cache"))
    else:
        handles.append(Line2D([], [], color=ROOF, linewidth=1.4, label="stream, same mix of reads and writes"))
        handles.append(
            Line2D([], [], color=ROOF, linewidth=1.1, linestyle=(0, (4, 2)), label="roofline (copy of the same bytes)")
        )
    return handles


def footer(run, rows, size):
    context = run["context"]
    largest = max(row["bytes_read"] + row["bytes_written"] for row in rows)
    where = {
        "memory": f"working sets of {largest / 2**20:.0f} MiB in memory",
        "cache": "working sets in each core's L2 cache",
    }.get(size, f"{size[2:]} elements")
    threads = f"{context['threads']} thread{'s' if context['threads'] != 1 else ''}"
    return f"{context['cpu']}, {threads}, {context['simd']}, {context['compiler']}; {where}; {context['date'][:10]}"


if __name__ == "__main__":
    main()
