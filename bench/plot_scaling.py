#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots what bench/scaling/report.py wrote: times on several processes, is and model; and the model of many GPUs."""

import argparse
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from plot import INK, MEASURED, ROOF, read, write

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "scaling"))
import model

COLORS = {"application": "#1f5fa8", "cg": "#c8542b", "cg + multigrid": "#3a8f5c"}
KINDS = {"application": model.applied, "cg": model.cg_seconds, "cg + multigrid": model.pcg_seconds}
MODEL = {"linewidth": 1.2, "linestyle": (0, (4, 2)), "zorder": 2}
RANKS = [10 ** (k / 8) for k in range(41)]


def main():
    run, folder, arguments = read(argparse.ArgumentParser(description=__doc__), "what bench/scaling/report.py wrote")
    write(plot(run), folder / arguments.json.stem)


def plot(run):
    """Measured on the left; then of each machine efficiencies against points a rank, and n_0.8 against ranks."""
    machines = [model.SUMMIT, model.H100]
    figure, axes = plt.subplots(1, 4, figsize=(14.5, 3.6))
    measured(axes[0], run)
    for axis, machine in zip(axes[1:3], machines):
        efficiencies(axis, machine)
    shares(axes[3], machines)
    context = run["context"]
    where = f"{context['cpu']}, {context['date'][:10]}; " if context else ""
    title = f"{where}BP5 in double; right: the model, of rates that are assumed"
    figure.suptitle(title, x=0.01, ha="left", fontsize=10)
    figure.tight_layout()
    return figure


def measured(axis, run):
    axis.set_title("several processes here", fontsize=9, fontweight="bold", color=INK)
    axis.set_xlabel("points of a process")
    axis.set_ylabel("microseconds")
    for name, color, label in (("overlap_us", COLORS["application"], "application"), ("cg_us", COLORS["cg"], "cg")):
        for count in sorted({row["processes"] for row in run["times"]}):
            rows = sorted((row for row in run["times"] if row["processes"] == count),
                          key=lambda row: row["points_of_process"])
            axis.plot([row["points_of_process"] for row in rows], [row[name] for row in rows], color=color,
                      marker="o" if count == 1 else "s", label=f"{label}, {count}", **MEASURED)
            said = [row for row in run["validation"] if row["processes"] == count]
            axis.plot([row["points_of_process"] for row in said], [row[f"model_{name}"] for row in said], color=color,
                      **MODEL)
    if not run["times"]:
        axis.text(0.5, 0.5, "not measured", ha="center", transform=axis.transAxes, color=ROOF)
        return
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.legend(frameon=False, fontsize=7, title="dashed: model", title_fontsize=7)


def efficiencies(axis, machine):
    """On 27648 ranks against points a rank."""
    op, points = model.Operator(7), [10 ** (4.5 + k / 10) for k in range(41)]
    axis.set_title(f"{machine.name}, 27648 ranks", fontsize=9, fontweight="bold", color=INK)
    axis.set_xlabel("points of a rank")
    axis.set_ylabel("rate, of that of very many points")
    for kind, seconds in KINDS.items():
        axis.plot(points, [model.efficiency(seconds, machine, op, n, 27648) for n in points], color=COLORS[kind],
                  label=kind, linewidth=1.8)
    axis.axhline(0.8, color=ROOF, linewidth=0.8, linestyle=(0, (1, 1.5)))
    if machine is model.SUMMIT:
        axis.vlines(2.1e6, 0.70, 0.83, color=INK, linewidth=4, alpha=0.6, label="nekRS, published")
    axis.set_xscale("log")
    axis.set_ylim(0, 1.02)
    axis.legend(frameon=False, fontsize=7)


def shares(axis, machines):
    op = model.Operator(7)
    axis.set_title("n$_{0.8}$ of a rank", fontsize=9, fontweight="bold", color=INK)
    axis.set_xlabel("ranks")
    axis.set_ylabel("points")
    for machine, line in zip(machines, ("-", (0, (4, 2)))):
        for kind, seconds in KINDS.items():
            axis.plot(RANKS, [model.points_for(0.8, seconds, machine, op, ranks) for ranks in RANKS],
                      color=COLORS[kind], linestyle=line, linewidth=1.5,
                      label=f"{kind}, {machine.name.split(',')[0]}")
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.legend(frameon=False, fontsize=6)


if __name__ == "__main__":
    main()
