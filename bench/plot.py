#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots the results of `roofline`: GFLOP/s and GDOF/s against the degree, the ceilings above them."""

import argparse
import collections
import json
import math
import pathlib
import re

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
POLICIES = {  # of the geometry
    "stored": ("#1f5fa8", "o"),
    "narrow": ("#7a5fb0", "v"),
    "trilinear": ("#c8542b", "s"),
    "affine": ("#3a8f5c", "D"),
    "isoparametric": ("#999933", "^"),
}
INK, ROOF, FAINT = "#222222", "#555555", "#f1f1ef"
STREAM = {"color": ROOF, "linewidth": 1.4, "zorder": 2}
COPY = {"color": ROOF, "linewidth": 1.1, "linestyle": (0, (4, 2)), "zorder": 2}
PEAK = {"color": ROOF, "linewidth": 1.1, "linestyle": (0, (1, 1.5)), "zorder": 2}
OWN_ROOF = {"linewidth": 1.0, "linestyle": (0, (4, 2)), "alpha": 0.8, "zorder": 2}
CACHED = {"linewidth": 1.2, "alpha": 0.45, "zorder": 2.5}
MEASURED = {"linewidth": 1.8, "markersize": 5, "markeredgecolor": "white", "markeredgewidth": 0.7, "zorder": 3}

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
    "svg.fonttype": "none",  # text stays text, in half of the bytes
    "svg.hashsalt": "sumfac",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    run, folder, _ = read(parser, "what roofline wrote")
    everything = run["benchmarks"]
    for dimension in dict.fromkeys(map(dimension_of, everything)):
        rows = [row for row in everything if dimension_of(row) == dimension]
        suffix = "" if dimension == 3 else f"-{dimension}d"
        run["benchmarks"] = [row for row in rows if row.get("geometry", "stored") == "stored"]
        for size in dict.fromkeys(row["size"] for row in rows if len(policies(rows, row["size"])) > 1):
            figure = plot_policies(run, [row for row in rows if row["size"] == size])
            write(figure, folder / f"geometry-{size.replace(':', '')}{suffix}")
        for size in dict.fromkeys(row["size"] for row in run["benchmarks"]):
            write(plot(run, size), folder / f"roofline-{size.replace(':', '')}{suffix}")


def read(parser, what):
    """Reads the command line and the JSON that it names; returns that, the plots' folder and the other arguments."""
    parser.add_argument("json", type=pathlib.Path, help=what)
    parser.add_argument("folder", type=pathlib.Path, nargs="?", help="where the plots go (default: beside the JSON)")
    arguments = parser.parse_args()
    run = json.loads(arguments.json.read_text(encoding="utf-8"))
    folder = arguments.folder or arguments.json.parent
    folder.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update(STYLE)
    return run, folder, arguments


def write(figure, stem):
    drawing = stem.with_suffix(".svg")
    figure.savefig(drawing, metadata={"Date": None})
    drawing.write_text(smaller(drawing.read_text(encoding="utf-8")), encoding="utf-8")
    figure.savefig(stem.with_suffix(".png"), dpi=180)
    plt.close(figure)
    print(f"{stem}.svg {stem}.png")


def smaller(drawing):
    """The same SVG in a third of the bytes: hundredths of a point are enough, and a style stands once."""
    drawing = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number.group()):.2f}", drawing)
    drawing = re.sub(r"\s*\n\s*", "\n", drawing)
    counts = collections.Counter(re.findall(r' style="([^"]+)"', drawing))
    rules = []
    for style, count in counts.items():
        if count > 1:
            drawing = drawing.replace(f' style="{style}"', f' class="s{len(rules)}"')
            rules.append(f".s{len(rules)}{{{style}}}")
    return drawing.replace("</style>", "\n".join(["", *rules]) + "</style>", 1)


