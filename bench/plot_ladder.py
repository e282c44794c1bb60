#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots the ladders that a device climbed: GFLOP/s of every rung against the degree, the rooflines above them.

usage: plot_ladder.py LADDER.json [FOLDER] [--counts COUNTS.json]

LADDER.json is what `ladder --out` wrote. With COUNTS.json of `ladder_counts --json` each rung's shared-memory
roofline is drawn where it is the lower one, at the degrees that were counted: B_sh F / (S_r + S_w), B_sh of the device.
"""
import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator
from plot import INK, ROOF, read, write

OURS = {"color": "#c8542b", "linewidth": 2.2, "marker": "o", "markersize": 4.5, "markeredgecolor": "white", "zorder": 4}
STREAMING = {"color": ROOF, "linewidth": 1.6, "zorder": 2}


def main():
    parser = argparse.ArgumentParser(usage=__doc__[__doc__.index("usage:") + 7:])
    parser.add_argument("--counts", type=pathlib.Path)
    run, folder, arguments = read(parser, "what ladder wrote")
    counts = json.loads(arguments.counts.read_text(encoding="utf-8"))["counts"] if arguments.counts else []
    for elements in sorted({row["elements"] for row in run["rungs"]}):
        write(plot(run, elements, {key(row): row for row in counts}), folder / f"ladder-E{elements}")


def key(row):
    return row["problem"], row["rung"], row["order"]


def plot(run, elements, counts):
    """A column for each problem: a line for each rung, the streaming roofline, dashed lines of shared memory."""
    rows = [row for row in run["rungs"] if row["elements"] == elements]
    problems = sorted({row["problem"] for row in rows})
    figure, axes = plt.subplots(1, len(problems), figsize=(1 + 4 * len(problems), 5), squeeze=False)
    for axis, problem in zip(axes[0], problems):
        climb(axis, [row for row in rows if row["problem"] == problem], counts, run["context"]["shared_GB/s"])
        axis.set_title(problem, loc="left", fontweight="bold")
        axis.set_xlabel("degree N")
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis.set_ylim(bottom=0)
        axis.legend(fontsize=7, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncol=6)
    axes[0][0].set_ylabel("GFLOP/s")
    figure.suptitle(f"{run['context']['device']}, {elements} elements, double precision", x=0.01, ha="left")
    figure.tight_layout()
    return figure


def climb(axis, rows, counts, shared_rate):
    names = list(dict.fromkeys(row["rung"] for row in rows))
    shades = plt.get_cmap("viridis")
    for place, name in enumerate(names):
        series = sorted((row for row in rows if row["rung"] == name), key=lambda row: row["order"])
        orders = [row["order"] for row in series]
        style = OURS if name == "sumfac" else {"color": shades(0.92 - 0.92 * place / max(1, len(names) - 1)),
                                               "linewidth": 1.3, "marker": ".", "zorder": 3}
        axis.plot(orders, [row["GFLOP/s"] for row in series], label=name, **style)
        roofs = [(row["order"], shared_roofline(row, counts, shared_rate)) for row in series if key(row) in counts]
        streams = {row["order"]: streaming_roofline(row) for row in series}
        if any(roof < streams[order] for order, roof in roofs):
            axis.plot(*zip(*roofs), color=style["color"], linewidth=0.9, linestyle=(0, (3, 2)), zorder=2)
    by_order = {}
    for row in rows:
        by_order.setdefault(row["order"], []).append(streaming_roofline(row))
    axis.plot(sorted(by_order), [max(by_order[order]) for order in sorted(by_order)], label="streaming", **STREAMING)


def streaming_roofline(row):
    """GFLOP/s, were its bytes copied at the rate measured beside it."""
    return row["copy_GB/s"] * row["element_flops"] / row["element_bytes"]


def shared_roofline(row, counts, shared_rate):
    """GFLOP/s, were its reads and writes of scratch moved at the device's rate."""
    counted = counts[key(row)]
    return shared_rate * row["element_flops"] / (8 * (counted["reads"] + counted["writes"]))


if __name__ == "__main__":
    main()
