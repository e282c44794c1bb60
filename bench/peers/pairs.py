#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs sumfac's and deal.II's bake-off operators in turn and prints their rates and the ratios as a table."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import huge_pages

LARGEST_ERROR = 1e-13
LARGEST_CHECKED = 100_000  # degrees of freedom


def main():
    arguments = read()
    arguments.variables, sentence = huge_pages.environment()
    print(sentence, flush=True)
    cases = [(problem, order, dofs)
             for dofs in arguments.dofs for problem in arguments.problem for order in arguments.order]
    rows = []
    for number, (problem, order, dofs) in enumerate(cases, 1):
        new = [one | huge_pages.noted(arguments.variables) for one in measure(arguments, problem, order, dofs)]
        print(f"[{number}/{len(cases)}] {problem} N={order}, {new[0]['dofs']} degrees of freedom: "
              + ", ".join(f"{one['boundary']} {one['ratio']:.2f}" for one in new), flush=True)
        rows += new
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(table(rows))
    print("\n" + in_short(rows))
    print(arguments.out)


def read():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sumfac", help="the program bake_off")
    parser.add_argument("dealii", help="the program dealii")
    parser.add_argument("--dimension", type=int, choices=(2, 3), default=3)
    parser.add_argument("--problem", type=lambda text: text.split(","), default=["BP1", "BP3", "BP5"])
    parser.add_argument("--order", type=numbers, default=list(range(1, 9)))
    parser.add_argument("--dofs", type=numbers, default=[30000, 1900000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ranks", type=int, default=os.cpu_count())
    parser.add_argument("--preload", help="a library for both programs, as bench/report/processor_time.cpp makes one")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/results/peers.json"))
    arguments = parser.parse_args()
    for option in ("rounds", "ranks"):
        if getattr(arguments, option) < 1:
            parser.error(f"--{option} is {getattr(arguments, option)}, at least 1 expected")
    if arguments.preload and arguments.ranks != 1:
        parser.error(f"--preload is for 1 rank, --ranks is {arguments.ranks}")
    return arguments


def numbers(text):
    return [int(word) for word in text.split(",")]


def measure(arguments, problem, order, dofs):
    """A row for each boundary that deal.II has; sumfac's is always the problem's, fixed but in BP1."""
    boundaries = ["free"] if problem == "BP1" else ["fixed", "free"]
    if dofs <= LARGEST_CHECKED:
        for boundary in boundaries:
            check(arguments, problem, order, dofs, boundary)
    ours, theirs = [], {boundary: [] for boundary in boundaries}
    for turn in range(arguments.rounds):
        sides = ["sumfac", *boundaries]
        for side in sides if turn % 2 == 0 else reversed(sides):
            if side == "sumfac":
                ours.append(sumfac(arguments, problem, order, dofs))
            else:
                theirs[side].append(dealii(arguments, problem, order, dofs, side))
    return [row(ours, theirs[boundary]) for boundary in boundaries]


def row(ours, theirs):
    assert all(a["dofs"] == b["dofs"] for a, b in zip(ours, theirs)), "the meshes differ"
    first, second = rates(ours), rates(theirs)
    ratios = [a / b for a, b in zip(first, second)]
    assert all(a["dimension"] == b["dimension"] for a, b in zip(ours, theirs)), "the dimensions differ"
    keys = ("problem", "dimension", "order", "boundary", "elements", "dofs", "lanes", "ranks")
    return {key: theirs[0][key] for key in keys} | {
        "sumfac": first, "dealii": second, "ratio": statistics.median(ratios), "ratios": ratios}


def rates(runs):
    return [1e-6 * run["dofs"] / run["seconds"] for run in runs]


def sumfac(arguments, problem, order, dofs):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "bake_off.json")
        run([arguments.sumfac, "--problem", problem, "--order", str(order), "--dofs", str(dofs), "--seconds", "0.6",
             "--dimension", str(arguments.dimension), "--threads", str(arguments.ranks), "--out", str(out)],
            OMP_PROC_BIND="true", **preloaded(arguments))
        result = json.loads(out.read_text(encoding="utf-8"))["results"][0]
    return {"dofs": result["dofs"], "dimension": result["dimension"], "seconds": result["operator_seconds"]}


def dealii(arguments, problem, order, dofs, boundary, *more):
    # mpirun itself would not see its waiting end on a clock that counts its processor time.
    start = [] if arguments.preload else ["mpirun", "--bind-to", "core", "-n", str(arguments.ranks)]
    return json.loads(run(
        [*start, arguments.dealii, "--problem", problem, "--order", str(order), "--dofs", str(dofs), "--boundary",
         boundary, *more],
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", **arguments.variables, **preloaded(arguments)))


def preloaded(arguments):
    return {"LD_PRELOAD": arguments.preload} if arguments.preload else {}


def check(arguments, problem, order, dofs, boundary):
    error = dealii(arguments, problem, order, dofs, boundary, "--check")["error"]
    if not error < LARGEST_ERROR:
        raise SystemExit(f"peers: deal.II's {problem} of degree {order} is wrong: {error}, {LARGEST_ERROR} is allowed")


def run(command, **variables):
    return subprocess.run(command, env=os.environ | variables, check=True, stdout=subprocess.PIPE, text=True).stdout


def in_short(rows):
    best, worst = max(rows, key=lambda r: r["ratio"]), min(rows, key=lambda r: r["ratio"])
    return (f"sumfac is {statistics.median(r['ratio'] for r in rows):.2f} times as fast as deal.II in the middle of "
            f"{len(rows)}, {worst['ratio']:.2f} ({worst['problem']} N={worst['order']}) to {best['ratio']:.2f} "
            f"({best['problem']} N={best['order']})")


def table(rows):
    """Millions of degrees of freedom a second, medians and the best; the ratio is the median of the rounds."""
    lines = ["| problem | N | DOFs | boundary of deal.II | sumfac | best | deal.II | best | ratio | rounds |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for r in rows:
        figures = " | ".join(f"{statistics.median(r[side]):.0f} | {max(r[side]):.0f}" for side in ("sumfac", "dealii"))
        lines.append(f"| {r['problem']} | {r['order']} | {r['dofs']} | {r['boundary']} | {figures} | {r['ratio']:.2f} "
                     f"| {min(r['ratios']):.2f} to {max(r['ratios']):.2f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
