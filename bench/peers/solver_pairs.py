#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Solves BPS3 and BPS5 by sumfac and by deal.II in turn, and prints iterations, seconds and their ratios as a table."""

import argparse
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import huge_pages


def main():
    arguments = read()
    arguments.variables, sentence = huge_pages.environment()
    print(sentence, flush=True)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    cases = list(itertools.product(arguments.problem, arguments.mesh, arguments.order, arguments.dofs))
    rows = []
    for number, case in enumerate(cases, 1):
        rows.append(measure(arguments, *case) | huge_pages.noted(arguments.variables))
        arguments.out.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        print(f"[{number}/{len(cases)}] {line(rows[-1])}", flush=True)
    print("\n".join(("", *HEAD, *map(line, rows))))
    middle = statistics.median(r["solve_ratio"] for r in rows)
    print(f"\nsumfac solves in the middle of {len(rows)} {middle:.2f} times as fast as deal.II")
    print(arguments.out)


def read():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sumfac", help="the program bps")
    parser.add_argument("dealii", help="the program dealii_multigrid")
    parser.add_argument("--problem", type=lambda text: text.split(","), default=["BPS3", "BPS5"])
    parser.add_argument("--mesh", type=lambda text: text.split(","), default=["cube"])
    parser.add_argument("--order", type=numbers, default=[2, 4, 7])
    parser.add_argument("--dofs", type=numbers, default=[250000])
    parser.add_argument("--chebyshev", type=numbers, default=[3, 4, 5])
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/results/peers_solvers.json"))
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds is {arguments.rounds}, at least 1 expected")
    return arguments


def numbers(text):
    return [int(word) for word in text.split(",")]


def measure(arguments, *case):
    """deal.II's smoother is chosen first; both then solve in turn. A case: problem, mesh, order, degrees of freedom."""
    degree = min(arguments.chebyshev, key=lambda one: dealii(arguments, *case, one)["solve_seconds"])
    ours, theirs = [], []
    for turn in range(arguments.rounds):
        sides = [lambda: ours.append(sumfac(arguments, *case)),
                 lambda: theirs.append(dealii(arguments, *case, degree))]
        for side in sides if turn % 2 == 0 else reversed(sides):
            side()
    assert ours[0]["dofs"] == theirs[0]["dofs"], "the meshes differ"
    # A residual of 1e-8 leaves an error of about 1e-9, which at high degrees is as large as that of the functions.
    if not abs(ours[0]["error"] - theirs[0]["error"]) < 0.01 * theirs[0]["error"] + 1e-9:
        raise SystemExit(f"peers: the errors of the solutions differ: {ours[0]['error']}, {theirs[0]['error']}")
    row = {key: theirs[0][key] for key in ("problem", "mesh", "order", "elements", "dofs", "chebyshev", "error")}
    row["ranks"] = arguments.ranks
    for name, runs in (("sumfac", ours), ("dealii", theirs)):
        row |= {f"{name}_{key}": [run[key] for run in runs] for key in ("setup_seconds", "solve_seconds")}
        row |= {f"{name}_{key}": runs[0][key] for key in ("iterations", "peak_megabytes")}
    for key in ("setup", "solve"):
        ratios = [b[f"{key}_seconds"] / a[f"{key}_seconds"] for a, b in zip(ours, theirs)]
        row |= {f"{key}_ratio": statistics.median(ratios), f"{key}_ratios": ratios}
    return row


def sumfac(arguments, problem, mesh, order, dofs):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "bps.json")
        _, peak = run([arguments.sumfac, "--problem", problem, "--order", str(order), "--dofs", str(dofs), "--mesh",
                       mesh, "--solver", "multigrid-float", "--threads", str(arguments.ranks), "--seconds", "0.3",
                       "--out", str(out)])
        return json.loads(out.read_text(encoding="utf-8"))["results"][0] | {"peak_megabytes": peak}


def dealii(arguments, problem, mesh, order, dofs, chebyshev):
    start = [] if arguments.ranks == 1 else ["mpirun", "--bind-to", "core", "-n", str(arguments.ranks)]
    text, peak = run([*start, arguments.dealii, "--problem", problem, "--order", str(order), "--mesh", mesh, "--dofs",
                      str(dofs), "--chebyshev", str(chebyshev), "--seconds", "0.3"],
                     OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                     **arguments.variables)
    return {"peak_megabytes": peak} | json.loads(text)


def run(command, **variables):
    """What it prints, and the most memory that it had in MB, by the operating system's account."""
    with subprocess.Popen(command, env=os.environ | variables, stdout=subprocess.PIPE, text=True) as process:
        text = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return text, used.ru_maxrss / 1024


HEAD = ("| problem, mesh | N | DOFs | sumfac | its | set-up | MB | deal.II (degree) | its | set-up | MB | solve: ratio "
        "| rounds | set-up: ratio |", "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")


def line(row):
    """Milliseconds in the middle; ratios are deal.II's seconds over sumfac's, the median of the rounds. MB are all of
    a program's at its most, with what makes the mesh, the right side and the error."""
    def middle(key):
        return f"{1e3 * statistics.median(row[key]):.1f}"
    return (f"| {row['problem']}, {row['mesh']} | {row['order']} | {row['dofs']} | {middle('sumfac_solve_seconds')} "
            f"| {row['sumfac_iterations']} | {middle('sumfac_setup_seconds')} | {row['sumfac_peak_megabytes']:.0f} "
            f"| {middle('dealii_solve_seconds')} ({row['chebyshev']}) | {row['dealii_iterations']} "
            f"| {middle('dealii_setup_seconds')} | {row['dealii_peak_megabytes']:.0f} | {row['solve_ratio']:.2f} "
            f"| {min(row['solve_ratios']):.2f} to {max(row['solve_ratios']):.2f} "
            f"| {row['setup_ratio']:.2f} |")


if __name__ == "__main__":
    main()
