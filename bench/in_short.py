#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the lines that matter of what a benchmark wrote, two at most, with which bench/run and others end."""

import argparse
import json
import pathlib
import statistics
import sys

from history import is_number, roof_of

LINES = 2


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", type=pathlib.Path)
    run = json.loads(parser.parse_args().json.read_text(encoding="utf-8"))
    if run.get("benchmarks"):
        lines = roofs(run["benchmarks"])
    elif "fits" in run:
        lines = passes(run["fits"])
    elif run.get("results") and "merged_seconds" in run["results"][0]:
        lines = iterations(run["results"])
    else:
        lines = solves(run.get("results", []))
    print("\n".join(lines[:LINES]) or "nothing was measured")


def roofs(rows):
    """Shares of the lower roof, the stream of the same bytes or the multiply-add peak: a line for each size."""
    lines = []
    for size in dict.fromkeys(row["size"] for row in rows):
        of = sorted(((roof_of(row)[1], label(row)) for row in rows if row["size"] == size and roof_of(row)))
        if of:
            lines.append(f"{size}: {of[-1][1]} at {of[-1][0]:.2f} of its roof, {of[0][1]} at {of[0][0]:.2f}, "
                         f"{statistics.median(share for share, _ in of):.2f} in the middle of {len(of)}")
    return lines


def label(row):
    words = [row["problem"], *(row[key] for key, usual in (("scalar", "f64"), ("geometry", "stored"))
                               if row.get(key, usual) != usual)]
    return f"{' '.join(words)} N={row['order']}{' 2-D' if row.get('dimension') == 2 else ''}"


def passes(fits):
    """A copy of all sizes, by all threads: a line for each backend."""
    lines = []
    for backend in dict.fromkeys(fit["backend"] for fit in fits):
        of = [fit for fit in fits if fit["backend"] == backend and fit["pass"] == "copy" and fit["sizes"] == "all"]
        if of:
            fit = max(of, key=lambda one: one["threads"])
            threads = f"{fit['threads']} thread{'s' * (fit['threads'] > 1)}"
            lines.append(f"{backend}, {threads}: copies at {fit['W_GB/s']:.1f} GB/s, 0.8 of it from "
                         f"{fit['N_0.8_bytes'] / 1024:.0f} KiB on")
    return lines or [f"{len(fits)} lines fitted"]


def iterations(rows):
    best = max(rows, key=lambda row: row["dofs"] / row["merged_seconds"])
    gains = [row["plain_seconds"] / row["merged_seconds"] for row in rows]
    rate = 1e-6 * best["dofs"] / best["merged_seconds"]
    return [f"{best['problem']} N={best['order']}: {rate:.0f} MDOF/s an iteration with {best['dofs']} degrees of "
            f"freedom, the most of {len(rows)}",
            f"merged iterations are {statistics.median(gains):.2f} times as fast as plain ones in the middle"]


def solves(rows):
    """Each solver beside Jacobi, in the middle over problems, degrees, meshes and sizes: the fastest two."""
    gains = {name: statistics.median(row["over_jacobi"] for row in rows if row["solver"] == name)
             for name in dict.fromkeys(row["solver"] for row in rows)
             if all(is_number(row.get("over_jacobi")) for row in rows if row["solver"] == name)}
    return [f"{name}: {gain:.2f} times as fast as with Jacobi's preconditioner in the middle of "
            f"{sum(row['solver'] == name for row in rows)} solves"
            for name, gain in sorted(gains.items(), key=lambda one: -one[1]) if name != "jacobi"]


if __name__ == "__main__":
    sys.exit(main())