def plot(run, size):
    """One figure: a column per problem, GFLOP/s in the upper row and GDOF/s in the lower."""
    rows = [row for row in run["benchmarks"] if row["size"] == size]
    in_cache = {key(row): row for row in run["benchmarks"] if row["size"] == "cache" and size != "cache"}
    problems = sorted({row["problem"] for row in rows})
    scalars = [scalar for scalar in SCALARS if any(row["scalar"] == scalar for row in rows)]
    width = 1.2 + 3.2 * len(problems)
    figure, axes = plt.subplots(2, len(problems), figsize=(width, 6.2), sharex=True, sharey="row", squeeze=False)
    for column, problem in enumerate(problems):
        for scalar in scalars:
            series = [row for row in rows if row["problem"] == problem and row["scalar"] == scalar]
            series.sort(key=lambda row: row["order"])
            if series:
                draw(axes[0][column], series, in_cache, lambda row: 1)
                draw(axes[1][column], series, in_cache, dofs_per_flop)
        top, bottom = axes[:, column]
        top.set_title(f"{problem}\n", fontsize=12, fontweight="bold", color=INK, pad=4)
        top.text(0.5, 1.03, what(problem, rows), transform=top.transAxes, ha="center", color=ROOF)
        bottom.set_xlabel("degree N")
        bottom.set_xticks([1, 3, 5, 7, 9, 11, 13, 15])
    for axis, label, scale in zip(axes[:, 0], ("GFLOP/s", "GDOF/s"), (lambda row: 1, dofs_per_flop)):
        axis.set_ylabel(label, fontsize=10)
        axis.set_ylim(0, 1.08 * top_of(rows, in_cache, scale))
        axis.yaxis.set_major_locator(MaxNLocator(6))
    handles = legend(scalars, size, in_cache, rows[0])
    columns = min(len(handles), 3 if width > 8 else 2)
    figure.legend(handles=handles, loc="upper center", ncol=columns, frameon=False, bbox_to_anchor=(0.5, 1.0))
    figure.text(0.5, 0.012, footer(run, rows, size), ha="center", fontsize=7.5, color="#777777", linespacing=1.5)
    figure.subplots_adjust(left=0.7 / width, right=1 - 0.15 / width, top=0.83, bottom=0.125, wspace=0.08, hspace=0.12)
    return figure


def dimension_of(row):
    return row.get("dimension", 3)


def policies(rows, size):
    return [name for name in POLICIES if any(
        row.get("geometry", "stored") == name and row["size"] == size and row["scalar"] == "f64" for row in rows)]


def plot_policies(run, rows):
    """One figure: GFLOP/s with each policy's own roofline in the upper row, the speedup over stored in the lower."""
    problems = sorted({row["problem"] for row in rows})
    names = policies(rows, rows[0]["size"])
    width = 1.2 + 3.2 * len(problems)
    figure, axes = plt.subplots(2, len(problems), figsize=(width, 6.2), sharex=True, sharey="row", squeeze=False)
    for column, problem in enumerate(problems):
        top, bottom = axes[:, column]
        for name in names:
            series = [row for row in rows if row["problem"] == problem and row["scalar"] == "f64"
                      and row.get("geometry", "stored") == name]
            series.sort(key=lambda row: row["order"])
            color, marker = POLICIES[name]
            degrees = [row["order"] for row in series]
            top.plot(degrees, [row["GFLOP/s"] for row in series], color=color, marker=marker, **MEASURED)
            top.plot(degrees, [min(stream(row), peak(row)) for row in series], color=color, **OWN_ROOF)
            bottom.plot(degrees, [row.get("speedup", 1) for row in series], color=color, marker=marker, **MEASURED)
        top.set_title(f"{problem}\n", fontsize=12, fontweight="bold", color=INK, pad=4)
        top.text(0.5, 1.03, what(problem, rows), transform=top.transAxes, ha="center", color=ROOF)
        bottom.set_xlabel("degree N")
        bottom.xaxis.set_major_locator(MaxNLocator(integer=True))
    for row in axes:
        row[0].set_ylim(bottom=0)  # all columns share it, so not before the last one is drawn
    axes[0][0].set_ylabel("GFLOP/s", fontsize=10)
    axes[1][0].set_ylabel("speedup over stored factors", fontsize=10)
    handles = [Line2D([], [], color=POLICIES[name][0], marker=POLICIES[name][1], label=name, **MEASURED)
               for name in names]
    handles.append(Line2D([], [], color=ROOF, label="its roofline: stream of its bytes, or the peak", **OWN_ROOF))
    figure.legend(handles=handles, loc="upper center", ncol=3, frameon=False, bbox_to_anchor=(0.5, 1.0))
    figure.text(0.5, 0.012, footer(run, rows, rows[0]["size"]), ha="center", fontsize=7.5, color="#777777",
                linespacing=1.5)
    figure.subplots_adjust(left=0.7 / width, right=1 - 0.15 / width, top=0.83, bottom=0.125, wspace=0.08, hspace=0.12)
    return figure


