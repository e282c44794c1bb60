#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots a history of `bench/track`: shares of the roof by commit, a row of panels a machine, a line a configuration."""

import argparse
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from history import comparable
from matplotlib.lines import Line2D
from plot import INK, ROOF, read, write

COLORS = ["#1f5fa8", "#c8542b", "#3a8f5c", "#7a5fb0", "#999933", "#b0406f"]
MARKS = ["o", "s", "^", "D", "v", "P"]
FELL = {"marker": "o", "markersize": 11, "markerfacecolor": "none", "markeredgecolor": "#c00020", "linestyle": "none"}
MOST_LABELS = 24


def main():
    history, folder, arguments = read(argparse.ArgumentParser(description=__doc__), "a history of bench/track")
    write(page(history["runs"]), folder / arguments.json.stem)


def page(runs):
    groups = groups_of(runs)
    names = sorted({name for run in runs for name in run["configurations"]})
    sizes = sorted({size_of(name) for name in names}, reverse=True)  # memory, then cache
    problems = sorted({problem_of(name) for name in names})
    degrees = sorted({degree_of(name) for name in names})
    keys = [Line2D([], [], color=COLORS[i % len(COLORS)], linewidth=2, label=problem)
            for i, problem in enumerate(problems)]
    keys += [Line2D([], [], color=ROOF, marker=MARKS[i % len(MARKS)], linestyle="none", label=f"N = {degree}")
             for i, degree in enumerate(degrees)]
    keys.append(Line2D([], [], label="fell", **FELL))
    size = (4.6 * len(sizes) + 0.6, 3.1 * len(groups) + 0.9)
    figure, axes = plt.subplots(len(groups), len(sizes), figsize=size, squeeze=False, sharey="row")
    for line, group in zip(axes, groups):
        for axis, which in zip(line, sizes):
            draw(axis, group, [name for name in names if size_of(name) == which], problems, degrees)
            axis.set_title(f"{which}: {title(group[-1])}", fontsize=7.5, fontweight="bold", color=INK)
        line[0].set_ylabel("share of the roof")
        line[0].set_ylim(bottom=0)
    figure.legend(handles=keys, loc="upper center", ncol=min(8, len(keys)), fontsize=7.5, frameon=False)
    figure.text(
        0.5, 0.01,
        "The roof is the lower one of the stream of the same bytes and the multiply-add peak, measured in the same "
        "run; bars are the spread, + is a tree with changes.",
        ha="center", fontsize=7, color=ROOF)
    figure.tight_layout(rect=(0, 0.03, 1, 1 - 0.4 / size[1] * -(-len(keys) // 8)))
    return figure


def groups_of(runs):
    """Lists of runs that are compared with each other, that of the newest run first."""
    groups = []
    for run in reversed(runs):
        group = next((group for group in groups if comparable(group[0], run)), None)
        if group is None:
            groups.append([run])
        else:
            group.append(run)
    return [group[::-1] for group in groups]


def draw(axis, runs, names, problems, degrees):
    for name in names:
        series = [(x, run["configurations"][name]) for x, run in enumerate(runs) if name in run["configurations"]]
        if not series:
            continue
        places = [x for x, _ in series]
        ratios = [one["ratio"] for _, one in series]
        color = COLORS[problems.index(problem_of(name)) % len(COLORS)]
        axis.errorbar(places, ratios, [one["ratio"] * one["spread"] for _, one in series], color=color,
                      marker=MARKS[degrees.index(degree_of(name)) % len(MARKS)], markersize=4, linewidth=1.2,
                      elinewidth=0.7, alpha=0.9)
        fallen = [(x, one["ratio"]) for x, one in series if "fell" in one]
        axis.plot([x for x, _ in fallen], [ratio for _, ratio in fallen], **FELL)
    step = -(-len(runs) // MOST_LABELS)
    places = range(len(runs) - 1, -1, -step)
    axis.set_xticks(list(places), [runs[x]["commit"][:8] + "+" * runs[x]["dirty"] for x in places], rotation=60,
                    ha="right", fontsize=6.5)
    axis.set_xlim(-0.5, len(runs) - 0.5)


def title(run):
    return f"{run['machine']}, {run['threads']} threads, {run['simd']}, {run['compiler'].split(' ')[0]}"


def size_of(name):
    return name.split("/")[-1]


def problem_of(name):
    """BP3.5/2D/host/f64 of BP3.5/2D/host/f64/N:7/memory, without what all have."""
    return "/".join(word for word in re.sub("/N:.*", "", name).split("/") if word not in ("host", "f64"))


def degree_of(name):
    found = re.search(r"/N:(\d+)", name)
    return int(found[1]) if found else 0


if __name__ == "__main__":
    main()
