#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots the results of `contractions`: how many times as fast as plain loops each strategy is, shape by shape.

On a device, where plain loops are not timed, how many times as fast as another way: --over flat."""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

WAYS = ["flat", "team_reduction", "shared_reduction", "slicing", "tiling", "large_tiling", "automatic", "blas",
        "cublas", "intrepid2"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", type=pathlib.Path, nargs="+", help="what contractions wrote with --benchmark_out")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("contractions.svg"))
    parser.add_argument("--over", choices=["serial", *WAYS], default="serial")
    arguments = parser.parse_args()
    shapes = {}
    for path in arguments.json:
        for row in json.loads(path.read_text())["benchmarks"]:
            suffixes = ("iterations:", "manual_time")
            *shape, way = [part for part in row["name"].split("/") if not part.startswith(suffixes)]
            if "GFLOP/s" in row:
                shapes.setdefault(" ".join(shape).removeprefix("contract"), {})[way] = row["GFLOP/s"]
    shapes = {name: ways for name, ways in shapes.items() if arguments.over in ways}
    figure, axis = plt.subplots(figsize=(8, 1.5 + 0.45 * len(shapes)))
    for place, way in enumerate(WAYS):
        points = [(ways[way] / ways[arguments.over], y) for y, ways in enumerate(shapes.values()) if way in ways]
        if points:
            axis.barh([y + 0.09 * (place - 4.5) for _, y in points], [x for x, _ in points], height=0.08, label=way)
    axis.axvline(1, color="#555555", linewidth=0.8)
    axis.set_yticks(range(len(shapes)), shapes, fontsize=7)
    axis.invert_yaxis()
    axis.set_xscale("log")
    axis.set_xlabel("times as fast as " + {"serial": "plain loops on one core"}.get(arguments.over, arguments.over))
    axis.legend(fontsize=7, frameon=False)
    figure.tight_layout()
    figure.savefig(arguments.out, metadata={"Date": None} if arguments.out.suffix == ".svg" else None)
    print(arguments.out)


if __name__ == "__main__":
    main()
