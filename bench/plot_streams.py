#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots what `streams` wrote: gigabytes a second of each pass against its bytes, and the fitted lines T0 + B / W."""

import argparse
import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from plot import INK, MEASURED, read, write

WHAT = {
    "copy": "y = x",
    "axpy": "y = y + a x",
    "norm": "|x|",
    "dot": "x . y",
    "cg_update": "x, r a step on; r . r, r . z",
    "cg_turn": "p = z + b p",
    "gather": "u = R x",
    "scatter": "y = R' v",
}
COLORS = ["#1f5fa8", "#c8542b", "#3a8f5c", "#7a5fb0", "#999933", "#555555"]
FITTED = {"linewidth": 1.0, "linestyle": (0, (4, 2)), "alpha": 0.8, "zorder": 2}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    run, folder, arguments = read(parser, "what streams wrote")
    write(plot(run), folder / arguments.json.stem)


def plot(run):
    """A panel for each pass; a line for each backend and number of threads, dashed what was fitted, a dot at N_0.8."""
    passes = [name for name in WHAT if any(row["pass"] == name for row in run["times"])]
    series = list(dict.fromkeys((row["backend"], row["threads"]) for row in run["times"]))
    rows = math.ceil(len(passes) / 4)
    columns = math.ceil(len(passes) / rows)
    width, height = 0.9 + 2.7 * columns, 0.9 + 2.6 * rows
    figure, axes = plt.subplots(rows, columns, figsize=(width, height), sharex=True, squeeze=False)
    for axis in axes.flat[len(passes):]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, passes):
        for color, key in zip(COLORS, series):
            draw(axis, run, name, key, color)
        axis.set_xscale("log", base=2)
        axis.set_ylim(bottom=0)
        axis.set_title(f"{name}: {WHAT[name]}", fontsize=9, fontweight="bold", color=INK)
        axis.set_xlabel("bytes")
    for axis in axes[:, 0]:
        axis.set_ylabel("GB/s")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=4, frameon=False)
    device = run["context"].get("device") or run["context"].get("cpu")
    figure.suptitle(f"{device}: passes over memory; dashed T0 + B / W, dot N_0.8", x=0.01, ha="left", fontsize=10)
    figure.tight_layout(rect=(0, 0.3 / height, 1, 1))
    return figure


def draw(axis, run, name, key, color):
    def own(rows):
        return [row for row in rows if row["pass"] == name and (row["backend"], row["threads"]) == key]

    times = sorted(own(run["times"]), key=lambda row: row["bytes"])
    label = key[0] if key[0] != "host" else f"host, {key[1]} thread{'s' if key[1] > 1 else ''}"
    style = {**MEASURED, "markersize": 3.5}
    axis.plot([row["bytes"] for row in times], [row["GB/s"] for row in times], marker="o", color=color, label=label,
              **style)
    for fit in own(run["fits"]):
        if fit["sizes"] != "all":
            continue
        start, rate, end = fit["T0_us"] * 1e-6, fit["W_GB/s"] * 1e9, fit["N_0.8_bytes"]
        axis.plot([row["bytes"] for row in times],
                  [row["bytes"] / (start + row["bytes"] / rate) * 1e-9 for row in times], color=color, **FITTED)
        if times and times[0]["bytes"] <= end <= times[-1]["bytes"]:
            axis.plot([end], [0.8 * rate * 1e-9], marker="o", markersize=6, color=color, markerfacecolor="none")


if __name__ == "__main__":
    main()