def what(problem, rows):
    return WHAT.get(problem, "") + (", 2-D" if dimension_of(rows[0]) == 2 else "")


def key(row):
    return row["problem"], row["scalar"], row["order"]


def dofs_per_flop(row):
    return row["GDOF/s"] / row["GFLOP/s"]


def stream(row):
    """Of a device the copy, which is all the streams that it was given."""
    return row["GFLOP/s"] / row.get("stream", row["roofline"])


def copy(row):
    return row["GFLOP/s"] / row["roofline"]


def peak(row):
    """What bounds the kernel but memory: the multiply-adds of a host, the shared memory of a device."""
    if "peak_GFLOP/s" in row:
        return row["peak_GFLOP/s"]
    return row["GFLOP/s"] / row["shared_roofline"] if row.get("shared_roofline", 0) > 0 else math.inf


def top_of(rows, in_cache, scale):
    """The highest thing to see: what was measured, here and in cache, and ceilings that are not far above the peak."""
    seen = [*rows, *(in_cache[key(row)] for row in rows if key(row) in in_cache)]
    measured = max(row["GFLOP/s"] * scale(row) for row in seen)
    ceiling = max(min(stream(row), 1.3 * peak(row)) * scale(row) for row in rows)
    return max(measured, ceiling)


def draw(axis, series, in_cache, scale):
    """Ceilings as lines, the ground below the lower of stream and peak tinted; measurements as marks."""
    color, marker, _ = SCALARS[series[0]["scalar"]]
    degrees = [row["order"] for row in series]

    def curve(rate):
        return [rate(row) * scale(row) for row in series]

    axis.fill_between(degrees, curve(lambda row: min(stream(row), peak(row))), color=FAINT, zorder=0, linewidth=0)
    axis.plot(degrees, curve(peak), **PEAK)
    if series[0]["size"] != "cache":
        axis.plot(degrees, curve(copy), **COPY)
    if "stream" in series[0]:
        axis.plot(degrees, curve(stream), **STREAM)
    cached = [in_cache[key(row)] for row in series if key(row) in in_cache]
    if cached:
        rates = [row["GFLOP/s"] * scale(row) for row in cached]
        axis.plot([row["order"] for row in cached], rates, color=color, **CACHED)
    axis.plot(degrees, curve(lambda row: row["GFLOP/s"]), color=color, marker=marker, **MEASURED)


def legend(scalars, size, in_cache, row):
    handles = []
    for scalar in scalars:
        color, marker, name = SCALARS[scalar]
        handles.append(Line2D([], [], color=color, marker=marker, label=f"sumfac, {name}", **MEASURED))
    if in_cache:
        color = SCALARS[scalars[0]][0] if len(scalars) == 1 else ROOF
        handles.append(Line2D([], [], color=color, label="the same kernels in cache", **CACHED))
    if "stream" in row:
        handles.append(Line2D([], [], label="stream of the same bytes, same mix", **STREAM))
    if size != "cache":
        handles.append(Line2D([], [], label="roofline: copy of the same bytes", **COPY))
    bound = "multiply-add peak" if "peak_GFLOP/s" in row else "shared memory's roofline"
    handles.append(Line2D([], [], label=bound, **PEAK))
    return handles


def footer(run, rows, size):
    context = run["context"]
    largest = max(row["bytes_read"] + row["bytes_written"] for row in rows)
    where = {
        "memory": f"working sets of {largest / 2**20:.0f} MiB in memory",
        "cache": "working sets in each core's L2 cache",
    }.get(size, f"{size[2:]} elements")
    if "device" in context:
        return (f"{context['device']}, {context['multiprocessors']} multiprocessors, {context['backend']}; {where}\n"
                "Flops are credited in full; the even-odd split saves up to half of the multiply-adds.")
    threads = f"{context['threads']} thread{'s' if context['threads'] != 1 else ''}"
    return (
        f"{context['cpu']}, {threads}, {context['simd']}, {context['compiler']}; {where}; {context['date'][:10]}\n"
        "Flops are credited in full; the even-odd split saves up to half of the multiply-adds: "
        "a kernel may pass the peak."
    )


if __name__ == "__main__":
    main()
